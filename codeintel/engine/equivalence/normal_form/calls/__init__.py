"""Normal forms of calls, their arguments and literals."""
