"""Numbers, texts and units that a program names."""
