"""What one file says about private names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from codeintel.workspaces.proof.formats.public_registries import is_public_registry

REGISTRY = "names a registry of its own."
"""What follows a file's name."""


@dataclass
class Found:
    """`everything` says why all names of the ecosystem are private, after the file's name; empty
    where they are not. Scopes are those of npm, with their `@`: named ones, those of the
    workspace's packages, and those of packages that are published for everybody."""

    ecosystem: str
    everything: str = ""
    own: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    own_scopes: set[str] = field(default_factory=set)
    public_scopes: set[str] = field(default_factory=set)

    def registry(self, url: object) -> None:
        """Take a registry that all names of the ecosystem may be of."""
        if not self.is_public(url):
            self.everything = REGISTRY

    def is_public(self, url: object) -> bool:
        """Whether it is a registry for everybody."""
        return isinstance(url, str) and is_public_registry(self.ecosystem, url)


Read = Callable[[str, Found], None]
"""Takes what a file's text says."""


def files(pattern: str, ecosystem: str, read: Read) -> tuple[re.Pattern[str], str, Read]:
    """A row of a table of files: what finds them by their paths in small letters, and how they are
    read.

    :param pattern: an expression for what follows a slash, to the end of the path.
    """
    return re.compile(rf"/(?:{pattern})\Z"), ecosystem, read
