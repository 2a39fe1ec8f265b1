"""The parts of `benchmarks/search.py`."""

QUERY = "QUERY"
"""In the URLs that the bare application asks: stands for what is looked for."""
