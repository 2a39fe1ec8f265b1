"""OpenID Connect: tokens of several providers, and signing in with them."""
