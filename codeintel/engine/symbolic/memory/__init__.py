"""The use of memory, files and locks: where values are, and whether the code may use them."""
