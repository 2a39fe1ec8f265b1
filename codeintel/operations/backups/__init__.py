"""Back up and restore the whole database as a portable file, on SQLite and PostgreSQL."""
