"""Known misspellings, words, and the structure of names."""
