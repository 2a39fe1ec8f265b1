"""Cohorts: the scores of many packages at one moment, frozen, for ranks that hold still."""

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
from codeintel.trust.network.ranks import moment
from codeintel.trust.scores import hash_of
from codeintel.trust.store import TrustStore
from codeintel.trust.tables import TrustCohort

log = logging.getLogger(__name__)

FEWEST = 10
"""Members: a rank among fewer says nothing."""
_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(tuple[tuple[str, float], ...]).decode


class CohortError(Exception):
    """A cohort cannot be built; the message says why and what to do."""


class Cohort(msgspec.Struct, frozen=True, rename="camel"):
    """What a rank is against. `digest` is the SHA-256 of its members with their scores."""

    id: str
    ecosystem: Ecosystem
    created_at: Moment
    size: Annotated[int, Meta(ge=1)]
    digest: str
    scorer_version: str


class Place(NamedTuple):
    """Where a score stands: 1 is the best; the percentile is the share of the others that are
    lower, equal ones counted half, in percent."""

    rank: int
    percentile: float
    among: int
    """Packages that the rank counts: the cohort's, with this one."""


class _Members:
    """Scores of a cohort, lowest first, and each member's own."""

    def __init__(self, encoded: str) -> None:
        self._own = dict(_decode(encoded))
        self._scores = sorted(self._own.values())

    def place(self, key: str, score: float) -> Place:
        """Of a package with this score now among the others as they were."""
        lower = bisect_left(self._scores, score)
        not_higher = bisect_right(self._scores, score)
        others = len(self._scores)
        own = self._own.get(key)
        if own is not None:  # it is not its own competitor
            others -= 1
            lower -= own < score
            not_higher -= own <= score
        equal = not_higher - lower
        percentile = 100 * (lower + equal / 2) / others if others else 100.0
        return Place(1 + others - not_higher, round(percentile, 2), others + 1)


class Cohorts:
    """All of them: of each ecosystem the newest counts."""

    def __init__(self, engine: Engine, writer: Writer, store: TrustStore) -> None:
        self._engine = engine
        self._writer = writer
        self._store = store
        self._members: LRUCache[str, _Members] = LRUCache(16)

    def build(
        self, ecosystem: Ecosystem, scorer_version: str, keys: Iterable[str] | None = None
    ) -> Cohort:
        """Freeze the scores that packages have now.

        :param keys: whose; None for all that are stored.
        :raises CohortError: for too few packages, or such as have no current score.
        """
        members = self._store.scores(ecosystem, scorer_version)
        if keys is not None:
            wanted = set(keys)
            missing = sorted(wanted - {key for key, _ in members})
            if missing:
                raise CohortError(
                    f"{len(missing)} packages have no current score, such as {missing[0]}: run "
                    "`codeintel trust refresh` for them first."
                )
            members = [each for each in members if each[0] in wanted]
        if len(members) < FEWEST:
            raise CohortError(
                f"{ecosystem} has {len(members)} packages with a current score; a cohort takes "
                f"{FEWEST}. Run `codeintel trust refresh` for more."
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
        """The one that ranks are against."""
        found = self.all(ecosystem)
        return found[0] if found else None

    def all(self, ecosystem: Ecosystem | None = None) -> list[Cohort]:
        """All, the newest first."""
        statement = select(*_COLUMNS).order_by(TrustCohort.created_ms.desc(), TrustCohort.id)
        if ecosystem is not None:
            statement = statement.where(TrustCohort.ecosystem == ecosystem)
        with self._engine.connect() as connection:
            return [_cohort(*row) for row in connection.execute(statement)]

    def place(self, cohort: Cohort, key: str, score: float) -> Place | None:
        """Where a package stands in a cohort, be it a member or not; None if the members are not
        those that its digest is of."""
        members = self._members.get(cohort.id)
        if members is None:
            statement = select(TrustCohort.members).where(TrustCohort.id == cohort.id)
            with self._engine.connect() as connection:
                encoded = connection.scalar(statement) or "[]"
            if hash_of(encoded.encode()) != cohort.digest:
                log.error("cohort %s was changed after it was built: it ranks nothing", cohort.id)
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
    return Cohort(id_, Ecosystem(ecosystem), moment(created_ms), size, digest, scorer_version)
