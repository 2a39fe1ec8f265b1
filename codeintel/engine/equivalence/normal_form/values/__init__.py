"""Normal forms of values: texts, mappings, comparisons and truth."""
