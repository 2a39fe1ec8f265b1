"""Registries that can be searched, a module and a plugin each.

Every module has the request and the reading of answers as pure functions, and says by
:class:`shipped.Shipped` where its public instance is.
"""
