"""The checks of a comparison, level by level. Run in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from codeintel.contracts import Check, CheckStatus, Equivalence, Promise
from codeintel.verification import (
    data_models,
    interfaces,
    local_edits,
    normal_form,
    python_trees,
    queries,
    type_removal,
    vocabulary,
)
from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.parsing import UnreadableError, can_parse, parse

Comparer = Callable[[Comparison], Evidence]
_UNREADABLE = "The result does not parse."


def compare(comparison: Comparison) -> Iterator[Check]:
    """Yield the checks that the code alone decides. What does not parse is not compared."""
    parses = _parses(comparison)
    yield _check(Promise.PARSES, "V1", parses)
    for name, level, comparer in _COMPARERS:
        unreadable = parses.status is CheckStatus.FAILED
        evidence = not_applicable(_UNREADABLE) if unreadable else comparer(comparison)
        yield _check(name, level, evidence)


def _check(name: str, level: str, evidence: Evidence) -> Check:
    return Check(name=name, level=level, status=evidence.status, evidence=evidence.text)


def _parses(comparison: Comparison) -> Evidence:
    language = comparison.target
    if not can_parse(language):
        return not_applicable(f"There is no reader for {language}.")
    try:
        parse(comparison.after, language)
    except UnreadableError as error:
        return failed(f"The result does not parse as {language}: {error}.")
    return passed(f"The whole result parses as {language}.")


def _equivalent(comparison: Comparison) -> Evidence:
    """The comparison that what made the result promises to pass."""
    if comparison.equivalence is None:
        return not_applicable("What made it has no way to show that the meaning is the same.")
    return _EQUIVALENCES[comparison.equivalence](comparison)


_EQUIVALENCES: dict[Equivalence, Comparer] = {
    Equivalence.SYNTAX_TREE: python_trees.compare,
    Equivalence.NORMAL_FORM: normal_form.compare,
    Equivalence.DATA_MODEL: data_models.compare,
    Equivalence.TYPE_REMOVAL: type_removal.compare,
    Equivalence.QUERY_PLAN: queries.compare,
    Equivalence.LOCAL_EDITS: local_edits.compare,
}
_COMPARERS: tuple[tuple[str, str, Comparer], ...] = (
    (Promise.EQUIVALENT, "V2", _equivalent),
    (Promise.SAME_INTERFACE, "V3", interfaces.compare),
    ("same_values", "V2", vocabulary.compare),
)
