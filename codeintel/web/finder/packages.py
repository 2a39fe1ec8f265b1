"""Links for texts that may be the name of a package. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from codeintel.web.hits import Hit

_PACKAGE = re.compile(r"[@\w][\w.:/@-]{0,213}", re.ASCII)


def package_hits(text: str) -> Iterator[Hit]:
    """Yield links for a text that may be the name of a package."""
    name = text.strip()
    if not name:
        return
    if _PACKAGE.fullmatch(name):
        yield Hit(f"Trust of {name}", f"/trust?target={quote(name)}", "shield-check")
    yield Hit(f"Search registries for “{name}”", f"/search?q={quote(name)}", "package")
