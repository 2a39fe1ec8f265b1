"""The audit log: what was done in whose name."""
