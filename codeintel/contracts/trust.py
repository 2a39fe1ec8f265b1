"""Trust in packages: what collectors find out, and how scorers judge it.

Neither does I/O. A collector is a conversation: it yields requests, is sent answers and adds facts;
connections, deadlines, limits and caching stand once in the core. A scorer is a pure function of
facts, so that a score can be worked out again from what was stored."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

import msgspec

from codeintel.contracts.upstreams import SourceAnswer, SourceRequest, retry_after

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

MAX_WEIGHT = 1_000
"""The highest weight of a signal. The shipped signals have 100 together."""

Conversation = Generator[SourceRequest, SourceAnswer, None]


class Ecosystem(StrEnum):
    """The ecosystem of a package: the `type` of its package URL
    (https://github.com/package-url/purl-spec).
    """

    NPM = "npm"
    PYPI = "pypi"
    CARGO = "cargo"
    GOLANG = "golang"
    MAVEN = "maven"
    NUGET = "nuget"
    GEM = "gem"
    COMPOSER = "composer"
    GITHUB = "github"
    DOCKER = "docker"


class Target(msgspec.Struct, frozen=True):
    """A package, as its ecosystem writes its name. Without `version`, it means the current one.

    `name` has the scope, group or owner before the last `/`, as in `@scope/name`,
    `org.group/artifact` and `owner/repository`.
    """

    ecosystem: Ecosystem
    name: str
    version: str = ""

    @property
    def key(self) -> str:
        """The canonical spelling, such as `npm:@scope/name@1.0.0`."""
        return f"{self.ecosystem}:{self.name}" + (f"@{self.version}" if self.version else "")


class Fact(msgspec.Struct, frozen=True, rename="camel"):
    """A fact about a package. `value` is a JSON value."""

    name: str
    value: Any
    source: str
    """The collector that found it."""
    url: str
    """The web page of the fact, or empty."""
    observed_at: str
    """The time of collection in UTC, such as `2026-11-22T10:00:00Z`."""


class Facts:
    """Facts by name. The first fact of a name counts."""

    def __init__(self, facts: Mapping[str, Fact]) -> None:
        self._facts = dict(facts)

    def find(self, name: str) -> Fact | None:
        """Return the fact itself, or None."""
        return self._facts.get(name)

    def value(self, name: str) -> Any:
        """Return the value of a fact, or None if it is unknown."""
        found = self._facts.get(name)
        return None if found is None else found.value

    def __contains__(self, name: str) -> bool:
        return name in self._facts


@dataclass
class Evidence:
    """The results of one collector, added step by step. They remain if it fails later.

    :param known: the facts of collectors that run before this one.
    """

    known: Facts
    found: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """Values and addresses by name."""
    is_unknown: bool = False

    def add(self, name: str, value: Any, url: str = "") -> None:
        """Add a fact. `None` and empty texts are ignored.

        :param value: a JSON value. Whole numbers must be below 2**53.
        :param url: the web page of the fact.
        """
        if value is not None and value != "":
            self.found[name] = (value, url)

    def unknown(self) -> None:
        """Record that the upstream does not know the package."""
        self.is_unknown = True


class Collector(ABC):
    """An upstream with facts about packages. An object serves all packages concurrently.

    :param name: unique; up to 40 letters, digits and `-`.
    :param base_url: the beginning of every request's URL.
    :param token: sent to that host only.
    """

    title: ClassVar[str]
    """The display name."""
    gives: ClassVar[tuple[str, ...]]
    """The names of the facts that it can find."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The names of required facts. The collector begins when they are known."""
    is_registry: ClassVar[bool] = False
    """Whether the upstream lists all packages. A package that no such upstream knows does not
    exist.
    """
    interval: ClassVar[float] = 0.0
    """The minimum number of seconds between two requests."""
    hourly: int = 0
    """The limit of background requests per hour. 0 for the operator's setting."""

    def __init__(self, name: str, base_url: str, *, token: str = "") -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} is not a valid name of a collector. Use letters, digits and `-`"
            )
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"the base URL of {name!r} must begin with http:// or https://")
        self.name = name
        self.base_url = base_url.rstrip("/")
        self.token = token

    @abstractmethod
    def collects(self, target: Target) -> bool:
        """Return whether the upstream has packages of the kind. Pure."""

    @abstractmethod
    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        """Collect facts. Yield a request to receive its answer, with any status, and add facts.

        :raises SourceError: for answers without information. The caller handles limits and failures
            of the upstream: :meth:`is_limit` and a status of 500 or more.
        """

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the number of seconds to wait before the next request, or None if the answer does
        not say.

        :param now: Unix time.
        """
        return retry_after(answer.headers.get("retry-after", ""), now)

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Return whether an answer means that the upstream's limit is used up."""
        return answer.status == 429


class Axis(StrEnum):
    """The subject of a signal."""

    SECURITY = "security"
    MAINTENANCE = "maintenance"
    PROVENANCE = "provenance"
    COMMUNITY = "community"
    NAMING = "naming"


@dataclass(frozen=True)
class Case:
    """The facts for judging a package.

    :param as_of: the moment of the judgment, never the clock's.
    """

    target: Target
    facts: Facts
    as_of: datetime


@dataclass(frozen=True)
class Measure:
    """The result of a scorer.

    :param value: the quantity itself: text, number or truth value.
    :param unit: such as `days`, or empty.
    :param score: from 0, the worst, to 1, the best.
    :param note: an explanation, if the value alone is not enough.
    :param url: the web page of the evidence, if it differs from the fact's.
    :param unproven: the `score` if an unproven claim were true. It keeps the interval open.
    :param settles: whether the package gets no points, regardless of other signals, such as for
        known malware.
    """

    value: str | int | float | bool
    unit: str
    score: float
    note: str = ""
    url: str = ""
    unproven: float = 0.0
    settles: bool = False


class Scorer(ABC):
    """A signal of the score.

    :param id: unique, such as `known-advisories`.
    :param axis: the subject of the signal.
    :param weight: its share of the score, relative to all signals that apply.
    :param reason: the reason for this weight, as a readable text.
    """

    title: ClassVar[str]
    """The display name."""
    reads: ClassVar[tuple[str, ...]]
    """The names of the facts that it uses. The evidence of the first one is displayed."""
    advice: ClassVar[str]
    """An improvement, as an imperative sentence to the maintainers of the package."""
    version: str = "1"
    """A version that changes when equal facts lead to another measure, because code, data or
    libraries changed.
    """

    def __init__(self, id: str, axis: Axis | str, weight: float, reason: str) -> None:  # noqa: A002
        if not 0 < weight <= MAX_WEIGHT:
            raise ValueError(f"the weight of {id!r} must be above 0, and at most {MAX_WEIGHT}")
        self.name = id
        self.axis = Axis(axis)
        self.weight = weight
        self.reason = reason

    def applies_to(self, target: Target) -> bool:  # noqa: ARG002 - for signals of some ecosystems
        """Return whether such packages can have the signal. Pure, and by the target alone."""
        return True

    def can_improve(self, target: Target) -> bool:  # noqa: ARG002 - for signals of some ecosystems
        """Return whether maintainers can follow `advice`. Pure, and by the target alone.

        If not, a low score stays, but is no recommendation.
        """
        return True

    @abstractmethod
    def measure(self, case: Case) -> Measure | None:
        """Return the measure, or None if facts are missing. Pure."""


MALICIOUS = "MAL-"
"""The prefix of ids of malicious packages (https://github.com/ossf/malicious-packages)."""


def is_malicious(advisory: Mapping[str, Any]) -> bool:
    """Return whether an advisory declares the package malicious."""
    aliases = advisory.get("aliases")
    names = [advisory.get("id"), *(aliases if isinstance(aliases, list) else ())]
    return any(isinstance(name, str) and name.startswith(MALICIOUS) for name in names)


def is_known_malware(facts: Facts) -> bool:
    """Return whether advisories about the requested package declare it malicious."""
    return any(is_malicious(row) for row in advisory_rows(facts) if isinstance(row, dict))


def is_gone(facts: Facts) -> bool:
    """Return whether no registry lists the package, and the request names no version."""
    return facts.value("is_listed") is False and facts.value("version") is None


def advisory_rows(facts: Facts) -> list[Any]:
    """Return the advisories of the judged version. If no registry lists the package and the request
    names no version, return all malware records of the package.
    """
    found = facts.value("malware" if is_gone(facts) else "advisories")
    return found if isinstance(found, list) else []
