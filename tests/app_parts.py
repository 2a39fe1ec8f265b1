"""Read and compile the common parts of a process's applications only once.

Most tests make their own application. Most of that time is spent on the code for the URLs of
routes, the metadata of installed packages and the search for hooks in the shipped plugins. They do
not change while a process runs.
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
    """Reuse the parts of the first application in all others of this process."""
    _remember_urls()
    _remember_packages()
    _remember_hooks()


def _remember_urls() -> None:
    """Cache the code that builds a route's URL.

    If the route has no defaults, the code only depends on the route's text. It takes the converters
    from the route that it is called for.
    """
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
    """Cache packages' versions, which our plugins request, and the list of plugins."""
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
    """Cache the hooks of shipped modules. Tests may write new ones for others."""
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
