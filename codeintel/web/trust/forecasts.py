"""Forecasts, ready for a template, with their plots. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from markupsafe import Markup
from msgspec import UNSET

from codeintel.base.wording import counted
from codeintel.trust.forecasts import DORMANCY_RISK, RELEASE_CADENCE, Backtest
from codeintel.trust.genome import Observations
from codeintel.trust.shapes import PackageForecast, Unforecast
from codeintel.trust.store import DEPENDENTS, DOWNLOADS, DOWNLOADS_TOTAL, RELEASE, STARS
from codeintel.web.plots.series import Ahead, Past, series
from codeintel.web.trust.words import day, figure, percentage, rate

_TITLES = {
    DOWNLOADS: "Downloads per month",
    DOWNLOADS_TOTAL: "Total downloads",
    DEPENDENTS: "Dependent packages",
    STARS: "Repository stars",
    RELEASE_CADENCE: "Releases in 30 days",
    DORMANCY_RISK: "Risk of dormancy",
}
_TELLS: dict[str, Callable[[float], str]] = {DORMANCY_RISK: percentage, RELEASE_CADENCE: rate}
_SPELLED = {
    "naive": "no change",
    "combination": "a combination of methods",
    "damped_ets": "damped exponential smoothing",
    "theta": "the Theta method",
    "drift": "drift",
    "conditional_survival": "length of earlier pauses",
}
MONTH = timedelta(days=30)
"""Over which releases are counted."""
_SHOWN_DAYS = 730
"""Of the past, before the forecast begins."""


@dataclass(frozen=True)
class ForecastView:
    """A forecast; `rows` are its steps as day, value and band, `counts` those of its past.

    `band` is a phrase about the range of likely values.
    """

    id: str
    title: str
    value: str
    band: str
    horizon: str
    method: str
    record: tuple[str, ...]
    notes: tuple[str, ...]
    plot: Markup | None
    rows: tuple[tuple[str, str, str], ...]
    counts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Unknown:
    """A figure without a forecast, and why."""

    title: str
    reason: str


def title_of(metric: str) -> str:
    """Return the displayed name of a metric."""
    return _TITLES.get(metric, metric)


def forecast_view(forecast: PackageForecast, observations: Observations) -> ForecastView:
    """Combine a forecast with the past observations."""
    tell = _TELLS.get(forecast.metric, figure)
    ahead = [Ahead(each.date, each.value, each.low, each.high) for each in forecast.path]
    past = _past(forecast, observations)
    return ForecastView(
        id=f"forecast-{forecast.metric}",
        title=title_of(forecast.metric),
        value=_value(forecast),
        band=_range(forecast),
        horizon=_horizon(forecast),
        method=_method(forecast),
        record=tuple(_record(forecast.backtest)),
        notes=tuple(_sentence(note) for note in forecast.notes),
        plot=_plot(forecast, past, ahead),
        rows=tuple(
            (day(each.at), tell(each.value), f"{tell(each.low)} to {tell(each.high)}")
            for each in ahead
        ),
        counts=tuple((day(each.at), tell(each.value)) for each in past),
    )


def unknown_view(found: Unforecast) -> Unknown:
    """Return the figure and the reason."""
    reason = _sentence(found.reason)
    return Unknown(title_of(found.metric), reason)


def value_and_band(forecast: PackageForecast) -> tuple[str, str]:
    """Return the value and the band, for a table of several packages."""
    tell = _TELLS.get(forecast.metric, figure)
    return tell(forecast.value), f"{tell(forecast.low)} to {tell(forecast.high)}"


def _plot(forecast: PackageForecast, past: list[Past], ahead: list[Ahead]) -> Markup | None:
    if not ahead:
        return None
    name = title_of(forecast.metric)
    tell = _TELLS.get(forecast.metric, figure)
    told = f"{tell(forecast.value)} on {day(ahead[-1].at)}, {_range(forecast)}. "
    told += (
        f"The plot also shows {counted(len(past), 'past value')}." if past else "No past values."
    )
    try:
        return series(f"plot-{forecast.metric}", f"{name}, forecast", told, past, ahead)
    except ValueError:  # numbers that no plot can have: the table shows them
        return None


def _past(forecast: PackageForecast, observations: Observations) -> list[Past]:
    if not forecast.path:
        return []
    if forecast.metric == RELEASE_CADENCE:
        found = _cadence(observations.get(RELEASE, ()), forecast.path[0].date - MONTH)
    else:
        own = observations.get(forecast.metric, ())
        found = [Past(at, value) for at, value in {_day(ms): value for ms, value in own}.items()]
    last = forecast.path[0].date
    first = last - timedelta(days=_SHOWN_DAYS)
    return [each for each in found if first <= each.at < last]


def _cadence(releases: Sequence[tuple[int, float]], last: date) -> list[Past]:
    """Count releases in complete periods of 30 days. The last period ends with `last`.

    Several releases on one day count once.
    """
    days = sorted({_day(at_ms) for at_ms, _ in releases if _day(at_ms) <= last})
    months = (last - days[0]) // MONTH if days else 0
    counts = [0] * months
    for each in days:
        if (ago := (last - each) // MONTH) < months:
            counts[ago] += 1
    return [Past(last - MONTH * ago, counts[ago]) for ago in reversed(range(months))]


def _value(forecast: PackageForecast) -> str:
    """Return the value, which precedes the horizon in a sentence."""
    if forecast.metric == RELEASE_CADENCE:
        return "no" if forecast.value <= 0 else rate(forecast.value)
    return _TELLS.get(forecast.metric, figure)(forecast.value)


def _range(forecast: PackageForecast) -> str:
    """Return the 80% band in words."""
    tell = _TELLS.get(forecast.metric, figure)
    low, high = tell(forecast.low), tell(forecast.high)
    if forecast.metric == DORMANCY_RISK:
        return f"estimates range from {low} to {high}"
    if low == high:
        return f"80% likely to be {high}"
    if forecast.low <= 0:
        return f"80% likely to be at most {high}"
    return f"80% likely to be between {low} and {high}"


def _horizon(forecast: PackageForecast) -> str:
    if forecast.metric == DORMANCY_RISK:
        return f"chance of no release in the next {counted(forecast.horizon_days, 'day')}"
    if forecast.metric == RELEASE_CADENCE and forecast.path:
        days = counted(forecast.horizon_days, "day")
        return f"releases expected in the 30 days up to {day(forecast.path[-1].date)}, {days} ahead"
    if forecast.path:
        return f"on {day(forecast.path[-1].date)}, {counted(forecast.horizon_days, 'day')} ahead"
    return f"{counted(forecast.horizon_days, 'day')} ahead"


def _method(forecast: PackageForecast) -> str:
    told = _SPELLED.get(forecast.method, forecast.method)
    parts = [f"{_SPELLED.get(name, name)} {percentage(part)}" for name, part in _heavy(forecast)]
    return f"{told} ({', '.join(parts)})" if parts else told


def _heavy(forecast: PackageForecast) -> list[tuple[str, float]]:
    found = [(name, part) for name, part in forecast.weights.items() if part > 0]
    return sorted(found, key=lambda each: (-each[1], each[0]))


def _record(past: Backtest) -> Iterator[str]:
    """Describe the accuracy of earlier forecasts."""
    if not past.origins:
        yield "No earlier forecast has been checked yet."
        return
    dates = counted(past.origins, "past date")
    if past.mase is not None:
        how = "better" if past.mase < 1 else "not better"
        yield (
            f"At {dates}, forecast errors were {past.mase:.2f} times the errors of a no-change "
            f"forecast (MASE), so the method is {how}."
        )
    if past.coverage80 is not None:
        yield f"Its 80% bands contained {percentage(past.coverage80)} of the actual values."
    if past.brier is not UNSET:
        told = f"At {dates}, the Brier score was {past.brier:.2f}"
        if past.brier_naive is not UNSET:
            told += f", compared with {past.brier_naive:.2f} for the base rate"
        yield told + "."
    if past.mase is None and past.coverage80 is None and past.brier is UNSET:
        yield f"Only {dates} could be checked, too few to judge the accuracy."


def _sentence(text: str) -> str:
    text = text.strip()
    told = text[:1].upper() + text[1:]
    return told if told.endswith((".", "!", "?")) or not told else told + "."


def _day(at_ms: int) -> date:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).date()
