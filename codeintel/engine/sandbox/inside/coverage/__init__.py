"""What differs between two programs, and what calls have to reach because of it."""
