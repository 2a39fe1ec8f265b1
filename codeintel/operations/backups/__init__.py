"""Backups: the whole database as one portable file, and back, on SQLite and PostgreSQL alike."""
