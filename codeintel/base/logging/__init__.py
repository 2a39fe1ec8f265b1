"""The log: its set-up, its entries, and the context that each entry carries."""
