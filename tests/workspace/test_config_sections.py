"""Files of sections against the standard library's parser, which is not linear."""

from __future__ import annotations

import configparser
import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st
from manifest_texts import SETUP_CFG

from codeintel.workspaces.proof.manifests.formats import UnreadableError, read_sections

LINES = st.one_of(
    st.sampled_from(
        [
            *("[options]", "[a b]", "[x] y", "[a]b]", "[]", "[DEFAULT]", "[open", " [options]"),
            *("key = value", "key: value", "KEY=other", "key =", "= value", ": x", "no delimiter"),
            *(
                "  more",
                "\tmore = 1",
                " # comment",
                "; comment",
                "",
                "   ",
                "a = b = c",
                "a b : c=d",
            ),
            *(
                "\x0b",
                "key = v\x0c",
                "\u00a0x",
                "key = é\u2028f",
                "x = 1\r",
                "  = y",
                "install = a\r",
            ),
        ]
    ),
    st.text(" \t=:[]#;ab\r\x1c\u3000", max_size=6),
)


def expected(text: str) -> dict[str, dict[str, str]] | None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except (configparser.Error, ValueError):
        return None
    return {name: dict(parser[name]) for name in parser.sections()}


def found(text: str) -> dict[str, dict[str, str]] | None:
    try:
        return read_sections(text)
    except UnreadableError:
        return None


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_it_means_what_the_standard_library_says(text: str) -> None:
    assert found(text) == expected(text)


def test_an_ordinary_file() -> None:
    assert found(SETUP_CFG) == expected(SETUP_CFG)
    assert found(SETUP_CFG)


@pytest.mark.parametrize(
    "text",
    [
        "[options]\na{}!",
        "[options]\n{}",
        "[options]\na = b\n{} c",
        "[{}",
        "[a]\nb = {}",
        "[a]\n {}",
    ],
)
@pytest.mark.parametrize("piece", [" ", "\\\n", "\n", "=", "]", "a=b\n", " \n", "\x1c", "[a]\n"])
def test_twice_the_text_takes_twice_the_steps(text: str, piece: str) -> None:
    def steps(length: int) -> int:
        counted = 0

        def count(*_: Any) -> Any:
            nonlocal counted
            counted += 1
            return count

        sys.settrace(count)
        try:
            found(text.format(piece * (length // len(piece))))
        finally:
            sys.settrace(None)
        return counted

    assert steps(4_000) < 2 * steps(2_000) + 200
