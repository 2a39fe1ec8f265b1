"""Composed edits equal the expected ones."""

from __future__ import annotations

from itertools import pairwise

from codeintel_plugins.transformations.structural.patches import Patch, TextEdit
from hypothesis import given, strategies as st


def applied(text: str, edits: list[TextEdit]) -> str:
    """Return the text after edits, in the plain way."""
    for start, end, new, _ in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> list[TextEdit]:
    """Return edits of a text that do not overlap."""
    places = draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True).map(sorted))
    return [
        TextEdit(start, end, draw(st.text("xyz", max_size=3)))
        for start, end in zip(places[::2], places[1::2], strict=False)
    ]


@given(st.text("abcdefgh", max_size=30), st.data())
def test_replaced_places_make_the_text(text: str, data: st.DataObject) -> None:
    patch, plain = Patch(text), text
    for number in range(3):
        edits = data.draw(edits_of(plain))
        patch.apply((edit, f"rule-{number}") for edit in edits)
        plain = applied(plain, edits)
        assert patch.text == plain
    found = list(patch.replaced())
    assert applied(text, [TextEdit(each.start, each.end, each.text) for each in found]) == plain
    assert all(each.rules for each in found)
    places = [(each.start, each.end) for each in found]
    assert all(first[1] <= second[0] for first, second in pairwise(places))


def test_indentation_names_no_rule() -> None:
    patch = Patch("    a")
    patch.apply([(TextEdit(0, 2, "", quiet=True), "rule")])
    assert patch.text == "  a"
    assert [each.rules for each in patch.replaced()] == [()]
