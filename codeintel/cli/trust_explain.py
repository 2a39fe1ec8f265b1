"""`codeintel trust explain`: a score with its reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from codeintel.cli.common import open_services, terminal_width, write, write_json, write_line
from codeintel.cli.text import table

if TYPE_CHECKING:
    from codeintel.trust.scoring import Signal
    from codeintel.trust.service import Snapshot

_HEADERS = ("signal", "axis", "points", "of", "status", "found")


@click.command(short_help="Show a package's score with its reasons.")
@click.argument("target")
@click.option("--json", "as_json", is_flag=True, help="Print all of it: what `replay` reads.")
def explain(target: str, *, as_json: bool) -> None:
    """Show the trust score of TARGET, such as `react`, `pypi:flask` or a package URL: every signal
    with what was found, its points, and how many it could have. The points add up to the score.

    A snapshot that is fresh is shown as it is stored; otherwise the upstreams are asked.
    """
    from codeintel.trust.scoring import Explained
    from codeintel.trust.targets import parse_target

    with open_services(may_make=True) as services:
        snapshot = services.trust.snapshots.snapshot(parse_target(target))
    if as_json:
        write_json(Explained(snapshot.id, snapshot.inputs, snapshot.score))
        return
    write(table(_HEADERS, [_row(signal) for signal in snapshot.score.signals], terminal_width()))
    for line in _lines(snapshot):
        write_line(line)


def _row(signal: Signal) -> tuple[str, ...]:
    value = "-" if signal.value is None else f"{signal.value} {signal.unit}".strip()
    found = f"{value}. {signal.note}" if signal.note and signal.value is not None else value
    return (
        signal.id,
        signal.axis,
        _points(signal.contribution),
        _points(signal.weight),
        signal.status,
        found if signal.value is not None else signal.note,
    )


def _points(value: float) -> str:
    """All digits: rounded ones would not add up."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _lines(snapshot: Snapshot) -> Iterator[str]:
    score = snapshot.score
    yield ""
    yield (
        f"{score.target.key}: {_points(score.score)} of 100. With what is missing it lies between "
        f"{_points(score.low)} and {_points(score.high)}; there is evidence for "
        f"{score.coverage:.0%}."
    )
    for axis in score.axes:
        if axis.weight:
            told = map(_points, (axis.score, axis.high, axis.weight))
            yield "  {}: {} to {} of {}".format(axis.axis, *told)
    yield f"Snapshot {snapshot.id} of {score.as_of}, scorer {score.scorer_version}"
    yield f"inputs {score.inputs_hash}"
    for failure in snapshot.outage or snapshot.inputs.failures:
        yield f"{failure.source}: {failure.code}: {failure.message}"
