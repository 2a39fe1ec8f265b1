"""The proof loop: a revision is analysed, and what was found is reported."""
