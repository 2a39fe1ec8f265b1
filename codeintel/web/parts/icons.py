"""Icons: one file of symbols that the front end's build writes (`frontend/icons.mjs`)."""

from __future__ import annotations

from markupsafe import Markup

from codeintel.web.blueprint import blueprint, bundle

SPRITE = "icons.svg"


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


blueprint.add_app_template_global(icon)
