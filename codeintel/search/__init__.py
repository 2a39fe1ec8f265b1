"""Search registries: the I/O, deadlines and caching around the sources that plugins provide."""
