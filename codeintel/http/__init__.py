"""The HTTP layer that all endpoints share.

Other packages import only `address`, `endpoint`, `errors`, `idempotency`, `openapi.document`,
`openapi.schemas`, `operation`, `origins`, `protection`, `refusals`, `requests.body`,
`requests.forms`, `requests.query`, `served` and `streams`.
"""
