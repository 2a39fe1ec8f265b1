"""Pure functions on the text of SQL: they keep its length, and take no longer for odd text."""

from __future__ import annotations

import time

import pytest
from codeintel_plugins.linters.sql import masked
from codeintel_plugins.linters.sql_text import find_in_text
from hypothesis import given, strategies as st

ODD = {
    "a word": "a" * 100_000,
    "dots": "a." * 50_000,
    "blanks": "a" + " " * 99_999,
    "quotes": "'" * 99_999,
    "copies": "stdin;\n" * 14_000,
    "tags": "{%" * 50_000,
    "values": "{{" * 50_000,
    "grants": "GRANT " * 16_000,
    "users": "CREATE USER " * 8_000,
    "runs": "EXEC " * 20_000,
    "assignments": "a='" * 33_000,
    "sums": "'a'+" * 25_000,
    "comments": "/*" * 50_000,
    "delimiters": "DELIMITER a\n" * 8_000,
    "at": "@" * 100_000,
}


@pytest.mark.parametrize("name", ODD)
def test_odd_text_takes_no_longer(name: str) -> None:
    started = time.process_time()
    list(find_in_text(ODD[name]))
    assert len(masked(ODD[name])) == len(ODD[name])
    assert time.process_time() - started < 4


@given(st.text(alphabet="GO/;\n\r {}%s(a)'\\.$", max_size=60))
def test_all_places_stay(code: str) -> None:
    changed = masked(code)
    assert len(changed) == len(code)
    ends = [index for index, each in enumerate(code) if each in "\r\n"]
    assert [index for index, each in enumerate(changed) if each in "\r\n"] == ends


@given(st.text(alphabet="EXEC('+@x)|;\n=SET ", max_size=60))
def test_spots_lie_in_the_text(code: str) -> None:
    for spot in find_in_text(code):
        assert 0 <= spot.start <= spot.end <= len(code)


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("SELECT 1\nGO\nSELECT 2", "SELECT 1\n; \nSELECT 2"),
        ("END;\n/\n", "END;\n;\n"),
        ("\\set x 1\nSELECT 1", "        \nSELECT 1"),
        ("DELIMITER $$\nSELECT 1 $$\n", "            \nSELECT 1 ; \n"),
        ("a = %s AND b = %(c)s", "a = ?  AND b = :c   "),
        ("FROM {{ a }} {% b %}", "FROM xxxxxxx        "),
        ("LIKE '100%' AND a % b", "LIKE '100%' AND a % b"),
        ("SELECT 1 / 2\nFROM t", "SELECT 1 / 2\nFROM t"),
    ],
)
def test_what_is_no_sql(code: str, changed: str) -> None:
    assert masked(code) == changed
