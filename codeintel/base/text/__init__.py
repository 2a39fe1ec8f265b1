"""Text: what is blank, what can be printed, names of packages and forms of keys."""
