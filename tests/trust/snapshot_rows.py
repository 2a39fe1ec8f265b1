"""Snapshots of packages, stored without asking anybody."""

from __future__ import annotations

from typing import Any

from trust_cases import (
    SHIPPED,
    inputs_of,
)

from codeintel.contracts import (
    Target,
)
from codeintel.trust.scores import encode_inputs, encode_score, score
from codeintel.trust.store import Stored, TrustStore, save

NOW = 1_795_341_600_000


def snapshot(target: Target, at: int, **facts: Any) -> tuple[Target, Any, Stored]:
    """Return the stored snapshot of a package."""
    inputs = inputs_of(facts, target)
    found = score(inputs, SHIPPED)
    encoded = encode_inputs(inputs).decode(), encode_score(found).decode()
    row = Stored(
        f"snap_{target.name}_{at}",
        target.key,
        at,
        found.scorer_version,
        found.inputs_hash,
        *encoded,
    )
    return target, inputs, row


def put_snapshot(store: TrustStore, what: tuple[Target, Any, Stored]) -> None:
    target, inputs, stored = what
    store.writer.run(lambda connection: save(connection, target, inputs, stored))
