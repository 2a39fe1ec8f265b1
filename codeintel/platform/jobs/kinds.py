"""The kinds of jobs that this version knows how to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codeintel.platform.jobs.context import JobContext

MAX_BACKOFF_SECONDS = 3600.0
MAX_NAME_CHARACTERS = 64
MAX_DEATHS = 2
"""A job that has taken so many processes along is not started again."""


@dataclass(frozen=True)
class JobKind:
    """A kind of job. Durations are in seconds.

    :param run: does the work and returns the result, which must be expressible as JSON. It lets
        other greenlets run several times in each third of the lease, for which
        :meth:`codeintel.platform.jobs.context.JobContext.stop_if_asked` will do; what computes for
        seconds on end belongs in another process.
    :param max_attempts: that end with an exception, by the time limit or by the process's death,
        since a checkpoint last moved the cursor. After :data:`MAX_DEATHS` deaths there is no
        further attempt, however many are left.
    :param timeout_seconds: what one attempt may take.
    :param backoff_seconds: between the first attempt and the second; then twice as long each time,
        an hour at most.
    """

    name: str
    run: Callable[[JobContext], Any]
    max_attempts: int = 5
    lease_seconds: float = 60.0
    timeout_seconds: float = 3600.0
    backoff_seconds: float = 10.0

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= MAX_NAME_CHARACTERS:
            raise ValueError(f"a job kind's name has 1 to {MAX_NAME_CHARACTERS} characters")
        if self.max_attempts < 1 or self.lease_seconds <= 0 or self.timeout_seconds <= 0:
            raise ValueError(f"job kind {self.name}: attempts, lease and timeout are positive")

    def pause_ms(self, attempts: int) -> int:
        """Milliseconds to wait after so many failed attempts, 1 or more."""
        doubled = self.backoff_seconds * 2.0 ** min(attempts - 1, 32)
        return int(min(doubled, MAX_BACKOFF_SECONDS) * 1000)


def by_name(kinds: Iterable[JobKind]) -> dict[str, JobKind]:
    """The kinds by their names.

    :raises ValueError: if two have the same.
    """
    named: dict[str, JobKind] = {}
    for kind in kinds:
        if kind.name in named:
            raise ValueError(f"two job kinds are called {kind.name}")
        named[kind.name] = kind
    return named
