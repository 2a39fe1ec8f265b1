"""Work out how two programs differ, and what calls must reach because of that."""
