"""Results that may be used again: the same code with the same options, asked by the same account.

Editors send a file whenever it is opened, and CI jobs the same one in every build. What is kept is
what was said, in the order in which it was said, so that a repeated run reads like the first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from cachetools import TTLCache

from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Analyzer,
    AnalyzerStatus,
    Engine,
    Usage,
)
from codeintel.contracts.events import FindingEvent, OutputDelta, Progress

MAX_BYTES = 32 * 1024 * 1024
_LASTING = frozenset({AnalyzerStatus.COMPLETED, AnalyzerStatus.TRUNCATED})

Said = Progress | OutputDelta | FindingEvent


class Kept(NamedTuple):
    """What an analysis said and came to. `size` is in bytes, as JSON."""

    said: tuple[Said, ...]
    result: AnalysisResult
    usage: Usage
    size: int


class ResultCache:
    """Results of this process, each for `seconds`; those that were not used for longest go first
    when all together pass 32 MiB.

    An account never gets another's: that somebody analysed the same code is nobody's business.
    """

    def __init__(self, seconds: float) -> None:
        self._kept: TTLCache[bytes, Kept] = TTLCache(MAX_BYTES, seconds, getsizeof=_size)

    def key(
        self, account_id: str, engine: Engine, analyzers: Iterable[Analyzer], task: AnalysisTask
    ) -> bytes | None:
        """What the result depends on, as a digest; None if the engine may answer differently each
        time. Versions are part of it."""
        if not engine.repeatable:
            return None
        versions = [(analyzer.name, analyzer.version) for analyzer in analyzers]
        facts = (account_id, engine.name, engine.version, versions, task)
        return hashlib.sha256(msgspec.msgpack.encode(facts)).digest()

    def get(self, key: bytes | None) -> Kept | None:
        """What is kept under a key."""
        return self._kept.get(key) if key is not None else None

    def keep(
        self, key: bytes | None, said: Iterable[Said], result: AnalysisResult, usage: Usage
    ) -> None:
        """Keep a result, unless an analyser failed or ran out of time, or the language could not be
        told: the next try may be luckier.
        What is larger than an eighth of the cache is not kept."""
        if (
            key is None
            or result.language is None
            or any(report.status not in _LASTING for report in result.analyzers)
        ):
            return
        everything = tuple(said)
        size = len(msgspec.json.encode((everything, result)))
        if size <= MAX_BYTES // 8:
            again = msgspec.structs.replace(usage, cached=True)
            self._kept[key] = Kept(everything, result, again, size)


def _size(kept: Kept) -> int:
    return kept.size
