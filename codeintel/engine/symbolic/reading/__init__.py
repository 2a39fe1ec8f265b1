"""From syntax trees to the functions, types and constants of a file."""
