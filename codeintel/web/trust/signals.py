"""A score with its reasons, ready for a template. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from codeintel.contracts import Axis
from codeintel.trust.scores import POINTS, AxisScore, Signal, Status
from codeintel.trust.shapes import PackageReport
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.trust.words import AXES, amount, page_of, points, told_day

QUARTERS = (0.0, 25.0, 50.0, 75.0, 100.0)
_STATUS = {
    Status.MEASURED: "measured",
    Status.STALE: "stale",
    Status.MISSING: "missing",
    Status.NOT_APPLICABLE: "does not apply",
}


@dataclass(frozen=True)
class SignalView:
    """A signal. `state` is the displayed status, `since` the day of the evidence."""

    id: str
    title: str
    found: str
    note: str
    part: str
    """The score from 0 to 100%; empty if unknown."""
    earned: str
    unproven: str
    """Points that a proven repository would add; empty for none."""
    weight: str
    status: str
    state: str
    since: str
    url: str


@dataclass(frozen=True)
class AxisView:
    """The reasons of one axis, under a sentence that sums them up."""

    id: str
    title: str
    summary: str
    signals: tuple[SignalView, ...]


def sentence(score: float, low: float, high: float, gap_is: str = "unknown") -> str:
    """Return the score and its interval in words, such as "62.5 of 100; between 62.5 and 78, as
    15.5 points are unknown"."""
    told = f"{points(score)} of {POINTS}"
    if high - low <= 0:
        return f"{told}; nothing is unknown"
    gap = round(high, 1) - round(low, 1)  # of what is shown
    unit = "point is" if points(gap) == "1" else "points are"
    return f"{told}; between {points(low)} and {points(high)}, as {points(gap)} {unit} {gap_is}"


def told_score(report: PackageReport) -> str:
    """Return the score of a package. If one signal decides alone, no part is unknown."""
    if report.settled_by is not None:
        return f"{points(report.score)} of {POINTS}; one signal decides alone"
    is_proven = not any(each.unproven for each in report.signals)
    gap_is = "unknown" if is_proven else "unknown or unproven"
    return sentence(report.score, report.low, report.high, gap_is)


def span(low: float, high: float) -> str:
    """`62.5 to 78`, or the one number that both are."""
    return points(low) if points(low) == points(high) else f"{points(low)} to {points(high)}"


def scale(report: PackageReport) -> Markup:
    """Return the score on a scale from 0 to 100."""
    told = told_score(report)
    row = Bar("", "", report.score, report.high, POINTS)
    title = f"Trust score of {report.target.name}"
    return bars("score-scale", title, f"{told}.", [row], POINTS, QUARTERS)


def axes_plot(axes: Sequence[AxisScore]) -> Markup | None:
    """Return the axes as bars, each as long as its weight; None if nothing applies."""
    rows = [
        Bar(AXES[each.axis], _sum(each), each.score, each.high, each.weight)
        for each in axes
        if each.weight > 0
    ]
    if not rows:
        return None
    told = "; ".join(f"{row.label} {row.note}" for row in rows)
    title = "Points by axis"
    return bars("axes-bars", title, f"{told}.", rows, max(row.whole for row in rows))


def axes(report: PackageReport) -> tuple[AxisView, ...]:
    """Return all signals by axis, those with the highest weight first."""
    sums = {each.axis: each for each in report.axes}
    return tuple(
        AxisView(f"axis-{axis}", AXES[axis], _sum(sums[axis], " points"), signals)
        for axis in Axis
        if axis in sums and (signals := _of(axis, report.signals))
    )


def signal_view(signal: Signal) -> SignalView:
    """Return the view of a signal."""
    return SignalView(
        id=signal.id,
        title=signal.title,
        found=amount(signal.value, signal.unit),
        note=signal.note,
        part="" if signal.score is None else f"{100 * signal.score:.0f}%",
        earned=points(signal.contribution),
        unproven=points(signal.unproven) if signal.unproven > 0 else "",
        weight=points(signal.weight),
        status=signal.status.value,
        state=_STATUS[signal.status],
        since=told_day(signal.observed_at),
        url=page_of(signal.evidence_url),
    )


def _of(axis: Axis, signals: Iterable[Signal]) -> tuple[SignalView, ...]:
    own = [each for each in signals if each.axis is axis]
    return tuple(signal_view(each) for each in sorted(own, key=lambda each: -each.weight))


def _sum(axis: AxisScore, unit: str = "") -> str:
    told = f"{points(axis.score)} of {points(axis.weight)}{unit}"
    unknown = axis.high - axis.score
    return f"{told}, {points(unknown)} unknown" if unknown > 0 else told
