"""How far one name is from another: edits, affixes, distances."""
