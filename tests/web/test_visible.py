"""Texts of other people: nothing in them hides, runs or turns others around."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from codeintel.web.text import visible, visible_plain


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plain text, שלום, 🦊", "plain text, שלום, 🦊"),
        ("<script>", "&lt;script&gt;"),
        ("\u202egpj.exe", "[U+202E]gpj.exe"),
        ("a\u2066b\u2069", "a[U+2066]b[U+2069]"),
        ("a\u200bb\ufeff", "a[U+200B]b[U+FEFF]"),
        ("a\tb\nc\x00d\x1b[0m", "a[U+0009]b[U+000A]c[U+0000]d[U+001B][0m"),
        ("\u3164\u2800\u00ad", "[U+3164][U+2800][U+00AD]"),
        ("\U000e0041", "[U+E0041]"),
        ("\ud800", "[U+D800]"),
    ],
)
def test_what_nobody_would_see_is_spelt_out(text: str, told: str) -> None:
    assert str(visible(text).striptags()) == told.replace("&lt;", "<").replace("&gt;", ">")
    assert visible_plain(text).replace("<", "&lt;").replace(">", "&gt;") == told


def test_its_name_is_a_title() -> None:
    assert visible("\u202e") == (
        '<span class="hidden-character" title="Right-to-left override">[U+202E]</span>'
    )
    assert 'title="Control character"' in visible("\x00")


def test_tabs_and_lines_are_meant_in_code() -> None:
    assert visible("\ta\n", code=True) == "\ta\n"
    assert "U+000D" in visible("a\r\n", code=True)


@given(st.text())
def test_no_character_changes_the_order_of_others(text: str) -> None:
    left = {unicodedata.bidirectional(character) for character in visible(text)}
    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN", "B", "S"}
    assert not left & marks - {"S"}
    visible(text).encode()
