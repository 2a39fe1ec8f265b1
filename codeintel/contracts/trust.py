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
"""Of a signal: all that ship have 100 together."""

Conversation = Generator[SourceRequest, SourceAnswer, None]


class Ecosystem(StrEnum):
    """Where a package lives: the `type` of its package URL
    (https://github.com/package-url/purl-spec)."""

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
    """A package, as its ecosystem writes its name; without `version` its current one is meant.

    `name` has the scope, group or owner before the last `/`, as in `@scope/name`,
    `org.group/artifact` and `owner/repository`.
    """

    ecosystem: Ecosystem
    name: str
    version: str = ""

    @property
    def key(self) -> str:
        """Its one spelling, such as `npm:@scope/name@1.0.0`."""
        return f"{self.ecosystem}:{self.name}" + (f"@{self.version}" if self.version else "")


class Fact(msgspec.Struct, frozen=True, rename="camel"):
    """Something found out about a package. `value` is of what JSON has."""

    name: str
    value: Any
    source: str
    """The collector that found it."""
    url: str
    """Where people can see it; empty if nowhere."""
    observed_at: str
    """When it was found, in UTC, such as `2026-11-22T10:00:00Z`."""


class Facts:
    """Facts by name: of several with one name the first counts."""

    def __init__(self, facts: Mapping[str, Fact]) -> None:
        self._facts = dict(facts)

    def find(self, name: str) -> Fact | None:
        """The fact itself."""
        return self._facts.get(name)

    def value(self, name: str) -> Any:
        """What is known; None if nothing is."""
        found = self._facts.get(name)
        return None if found is None else found.value

    def __contains__(self, name: str) -> bool:
        return name in self._facts


@dataclass
class Evidence:
    """What one collector has found out, as it goes: what was added stays if it fails later.

    :param known: facts of the collectors that this one has to wait for.
    """

    known: Facts
    found: dict[str, tuple[Any, str]] = field(default_factory=dict)
    """Values and addresses by name."""
    is_unknown: bool = False

    def add(self, name: str, value: Any, url: str = "") -> None:
        """Add a fact. `None` and empty texts are none, and are passed over.

        :param value: of what JSON has; whole numbers below 2**53.
        :param url: where people can see it.
        """
        if value is not None and value != "":
            self.found[name] = (value, url)

    def unknown(self) -> None:
        """Say that the upstream does not know the package."""
        self.is_unknown = True


class Collector(ABC):
    """One upstream that knows something about packages. One object serves all, concurrently.

    :param name: unique; up to 40 letters, digits and `-`.
    :param base_url: the beginning of all that it asks.
    :param token: sent to that host and nowhere else.
    """

    title: ClassVar[str]
    """For people."""
    gives: ClassVar[tuple[str, ...]]
    """Names of the facts that it can find."""
    needs: ClassVar[tuple[str, ...]] = ()
    """Names of facts without which it cannot ask; it begins when they are known."""
    is_registry: ClassVar[bool] = False
    """Whether it knows which packages there are: what all such do not know does not exist."""
    interval: ClassVar[float] = 0.0
    """Seconds that the upstream wants between two requests."""
    hourly: int = 0
    """Requests that background work may send it in an hour; 0 for as many as the operator says."""

    def __init__(self, name: str, base_url: str, *, token: str = "") -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a collector: use letters, digits and `-`")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"the base URL of {name!r} must begin with http:// or https://")
        self.name = name
        self.base_url = base_url.rstrip("/")
        self.token = token

    @abstractmethod
    def collects(self, target: Target) -> bool:
        """Whether the upstream knows packages of the kind. Pure."""

    @abstractmethod
    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        """Find out: yield a request, be sent its answer, whatever its status, and add facts.

        :raises SourceError: for answers that tell nothing. Limits and failures of the upstream, as
            :meth:`is_limit` and a status of 500 or more say, never get here.
        """

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Seconds that an answer asks to wait before the next request, None if it does not say.

        :param now: Unix time.
        """
        return retry_after(answer.headers.get("retry-after", ""), now)

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Whether an answer means that the upstream's limit is used up."""
        return answer.status == 429


class Axis(StrEnum):
    """What a signal is about."""

    SECURITY = "security"
    MAINTENANCE = "maintenance"
    PROVENANCE = "provenance"
    COMMUNITY = "community"
    NAMING = "naming"


@dataclass(frozen=True)
class Case:
    """What there is to judge a package by.

    :param as_of: the moment for which it is judged: never the clock's.
    """

    target: Target
    facts: Facts
    as_of: datetime


@dataclass(frozen=True)
class Measure:
    """What a scorer makes of the facts.

    :param value: the quantity itself: text, number or truth value.
    :param unit: of what, such as `days`; empty for none.
    :param score: from 0, the worst, to 1, the best.
    :param note: in words, where the value alone does not say it.
    :param url: where the evidence is to be seen, if not where the fact says.
    :param unproven: what `score` would have beside, were something true that nothing proves: it
        keeps the interval open.
    :param settles: whether nothing else counts any more, as of a package that is known to do harm:
        it has no points at all.
    """

    value: str | int | float | bool
    unit: str
    score: float
    note: str = ""
    url: str = ""
    unproven: float = 0.0
    settles: bool = False


class Scorer(ABC):
    """One signal of the score.

    :param id: unique, such as `known-advisories`.
    :param axis: what it is about.
    :param weight: its part of the score, against those of all signals that apply.
    :param reason: why it has this weight, for people.
    """

    title: ClassVar[str]
    """For people."""
    reads: ClassVar[tuple[str, ...]]
    """Names of the facts that it looks at, the one first whose evidence it shows."""
    advice: ClassVar[str]
    """What would make it better, as an imperative sentence for whoever maintains the package."""
    version: str = "1"
    """Changes whenever the same facts give another measure: that of the code, and of data and
    libraries that it judges by."""

    def __init__(self, id: str, axis: Axis | str, weight: float, reason: str) -> None:  # noqa: A002
        if not 0 < weight <= MAX_WEIGHT:
            raise ValueError(f"the weight of {id!r} must be above 0, and at most {MAX_WEIGHT}")
        self.name = id
        self.axis = Axis(axis)
        self.weight = weight
        self.reason = reason

    def applies_to(self, target: Target) -> bool:  # noqa: ARG002 - for signals of some ecosystems
        """Whether such packages can have it at all. Pure, and by the target alone."""
        return True

    @abstractmethod
    def measure(self, case: Case) -> Measure | None:
        """The measure; None where the facts are not there. Pure: the same case, the same answer."""


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
