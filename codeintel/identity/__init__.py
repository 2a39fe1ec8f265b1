"""Identities of users: sign-in links, sessions, accounts at providers, and the audit log.

Other packages import only `accounts`, `audit`, `auth.browsers`, `auth.caller`, `auth.jwt`,
`code_digests`, `identities`, `issuer`, `keys.records`, `keys.service`, `ledger`, `links`, `oidc`,
`secrets`, `sessions`, `tables` and `verifier`.
"""
