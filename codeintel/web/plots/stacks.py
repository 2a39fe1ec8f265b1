"""Bars made of parts of several kinds, one bar below the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from codeintel.base.text.quantities import counted
from codeintel.web.plots.kinds import Kind, definitions, shape
from codeintel.web.plots.svg import element, finite, percent, picture

THICK = 16
_LABEL = 22
_GAP = 14
MOST_LETTERS = 30


class Stack(NamedTuple):
    """A bar: how many there are of each kind, in the order of the kinds. `label` and `note` stand
    above it; of a long label the end is shown."""

    label: str
    note: str
    counts: tuple[int, ...]


def stacks(id_: str, title: str, noun: str, rows: Sequence[Stack], kinds: Sequence[Kind]) -> Markup:
    """The bars, the longest as wide as the plot.

    :param noun: what is counted, one of them.
    :raises ValueError: if there is nothing to draw.
    """
    most = max((sum(row.counts) for row in rows), default=0)
    if finite(most) <= 0:
        raise ValueError("there is nothing to draw")
    each = _LABEL + THICK + _GAP
    body = [definitions(id_, kinds)]
    for place, row in enumerate(rows):
        body += _row(id_, row, kinds, most, place * each)
    height = len(rows) * each - _GAP + 1
    told = _description(rows, kinds, noun)
    return picture(id_, title, told, *body, class_="plot", width="100%", height=height)


def _row(id_: str, row: Stack, kinds: Sequence[Kind], most: int, top: float) -> Iterator[Markup]:
    yield element("text", _short(row.label), x=0, y=top + 14, class_="plot-name")
    yield element("text", row.note, x="100%", y=top + 14, class_="plot-note", text_anchor="end")
    begun = 0
    for kind, count in zip(kinds, row.counts, strict=True):
        if count:
            yield from shape(
                id_,
                kind,
                f"{row.label}: {count:,} {kind.title.lower()}",
                x=percent(begun / most),
                width=percent(count / most),
                y=top + _LABEL,
                height=THICK,
            )
            begun += count


def _description(rows: Sequence[Stack], kinds: Sequence[Kind], noun: str) -> str:
    told = []
    for row in rows:
        parts = (
            f"{count:,} {kind.title.lower()}"
            for kind, count in zip(kinds, row.counts, strict=True)
            if count
        )
        told.append(f"{row.label}: {counted(sum(row.counts), noun)} ({', '.join(parts)})")
    return "; ".join(told) + "."


def _short(label: str) -> str:
    """Paths differ at their ends."""
    return label if len(label) <= MOST_LETTERS else f"…{label[1 - MOST_LETTERS :]}"
