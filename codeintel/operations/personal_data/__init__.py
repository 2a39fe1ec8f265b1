"""What is stored of a person: handed out to them, and deleted for good."""
