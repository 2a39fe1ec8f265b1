"""The endpoint of transformations, with its body and rules."""
