"""Identities of users: sign-in links, sessions, accounts at providers, and the audit log."""
