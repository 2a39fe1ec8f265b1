"""Carrying out a run: its context, the judge of results, meter and charges."""
