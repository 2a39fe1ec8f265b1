"""What an analyzer says about a piece of code."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType


class Severity(StrEnum):
    """How bad the consequence is if the finding is right, worst first."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for the worst; sorts findings."""
        return _SEVERITY_ORDER.index(self)


class Confidence(StrEnum):
    """How sure the analyzer is that the finding is right."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """0 for the surest."""
        return _CONFIDENCE_ORDER.index(self)


class Category(StrEnum):
    """The sides of code that findings are about, in the order in which a summary has them."""

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
    """A stretch of the analyzed code.

    Lines and columns count from 1; columns count Unicode code points; the end is exclusive. Lines
    end at LF, CR LF or CR and nowhere else.
    """

    start_line: OneBased
    start_column: OneBased
    end_line: OneBased
    end_column: OneBased


class Edit(msgspec.Struct, frozen=True, rename="camel"):
    """Replace what stands in `range` with `content`; an empty range inserts."""

    range: Range
    content: str


class Applicability(StrEnum):
    """Whether a fix keeps the behavior: surely (`safe`) or not; `display` is only a hint."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Fix(msgspec.Struct, frozen=True, rename="camel"):
    """Edits that remove the finding. All refer to the code as sent and do not overlap."""

    message: str
    applicability: Applicability
    edits: tuple[Edit, ...]


class RuleRef(msgspec.Struct, frozen=True, rename="camel"):
    """Another analyzer's rule that reported the same defect."""

    rule_id: str
    engine: str


class StepKind(StrEnum):
    """What happens to a value at a step of its way: it comes in, goes on, or does harm."""

    SOURCE = "source"
    STEP = "step"
    SINK = "sink"


class FlowStep(msgspec.Struct, frozen=True, rename="camel"):
    """A place that a value passes. `message` says in a few words what happens there."""

    kind: StepKind
    range: Range
    message: str


class Suppression(msgspec.Struct, frozen=True, rename="camel"):
    """A comment in the code that asks for the finding not to be reported: `comment` is its keyword,
    such as `nosec`, on `line`. The finding is reported all the same, with this beside it."""

    comment: str
    line: OneBased


class Finding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One defect at one place.

    `engine` names the analyzer, `rule_id` its rule; `cwe` is like `CWE-89`, or null where no
    weakness class fits. `remedy` says what to do instead; `flow` how a value gets from where it
    comes in (first) to where it does harm (last). `unverified` marks what a model says of code that
    it could not quote. A message never repeats a secret's value.
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
