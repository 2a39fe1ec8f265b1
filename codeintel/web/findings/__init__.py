"""Findings on pages: one view of them for runs, reports, the playground and the editor."""
