"""Analysers: what they are asked and what they answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from codeintel.contracts.findings import Finding

MAX_CODE_CHARACTERS = 100_000
MAX_PROMPT_CHARACTERS = 1_000
MAX_LANGUAGE_CHARACTERS = 50


class Model(StrEnum):
    """How deep to look: `flash` is quick, `pro` looks deeper and costs more."""

    FLASH = "flash"
    PRO = "pro"


class AnalyzerRequest(msgspec.Struct, frozen=True):
    """The code to analyse. `language` is a canonical name of `codeintel.languages`, or null when
    nobody knows it."""

    code: str
    language: str | None
    model: Model = Model.FLASH


class Metric(msgspec.Struct, frozen=True, tag="metric"):
    """A measured number; `name` is camelCase and goes into the result's `metrics` as it is."""

    name: str
    value: int | float


class Note(msgspec.Struct, frozen=True, tag="note"):
    """Something the reader must know about what was *not* checked. Shown as a `progress` event.

    `truncated` says that findings were left out, and becomes the analyser's status.
    """

    message: str
    truncated: bool = False


class Reported(msgspec.Struct, frozen=True, tag="finding"):
    """A finding on its way out of a worker process."""

    finding: Finding


AnalyzerOutput = Reported | Metric | Note


class Analyzer(ABC):
    """Looks at one piece of code and reports findings.

    `analyze` runs in a process of its own that is killed after `timeout` seconds, holds at most
    1 GiB of memory and has an empty working folder: it may crash without harm, and it must not rely
    on the network, on files or on state kept between calls. Import heavy libraries in
    :meth:`preload`, which the process that workers are forked from calls once.
    """

    name: ClassVar[str]
    """Unique, lower case; becomes `engine` of its findings."""

    languages: ClassVar[frozenset[str] | None]
    """Canonical languages that it understands, or None for every language."""

    version: str = "0"
    timeout: float = 10.0
    """Wall seconds for one call."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import what a call needs, before workers are forked."""

    @abstractmethod
    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings, metrics and notes as they are found. Anything raised is reported to the
        reader as "the analyser failed" and harms no other analyser."""

    def understands(self, language: str | None) -> bool:
        """Whether to run on code in `language`."""
        return self.languages is None or language in self.languages


class AnalyzerStatus(StrEnum):
    """How an analyser's work on one piece of code ended."""

    COMPLETED = "completed"
    TRUNCATED = "truncated"
    TIMED_OUT = "timed_out"
    FAILED = "failed"


class AnalyzerReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One analyser's part in a result. `findings` counts before duplicates are merged."""

    name: str
    version: str
    status: AnalyzerStatus
    findings: Annotated[int, Meta(ge=0)]
    milliseconds: Annotated[int, Meta(ge=0)]


class AnalysisResult(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What an analysis ends with. `findings` are merged, worst first; `analyzers` says what ran."""

    language: str | None
    engine: str
    summary: str
    findings: tuple[Finding, ...]
    metrics: dict[str, int | float]
    analyzers: tuple[AnalyzerReport, ...]
