"""Functions of all templates: icons, and times, relative with the absolute time on hover. They need
no script."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup

from codeintel.base.wording import relative
from codeintel.web.blueprint import blueprint, bundle

SPRITE = "icons.svg"
"""The file of symbols that the front end's build writes (`frontend/icons.mjs`)."""


def icon(name: str, label: str = "") -> Markup:
    """Return an icon, or nothing where the front end was not built.

    :param label: what screen readers say; without one the icon is decoration.
    """
    sprite = bundle(SPRITE)
    if not sprite:
        return Markup('<span class="unseen">{}</span>').format(label) if label else Markup("")
    role = (
        Markup('role="img" aria-label="{}"').format(label)
        if label
        else Markup('aria-hidden="true"')
    )
    return Markup('<svg class="icon" {}><use href="{}#{}"/></svg>').format(role, sprite, name)


def absolute(moment: datetime) -> str:
    """Return `November 26, 2026, 23:17 UTC`."""
    return moment.astimezone(UTC).strftime("%B %-d, %Y, %H:%M UTC")


def ago(moment: datetime, now: datetime | None = None) -> Markup:
    """Return a `<time>` element with the relative time, titled with the absolute one."""
    return Markup('<time datetime="{}" title="{}" data-relative>{}</time>').format(
        moment.isoformat(), absolute(moment), relative(moment, now)
    )


blueprint.add_app_template_global(icon)
blueprint.add_app_template_global(ago)
blueprint.add_app_template_global(absolute)
