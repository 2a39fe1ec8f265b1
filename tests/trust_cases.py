"""Short helpers for packages' facts, scorers and collectors in tests of the trust core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from codeintel_plugins.trust.scorers import scorers

from codeintel.contracts import (
    Axis,
    Case,
    Collector,
    Conversation,
    Ecosystem,
    Evidence,
    Fact,
    Facts,
    Measure,
    Scorer,
    Target,
)
from codeintel.trust.scores import Inputs, Score, Signal, score
from codeintel.trust.service import Trust

MakeTrust = Callable[..., Trust]

AS_OF = "2026-11-22T10:00:00Z"
KIT = Target(Ecosystem.NPM, "kit")
SHIPPED = tuple(scorers())
CHECKS = (
    *("Code-Review", "Dangerous-Workflow", "Branch-Protection", "Token-Permissions"),
    *("Binary-Artifacts", "Security-Policy", "SAST", "Maintained", "Signed-Releases"),
)
FLAWLESS: dict[str, Any] = {
    "version": "1.2.6",
    "advisories": [],
    "scorecard": {"checks": {name: {"score": 10, "reason": "", "url": ""} for name in CHECKS}},
    "release_dates": {"first": "2024-01-01T00:00:00Z", "latest": "2026-11-01T00:00:00Z"},
    "releases": [{"version": "1.2.6", "at": "2026-11-01T00:00:00Z"}],
    "status": "active",
    "pushed_at": "2026-11-02T00:00:00Z",
    "is_archived": False,
    "attestations": {"verified": 1, "total": 1, "repository": "github.com/example-org/kit"},
    "repository": "github.com/example-org/kit",
    "repository_proof": "attested",
    "licenses": ["MIT"],
    "maintainers": [{"id": name, "name": name, "url": ""} for name in ("ada", "grace", "linus")],
    "contributors": {"count": 40, "isCapped": False, "topShare": 0.3},
    "created_at": "2023-12-01T00:00:00Z",
}
"""With which a package of npm has 100 points."""
HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**15, 0.5, -0.0, 1e308, "", "x", "\x00", "active", AS_OF),
    *([], {}, [None], [[]], [{}], [0], ["x"], [True], {"": None}, [{"at": 5}], [{"at": "x"}]),
    [{"severity": "high", "id": 5}, "x", {"severity": True}, {"severity": -3}, {"severity": 1e308}],
    {"first": 5, "latest": [], "checks": [], "score": "x", "verified": "1", "total": None},
    {"first": "yesterday", "latest": "9999", "topShare": "1", "count": -1, "isComplete": 3},
    {"first": "2026-13-45", "latest": "2026-11-22", "topShare": 1e308, "verified": 1, "total": -1},
    {"first": "9999-12-31T23:59:59-23:59", "latest": "0001-01-01T00:00:00+23:59", "topShare": True},
    {"checks": {name: [] for name in CHECKS}, "topShare": []},
    {"checks": {name: {"score": "10", "reason": 5, "url": []} for name in CHECKS}},
    {"checks": {name: {"score": 1e308, "reason": None} for name in CHECKS}},
)
"""What plugins and upstreams may give for a fact that has another shape."""


def fact(name: str, value: Any, source: str = "test", url: str = "", at: str = AS_OF) -> Fact:
    """Return a fact."""
    return Fact(name, value, source, url, at)


def facts_by(values: Mapping[str, Any]) -> tuple[Fact, ...]:
    """Return facts by their values, in order."""
    return tuple(fact(name, value) for name, value in sorted(values.items()))


def inputs_of(values: Mapping[str, Any], target: Target = KIT, **more: Any) -> Inputs:
    """Return the inputs of a score."""
    return Inputs(target, AS_OF, facts_by(values), **more)


def judged(
    values: Mapping[str, Any],
    target: Target = KIT,
    by: Sequence[Scorer] = SHIPPED,
    **more: Any,
) -> Score:
    """Return the score."""
    return score(inputs_of(values, target, **more), by)


def signal(of: Score, id_: str) -> Signal:
    """Return a signal of a score."""
    return next(each for each in of.signals if each.id == id_)


def case(values: Mapping[str, Any], target: Target = KIT) -> Case:
    """Return the input of a scorer."""
    found = Facts({each.name: each for each in facts_by(values)})
    return Case(target, found, datetime.fromisoformat(AS_OF))


class Fixed(Scorer):
    """A scorer that returns or raises the given value."""

    title = "Fixed"
    reads = ("fixed",)
    advice = "Nothing helps."

    def __init__(
        self, id_: str, weight: float, gives: float | Exception | None, axis: Axis = Axis.SECURITY
    ) -> None:
        super().__init__(id_, axis, weight, "As it is.")
        self._gives = gives

    def measure(self, case: Case) -> Measure | None:  # noqa: ARG002 - it needs none
        if isinstance(self._gives, Exception):
            raise self._gives
        return None if self._gives is None else Measure(0, "", self._gives)


class Told(Collector):
    """A collector whose conversation is a function."""

    def __init__(
        self,
        name: str,
        gives: Iterable[str] = (),
        needs: Iterable[str] = (),
        talk: Callable[[Target, Evidence], Conversation | None] | None = None,
        *,
        base_url: str = "",
        is_registry: bool = False,
        **found: Any,
    ) -> None:
        super().__init__(name, base_url or f"http://{name}.test")
        self.title = f"The {name}"  # type: ignore[misc]
        self.gives = tuple(gives) or tuple(found)  # type: ignore[misc]
        self.needs = tuple(needs)  # type: ignore[misc]
        self.is_registry = is_registry  # type: ignore[misc]
        self.asked = 0
        self._talk = talk
        self._found = found

    def collects(self, target: Target) -> bool:  # noqa: ARG002 - all
        return True

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        self.asked += 1
        yield from self.say(target, evidence)

    def say(self, target: Target, evidence: Evidence) -> Conversation:
        """Yield the conversation itself."""
        for name, value in self._found.items():
            evidence.add(name, value, f"https://example.test/{name}")
        if self._talk is not None:
            talk = self._talk(target, evidence)
            if talk is not None:
                yield from talk


class Clock:
    """A clock that begins now and only moves when a test advances it."""

    def __init__(self) -> None:
        self.now = float(int(time.time()))

    def time(self) -> float:
        """Return seconds since 1970."""
        return self.now

    def now_ms(self) -> int:
        """Return milliseconds since 1970."""
        return int(self.now * 1_000)
