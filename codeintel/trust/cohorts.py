"""Cohorts: the frozen scores of many packages at one moment, for stable ranks."""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec
from cachetools import LRUCache
from msgspec import Meta
from sqlalchemy import Engine, insert, select

from codeintel.base.timestamps import Moment
from codeintel.contracts import Ecosystem
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.trust.network.ranks import in_whole_seconds
from codeintel.trust.scores import hash_of
from codeintel.trust.store import TrustStore
from codeintel.trust.tables import TrustCohort

log = logging.getLogger(__name__)

FEWEST = 10
"""Minimum number of members. A rank among fewer packages is meaningless."""
_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(tuple[tuple[str, float], ...]).decode


class CohortError(Exception):
    """Raised when a cohort cannot be built. The message says why and what to do."""


class Cohort(msgspec.Struct, frozen=True, rename="camel"):
    """A set of packages that ranks refer to.

    `digest` is the SHA-256 of its members with their scores.
    """

    id: str
    ecosystem: Ecosystem
    created_at: Moment
    size: Annotated[int, Meta(ge=1)]
    digest: str
    scorer_version: str


class Place(NamedTuple):
    """The position of a score.

    Rank 1 is the best. The percentile is the percentage of the other packages with lower scores.
    Equal scores count half.
    """

    rank: int
    percentile: float
    among: int
    """Number of ranked packages: the members of the cohort, and this package."""


class _Members:
    """Scores of a cohort, lowest first, and each member's own score."""

    def __init__(self, encoded: str) -> None:
        self._own = dict(_decode(encoded))
        self._scores = sorted(self._own.values())

    def place(self, key: str, score: float) -> Place:
        """Return the position of a package with its current score among the others' frozen
        scores.
        """
        lower = bisect_left(self._scores, score)
        not_higher = bisect_right(self._scores, score)
        others = len(self._scores)
        own = self._own.get(key)
        if own is not None:  # a member does not compete with itself
            others -= 1
            lower -= own < score
            not_higher -= own <= score
        equal = not_higher - lower
        percentile = 100 * (lower + equal / 2) / others if others else 100.0
        return Place(1 + others - not_higher, round(percentile, 2), others + 1)


class Cohorts:
    """All cohorts. Only the newest one of each ecosystem is used."""

    def __init__(self, engine: Engine, writer: Writer, store: TrustStore) -> None:
        self._engine = engine
        self._writer = writer
        self._store = store
        self._members: LRUCache[str, _Members] = LRUCache(16)

    def build(
        self, ecosystem: Ecosystem, scorer_version: str, keys: Iterable[str] | None = None
    ) -> Cohort:
        """Freeze the current scores of packages.

        :param keys: the packages; None for all stored ones.
        :raises CohortError: for too few packages, or packages without a current score.
        """
        members = self._store.scores(ecosystem, scorer_version)
        if keys is not None:
            wanted = set(keys)
            missing = sorted(wanted - {key for key, _ in members})
            if missing:
                raise CohortError(
                    f"{len(missing)} packages have no current score, such as {missing[0]}. Run "
                    "`codeintel trust refresh` for them first."
                )
            members = [each for each in members if each[0] in wanted]
        if len(members) < FEWEST:
            raise CohortError(
                f"{ecosystem} has {len(members)} packages with a current score, but a cohort "
                f"requires {FEWEST}. Run `codeintel trust refresh` for more."
            )
        encoded = _encode(members)
        row = (
            new_id("coh"),
            str(ecosystem),
            now_ms(),
            len(members),
            hash_of(encoded),
            scorer_version,
        )
        names = [column.key for column in _COLUMNS]
        values = {**dict(zip(names, row, strict=True)), "members": encoded.decode()}
        self._writer.run(lambda connection: connection.execute(insert(TrustCohort), [values]))
        return _cohort(*row)

    def newest(self, ecosystem: Ecosystem) -> Cohort | None:
        """Return the cohort that ranks currently refer to, or None."""
        found = self.all(ecosystem)
        return found[0] if found else None

    def all(self, ecosystem: Ecosystem | None = None) -> list[Cohort]:
        """Return all cohorts, the newest first."""
        statement = select(*_COLUMNS).order_by(TrustCohort.created_ms.desc(), TrustCohort.id)
        if ecosystem is not None:
            statement = statement.where(TrustCohort.ecosystem == ecosystem)
        with self._engine.connect() as connection:
            return [_cohort(*row) for row in connection.execute(statement)]

    def place(self, cohort: Cohort, key: str, score: float) -> Place | None:
        """Return the position of a package, member or not, in a cohort.

        Return None if the members do not match the cohort's digest.
        """
        members = self._members.get(cohort.id)
        if members is None:
            statement = select(TrustCohort.members).where(TrustCohort.id == cohort.id)
            with self._engine.connect() as connection:
                encoded = connection.scalar(statement) or "[]"
            if hash_of(encoded.encode()) != cohort.digest:
                log.error(
                    "cohort %s was changed after it was built, so it is not used for ranks",
                    cohort.id,
                )
                return None
            members = self._members[cohort.id] = _Members(encoded)
        return members.place(key, score)


_COLUMNS = (
    TrustCohort.id,
    TrustCohort.ecosystem,
    TrustCohort.created_ms,
    TrustCohort.size,
    TrustCohort.digest,
    TrustCohort.scorer_version,
)


def _cohort(
    id_: str, ecosystem: str, created_ms: int, size: int, digest: str, scorer_version: str
) -> Cohort:
    return Cohort(
        id_, Ecosystem(ecosystem), in_whole_seconds(created_ms), size, digest, scorer_version
    )
