"""Compare SQL in another dialect in V2: the result must read back as the original.

An engine for the target must accept it and return the same rows.
"""

from __future__ import annotations

from typing import NamedTuple

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.sql.apart import apart
from codeintel.engine.equivalence.sql.carried_over import foreign_words, missing_functions
from codeintel.engine.equivalence.sql.databases import ENGINES
from codeintel.engine.equivalence.sql.normalize import Tables, tables_of
from codeintel.engine.equivalence.sql.runs import Pair, PairOutcome, compared
from codeintel.engine.equivalence.sql.similarity import Likeness, likeness
from codeintel.engine.equivalence.sql.statements import (
    STAND_IN,
    Script,
    Statement,
    can_prepare,
    conflicting,
    created_table,
    described,
    engine_of,
    is_ordered,
    order_keys,
    translated,
    unrunnable,
)


def foreign(comparison: Comparison, before: Script, after: Script) -> Evidence:
    """Compare a translated script with its original."""
    for one, other in zip(before.statements, after.statements, strict=True):
        problem = _problem(one, other, comparison)
        if problem:
            return failed(f"line {one.line}: {problem}.")
    source = engine_of(comparison.language) or STAND_IN
    target = engine_of(comparison.target) or STAND_IN
    lacking = unrunnable(source, target)
    if lacking:
        return not_applicable(f"{lacking}.")
    both = [*zip(before.statements, after.statements, strict=True)]
    made = tables_of(each.tree for each in before.statements)
    found = {at: _pair(*each, comparison, source, target, made) for at, each in enumerate(both)}
    shown = {at: pair for at, pair in found.items() if pair is not None}
    pairs = [*shown.values()]
    trees = [each.tree for each in before.statements if each.tree is not None]
    outcomes = (
        apart(lambda: compared(pairs, source, target, trees), list[PairOutcome]) if pairs else []
    )
    if outcomes is None:
        return not_applicable("Running the statements exceeded the time or memory limit.")
    is_own = engine_of(comparison.target) is not None
    wrong = [
        each
        for each in outcomes
        if each.status == "different" or (is_own and each.status == "refused")
    ]
    if wrong:
        return failed(f"In {ENGINES[target].title}, {described(wrong[0])}.")
    by_place = dict(zip(shown, outcomes, strict=True))
    verdicts = []
    for at, (one, other) in enumerate(both):
        like = likeness(one.tree, other.tree, comparison.language, comparison.target, made)
        verdict = _verdict(one, like, by_place.get(at), is_own)
        if verdict.problem:
            return failed(f"line {one.line}: {verdict.problem}.")
        verdicts.append(verdict)
    return _told(comparison, verdicts, source, target)


class _Verdict(NamedTuple):
    """The findings about one statement: how it was shown to be the same, or the problem."""

    like: Likeness
    is_shown: bool = False
    has_run: bool = False
    is_planned: bool = False
    problem: str = ""


def _verdict(one: Statement, like: Likeness, outcome: PairOutcome | None, is_own: bool) -> _Verdict:
    status = outcome.status if outcome is not None else ""
    has_run = status == "equal"
    is_planned = status in ("equal", "planned", "undetermined")
    # An available engine must accept the statement, and must have run what it can run.
    by_tree = like.same or (like.translated and not (is_own and one.is_query))
    is_shown = (has_run and (like.translated or not like.differing)) or (
        by_tree and (is_planned or not is_own)
    )
    problem = ""
    if not is_shown and not like.translated:
        if like.differing:
            rows = "the rows are equal on random data, but " if has_run else ""
            problem = f"{rows}{like.differing} differ"
        elif not one.is_query:
            problem = "the trees differ, and only queries can be run"
    return _Verdict(like, is_shown, has_run, is_planned, problem)


def _problem(one: Statement, other: Statement, comparison: Comparison) -> str | None:
    """Describe a difference that shows without running the statement, or return None."""
    if one.tree is None:
        return "sqlglot does not understand the original"
    if other.tree is None:
        return f"the result does not parse as {comparison.target}"
    if one.is_query != other.is_query:
        return "the kind of statement changed"
    names = missing_functions(other.tokens, comparison.target)
    if names:
        return f"{comparison.target} has no function {', '.join(names)}"
    words = foreign_words(other.tokens, comparison.language, comparison.target)
    if words:
        return f"{comparison.target} does not have {', '.join(words)}"
    return None


def _pair(
    one: Statement,
    other: Statement,
    comparison: Comparison,
    source: str,
    target: str,
    made: Tables,
) -> Pair | None:
    if not can_prepare(one) or not can_prepare(other):
        return None
    is_own = engine_of(comparison.target) is not None
    first = (
        one.source
        if engine_of(comparison.language)
        else translated(one.tree, comparison.language, source, made)
    )
    second = other.source if is_own else translated(other.tree, comparison.target, target, made)
    if second is None or (first is None and not is_own):
        return None
    is_query = one.is_query and other.is_query
    creates, different = created_table(one.tree), conflicting(one.tree)
    return Pair(
        *(one.line, first, second, is_query, is_ordered(one.tree), creates, different),
        keys=order_keys(one.tree),
    )


def _told(comparison: Comparison, verdicts: list[_Verdict], source: str, target: str) -> Evidence:
    total = len(verdicts)
    ran = sum(each.has_run for each in verdicts)
    back = sum(each.like.same for each in verdicts)
    written = sum(each.like.translated for each in verdicts)
    own_source, own_target = engine_of(comparison.language), engine_of(comparison.target)
    rows = (
        f"{ran} of {total} statements gave the rows of the original "
        f"({ENGINES[source].title}{'' if own_source else ', translated by sqlglot'}) on random data"
    )
    trees = (
        f"{back} of {total} have equal trees when read back, {written} match sqlglot's own "
        "translation without a loss"
    )
    if own_target is None:
        said = (
            f"There is no engine for {comparison.target} here. In {ENGINES[target].title}, "
            f"translated by sqlglot, {rows}. {trees}."
        )
    else:
        planned = sum(each.is_planned for each in verdicts)
        said = f"{ENGINES[target].title} accepts {planned} of {total} statements. {rows}. {trees}."
    if not all(each.is_shown for each in verdicts):
        return not_applicable(said)
    # Rules name the differences between dialects as losses. Models name none.
    is_proof = back == total and not comparison.losses and not comparison.by_model
    return passed(said, conclusive=is_proof)
