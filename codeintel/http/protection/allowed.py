"""Which methods an address takes, where the placeholder of another route would match it as well."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask


def allowed_here(app: Flask, path: str, methods: Iterable[str]) -> list[str]:
    """Of the methods of all routes that match a path those of the route that is just this path, if
    there is one: `GET /api/workspace/sync` would ask for a workspace called `sync`."""
    own = [rule for rule in app.url_map.iter_rules() if rule.rule == path and not rule.arguments]
    if own:
        methods = {method for rule in own for method in rule.methods or ()}
    return sorted(methods)
