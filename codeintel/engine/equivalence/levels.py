"""Run the checks of a comparison, level by level, in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from codeintel.contracts import Check, CheckStatus, Equivalence, Promise
from codeintel.contracts.languages import language_title
from codeintel.engine.equivalence import (
    behaviour_heuristics,
    data_models,
    interfaces,
    local_edits,
    python_trees,
    same_meaning,
    sql,
    type_removal,
)
from codeintel.engine.equivalence.comparison import (
    LEVELS,
    NAMES,
    SAME_VALUES,
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.parsing import UnreadableError, parse
from codeintel.engine.equivalence.readable import can_parse

Comparer = Callable[[Comparison], Evidence]
_UNREADABLE = "The result does not parse."


def compare(comparison: Comparison) -> Iterator[Check]:
    """Yield the checks that need only the code.

    If the result does not parse, the others are not applicable.
    """
    parses = _parses(comparison)
    yield parses.check(Promise.PARSES, LEVELS[Promise.PARSES])
    if parses.status is CheckStatus.FAILED:
        nothing = not_applicable(_UNREADABLE)
        yield from (nothing.check(name, LEVELS[name]) for name in NAMES[1:])
        return
    equivalent = _equivalent(comparison)
    yield equivalent.check(Promise.EQUIVALENT, LEVELS[Promise.EQUIVALENT])
    yield _same_values(comparison, equivalent).check(SAME_VALUES, LEVELS[SAME_VALUES])
    interface = interfaces.compare(comparison)
    yield interface.check(Promise.SAME_INTERFACE, LEVELS[Promise.SAME_INTERFACE])


def _parses(comparison: Comparison) -> Evidence:
    language = comparison.target
    if not can_parse(language):
        return not_applicable(f"There is no reader for {language}.")
    try:
        parse(comparison.after, language)
    except UnreadableError as error:
        what = "result" if comparison.is_changed else "code"
        return failed(f"The {what} does not parse as {language}: {error}.")
    return passed(f"The whole result parses as {language_title(language)}.")


def _equivalent(comparison: Comparison) -> Evidence:
    """Run the comparison that the transformation promises to pass.

    A rule's result that cannot be compared has failed. A model's result may be correct even if no
    comparison proves it.
    """
    if not comparison.is_changed:
        return passed("Nothing was changed.", conclusive=True)
    if comparison.equivalence is None:
        return not_applicable(
            "The transformation offers no way to show that the meaning is the same."
        )
    evidence = _EQUIVALENCES[comparison.equivalence](comparison)
    if evidence.status is CheckStatus.PASSED:
        return evidence
    if comparison.by_model and comparison.equivalence in _MORE_THAN_PROVABLE:
        return not_applicable(
            f"It could not be proven that the meaning is the same. {evidence.text}"
        )
    if evidence.status is CheckStatus.NOT_APPLICABLE:
        return failed(f"It could not be shown that the meaning is the same. {evidence.text}")
    return evidence


def _same_values(comparison: Comparison, equivalent: Evidence) -> Evidence:
    """Look for inserted content where no comparison showed the same meaning."""
    if equivalent.status is CheckStatus.PASSED:
        return not_applicable("The meaning was compared, which includes all values.")
    evidence = behaviour_heuristics.compare(comparison)
    nobody = evidence.status is CheckStatus.NOT_APPLICABLE
    if nobody and comparison.by_model and comparison.is_changed:
        return failed(f"The result could not be checked for inserted content. {evidence.text}")
    return evidence


_MORE_THAN_PROVABLE = frozenset({Equivalence.NORMAL_FORM, Equivalence.TYPE_REMOVAL})
"""Comparisons that some correct results of a model do not pass."""
_EQUIVALENCES: dict[Equivalence, Comparer] = {
    Equivalence.SYNTAX_TREE: python_trees.compare,
    Equivalence.NORMAL_FORM: same_meaning.compare,
    Equivalence.DATA_MODEL: data_models.compare,
    Equivalence.TYPE_REMOVAL: type_removal.compare,
    Equivalence.QUERY_PLAN: sql.compare,
    Equivalence.LOCAL_EDITS: local_edits.compare,
    Equivalence.COMMENTS: behaviour_heuristics.comments_only,
}
