"""Code that a model writes: asking, reading, and asking again."""
