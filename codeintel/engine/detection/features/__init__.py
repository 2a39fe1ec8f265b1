"""Words and shapes of lines by which a language is told."""
