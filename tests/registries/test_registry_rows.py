"""Reading documents that may have any shape."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.registries.shipped import count, number, part, rows, until, words
from hypothesis import given, strategies as st
from msgspec import UNSET

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
ROW = st.dictionaries(st.just("key"), ANYTHING)


@pytest.mark.parametrize(
    ("document", "path", "found"),
    [
        ([], (), []),
        ([{"a": 1}, None, 5, "x", [{}], {}], (), [{"a": 1}, {}]),
        ({"list": [{}]}, ("list",), [{}]),
        ({"a": {"b": [{}]}}, ("a", "b"), [{}]),
    ],
)
def test_rows(document: Any, path: tuple[str, ...], found: list[Any]) -> None:
    assert list(rows(document, *path)) == found


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (None, ()),
        ({}, ()),
        ("[]", ()),
        ({}, ("list",)),
        ([], ("list",)),
        (None, ("list",)),
        ({"list": None}, ("list",)),
        ({"list": {}}, ("list",)),
        ({"a": []}, ("a", "b")),
    ],
)
def test_where_there_is_no_list(document: Any, path: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no list"):
        list(rows(document, *path))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (0, 0),
        (11391000431, 11391000431),
        ("307", 307),
        ("007", 7),
        (-1, UNSET),
        ("-1", UNSET),
        ("", UNSET),
        ("1.5", UNSET),
        ("\N{SUPERSCRIPT TWO}", UNSET),
        ("\N{ARABIC-INDIC DIGIT TWO}", UNSET),
        (True, UNSET),
        (1.0, UNSET),
        (None, UNSET),
        ([1], UNSET),
    ],
)
def test_counts(value: Any, found: Any) -> None:
    assert count({"key": value}, "key") == found
    assert number({"key": value}, "key") == ("" if found is UNSET else str(found))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (" a b\n", "a b"),
        ("", ""),
        (None, ""),
        (5, ""),
        ("\ud83d x", "? x"),
        ("\N{GRINNING FACE}", "\N{GRINNING FACE}"),
    ],
)
def test_words(value: Any, found: str) -> None:
    assert words({"key": value}, "key") == found


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1100", 100), ("900", 0), ("", None), ("-1", None), ("1e3", None), ("9" * 13, None)],
)
def test_times(text: str, seconds: float | None) -> None:
    assert until(text, 1000.0) == seconds


@given(ROW, st.text())
def test_nothing_raises(row: dict[str, Any], text: str) -> None:
    assert isinstance(part(row, "key"), dict)
    words(row, "key").encode()
    assert number(row, "key").isdigit() is (count(row, "key") is not UNSET)
    assert (until(text, 0.0) or 0) >= 0
