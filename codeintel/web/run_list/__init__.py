"""`/runs`: the list of runs with filters, and the comparison of two analyses."""
