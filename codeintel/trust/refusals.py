"""Packages of which nothing can be said, and what is said instead."""

from __future__ import annotations

from math import ceil

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Facts, Target
from codeintel.contracts.advisories import is_known_malware
from codeintel.trust.collection.collecting import Collected
from codeintel.trust.names import suspicion

RETRY_SECONDS = 30


def refuse_unknown(target: Target, collected: Collected) -> None:
    """Nothing where a registry knows the package, or where it is known malware: registries remove
    that, and its name is what somebody may be about to install.

    :raises ServiceError: `not_found` where none of them does, `upstreams_unavailable` where that
        cannot be told.
    """
    if _is_malware(target, collected):
        return
    if collected.is_unknown:
        meant = famous_name(target)
        question = f"Is `{meant.name}` meant?" if meant else "Is the name right?"
        raise ServiceError(
            ErrorCode.NOT_FOUND,
            f"No registry knows `{target.key}`. {question} A package that was first published "
            "an hour ago may not have reached them.",
            details={
                "path": "target",
                "target": target.key,
                **({"suggestion": meant.key} if meant else {}),
            },
        )
    if not collected.is_known:
        pause = min(collected.pauses.values(), default=float(RETRY_SECONDS))
        raise ServiceError(
            ErrorCode.UPSTREAMS_UNAVAILABLE,
            f"No registry that knows `{target.key}` can be reached, and nothing is stored.",
            details={"target": target.key, "unavailable": list(collected.failures)},
            retry_after=max(1, ceil(pause)),
        )


def _is_malware(target: Target, collected: Collected) -> bool:
    """Without a version this needs the word of all registries that the package is gone: of one
    that is there, single versions may have been malicious, and not the current one."""
    return (collected.is_unknown or bool(target.version)) and is_known_malware(
        Facts(collected.facts)
    )


def famous_name(target: Target) -> Target | None:
    """The famous package whose name a package's looks like an imitation of, or a slip of."""
    found = suspicion(target.ecosystem, target.name)
    if found is None or not (found.suspicious and found.is_famous):
        return None
    return Target(target.ecosystem, found.target)
