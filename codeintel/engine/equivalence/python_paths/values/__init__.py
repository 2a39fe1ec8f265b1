"""Values: numbers, texts and types, and what is known of them."""
