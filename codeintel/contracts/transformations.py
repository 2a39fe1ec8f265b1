"""Transformations: their requests, their proposals and the promises about results.

A transformation proposes and the core checks. Its result is never trusted: callers get it as
`verified` only after a conclusive check has passed and no check has failed.
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
    """The methods that show that a result means the same as the original."""

    SYNTAX_TREE = "syntax_tree"
    """The trees are equal except for docstrings: the same program."""
    NORMAL_FORM = "normal_form"
    """The trees become equal by rewriting steps that keep the meaning."""
    DATA_MODEL = "data_model"
    """The values are equal when read. Anything that a format cannot hold is named as a loss."""
    TYPE_REMOVAL = "type_removal"
    """The tokens are equal except for types."""
    QUERY_PLAN = "query_plan"
    """Statements that the target's engine accepts, and that are equal once normalized."""
    LOCAL_EDITS = "local_edits"
    """The tokens are equal except at the changes. Each change is an instance of a rule that keeps
    the meaning.
    """
    COMMENTS = "comments"
    """The tokens are equal except for comments."""


class Promise(StrEnum):
    """The checks that every result of a kind must pass."""

    PARSES = "parses"
    EQUIVALENT = "equivalent"
    SAME_INTERFACE = "same_interface"
    NO_NEW_FINDINGS = "no_new_findings"
    STABLE = "stable"
    """A second transformation of the result changes nothing."""


class TransformationKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of transformation, such as `refactor`.

    :param summary: a readable sentence.
    :param options: the type of its options: a struct whose fields all have defaults.
    :param surcharge: credits in addition to the lowest price of a transformation.
    :param promises: the checks of each result, if the language allows them.
    :param changes_language: whether it takes a target language.
    """

    name: str
    summary: str
    options: type[msgspec.Struct]
    promises: tuple[Promise, ...]
    surcharge: Annotated[int, Meta(ge=0, le=2)] = 0
    changes_language: bool = False


class TransformTask(msgspec.Struct, frozen=True, kw_only=True):
    """A transformation to do: the validated request of a caller. `language` and `target` are
    canonical names of `codeintel.contracts.languages`. They are equal unless the kind changes the
    language. `options` are plain values of the kind's type.
    """

    code: str
    kind: str
    language: str
    target: str
    options: dict[str, Any]
    instructions: str = ""
    model: Model = Model.FLASH


class Change(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A change and its rule. `range` is the replaced part of the original."""

    rule: str
    message: str
    range: Range | UnsetType = UNSET


class RewriteRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The request to a transformation.

    :param without: rules that must not be used, because their changes failed the checks.
    """

    code: str
    language: str
    target: str
    options: dict[str, Any]
    without: tuple[str, ...] = ()


class Rewrite(msgspec.Struct, frozen=True, kw_only=True, tag="rewrite"):
    """The proposal of a transformation: the whole new code and the changes in order of place.
    `losses` are sentences about omissions, such as comments.
    """

    code: str
    changes: tuple[Change, ...] = ()
    losses: tuple[str, ...] = ()


class Unsupported(Exception):  # noqa: N818 - says what happened
    """Raised by a transformation for code that it cannot do. The caller sees the text, which names
    the obstacle and the line, such as "line 3: `enum`".
    """


class Transformation(ABC):
    """An implementation of a kind of transformation for some languages.

    `rewrite` runs like :class:`codeintel.contracts.Analyzer`: in a separate process that is killed
    after `timeout` seconds, without files and without state between calls.
    """

    name: ClassVar[str]
    """Unique, in lower case, such as `ruff-modernize`."""

    kind: ClassVar[str]
    """The name of its :class:`TransformationKind`."""

    languages: ClassVar[frozenset[str]]
    """The canonical languages that it supports."""

    targets: ClassVar[frozenset[str] | None] = None
    """The languages that it can produce. None if it keeps the language."""

    equivalence: ClassVar[Equivalence | None] = None
    """How its results are checked against the original. Anything that cannot be shown that way
    fails. None if no method exists: then constants may not change and no call may be new, as for
    code from models, unless the kind does not promise equivalence.
    """

    preference: ClassVar[int] = 0
    """The transformation with the highest value takes a task."""

    version: str = "0"
    timeout: float = 10.0
    """The time limit of a call, in seconds."""

    def preload(self) -> None:  # noqa: B027 - doing nothing is a good answer
        """Import the modules that a call needs, before workers are forked."""

    def programs(self) -> Sequence[str]:
        """Return the paths of the programs that a call starts. See
        :meth:`codeintel.contracts.Analyzer.programs`.
        """
        return ()

    def supports(self, language: str, target: str) -> bool:
        """Return whether it transforms one language into another, or into the same."""
        if language not in self.languages:
            return False
        return language == target if self.targets is None else target in self.targets

    @abstractmethod
    def rewrite(self, request: RewriteRequest) -> Rewrite:
        """Propose new code, or return the original code without changes if nothing applies.

        :raises Unsupported: for code that it cannot do.
        """


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Code that an engine proposes as the answer. `transformation` names the registered
    transformation that made it, whose equivalence is checked. It is empty for a model. `engine`
    names the engine that did the work, if it is not the requested one.
    """

    code: str
    changes: tuple[Change, ...] = ()
    losses: tuple[str, ...] = ()
    transformation: str = ""
    engine: str = ""


class CheckStatus(StrEnum):
    """The outcome of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"


class Check(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A check of a result. `level` is `V1` to `V4`. `evidence` describes the comparison, or why it
    could not be done.

    A `conclusive` check that passed proves that the result behaves like the original. A `tentative`
    check that failed raises a doubt. It refuses the result unless a conclusive check settles the
    doubt.
    """

    name: str
    level: str
    status: CheckStatus
    evidence: str
    conclusive: bool = False
    tentative: bool = False


class VerdictOutcome(StrEnum):
    """The evidence of all checks together."""

    PROVEN = "proven"
    """A conclusive check has passed, so the result behaves like the original."""
    CHECKED = "checked"
    """No check failed, but none has proven that the result behaves like the original."""
    UNPROVEN = "unproven"
    """A check failed, or the result could not be read."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of the checks of a candidate. `unchecked` are sentences about aspects that were
    not checked.
    """

    checks: tuple[Check, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status is CheckStatus.FAILED)

    @property
    def outcome(self) -> VerdictOutcome:
        """The evidence of all checks together."""
        passed = [check for check in self.checks if check.status is CheckStatus.PASSED]
        if self.failures or not any(check.name == Promise.PARSES for check in passed):
            return VerdictOutcome.UNPROVEN
        if any(check.conclusive for check in passed):
            return VerdictOutcome.PROVEN
        return VerdictOutcome.CHECKED

    @property
    def is_verified(self) -> bool:
        """Whether the result is proven to behave like the original."""
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
    """The result of a transformation. `language` is that of `code`. `code` is the original if no
    change was made or passed the checks. `diff` is a unified diff. `verdict` grades the evidence.
    `verified` is true only for `proven`. Results of earlier versions have no `verdict`: there,
    `verified` only means that no check failed.
    """

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
