"""Credits: prices, the ledger, holds."""
