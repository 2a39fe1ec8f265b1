"""Analyzers: their requests and their results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.findings import Category, Confidence, Finding, Severity

MAX_CODE_CHARACTERS = 100_000
MAX_PROMPT_CHARACTERS = 1_000
MAX_LANGUAGE_CHARACTERS = 50


class Model(StrEnum):
    """The depth of an analysis: `flash` is fast, `pro` analyzes more deeply and costs more."""

    FLASH = "flash"
    PRO = "pro"


class AnalyzerRequest(msgspec.Struct, frozen=True):
    """The code to analyze. `language` is a canonical name of `codeintel.contracts.languages`, or
    null if it is unknown.
    """

    code: str
    language: str | None
    model: Model = Model.FLASH


class Metric(msgspec.Struct, frozen=True, tag="metric"):
    """A measurement. `name` is camelCase and becomes a key of the result's `metrics`."""

    name: str
    value: int | float


class Note(msgspec.Struct, frozen=True, tag="note"):
    """A note to the reader about something that was *not* checked. Shown as a `progress` event.

    `truncated` means that findings were omitted. It becomes the analyzer's status.
    """

    message: str
    truncated: bool = False


class Reported(msgspec.Struct, frozen=True, tag="finding"):
    """A finding that a worker process sends."""

    finding: Finding


AnalyzerOutput = Reported | Metric | Note


class RuleInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A rule of an analyzer, for listings.

    `title` is the name that people search for, such as "SQL injection". `languages` is null if the
    rule applies to all languages of the analyzer. `formerly` lists former IDs of the rule, the
    first one first.
    """

    id: str
    summary: str
    cwe: str | None
    severity: Severity
    confidence: Confidence
    category: Category
    languages: tuple[str, ...] | None = None
    remedy: str | UnsetType = UNSET
    title: str | UnsetType = UNSET
    formerly: tuple[str, ...] | UnsetType = UNSET

    @property
    def name(self) -> str:
        """The title; of a rule without one, the summary."""
        return self.title or self.summary.rstrip(".")


class Analyzer(ABC):
    """Inspects code and reports findings.

    `analyze` runs in a separate process. The process is killed after `timeout` seconds, may use at
    most 1 GiB of memory and has an empty working folder. A crash does no damage. Do not rely on the
    network, on files other than code, or on state between calls. Import heavy libraries in
    :meth:`preload`, which runs once in the process that workers are forked from. Name the programs
    that it starts in :meth:`programs`.
    """

    name: ClassVar[str]
    """Unique, in lower case. The `engine` of its findings."""

    languages: ClassVar[frozenset[str] | None]
    """The canonical languages that it supports, or None for all languages."""

    models: ClassVar[frozenset[Model]] = frozenset(Model)
    """The models that it is part of."""

    version: str = "0"
    timeout: float = 10.0
    """The time limit of a call, in seconds."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import the modules that a call needs, before workers are forked."""

    def programs(self) -> Sequence[str]:
        """Return the paths of the programs that a call starts, such as a linter's binary. Include
        programs that scripts start. If the analyzer names none, its calls cannot start a process.
        """
        return ()

    @abstractmethod
    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings, metrics and notes as they are found. An exception is reported as "the
        analyzer failed" and does not affect other analyzers.
        """

    def analyze_many(
        self, requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Iterable[AnalyzerOutput]]]:
        """Yield the place of each request, once, with the same outputs as :meth:`analyze`.

        Scans call it with small files, and read the outputs of a request before the next request.
        Override it if one start of a program can check several files.
        """
        return ((place, self.analyze(request)) for place, request in enumerate(requests))

    def understands(self, language: str | None) -> bool:
        """Return whether the analyzer supports `language`."""
        return self.languages is None or language in self.languages

    def takes(self, request: AnalyzerRequest) -> bool:
        """Return whether the analyzer takes a request: it supports the language and is part of the
        model.
        """
        return request.model in self.models and self.understands(request.language)

    def rules(self) -> Sequence[RuleInfo]:
        """Return the analyzer's rules in order of id. The server calls this: read no code, and
        import nothing heavy.
        """
        return ()

    def looks_for(self, category: Category, language: str | None) -> bool:
        """Return whether the analyzer has a rule of a category for a language. An analyzer for
        specific languages without a list of rules counts as having all categories.
        """
        if not self.understands(language):
            return False
        rules = self.rules()
        if not rules:
            return self.languages is not None
        return any(
            rule.category is category and (rule.languages is None or language in rule.languages)
            for rule in rules
        )

    def page(self, rule_id: str) -> str | None:  # noqa: ARG002 - for those that have pages
        """Return more about a rule, as an HTML fragment that begins with an `h1`. None if
        :meth:`rules` says it all.
        """
        return None


class Detection(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A guess at a language. `confidence` is from 0 to 1; `alternatives` are the next best, best
    first."""

    language: str | None
    confidence: Annotated[float, Meta(ge=0, le=1)]
    alternatives: tuple[str, ...] = ()


class LanguageDetector(ABC):
    """Detects the language of a piece of code. Like an :class:`Analyzer`, it runs in a separate
    process that is killed after `timeout` seconds.
    """

    name: ClassVar[str]
    """Unique, in lower case."""

    preference: ClassVar[int] = 0
    """The detector with the highest value runs first. The next one runs if it fails or finds no
    language.
    """

    languages: ClassVar[frozenset[str] | None] = None
    """The canonical languages that it can detect. None if it does not list them."""

    version: str = "0"
    timeout: float = 2.0
    """The time limit of a call, in seconds."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import the modules that a call needs, before workers are forked."""

    @abstractmethod
    def detect(self, code: str) -> Detection:
        """Return the most likely language, or null if none is likely."""


class AnalyzerStatus(StrEnum):
    """The outcome of an analyzer's work on a piece of code."""

    COMPLETED = "completed"
    TRUNCATED = "truncated"
    TIMED_OUT = "timed_out"
    FAILED = "failed"


class AnalyzerReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An analyzer's part in a result. `findings` is the number before duplicates are merged."""

    name: str
    version: str
    status: AnalyzerStatus
    findings: Annotated[int, Meta(ge=0)]
    milliseconds: Annotated[int, Meta(ge=0)]


class AnalysisResult(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="kind", tag="analysis"
):
    """The result of an analysis. `findings` are merged, worst first. `analyzers` lists the
    analyzers that ran.
    """

    language: str | None
    detection: Detection | UnsetType = UNSET
    """The detected language, if the caller did not name it."""
    engine: str
    summary: str
    answer: str | UnsetType = UNSET
    """The part of `summary` that answers the prompt, empty if nothing does. The rest of the summary
    repeats other fields. Without this field, the whole summary is the answer.
    """
    findings: tuple[Finding, ...]
    metrics: dict[str, int | float]
    analyzers: tuple[AnalyzerReport, ...]
    unchecked: tuple[str, ...] = ()
    """Sentences about parts that could not be checked, and why. A gate must not accept such a
    result, unless `no_rules` has all of them.
    """
    no_rules: tuple[str, ...] | UnsetType = UNSET
    """Those of `unchecked` that say that there are no rules for a format that holds only data or
    prose. A gate may accept them, because there is nothing to check.
    """
