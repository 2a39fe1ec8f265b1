"""Facts about a program: kinds of values, purity, scopes."""
