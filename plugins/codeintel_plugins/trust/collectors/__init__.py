"""Collectors, which do no I/O themselves: one for each public service that has facts about
packages."""
