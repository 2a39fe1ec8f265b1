"""Transformations that servers only list: their code is imported where it does its work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import ClassVar, NamedTuple

from codeintel.contracts import Equivalence, Rewrite, RewriteRequest, Transformation


class Listing(NamedTuple):
    """The metadata of a transformation that a server needs. Each field is that of the class.

    :param place: the class's location, like `package.module:Class`.
    """

    languages: frozenset[str]
    equivalence: Equivalence
    version: str
    timeout: float
    place: str = ""
    name: str = ""
    kind: str = ""
    targets: frozenset[str] | None = None


def deferred(listing: Listing) -> Transformation:
    """Return the transformation; parsers, which take megabytes, are loaded when it is to work."""
    made: Transformation = type(listing.name, (_Deferred,), listing._asdict())()
    return made


class _Deferred(Transformation):
    languages: ClassVar[frozenset[str]] = frozenset()
    place = ""

    def preload(self) -> None:
        self.real.preload()

    def programs(self) -> Sequence[str]:
        return self.real.programs()

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        return self.real.rewrite(request)

    @cached_property
    def real(self) -> Transformation:
        """The one that does the work."""
        module, _, name = self.place.partition(":")
        found: Transformation = getattr(import_module(module), name)()
        return found
