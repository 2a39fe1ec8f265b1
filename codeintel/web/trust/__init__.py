"""The pages of the trust network."""
