"""`codeintel scan`: analyze a repository, apply its policy and report what is new."""
