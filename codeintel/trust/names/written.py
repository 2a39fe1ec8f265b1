"""What may be the name of a package."""

from __future__ import annotations

import re

from codeintel.trust.names.ecosystems import OWNED, bare_name, canonical_ecosystem
from codeintel.trust.names.owners.owned import owned_name

# Letters of other scripts may be in names, too: imitations have them.
_WORD = r"\w(?:[\w.~+-]*[\w~+-])?"
_PLAIN = re.compile(_WORD)
_NPM = re.compile(rf"(?:@{_WORD}/)?[\w.~-]+")
_PATH = re.compile(rf"{_WORD}(?::\d+)?(?:[/:][\w.~+-]+)*")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)+(?:/.*)?")


def is_name(ecosystem: str, name: str) -> bool:
    """Whether a text may be a name alone: no version, no address and no path on a disk. An image
    may have a tag or a digest, and an action a reference.

    :param ecosystem: such as `npm`, or an alias.
    """
    ecosystem = canonical_ecosystem(ecosystem)
    name = bare_name(ecosystem, name)
    if ecosystem == "npm":
        return _NPM.fullmatch(name) is not None
    if ecosystem not in OWNED:
        return _PLAIN.fullmatch(name) is not None
    if _PATH.fullmatch(name) is None:
        return False
    if ecosystem == "go":
        return _DOMAIN.fullmatch(name) is not None
    if ecosystem == "docker":
        return True
    is_address = ecosystem in {"github", "github_actions"} and name.startswith("github.com/")
    return owned_name(ecosystem, name) is not None and not is_address
