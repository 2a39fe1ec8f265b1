"""What public services know about packages: one collector for each, without I/O of its own."""
