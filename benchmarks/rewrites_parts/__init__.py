"""Parts of `benchmarks/rewrites.py`."""
