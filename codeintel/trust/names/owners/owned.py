"""Names of the form `owner/name`, maybe on a host, in their parts."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.trust.names.ecosystems import OWNED


class OwnedName(NamedTuple):
    """A name in parts. `host` may be empty, else it ends in `/`; `rest` begins with what parts it
    from the owner."""

    host: str
    owner: str
    rest: str


def owned_name(ecosystem: str, name: str) -> OwnedName | None:
    """The parts of a name with an owner; None for a name without one, such as a path.

    :param ecosystem: as the tables call it.
    """
    if ecosystem not in OWNED:
        return None
    name = name.strip("/")
    mark = ":" if ecosystem == "maven" and ":" in name else "/"
    first, found, rest = name.partition(mark)
    if not found or not first.strip("."):
        return None
    if _is_host(ecosystem, first):
        owner, _, rest = rest.partition("/")
        return OwnedName(f"{first}/", owner, f"/{rest}" if rest else "")
    return None if ":" in first else OwnedName("", first, f"{mark}{rest}")


def _is_host(ecosystem: str, first: str) -> bool:
    """Docker's rule: https://pkg.go.dev/github.com/distribution/reference. Modules of Go are on
    hosts of the internet."""
    if ecosystem == "docker":
        return "." in first or ":" in first or first == "localhost"
    return ecosystem == "go" and "." in first
