"""The pages of runs and their results."""
