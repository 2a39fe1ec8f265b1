"""Compare Python functions by their path trees, for rewrites that no step makes equal."""
