"""Times in pages: relative, with the absolute time on hover. They need no script."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup

from codeintel.base.wording import counted
from codeintel.web.blueprint import blueprint

_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))
_NOW_SECONDS = 10


def absolute(moment: datetime) -> str:
    """Return `November 26, 2026, 23:17 UTC`."""
    return moment.astimezone(UTC).strftime("%B %-d, %Y, %H:%M UTC")


def relative(moment: datetime, now: datetime | None = None) -> str:
    """Return `3 hours ago` or `in 2 days`, rounded down."""
    seconds = int(((now or datetime.now(UTC)) - moment).total_seconds())
    if abs(seconds) < _NOW_SECONDS:
        return "just now"
    number, unit = abs(seconds), "year"
    for size, name in _STEPS:
        if number < size:
            unit = name
            break
        number //= size
    told = counted(number, unit)
    return f"{told} ago" if seconds > 0 else f"in {told}"


def ago(moment: datetime, now: datetime | None = None) -> Markup:
    """Return a `<time>` element with the relative time, titled with the absolute one."""
    return Markup('<time datetime="{}" title="{}" data-relative>{}</time>').format(
        moment.isoformat(), absolute(moment), relative(moment, now)
    )


blueprint.add_app_template_global(ago)
blueprint.add_app_template_global(absolute)
