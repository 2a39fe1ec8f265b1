"""The pages that the service shows to people."""
