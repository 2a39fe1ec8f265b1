"""Numbers, times and the parts of packages as the pages on trust say them. Pure."""

from __future__ import annotations

from datetime import date, datetime
from math import isfinite
from urllib.parse import urlsplit

from codeintel.contracts import Axis

AXES = {
    Axis.SECURITY: "Security",
    Axis.MAINTENANCE: "Maintenance",
    Axis.PROVENANCE: "Provenance",
    Axis.COMMUNITY: "Community",
    Axis.NAMING: "Naming",
}
_WHOLE_FROM = 100
_ROUNDED_FROM = 10
_TENTH = 0.05
"""Below it a tenth would be rounded to nothing."""
_ONE = {"advisories": "advisory", "people": "person", "repositories": "repository"}


def points(value: float) -> str:
    """`62.5`, `78`: of 100, rounded to a tenth."""
    return _trimmed(f"{value:,.1f}")


def figure(value: str | float | bool | None) -> str:
    """`1,234,567`, `62.5`, `yes`, or the text as it is; empty for nothing."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isfinite(value):
        return "unknown"
    if value == int(value) or abs(value) >= _WHOLE_FROM:
        return f"{value:,.0f}"
    return _trimmed(f"{value:,.1f}") if abs(value) >= 1 else f"{value:.2g}"


def rate(value: float) -> str:
    """Return a frequency: `none`, `under 0.1`, `0.6`, `12`."""
    if not isfinite(value):
        return "unknown"
    if value <= 0:
        return "none"
    return f"{value:,.0f}" if value >= _ROUNDED_FROM else _tenths(value)


def _tenths(value: float) -> str:
    return "under 0.1" if value < _TENTH else _trimmed(f"{value:.1f}")


def amount(value: str | float | bool | None, unit: str) -> str:
    """`3 people`, `1 person`, `62.5 of 10`, or the text as it is; empty for nothing."""
    if value is None:
        return ""
    if value == 1 and not isinstance(value, bool):
        first, _, last = unit.rpartition(" ")
        unit = f"{first} {_ONE.get(last, last.removesuffix('s'))}"
    return f"{figure(value)} {unit.strip()}".strip()


def percentage(share: float) -> str:
    """`86%`, of a share from 0 to 1; never 0% or 100% for what is not."""
    told = f"{100 * share:.0f}%"
    if 0 < share < 1 and told in ("0%", "100%"):
        return "under 1%" if told == "0%" else "over 99%"
    return told


def day(at: date) -> str:
    """`November 22, 2026`."""
    return f"{at:%B} {at.day}, {at:%Y}"


def day_and_time(at: datetime) -> str:
    """`November 22, 2026, 10:00 UTC`."""
    return f"{day(at)}, {at:%H:%M} UTC"


def told_day(text: str | None) -> str:
    """Return the day of a time as facts have it; empty if it is none."""
    try:
        return day(datetime.fromisoformat(text or ""))
    except ValueError:
        return ""


def page_of(url: str | None) -> str:
    """Return a URL that a browser may open, or an empty text for any other."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return ""
    return url or "" if parts.scheme in {"http", "https"} and parts.netloc else ""


def listed(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _trimmed(text: str) -> str:
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text
