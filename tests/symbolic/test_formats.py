"""Formats of printf and scanf: what they write at most, and what they take."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from codeintel.engine.symbolic.calls.texts import Scanned, directives, scanned

BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "z": 64, "j": 64}


def limits(kind: str, size: str) -> tuple[int, int]:
    """Return the least and the greatest number for a directive."""
    half = 1 << (BITS[size] - 1)
    return (-half, half - 1) if kind in "di" else (0, 2 * half - 1)


@st.composite
def printed(draw: st.DrawFn) -> tuple[str, str]:
    """Return a directive for a whole number, and what it writes."""
    kind, size = draw(st.sampled_from("dioxXu")), draw(st.sampled_from(sorted(BITS)))
    extra = "+ " if kind in "di" else "#" if kind in "xX" else ""  # C has no sign for the others
    flags = "".join(draw(st.sets(st.sampled_from("-0" + extra))))
    width = draw(st.just("") | st.integers(1, 40).map(str))
    precision = draw(st.just("") | st.integers(0, 40).map(lambda number: f".{number}"))
    number = draw(st.integers(*limits(kind, size)))
    made = f"%{flags}{width}{precision}"
    return f"{made}{size}{kind}", f"{made}{kind}" % number


@given(printed())
def test_numbers_are_no_longer_than_told(case: tuple[str, str]) -> None:
    text, written = case
    plain, (found,) = directives(text)
    assert plain == 0
    assert found.width <= len(written) <= found.longest


@pytest.mark.parametrize("size", BITS)
@pytest.mark.parametrize("kind", "dioxu")
def test_some_number_is_as_long_as_told(kind: str, size: str) -> None:
    _, (found,) = directives(f"%{size}{kind}")
    assert found.longest == max(len(f"%{kind}" % number) for number in limits(kind, size))


@given(st.text().filter(lambda text: "%" not in text))
def test_text_counts_as_it_stands(text: str) -> None:
    assert directives(text) == (len(text), [])
    assert scanned(text) == []


@pytest.mark.parametrize(
    ("text", "plain", "texts", "arguments"),
    [
        ("", 0, [], []),
        ("%%", 1, [], []),
        ("100%", 4, [], []),
        ("%s: %d\n", 3, [True, False], [1, 1]),
        ("%*.*s", 0, [True], [3]),
        ("%-*d%c", 0, [False, False], [2, 1]),
        ("%lu%zu%lld", 0, [False, False, False], [1, 1, 1]),
        ("%y", 2, [], []),
    ],
)
def test_directives(text: str, plain: int, texts: list[bool], arguments: list[int]) -> None:
    counted, found = directives(text)
    assert counted == plain
    assert [each.text for each in found] == texts
    assert [each.arguments for each in found] == arguments


def test_precision_limits_text_and_widens_numbers() -> None:
    _, (text, number, great) = directives("%.5s%.20d%.999999999999999999d")
    assert text.precision == 5
    assert number.longest == 21
    assert great.longest > 10**9


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("%d", [Scanned(False, None, "d")]),
        ("%31s %5d", [Scanned(True, 31, "s"), Scanned(False, 5, "d")]),
        ("%*d%s", [Scanned(True, None, "s")]),
        ("%[^]\n]%%%c", [Scanned(True, None, "["), Scanned(False, None, "c")]),
        ("%7[a-z]", [Scanned(True, 7, "[")]),
        ("%ms", [Scanned(False, None, "s")]),  # it allocates what it needs
        ("%lf", [Scanned(False, None, "f")]),
    ],
)
def test_scanned(text: str, found: list[Scanned]) -> None:
    assert scanned(text) == found


@given(st.text(alphabet="%*.0123456789hlsdc[]^-+ # x", max_size=60))
def test_any_format_can_be_read(text: str) -> None:
    plain, found = directives(text)
    assert 0 <= plain <= len(text)
    assert all(each.arguments in (1, 2, 3) and each.longest >= each.width for each in found)
    assert all(each.width is None or each.width >= 0 for each in scanned(text))
