"""Choose the values for calls, from what parameters expect."""
