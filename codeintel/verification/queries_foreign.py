"""V2 for SQL in another dialect: the target's engine understands it and gives the same rows."""

from __future__ import annotations

from sqlglot.errors import SqlglotError

from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.parsing import DIALECTS
from codeintel.verification.queries_apart import apart
from codeintel.verification.queries_engines import ENGINES
from codeintel.verification.queries_functions import missing_functions
from codeintel.verification.queries_runs import Outcome, Pair, compared
from codeintel.verification.queries_statements import Script, Statement
from codeintel.verification.queries_translation import (
    STAND_IN,
    can_prepare,
    created_table,
    described,
    engine_of,
    is_ordered,
    translated,
)
from codeintel.verification.queries_words import foreign_words


def foreign(comparison: Comparison, before: Script, after: Script) -> Evidence:
    """Compare a translated script with its original."""
    for one, other in zip(before.statements, after.statements, strict=True):
        problem = _problem(one, other, comparison)
        if problem:
            return failed(f"line {one.line}: {problem}.")
    source = engine_of(comparison.language) or STAND_IN
    target = engine_of(comparison.target) or STAND_IN
    pairs = [
        pair
        for one, other in zip(before.statements, after.statements, strict=True)
        if (pair := _pair(one, other, comparison, source, target)) is not None
    ]
    trees = [each.tree for each in before.statements if each.tree is not None]
    outcomes = apart(lambda: compared(pairs, source, target, trees), list[Outcome]) if pairs else []
    if outcomes is None:
        return not_applicable("Running the statements took too long or too much.")
    wrong = [each for each in outcomes if each.status in ("different", "refused")]
    if wrong and not (wrong[0].status == "refused" and engine_of(comparison.target) is None):
        return failed(f"In {ENGINES[target].title}, {described(wrong[0])}.")
    return _told(comparison, before, after, outcomes, source, target)


def _problem(one: Statement, other: Statement, comparison: Comparison) -> str | None:
    """What shows without running it that a statement is not the same."""
    if one.tree is None:
        return "sqlglot does not understand the original"
    if other.tree is None:
        return f"the result is no statement that is understood as {comparison.target}"
    if one.is_query != other.is_query:
        return "it is another kind of statement"
    names = missing_functions(other.tokens, comparison.target)
    if names:
        return f"{comparison.target} has no function {', '.join(names)}"
    words = foreign_words(other.tokens, comparison.language, comparison.target)
    if words:
        return f"{comparison.target} does not have {', '.join(words)}"
    return None


def _pair(
    one: Statement, other: Statement, comparison: Comparison, source: str, target: str
) -> Pair | None:
    if not can_prepare(one) or not can_prepare(other):
        return None
    is_own = engine_of(comparison.target) is not None
    first = (
        one.source
        if engine_of(comparison.language)
        else translated(one.tree, comparison.language, source)
    )
    second = other.source if is_own else translated(other.tree, comparison.target, target)
    if second is None or (first is None and not is_own):
        return None
    is_query = one.is_query and other.is_query
    return Pair(one.line, first, second, is_query, is_ordered(one.tree), created_table(one.tree))


def _told(
    comparison: Comparison,
    before: Script,
    after: Script,
    outcomes: list[Outcome],
    source: str,
    target: str,
) -> Evidence:
    total = len(before.statements)
    equal = [each for each in outcomes if each.status == "equal"]
    planned = [each for each in outcomes if each.status in ("planned", "equal", "undetermined")]
    back = sum(
        _reads_back(one, other, comparison)
        for one, other in zip(before.statements, after.statements, strict=True)
    )
    own_source, own_target = engine_of(comparison.language), engine_of(comparison.target)
    rows = (
        f"{len(equal)} of {total} statements gave the rows of the original "
        f"({ENGINES[source].title}{'' if own_source else ', translated by sqlglot'}) on random data"
    )
    trees = f"{back} of {total} are equal trees when read back as {comparison.language}"
    if own_target is None:
        return not_applicable(
            f"There is no engine for {comparison.target} here. In {ENGINES[target].title}, "
            f"translated by sqlglot, {rows}; {trees}."
        )
    said = f"{ENGINES[target].title} plans {len(planned)} of {total} statements; {rows}; {trees}."
    queries = sum(each.is_query for each in before.statements)
    if len(equal) == queries and len(planned) == total:
        return passed(said)
    return not_applicable(said)


def _reads_back(one: Statement, other: Statement, comparison: Comparison) -> bool:
    """Whether the result, written in the first dialect again, is the original."""
    language = DIALECTS[comparison.language]
    if one.tree is None or other.tree is None:
        return False
    try:
        again = other.tree.sql(language, comments=False)
        return bool(again == one.tree.sql(language, comments=False))
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError):
        return False
