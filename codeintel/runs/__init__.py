"""Runs: work that is detached from the connection that asked for it."""
