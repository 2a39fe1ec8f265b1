"""Read syntax trees into the functions, types and constants of a file."""
