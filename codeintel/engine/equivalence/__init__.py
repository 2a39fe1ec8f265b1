"""Whether new code may stand for the old: checks that no plugin makes, and none can leave out."""
