"""Lower expressions, with their loops and collections."""
