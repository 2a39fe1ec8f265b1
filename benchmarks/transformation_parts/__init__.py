"""Parts of `benchmarks/transformations.py`."""
