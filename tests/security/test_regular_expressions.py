"""No regular expression of the service takes long for any text.

The server's own processes may only take linear time, because a search blocks all other requests. In
a worker process, which is killed at its deadline, quadratic time is permitted. The expressions of
rules and tables have stricter tests in `tests/patterns`. Expressions in YAML under `regex` are
Rust's, which are linear by construction.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest
from hostile_texts import hostile_texts
from search_time import REPEATS, seconds

COLLECTION = Path(__file__).with_name("pattern_collection.py")
TEXTS = 60
LINEAR_AT, LINEAR_SECONDS = 4_000, 0.0025
"""So long a text is searched in hundredths of this, and in ten times this if time grows with the
square."""
GROWTH = 3.0
"""Of the time for a text of twice the length, where it grows with the square: four."""
SQUARE_AT, SQUARE_SECONDS = 300, 0.03
"""A quadratic search takes a tenth of this, a cubic one several times as long. Language
detection cuts lines at this length."""

IN_WORKERS = (
    "codeintel.engine",
    *(
        f"codeintel_plugins.{name}"
        for name in (
            *("common", "complexity", "grammars", "linters", "patterns", "python", "secrets"),
            *("static", "suppressions", "taint", "transformations"),
        )
    ),
)
OF_THE_OPERATOR = (
    "codeintel.cli",
    "codeintel.client",
    "codeintel.operations.doctor",
    "codeintel.base._build",
)
"""Run by a user at a terminal, over their own settings and folders."""
OF_OUR_ROUTES = re.compile(r"codeintel\.http\.openapi")
MATCHED = ("codeintel.engine.detection.shapes",)
"""Modules that expose `match` of all of their expressions."""


class Expression(NamedTuple):
    """One of them, with where it stands."""

    pattern: str
    flags: int
    module: str
    line: int
    methods: tuple[str, ...]

    @property
    def search(self) -> Callable[[str], object]:
        """The most that is done with it: one that is only tried at the beginning is tried so."""
        compiled = re.compile(self.pattern, self.flags)
        if self.module in MATCHED:
            return compiled.match
        if self.methods and set(self.methods) <= {"match", "fullmatch"}:
            return compiled.match if "match" in self.methods else compiled.fullmatch
        return compiled.search

    @property
    def may_take_the_square(self) -> bool:
        anchors = (*IN_WORKERS, *OF_THE_OPERATOR)
        return self.module.startswith(anchors) or OF_OUR_ROUTES.match(self.module) is not None


@pytest.fixture(scope="module")
def expressions() -> list[Expression]:
    """Return all expressions with a repetition."""
    told = subprocess.run(
        [sys.executable, str(COLLECTION)], capture_output=True, check=True, timeout=120
    )
    rows = [Expression(*row[:4], tuple(row[4])) for row in json.loads(told.stdout)]
    return [each for each in rows if REPEATS.search(each.pattern)]


def is_slow(search: Callable[[str], object], text: str, limit: float) -> bool:
    """Return whether the best of three tries is slow, so that the machine's other load does not
    count."""
    return all(seconds(search, text, limit * 4) > limit for _ in range(3))


def slow_text(expression: Expression) -> str | None:
    """Return the beginning of a text for which the expression takes too long."""
    search, is_linear = expression.search, not expression.may_take_the_square
    length, limit = (LINEAR_AT, LINEAR_SECONDS) if is_linear else (SQUARE_AT, SQUARE_SECONDS)
    texts = list(hostile_texts(expression.pattern))
    for text in islice(texts, 0, None, len(texts) // TEXTS + 1):
        if is_slow(search, text(length), limit) and (
            not is_linear or grows(search, text, length, limit)
        ):
            return text(60)
    return None


def grows(
    search: Callable[[str], object], text: Callable[[int], str], length: int, limit: float
) -> bool:
    """Return whether twice the text takes more than twice the time."""
    once = min(seconds(search, text(length), limit * 25) for _ in range(3))
    twice = min(seconds(search, text(2 * length), limit * 100) for _ in range(3))
    return twice > GROWTH * once


def test_no_expression_takes_long(expressions: list[Expression]) -> None:
    assert len(expressions) > 500, "where are they?"
    slow = {
        f"{each.module}:{each.line} {each.pattern[:60]}": text
        for each in expressions
        if (text := slow_text(each)) is not None
    }
    assert slow == {}


@pytest.mark.parametrize(
    ("pattern", "methods", "module"),
    [
        (r"\s*=", (), "codeintel.web"),
        (r"group[ (]\s*(.*?)\)?\s*do\b", ("match",), "codeintel.workspaces"),
        (r"(\S*).*\n", ("match",), "codeintel.workspaces"),
        (r"(?:a+)+b", ("fullmatch",), "codeintel.engine.dataflow"),
        (r"\s*\s*\s*=", (), "codeintel.engine.dataflow"),
    ],
)
def test_slow_ones_are_found(pattern: str, methods: tuple[str, ...], module: str) -> None:
    assert slow_text(Expression(pattern, 0, module, 1, methods)) is not None


@pytest.mark.parametrize(
    ("pattern", "methods", "module"),
    [
        (r"\s*=", ("match",), "codeintel.web"),
        (r"\s{0,20}+=", (), "codeintel.web"),
        (r"\s*=", (), "codeintel.engine.dataflow"),
    ],
)
def test_others_are_not(pattern: str, methods: tuple[str, ...], module: str) -> None:
    assert slow_text(Expression(pattern, 0, module, 1, methods)) is None
