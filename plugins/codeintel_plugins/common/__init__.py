"""What several of the shipped plugins use: positions, bounds, redaction, processes."""
