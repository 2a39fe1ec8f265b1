"""Commands about the trust network."""
