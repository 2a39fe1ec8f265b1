"""No expression of a rule or table takes long to search, for any code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from codeintel_plugins.patterns.catalogue import shipped_rules
from codeintel_plugins.patterns.rule import LANGUAGES
from hostile_texts import beginnings, expressions_of, hostile_texts
from search_time import REPEATS, seconds

from codeintel.engine.dataflow import table

LENGTH = 100_000
LIMIT = 0.5
"""Seconds of CPU time for one search of so long a text."""
STAGES = ((4_000, 0.0015), (16_000, 0.013), (32_000, 0.05), (LENGTH, LIMIT))
"""Shorter texts first, with the time from which on a longer one is tried: a text four times as long
takes sixteen times as long if time grows with the square."""
IN_RULES = ("requires", "excludes", "resolves", "resolves_not")
IN_TABLES = ("requires", "with_text", "without_text", "parameters", "handlers", "returns")


def takes_long(
    expression: re.Pattern[str], text: Callable[[int], str], length: int, limit: float
) -> bool:
    return seconds(expression.search, text(length), limit * 2) > limit


def slow_text(expression: str) -> str | None:
    """Return the beginning of a text that takes too long to search."""
    compiled = re.compile(expression)
    for text in hostile_texts(expression) if REPEATS.search(expression) else ():
        if all(takes_long(compiled, text, *stage) for stage in STAGES):
            return text(60)
    return None


def in_table(language: str) -> Iterator[str]:
    document = table._document(language)
    entries = (*document.sources, *document.sinks, *document.sanitizers)
    yield from expressions_of(entries, IN_TABLES)
    yield from expressions_of([document], ["neutral"])


@pytest.mark.parametrize("language", [*LANGUAGES, "every"])
def test_no_expression_takes_long(language: str) -> None:
    rules = [rule for rule in shipped_rules() if rule.languages[0] == language]
    expressions = {*expressions_of(rules, IN_RULES), *in_table(language)}
    slow = {each: text for each in sorted(expressions) if (text := slow_text(each)) is not None}
    assert slow == {}


@pytest.mark.parametrize(
    "expression",
    [
        "(?s)mail.*HTTP_HOST",
        r"\s*=",
        r"\w*\.exec",
        r"call\([^)]*safe=",
        r"(?:\w+\s*)*!",
        r"a|b[^c]*d",
    ],
)
def test_slow_expressions_are_found(expression: str) -> None:
    assert slow_text(expression) is not None


@pytest.mark.parametrize(
    "expression", [r"\s{0,20}=", r"(?s)\A(?=.*?mail).*?HTTP_HOST", r"mail\([^)]{0,200}\)"]
)
def test_others_are_not(expression: str) -> None:
    assert slow_text(expression) is None


def test_beginnings_are_what_an_expression_fits() -> None:
    assert {"call(", "call(a", "call(a)"} <= set(beginnings(r"call\([^)]*\)"))
    assert {"one", "two"} <= set(beginnings("one|two"))
