"""The proof loop: a revision is analyzed, and what was found is reported."""
