"""Text for terminals."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from codeintel.base.wording import printable
from codeintel.cli.output import table


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 😀", "plain é 漢 😀"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b2J\x7f\0", r"\x9b2J\x7f\x00"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("a\u2028b\ufeff", r"a\u2028b\ufeff"),
        ("\U000e0041", r"\U000e0041"),
        ("\udc9b", r"\udc9b"),
        ("a\r\n\nb\rc\td", r"a b c\x09d"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_printable_lines() -> None:
    assert printable("a\r\nb\tc\r\x1b", multiline=True) == "a\nb\tc\n\\x1b"


@given(st.text(), st.booleans())
def test_nothing_that_a_terminal_acts_on_is_left(text: str, multiline: bool) -> None:
    shown = printable(text, multiline=multiline)
    left = {c for c in shown if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}}
    assert left <= ({"\n", "\t"} if multiline else set())
    shown.encode()
    assert printable(shown, multiline=multiline) == shown


def test_table() -> None:
    rows = [("a", "1", ""), ("longer", "漢字", "x\ty"), ("e\u0301", "22222", "z")]
    assert table(("name", "n", "more"), rows) == (
        "NAME    N      MORE\na       1\nlonger  漢字   x\\x09y\ne\u0301       22222  z\n"
    )


def test_table_wraps_its_last_column() -> None:
    text = "words that go on for longer than there is room in one line"
    assert table(("name", "text"), [("a", text), ("b", "")], 40) == (
        "NAME  TEXT\na     words that go on for longer than\n      there is room in one line\nb\n"
    )
    assert table(("name", "text"), [("a", text)], 20).endswith(f"a     {text}\n")
