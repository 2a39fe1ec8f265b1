"""What files that declare dependencies are made of."""
