"""Analysers: what they are asked and what they answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.findings import Category, Confidence, Finding, Severity

MAX_CODE_CHARACTERS = 100_000
MAX_PROMPT_CHARACTERS = 1_000
MAX_LANGUAGE_CHARACTERS = 50


class Model(StrEnum):
    """How deep to look: `flash` is quick, `pro` looks deeper and costs more."""

    FLASH = "flash"
    PRO = "pro"


class AnalyzerRequest(msgspec.Struct, frozen=True):
    """The code to analyze. `language` is a canonical name of `codeintel.contracts.languages`, or
    null when nobody knows it."""

    code: str
    language: str | None
    model: Model = Model.FLASH


class Metric(msgspec.Struct, frozen=True, tag="metric"):
    """A measured number; `name` is camelCase and goes into the result's `metrics` as it is."""

    name: str
    value: int | float


class Note(msgspec.Struct, frozen=True, tag="note"):
    """Something the reader must know about what was *not* checked. Shown as a `progress` event.

    `truncated` says that findings were left out, and becomes the analyzer's status.
    """

    message: str
    truncated: bool = False


class Reported(msgspec.Struct, frozen=True, tag="finding"):
    """A finding on its way out of a worker process."""

    finding: Finding


AnalyzerOutput = Reported | Metric | Note


class RuleInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What an analyzer can find by one of its rules, for listings. `languages` is null where the
    rule holds for all that the analyzer understands."""

    id: str
    summary: str
    cwe: str | None
    severity: Severity
    confidence: Confidence
    category: Category
    languages: tuple[str, ...] | None = None
    remedy: str | UnsetType = UNSET


class Analyzer(ABC):
    """Looks at one piece of code and reports findings.

    `analyze` runs in a process of its own that is killed after `timeout` seconds, holds at most
    1 GiB of memory and has an empty working folder: it may crash without harm, and it must not rely
    on the network, on other files than code or on state kept between calls. Import heavy libraries
    in :meth:`preload`, which the process that workers are forked from calls once, and name the
    programs that it starts in :meth:`programs`.
    """

    name: ClassVar[str]
    """Unique, lower case; becomes `engine` of its findings."""

    languages: ClassVar[frozenset[str] | None]
    """Canonical languages that it understands, or None for every language."""

    models: ClassVar[frozenset[Model]] = frozenset(Model)
    """The models that it takes part in."""

    version: str = "0"
    timeout: float = 10.0
    """Wall seconds for one call."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import what a call needs, before workers are forked."""

    def programs(self) -> Sequence[str]:
        """Paths of the programs that a call starts, such as a linter's binary; those in scripts are
        named too. A call of an analyzer that names none can start no process."""
        return ()

    @abstractmethod
    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings, metrics and notes as they are found. Anything raised is reported to the
        reader as "the analyzer failed" and harms no other analyzer."""

    def understands(self, language: str | None) -> bool:
        """Whether to run on code in `language`."""
        return self.languages is None or language in self.languages

    def takes(self, request: AnalyzerRequest) -> bool:
        """Whether to run on a request: it understands the language and takes part in the model."""
        return request.model in self.models and self.understands(request.language)

    def rules(self) -> Sequence[RuleInfo]:
        """The rules that it can list, in order of id. It is called in the server: read no code, and
        import nothing heavy."""
        return ()

    def looks_for(self, category: Category, language: str | None) -> bool:
        """Whether it has a rule of a category for a language that it understands. One that is made
        for some languages and lists no rules may look for anything."""
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
        """More about one of its rules for people, as a fragment of HTML that begins with an `h1`;
        None where there is no more than :meth:`rules` tells."""
        return None


class Detection(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A guess at a language. `confidence` is from 0 to 1; `alternatives` are the next best, best
    first."""

    language: str | None
    confidence: Annotated[float, Meta(ge=0, le=1)]
    alternatives: tuple[str, ...] = ()


class LanguageDetector(ABC):
    """Tells the language of a piece of code. It works as an :class:`Analyzer` does: in a process of
    its own that is killed after `timeout` seconds."""

    name: ClassVar[str]
    """Unique, lower case."""

    preference: ClassVar[int] = 0
    """The detector with the highest is asked; the next one when that fails or cannot tell."""

    languages: ClassVar[frozenset[str] | None] = None
    """Canonical languages that it can tell; None where it does not say."""

    version: str = "0"
    timeout: float = 2.0
    """Wall seconds for one call."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import what a call needs, before workers are forked."""

    @abstractmethod
    def detect(self, code: str) -> Detection:
        """The most likely language; null where nothing speaks for any."""


class AnalyzerStatus(StrEnum):
    """How an analyzer's work on one piece of code ended."""

    COMPLETED = "completed"
    TRUNCATED = "truncated"
    TIMED_OUT = "timed_out"
    FAILED = "failed"


class AnalyzerReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One analyzer's part in a result. `findings` counts before duplicates are merged."""

    name: str
    version: str
    status: AnalyzerStatus
    findings: Annotated[int, Meta(ge=0)]
    milliseconds: Annotated[int, Meta(ge=0)]


class AnalysisResult(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="kind", tag="analysis"
):
    """What an analysis ends with. `findings` are merged, worst first; `analyzers` says what ran."""

    language: str | None
    detection: Detection | UnsetType = UNSET
    """How the language was found out, where the caller did not name it."""
    engine: str
    summary: str
    findings: tuple[Finding, ...]
    metrics: dict[str, int | float]
    analyzers: tuple[AnalyzerReport, ...]
    unchecked: tuple[str, ...] = ()
    """Sentences about what could not be checked, and why; a gate must not open on such a result."""
