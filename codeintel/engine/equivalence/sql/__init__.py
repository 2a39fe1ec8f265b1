"""Compare SQL in V2: equal tokens, equal trees once normalized, or equal rows from real engines
on random data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from codeintel.base.wording import counted
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.sql.apart import apart
from codeintel.engine.equivalence.sql.databases import ENGINES
from codeintel.engine.equivalence.sql.runs import Pair, PairOutcome, compared
from codeintel.engine.equivalence.sql.similarity import Likeness, likeness
from codeintel.engine.equivalence.sql.statements import (
    STAND_IN,
    Script,
    Statement,
    can_prepare,
    described,
    engine_of,
    is_equal_once_normalised,
    is_ordered,
    is_same_tree,
    read,
    translated,
    unrunnable,
)
from codeintel.engine.equivalence.sql.transpile import foreign


def compare(comparison: Comparison) -> Evidence:
    """Compare two scripts, statement by statement."""
    before = read(comparison.before, comparison.language)
    after = read(comparison.after, comparison.target)
    if before is None or after is None:
        return not_applicable("The original or the result cannot be split into tokens.")
    if not before.statements:
        return not_applicable("The code has no statement.")
    if len(before.statements) != len(after.statements):
        return failed(
            f"The original has {counted(len(before.statements), 'statement')}, the result "
            f"{len(after.statements)}."
        )
    if comparison.language != comparison.target:
        return foreign(comparison, before, after)
    lost = Counter(before.comments) - Counter(after.comments)
    if lost:
        return failed(f"The result lacks {counted(lost.total(), 'comment')} of the original.")
    changed = _changed(before, after)
    if changed:
        return executed(comparison, before, after, changed)
    if before.comments != after.comments:
        return failed("The comments changed their order.")
    tokens = sum(len(each.tokens) for each in before.statements)
    return passed(
        f"{counted(len(before.statements), 'statement')} with the same {tokens} tokens and "
        f"{counted(len(before.comments), 'comment')}: only whitespace and the case of keywords "
        "differ.",
        conclusive=True,
    )


def _changed(before: Script, after: Script) -> list[int]:
    """Return the indexes of statements that differ in more than whitespace and the case of
    keywords."""
    found = []
    for index, (one, other) in enumerate(zip(before.statements, after.statements, strict=True)):
        if one.tokens == other.tokens:
            continue
        if one.folded() != other.folded() or not is_same_tree(one.tree, other.tree):
            found.append(index)
    return found


def executed(
    comparison: Comparison, before: Script, after: Script, changed: Sequence[int]
) -> Evidence:
    """Compare the changed statements.

    Equal trees are a proof. Equal rows on random data are not, because the data may miss the row
    that differs.
    """
    language = comparison.language
    engine = engine_of(language) or STAND_IN
    pairs: dict[int, Pair] = {}
    for index in changed:
        one, other = before.statements[index], after.statements[index]
        if one.tree is None or other.tree is None:
            return failed(f"line {one.line}: the changed statement cannot be compared.")
        if type(one.tree) is not type(other.tree) and not (one.is_query and other.is_query):
            return failed(f"line {one.line}: the kind of statement changed.")
        pair = _pair(one, other, language, engine)
        if pair is not None:
            pairs[index] = pair
    trees = [each.tree for each in before.statements if each.tree is not None]
    lacking = unrunnable(engine)
    tried = [] if lacking else [*pairs.values()]
    outcomes = (
        apart(lambda: compared(tried, engine, engine, trees), list[PairOutcome]) if tried else []
    )
    for outcome in outcomes or []:
        if outcome.status in ("different", "refused"):
            return failed(f"On random data in {ENGINES[engine].title}, {described(outcome)}.")
    ran = {
        index: each.sets
        for index, each in zip(pairs, outcomes or [], strict=False)
        if each.status == "equal"
    }
    open_ones = by_rows = 0
    for index in changed:
        one, other = before.statements[index], after.statements[index]
        like = likeness(one.tree, other.tree, language, language)
        problem = _problem(one, other, like, index in ran, language)
        if problem:
            return failed(f"line {one.line}: {problem}.")
        open_ones += not like.same and index not in ran
        by_rows += not like.same
    said = counted(len(changed), "changed statement")
    if open_ones:
        why = (
            ""
            if outcomes is not None
            else ", because running them exceeded the time or memory limit"
        )
        why = f". {lacking}" if lacking else why
        return not_applicable(f"{said}: {open_ones} differ as trees and could not be run{why}.")
    rest = len(changed) - len(ran)
    proven = f"{rest} have equal trees after normalization" if rest else ""
    if not ran:
        return passed(f"{said}: {proven}.", conclusive=not by_rows)
    least = min(ran.values())
    rows = (
        f"{said if not rest else f'{said}: {len(ran)}'} gave the same rows as before on at least "
        f"{least} random data sets with NULLs and duplicates in "
        f"{ENGINES[engine].title}{_stand_in(language)}"
    )
    if proven:
        rows += f", and {proven}"
    elif not by_rows:
        rows += ", and their trees are equal after normalization"
    return passed(f"{rows}.", conclusive=not by_rows)


def _problem(
    one: Statement, other: Statement, like: Likeness, has_run: bool, language: str
) -> str | None:
    """Describe how the trees of two statements differ, because random data may miss a change.

    Return None if they mean the same.
    """
    if like.same:
        return None
    if not one.is_query:
        return "the trees differ, and only queries can be run"
    if not like.differing or _is_equal(one, other, language):
        return None
    rows = "the rows are equal on random data, but " if has_run else ""
    return f"{rows}{like.differing} differ"


def _pair(one: Statement, other: Statement, language: str, engine: str) -> Pair | None:
    if not can_prepare(one):
        return None
    is_own = engine_of(language) == engine
    first = one.source if is_own else translated(one.tree, language, engine)
    second = other.source if is_own else translated(other.tree, language, engine)
    if first is None or second is None:
        return None
    return Pair(one.line, first, second, one.is_query and other.is_query, is_ordered(one.tree))


def _is_equal(one: Statement, other: Statement, language: str) -> bool:
    first, second = one.tree, other.tree
    if first is None or second is None:
        return False
    return is_equal_once_normalised(first, second, language)


def _stand_in(language: str) -> str:
    if engine_of(language):
        return ""
    return f", both translated for it by sqlglot: {language} itself was not run"
