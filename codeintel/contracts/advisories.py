"""Which advisories count for a package, as collectors, scorers and the service see it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeintel.contracts.trust import Facts

MALICIOUS = "MAL-"
"""Ids of packages that were made to do harm (https://github.com/ossf/malicious-packages)."""


def is_malicious(advisory: Mapping[str, Any]) -> bool:
    """Whether an advisory says that the package was made to do harm."""
    aliases = advisory.get("aliases")
    names = [advisory.get("id"), *(aliases if isinstance(aliases, list) else ())]
    return any(isinstance(name, str) and name.startswith(MALICIOUS) for name in names)


def is_known_malware(facts: Facts) -> bool:
    """Whether advisories about the package that was asked for say that it was made to do harm."""
    return any(is_malicious(row) for row in advisory_rows(facts) if isinstance(row, dict))


def is_gone(facts: Facts) -> bool:
    """Whether no registry lists the package, and no version of it was asked for."""
    return facts.value("is_listed") is False and facts.value("version") is None


def advisory_rows(facts: Facts) -> list[Any]:
    """The advisories that count: those of the judged version. Of a package that no registry lists
    and of which no version was asked for, the malware records of the package as a whole."""
    found = facts.value("malware" if is_gone(facts) else "advisories")
    return found if isinstance(found, list) else []
