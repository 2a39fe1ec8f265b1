"""Checks of servers elsewhere: upstreams, the model's API, identity providers."""
