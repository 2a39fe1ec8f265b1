"""Python functions as trees of their paths, for what rewrites that steps do not make equal."""
