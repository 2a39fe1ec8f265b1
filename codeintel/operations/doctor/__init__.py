"""Find problems of an installation and suggest fixes, without changing anything."""
