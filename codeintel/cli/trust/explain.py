"""`codeintel trust explain`: explain a score signal by signal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from codeintel.cli.instance import open_services
from codeintel.cli.output import table, terminal_width, write, write_json, write_line
from codeintel.cli.trust.gaps import failure_lines
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.trust.scores import Score, Signal
    from codeintel.trust.service import Snapshot

_HEADERS = ("signal", "axis", "points", "of", "open", "status", "found")
_ADVISORY_HEADERS = ("advisory", "severity", "fixed in", "summary")
_MAX_ADVISORIES = 5
_MAX_FIXES = 3
_ONE = {"advisories": "advisory", "people": "person", "repositories": "repository"}
_NOTHING = "-"


@click.command(short_help="Explain the score of a package.")
@click.argument("target")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the score and its inputs as JSON, with all digits. `replay` reads it.",
)
def explain(target: str, *, as_json: bool) -> None:
    """Explain the trust score of TARGET, such as `react`, `pypi:flask` or a package URL.

    Each signal has its points, its possible points (of), the points that more evidence could add
    (open), and the evidence. The points add up to the score, from 0 to 100. They are rounded.

    A fresh snapshot comes from the database. Otherwise the command fetches new evidence.
    """
    from codeintel.base.errors import ServiceError
    from codeintel.trust.scores import Explained
    from codeintel.trust.targets import parse_target

    with open_services(may_make=True) as services:
        try:
            snapshot = services.trust.snapshots.snapshot(parse_target(target))
        except ServiceError as error:
            for line in failure_lines(error.details.get("unavailable", ())):
                write_line(line, err=True)
            raise Failure(error.message) from None
    if as_json:
        write_json(Explained(snapshot.id, snapshot.inputs, snapshot.score))
        return
    write(table(_HEADERS, _rows(snapshot.score), terminal_width()))
    _write_advisories(snapshot)
    for line in _lines(snapshot):
        write_line(line)


def _rows(score: Score) -> list[tuple[str, ...]]:
    from codeintel.trust.scores import Status

    rows = []
    for signal in score.signals:
        is_missing = signal.status is Status.MISSING and score.settled_by is None
        rows.append(_row(signal, signal.weight if is_missing else signal.unproven))
    return rows


def _row(signal: Signal, open_points: float) -> tuple[str, ...]:
    value = _amount(signal.value, signal.unit)
    found = f"{value}. {signal.note}" if signal.note and signal.value is not None else value
    return (
        signal.id,
        signal.axis,
        _points(signal.contribution),
        _points(signal.weight),
        _points(open_points) if open_points else _NOTHING,
        _status(signal),
        found if signal.value is not None else signal.note,
    )


def _status(signal: Signal) -> str:
    """Return the status. A stale signal has the day of its evidence."""
    from codeintel.trust.scores import Status

    if signal.status is not Status.STALE:
        return signal.status
    return f"STALE, from {(signal.observed_at or 'an unknown day').partition('T')[0]}"


def _amount(value: str | float | bool | None, unit: str) -> str:
    """Return a value with its unit, such as `3 people` or `1 person`."""
    if value is None:
        return _NOTHING
    if isinstance(value, bool):
        value = "yes" if value else "no"
    elif value == 1:
        first, _, last = unit.rpartition(" ")
        unit = f"{first} {_ONE.get(last, last.removesuffix('s'))}"
    return f"{value} {unit.strip()}".strip()


def _points(value: float) -> str:
    """Return points with one decimal."""
    return f"{round(value, 1) + 0:.1f}"


def _write_advisories(snapshot: Snapshot) -> None:
    """Write the most severe advisories, which come first."""
    fact = next((each for each in snapshot.inputs.facts if each.name == "advisories"), None)
    found = fact.value if fact is not None and isinstance(fact.value, list) else []
    rows = [_advisory(each) for each in found[:_MAX_ADVISORIES] if isinstance(each, dict)]
    if not rows:
        return
    write("\n" + table(_ADVISORY_HEADERS, rows, terminal_width()))
    if len(found) > len(rows):
        write_line(f"{len(found) - len(rows):,} more, which --json shows")


def _advisory(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the cells of an advisory. Advisories of plugins may lack any field."""
    score, level = row.get("severity"), row.get("level")
    told = [str(each) for each in (score, level) if each is not None]
    fixed = row.get("fixed")
    fixes = [str(each) for each in fixed] if isinstance(fixed, list) else []
    more = f" and {len(fixes) - _MAX_FIXES} more" if len(fixes) > _MAX_FIXES else ""
    return (
        str(row.get("id", _NOTHING)),
        " ".join(told) or _NOTHING,
        ", ".join(fixes[:_MAX_FIXES]) + more if fixes else "no version",
        str(row.get("summary") or _NOTHING),
    )


def _lines(snapshot: Snapshot) -> Iterator[str]:
    from codeintel.trust.targets import purl_of

    score = snapshot.score
    yield ""
    yield (
        f"{score.target.key} scores {_points(score.score)} of 100. Depending on the missing "
        f"evidence, the score is between {_points(score.low)} and {_points(score.high)}. "
        f"{score.coverage:.0%} of the evidence is available."
    )
    if score.settled_by is not None:
        yield f"{score.settled_by} alone decides the score."
    for axis in score.axes:
        if axis.weight:
            told = map(_points, (axis.score, axis.high, axis.weight))
            yield "  {}: {} to {} of {}".format(axis.axis, *told)
    version = next((each.value for each in snapshot.inputs.facts if each.name == "version"), None)
    judged = f", version {version}" if version else ""
    yield f"Package URL {purl_of(score.target)}{judged}"
    yield f"Snapshot {snapshot.id} from {score.as_of}, scorer {score.scorer_version}"
    yield f"Inputs {score.inputs_hash}"
    if snapshot.outage:
        yield f"STALE: this snapshot is from {score.as_of}. A new one could not be fetched:"
    yield from failure_lines(snapshot.outage or snapshot.inputs.failures)
