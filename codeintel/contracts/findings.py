"""The findings of an analyzer: places, severities, fixes and paths of values."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType


class Severity(StrEnum):
    """The severity of the consequences if the finding is right, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """The sort key: 0 is the worst."""
        return _SEVERITY_ORDER.index(self)


class Confidence(StrEnum):
    """The analyzer's confidence that the finding is right."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """The sort key: 0 is the highest confidence."""
        return _CONFIDENCE_ORDER.index(self)


class Category(StrEnum):
    """The categories of findings, in the order of a summary."""

    SECURITY = "security"
    SECRETS = "secrets"
    CORRECTNESS = "correctness"
    PERFORMANCE = "performance"
    COMPLEXITY = "complexity"
    UNUSED = "unused code"
    MAINTAINABILITY = "maintainability"


_SEVERITY_ORDER = tuple(Severity)
_CONFIDENCE_ORDER = tuple(Confidence)

OneBased = Annotated[int, Meta(ge=1)]


class Range(msgspec.Struct, frozen=True, rename="camel"):
    """A range of the analyzed code. Lines and columns count from 1, columns count Unicode code
    points, and the end is exclusive. Lines end only at LF, CR LF or CR.
    """

    start_line: OneBased
    start_column: OneBased
    end_line: OneBased
    end_column: OneBased


class Edit(msgspec.Struct, frozen=True, rename="camel"):
    """Replace the text of `range` with `content`. An empty range inserts."""

    range: Range
    content: str


class Applicability(StrEnum):
    """The effect of a fix: `safe` keeps the behavior, `unsafe` may not, `display` is a hint."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Fix(msgspec.Struct, frozen=True, rename="camel"):
    """Edits that remove the finding. They refer to the submitted code and do not overlap."""

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]


class RuleRef(msgspec.Struct, frozen=True, rename="camel"):
    """The rule of another analyzer that reported the same defect."""

    rule_id: str
    engine: str


class StepKind(StrEnum):
    """The role of a step on the path of a value: source, intermediate step or sink."""

    SOURCE = "source"
    STEP = "step"
    SINK = "sink"


class FlowStep(msgspec.Struct, frozen=True, rename="camel"):
    """A step on the path of a value. `message` describes it briefly.

    `path` is the file of a step in another file than the finding's: relative and with `/`, or in a
    workspace as its files are named, with a leading `/`.
    """

    kind: StepKind
    range: Range
    message: str
    path: str | UnsetType = UNSET


class Suppression(msgspec.Struct, frozen=True, rename="camel"):
    """A comment in the code that suppresses the finding. `comment` is its keyword, such as `nosec`,
    on `line`. The finding is still reported, and marked with this.
    """

    comment: str
    line: OneBased


class Finding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A defect at one place.

    `engine` names the analyzer and `rule_id` its rule. `cwe` is like `CWE-89`, or null if no CWE
    fits. `remedy` says how to fix it. `flow` is the path of a value from its source (first) to its
    sink (last). `unverified` marks a model's claim about code that it could not quote. `formerly`
    lists former IDs of the rule, the first one first, because comments and baselines may name
    them. A message never repeats a secret's value.
    """

    rule_id: str
    engine: str
    severity: Severity
    confidence: Confidence
    cwe: Annotated[str, Meta(pattern=r"^CWE-[0-9]+$")] | None
    message: str
    range: Range
    category: Category = Category.MAINTAINABILITY
    remedy: str | UnsetType = UNSET
    fix: Fix | UnsetType = UNSET
    flow: tuple[FlowStep, ...] | UnsetType = UNSET
    also: tuple[RuleRef, ...] | UnsetType = UNSET
    suppression: Suppression | UnsetType = UNSET
    unverified: bool | UnsetType = UNSET
    formerly: tuple[str, ...] | UnsetType = UNSET

    @property
    def lasting_id(self) -> str:
        """The first ID of the rule. Fingerprints use it, so they stay valid after a rename."""
        return self.formerly[0] if self.formerly else self.rule_id
