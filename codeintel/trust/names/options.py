"""Names that are options of an installer, for who types `install - -save x`."""

from __future__ import annotations

import re

from codeintel.trust.names.shapes import CERTAIN, Edit, EditKind, Suspicion

_OPTION = re.compile(r"-{1,2}[A-Za-z0-9][\w-]*\Z")
_INSTALLERS = {
    "cargo": "cargo",
    "composer": "composer",
    "docker": "docker",
    "gem": "gem",
    "go": "go",
    "npm": "npm",
    "nuget": "nuget",
    "pypi": "pip",
}


def option(ecosystem: str, name: str) -> Suspicion | None:
    """A suspicion of a name that is written like an option; its target is the installer."""
    if ecosystem not in _INSTALLERS or not _OPTION.match(name):
        return None
    installer = _INSTALLERS[ecosystem]
    edit = Edit(EditKind.OPTION, f"`{name}` is an option of `{installer}`, not a name")
    return Suspicion(
        name=name,
        target=installer,
        edit=edit,
        probability=CERTAIN,
        suspicious=True,
        is_famous=True,
    )
