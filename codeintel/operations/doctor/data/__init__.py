"""Checks of databases, Redis, migrations, leases and the ledger."""
