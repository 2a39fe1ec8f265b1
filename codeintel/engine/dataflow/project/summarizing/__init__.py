"""Summarize one file: its declarations, and what is recorded while it is interpreted."""
