"""Background jobs: rows that one process at a time works on."""
