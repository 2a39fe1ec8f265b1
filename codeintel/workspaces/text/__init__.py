"""What is read in the texts of a workspace: differences, hits of a search, secrets. Pure."""
