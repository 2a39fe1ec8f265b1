"""Facts about a program: scopes, effects, ownership."""
