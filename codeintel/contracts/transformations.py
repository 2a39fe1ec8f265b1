"""Transformations: what they are asked, what they propose, and what is promised of a result.

A transformation proposes; the core checks. What a transformation returns is never believed: it
reaches a caller as `verified` only after a conclusive check has passed, and none has failed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.analysis import Model
from codeintel.contracts.findings import Range

MAX_INSTRUCTIONS_CHARACTERS = 1_000


class Equivalence(StrEnum):
    """How a result can be shown to mean what the original means."""

    SYNTAX_TREE = "syntax_tree"
    """Equal trees but for docstrings: the same program."""
    NORMAL_FORM = "normal_form"
    """Trees that become equal by rewriting steps, each of which is known to keep the meaning."""
    DATA_MODEL = "data_model"
    """Equal values when read; what a format cannot hold is named as a loss."""
    TYPE_REMOVAL = "type_removal"
    """The same tokens but for those of types."""
    QUERY_PLAN = "query_plan"
    """Statements that the target's engine understands, and that are equal once normalized."""
    LOCAL_EDITS = "local_edits"
    """Equal tokens outside of the places that the changes name, each of which is an instance of a
    rule that is known to keep the meaning."""
    COMMENTS = "comments"
    """Equal tokens but for comments."""


class Promise(StrEnum):
    """What is checked of every result of a kind."""

    PARSES = "parses"
    EQUIVALENT = "equivalent"
    SAME_INTERFACE = "same_interface"
    NO_NEW_FINDINGS = "no_new_findings"
    STABLE = "stable"
    """Transforming the result changes nothing more."""


class TransformationKind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of transformation, such as `refactor`.

    :param summary: one sentence for people.
    :param options: the type of its options: a struct whose fields all have defaults.
    :param surcharge: credits on top of the least price of a transformation.
    :param promises: what is checked of each result, where the language allows it.
    :param changes_language: whether it takes a target language.
    """

    name: str
    summary: str
    options: type[msgspec.Struct]
    promises: tuple[Promise, ...]
    surcharge: Annotated[int, Meta(ge=0, le=2)] = 0
    changes_language: bool = False


class TransformTask(msgspec.Struct, frozen=True, kw_only=True):
    """One transformation to do: the validated request of a caller. `language` and `target` are
    canonical names of `codeintel.contracts.languages`; they are equal unless the kind changes the
    language. `options` are of the kind's type, as plain values."""

    code: str
    kind: str
    language: str
    target: str
    options: dict[str, Any]
    instructions: str = ""
    model: Model = Model.FLASH


class Change(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Something that was changed, and by which rule. `range` is what was replaced, in the
    original."""

    rule: str
    message: str
    range: Range | UnsetType = UNSET


class RewriteRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a transformation is asked.

    :param without: rules that must not be used: what they did did not pass the checks.
    """

    code: str
    language: str
    target: str
    options: dict[str, Any]
    without: tuple[str, ...] = ()


class Rewrite(msgspec.Struct, frozen=True, kw_only=True, tag="rewrite"):
    """What a transformation proposes: the whole new code, what it changed, in order of place, and
    in `losses` sentences about what the result does not hold any more, such as comments."""

    code: str
    changes: tuple[Change, ...] = ()
    losses: tuple[str, ...] = ()


class Unsupported(Exception):  # noqa: N818 - says what happened
    """Raised by a transformation for code that it cannot do: the text, which is shown to the
    caller, names what stands in the way and the line, such as "line 3: `enum`"."""


class Transformation(ABC):
    """One way to do a kind of transformation for some languages.

    `rewrite` runs as an :class:`codeintel.contracts.Analyzer` does: in a process of its own, killed
    after `timeout` seconds, without files, and without state kept between calls.
    """

    name: ClassVar[str]
    """Unique, lower case, such as `ruff-modernize`."""

    kind: ClassVar[str]
    """Name of its :class:`TransformationKind`."""

    languages: ClassVar[frozenset[str]]
    """Canonical languages that it understands."""

    targets: ClassVar[frozenset[str] | None] = None
    """Languages that it can produce; None if it keeps the language."""

    equivalence: ClassVar[Equivalence | None] = None
    """How its results are checked against the original: what cannot be shown that way does not
    pass. None where there is no way: then no constant may change and no call may be new, as with
    what models write, unless the kind does not promise that results are equivalent."""

    preference: ClassVar[int] = 0
    """Among several that can do a task the highest is taken."""

    version: str = "0"
    timeout: float = 10.0
    """Wall seconds for one call."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import what a call needs, before workers are forked."""

    def programs(self) -> Sequence[str]:
        """Paths of the programs that a call starts: see
        :meth:`codeintel.contracts.Analyzer.programs`."""
        return ()

    def can(self, language: str, target: str) -> bool:
        """Whether it goes from one language to another, or the same."""
        if language not in self.languages:
            return False
        return language == target if self.targets is None else target in self.targets

    @abstractmethod
    def rewrite(self, request: RewriteRequest) -> Rewrite:
        """Propose new code; the code itself, without changes, where there is nothing to do.

        :raises Unsupported: for code that it cannot do.
        """


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Code that an engine proposes as the answer. `transformation` names the registered one that
    made it, whose equivalence is checked; empty where a model did. `engine` names the engine that
    did the work where it is another than the one asked."""

    code: str
    changes: tuple[Change, ...] = ()
    losses: tuple[str, ...] = ()
    transformation: str = ""
    engine: str = ""


class CheckStatus(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"


class Check(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One check of a result. `level` is `V1` to `V4`; `evidence` says what was compared, or why it
    could not be.

    A `conclusive` check that passed shows by itself that the result behaves as the original does.
    A `tentative` check that failed raises a doubt: it refuses the result unless a conclusive check
    settles the doubt."""

    name: str
    level: str
    status: CheckStatus
    evidence: str
    conclusive: bool = False
    tentative: bool = False


class VerdictOutcome(StrEnum):
    """How much the checks have shown."""

    PROVEN = "proven"
    """The result behaves as the original does: a conclusive check has passed."""
    CHECKED = "checked"
    """No check failed, and none has shown that the result behaves as the original does."""
    UNPROVEN = "unproven"
    """A check failed, or the result could not be read."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the checks say of a candidate. `unchecked` are sentences about what nobody looked at."""

    checks: tuple[Check, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status is CheckStatus.FAILED)

    @property
    def outcome(self) -> VerdictOutcome:
        """How much the checks have shown."""
        passed = [check for check in self.checks if check.status is CheckStatus.PASSED]
        if self.failures or not any(check.name == Promise.PARSES for check in passed):
            return VerdictOutcome.UNPROVEN
        if any(check.conclusive for check in passed):
            return VerdictOutcome.PROVEN
        return VerdictOutcome.CHECKED

    @property
    def is_verified(self) -> bool:
        """Whether it is proven that the result behaves as the original does."""
        return self.outcome is VerdictOutcome.PROVEN

    @property
    def is_refused(self) -> bool:
        """Whether the result must not be returned."""
        return self.outcome is VerdictOutcome.UNPROVEN


class TransformationResult(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    rename="camel",
    tag_field="kind",
    tag="transform",
):
    """What a transformation ends with. `language` is that of `code`, which is the original where
    nothing was changed, or no change passed the checks; `diff` is a unified one. `verdict` says
    how much the checks have shown; `verified` is true only for `proven`. Results kept by earlier
    versions have no `verdict`: there, `verified` says only that no check failed."""

    transformation: str
    source_language: str
    language: str
    engine: str
    code: str
    changed: bool
    verified: bool
    diff: str
    changes: tuple[Change, ...]
    losses: tuple[str, ...]
    checks: tuple[Check, ...]
    unchecked: tuple[str, ...]
    verdict: VerdictOutcome | UnsetType = UNSET
