"""The parts of the benchmark of the comparison of names."""
