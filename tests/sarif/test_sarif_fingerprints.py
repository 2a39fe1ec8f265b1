"""Fingerprints: the same finding keeps its own while the file changes around it."""

from __future__ import annotations

import string

from hypothesis import given, strategies as st
from sarif_helpers import CODE, finding

from codeintel.contracts import Category, Range
from codeintel.engine.sarif.fingerprints import fingerprints

SECRET = {"engine": "secrets", "category": Category.SECRETS}


def only(code: str, line: int, **more: object) -> str:
    (found,) = fingerprints([finding(line=line, **more)], code)
    return found


def test_edits_elsewhere_and_reformatting_change_nothing() -> None:
    expected = only(CODE, 3)
    assert only("# new\n\n" + CODE, 5) == expected
    assert only(CODE.replace("\n", "\r\n"), 3) == expected
    assert only(CODE.replace("os.system", "   os.system"), 3) == expected
    assert only("import os\n\n\tos.system(input())", 3) == expected


def test_another_line_rule_or_analyser_is_another_finding() -> None:
    found = {
        only(CODE, 3),
        only(CODE, 4),
        only(CODE.replace("input()", "open()"), 3),
        only(CODE, 3, rule_id="S606"),
        only(CODE, 3, engine="bandit"),
    }
    assert len(found) == 5


def test_equal_lines_are_told_apart_by_their_order() -> None:
    both = [finding(line=3), finding(line=5)]
    first, second = fingerprints(both, CODE)
    assert first != second
    assert fingerprints(both[::-1], CODE) == [second, first]
    assert only(CODE, 3) == first


def test_a_hard_coded_secret_leaves_no_trace() -> None:
    def hashes(value: str) -> list[str]:
        code = f"login('{value}') ; x = 1\n"
        end = 8 + len(value)
        place = {"range": Range(1, 8, 1, end)}
        return fingerprints([finding(line=1), finding("key", 1, **SECRET, **place)], code)

    assert hashes("hunter2") == hashes("correct horse")


def test_a_secret_over_several_lines() -> None:
    def hashes(first: str, second: str) -> list[str]:
        code = f"key = '''{first}\n{second}''' + x\ny = 1\n"
        place = Range(1, 10, 2, len(second) + 1)
        overlapping = Range(1, 10, 1, 11)
        return fingerprints(
            [
                finding("key", **SECRET, range=place),
                finding("key2", **SECRET, range=overlapping),
                finding(range=Range(1, 1, 2, 3)),
            ],
            code,
        )

    assert hashes("abc", "def") == hashes("uvw", "xyz12")


@given(
    st.lists(
        st.builds(Range, *(st.integers(1, 9) for _ in range(4))),
        max_size=5,
    ),
    st.text(string.printable, max_size=60),
    st.sampled_from([Category.SECRETS, Category.SECURITY]),
)
def test_any_place_has_one(places: list[Range], code: str, category: Category) -> None:
    found = fingerprints([finding(range=place, category=category) for place in places], code)
    assert len(set(found)) == len(places)


def test_thousands_of_findings_on_long_lines_take_no_time() -> None:
    code = "x" * 50_000 + "\n" + "\n" * 50_000
    many = [finding(range=Range(1, n + 1, 40_000, 1), **SECRET) for n in range(2_000)]
    assert len(set(fingerprints(many, code))) == 2_000
