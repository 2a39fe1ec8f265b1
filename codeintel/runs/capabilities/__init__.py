"""What a service can do, as its plugins state it."""
