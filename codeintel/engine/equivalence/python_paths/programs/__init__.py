"""Programs: their functions, and which of two do the same."""
