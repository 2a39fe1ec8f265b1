"""The values that calls are made with, and what parameters want to be given."""
