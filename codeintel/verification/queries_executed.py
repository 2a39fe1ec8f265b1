"""V2 for SQL of one dialect: changed queries give the same rows on random data."""

from __future__ import annotations

from collections.abc import Sequence

from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.queries_apart import apart
from codeintel.verification.queries_engines import ENGINES
from codeintel.verification.queries_runs import Outcome, Pair, compared
from codeintel.verification.queries_statements import (
    Script,
    Statement,
    is_equal_once_normalised,
)
from codeintel.verification.queries_translation import (
    STAND_IN,
    can_prepare,
    described,
    engine_of,
    is_ordered,
    translated,
)


def executed(
    comparison: Comparison, before: Script, after: Script, changed: Sequence[int]
) -> Evidence:
    """Compare the changed statements."""
    language = comparison.language
    engine = engine_of(language) or STAND_IN
    pairs = []
    for index in changed:
        one, other = before.statements[index], after.statements[index]
        if one.tree is None or other.tree is None:
            return failed(
                f"line {one.line}: what was changed is no statement that can be compared."
            )
        if type(one.tree) is not type(other.tree) and not (one.is_query and other.is_query):
            return failed(f"line {one.line}: it is another kind of statement.")
        pair = _pair(one, other, language, engine)
        if pair is not None:
            pairs.append(pair)
    trees = [each.tree for each in before.statements if each.tree is not None]
    outcomes = apart(lambda: compared(pairs, engine, engine, trees), list[Outcome]) if pairs else []
    said = f"{len(changed)} changed statements"
    if outcomes is None:
        return not_applicable(f"{said}: running them took too long or too much.")
    wrong = [each for each in outcomes if each.status in ("different", "refused")]
    if wrong:
        return failed(f"On random data in {ENGINES[engine].title}, {described(wrong[0])}.")
    ran = {each.line: each.sets for each in outcomes if each.status == "equal"}
    rest = [index for index in changed if before.statements[index].line not in ran]
    if not rest:
        least = min(ran.values())
        return passed(
            f"{said} gave the same rows as before on at least {least} sets of random data with "
            f"NULLs and duplicates in {ENGINES[engine].title}{_stand_in(language)}."
        )
    equal = all(_is_equal(before, after, index, language) for index in rest)
    if equal and not any(before.statements[index].is_query for index in rest):
        return passed(
            f"{said}: {len(ran)} gave the same rows as before in {ENGINES[engine].title}"
            f"{_stand_in(language)}, and the other {len(rest)}, which are no queries, are equal as "
            "trees once simplified."
        )
    if equal:
        return not_applicable(
            f"{said}: {len(rest)} are equal as trees once simplified, but could not be run."
        )
    return not_applicable(f"{said}: {len(rest)} could not be run, and differ as trees.")


def _pair(one: Statement, other: Statement, language: str, engine: str) -> Pair | None:
    if not can_prepare(one):
        return None
    is_own = engine_of(language) == engine
    first = one.source if is_own else translated(one.tree, language, engine)
    second = other.source if is_own else translated(other.tree, language, engine)
    if first is None or second is None:
        return None
    return Pair(one.line, first, second, one.is_query and other.is_query, is_ordered(one.tree))


def _is_equal(before: Script, after: Script, index: int, language: str) -> bool:
    one, other = before.statements[index].tree, after.statements[index].tree
    return one is not None and other is not None and is_equal_once_normalised(one, other, language)


def _stand_in(language: str) -> str:
    if engine_of(language):
        return ""
    return f", both translated for it by sqlglot: {language} itself was not run"
