"""The values of expressions, and what conditions tell."""
