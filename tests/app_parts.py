"""Reads and compiles once in a process what all of its applications have alike.

Most tests make an application of their own. Most of the time that takes goes into the code for the
URLs of routes, the metadata of installed packages and the search for hooks in the plugins that
ship. None of these changes while a process runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from importlib import metadata
from types import ModuleType
from typing import Any

import pluggy
from werkzeug.routing import Rule

from codeintel.platform.plugins import manager

SHIPPED = "codeintel_plugins."


def remember_app_parts() -> None:
    """Have each application of this process take them from the first."""
    _remember_urls()
    _remember_packages()
    _remember_hooks()


def _remember_urls() -> None:
    """What builds the URL of a route is code that depends on the route's text alone, where nothing
    has a default: it takes the converters from the route that it is called for."""
    known: dict[tuple[Any, ...], Callable[..., tuple[str, str]]] = {}
    compiled = Rule._compile_builder

    def builder(self: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        if self.defaults:
            return compiled(self, append_unknown)
        key = (self.rule, tuple(self._trace), append_unknown)
        if key not in known:
            known[key] = compiled(self, append_unknown)
        return known[key]

    Rule._compile_builder = builder  # type: ignore[method-assign]


def _remember_packages() -> None:
    """Whose versions our plugins ask for, and which plugins there are."""
    tables: Any = (metadata, manager)
    found = metadata.distribution

    class Package(metadata.PathDistribution):
        """An installed package whose metadata are read once."""

        def __init__(self, name: str) -> None:
            self._made = found(name)

        @cached_property
        def metadata(self) -> metadata.PackageMetadata:
            return self._made.metadata

        def __getattr__(self, name: str) -> Any:
            return getattr(self._made, name)

    tables[0].distribution = cache(Package)
    tables[1].entry_points = cache(metadata.entry_points)


def _remember_hooks() -> None:
    """Those of the modules that ship: tests write others anew."""
    known: dict[tuple[str, ModuleType, str], Any] = {}
    parse = pluggy.PluginManager.parse_hookimpl_opts

    def parsed(self: pluggy.PluginManager, plugin: Any, name: str) -> Any:
        if not (isinstance(plugin, ModuleType) and plugin.__name__.startswith(SHIPPED)):
            return parse(self, plugin, name)
        key = (self.project_name, plugin, name)
        if key not in known:
            known[key] = parse(self, plugin, name)
        return known[key] and {**known[key]}

    pluggy.PluginManager.parse_hookimpl_opts = parsed  # type: ignore[method-assign]
