"""One collector for each public service that has facts about packages, without I/O of its own."""
