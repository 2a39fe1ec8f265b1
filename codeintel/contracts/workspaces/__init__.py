"""Pushed folders: the types that the client and the service share."""
