"""Collecting facts about packages: sessions with collectors, and their budgets."""
