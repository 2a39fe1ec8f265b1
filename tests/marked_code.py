"""C and C++ whose comments say what execution finds in their lines: `// ! double-free`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Any, NamedTuple

import pytest

from codeintel.engine.dataflow.tree import parse
from codeintel.engine.symbolic.facts import Found
from codeintel.engine.symbolic.find import execute

_MARK = re.compile(r"[ ]*// ! (?P<facts>[a-z, -]+)$", re.MULTILINE)


class Pair(NamedTuple):
    """Code with marks, and a look-alike in which there is nothing to find."""

    id: str
    bad: str
    good: str
    language: str = "c"


def found_in(code: str, language: str = "c") -> list[Found]:
    """Return the findings of execution."""
    return execute(parse(code, language), language).found


def facts_by_line(code: str, language: str = "c") -> set[tuple[int, str]]:
    """Return the lines, from 1, and what execution finds in each."""
    return {
        (code.count("\n", 0, found.place.start) + 1, str(found.fact))
        for found in found_in(code, language)
    }


def marks(code: str) -> tuple[str, set[tuple[int, str]]]:
    """Return the code without its marks, and the lines, from 1, with what is marked in each."""
    code = dedent(code).strip("\n") + "\n"
    wanted = {
        (code.count("\n", 0, mark.start()) + 1, fact.strip())
        for mark in _MARK.finditer(code)
        for fact in mark["facts"].split(",")
    }
    return _MARK.sub("", code), wanted


def both(pairs: Sequence[Pair]) -> list[Any]:
    """Return each pair as two cases: code and language. Only the bad one has marks."""
    assert all("// !" in pair.bad and "// !" not in pair.good for pair in pairs)
    return [
        pytest.param(code, pair.language, id=f"{pair.id}-{kind}")
        for pair in pairs
        for kind, code in (("bad", pair.bad), ("good", pair.good))
    ]
