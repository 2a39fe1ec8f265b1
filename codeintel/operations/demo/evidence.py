"""Recorded evidence about packages: public facts, each with its origin and day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from codeintel.contracts import Ecosystem, Fact, Scorer, SourceProblem, Target
from codeintel.platform.db.statements import insert_into
from codeintel.trust import scores
from codeintel.trust.recorded import RECORDED_PREFIX, has_collected
from codeintel.trust.scores import Failure, Inputs
from codeintel.trust.store import STARS, Stored, TrustStore, save
from codeintel.trust.tables import TrustObservation

_DIGITS = 24
_NOT_ASKED = Failure(
    "demo", SourceProblem.UNAVAILABLE, "The evidence of the demo was recorded without a lookup."
)


class RecordedPackage(msgspec.Struct, frozen=True):
    """The facts about a package on one day, and its history."""

    ecosystem: Ecosystem
    name: str
    day: date
    source: str
    """Where the facts come from."""
    url: str
    facts: dict[str, Any]
    stars: tuple[tuple[date, int], ...] = ()
    """The stars of the repository on earlier days."""

    @property
    def target(self) -> Target:
        """The package, without a version."""
        return Target(self.ecosystem, self.name)


def load(store: TrustStore, scorers: Sequence[Scorer], packages: Sequence[RecordedPackage]) -> bool:
    """Store the evidence, unless the network has packages that were really collected.

    Return whether it is stored. Storing it twice has no effect.

    :param scorers: score the recorded facts, as they score collected ones.
    """
    with store.engine.connect() as connection:
        if has_collected(connection):
            return False
    for package in packages:
        store.writer.run(partial(_store, package, scorers), order=package.target.key)
    return True


def _store(package: RecordedPackage, scorers: Sequence[Scorer], connection: Connection) -> None:
    target, inputs = package.target, _inputs(package, scorers)
    score = scores.score(inputs, scorers)
    stored = Stored(
        RECORDED_PREFIX + scores.hash_of(target.key.encode())[:_DIGITS],
        target.key,
        _ms(package.day),
        score.scorer_version,
        score.inputs_hash,
        scores.encode_inputs(inputs).decode(),
        scores.encode_score(score).decode(),
    )
    save(connection, target, inputs, stored)
    rows = [
        {"package": target.key, "metric": STARS, "at_ms": _ms(day), "value": count}
        for day, count in package.stars
    ]
    if rows:
        insert = insert_into(connection, TrustObservation)
        keys = ["package", "metric", "at_ms"]
        connection.execute(insert.on_conflict_do_nothing(index_elements=keys), rows)


def _inputs(package: RecordedPackage, scorers: Sequence[Scorer]) -> Inputs:
    """Return the recorded facts. The others count as unknown, because no registry was asked."""
    at = f"{package.day.isoformat()}T00:00:00Z"
    facts = (
        Fact(name, value, package.source, package.url, at)
        for name, value in sorted(package.facts.items())
    )
    missing = {name for scorer in scorers for name in scorer.reads} - package.facts.keys()
    return Inputs(
        target=package.target,
        as_of=at,
        facts=tuple(facts),
        failures=(_NOT_ASKED,),
        givers=dict.fromkeys(missing, (_NOT_ASKED.source,)),
    )


def _ms(day: date) -> int:
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return int(moment.timestamp()) * 1_000
