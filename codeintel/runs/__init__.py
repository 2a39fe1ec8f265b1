"""Runs: work that is detached from the connection that requested it."""
