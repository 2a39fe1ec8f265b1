"""Commands about accounts, keys, credits and the audit log."""
