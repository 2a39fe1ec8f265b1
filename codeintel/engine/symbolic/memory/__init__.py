"""The use of memory, files and locks: where values are, and whether they may be used."""
