"""Elements of SVG, escaped, with finite numbers only.

Widths are percentages and heights are pixels where a plot has no `viewBox`: text keeps its size
however wide the page is.
"""

from __future__ import annotations

import re
from math import isfinite

from markupsafe import Markup, escape

LARGEST = 1e150
"""Beyond it differences would not be finite."""
_NAMES = {
    "class_": "class",
    "view_box": "viewBox",
    "preserve_aspect_ratio": "preserveAspectRatio",
    "pattern_units": "patternUnits",
    "pattern_transform": "patternTransform",
    "marker_width": "markerWidth",
    "marker_height": "markerHeight",
    "ref_x": "refX",
    "ref_y": "refY",
}
# https://www.w3.org/TR/xml/#charsets
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def finite(value: float) -> float:
    """The number itself.

    :raises ValueError: for what cannot be drawn.
    """
    if not isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"a plot takes finite numbers up to {LARGEST:g}, not {value}")
    return value


def number(value: float) -> str:
    """A coordinate: at most two digits after the point."""
    text = f"{finite(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def percent(share: float) -> str:
    """A coordinate as a part of the width: `share` from 0 to 1."""
    return f"{number(100 * min(1.0, max(0.0, share)))}%"


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """An element. Texts are escaped, markup is not; underscores in names become hyphens."""
    told = Markup().join(
        Markup(' {}="{}"').format(_NAMES.get(name, name.replace("_", "-")), _plain(value))
        for name, value in attributes.items()
    )
    inner = Markup().join(
        child if isinstance(child, Markup) else escape(_plain(child)) for child in children
    )
    return Markup("<{0}{1}>{2}</{0}>").format(tag, told, inner)


def _plain(value: str | float) -> str:
    """As text that XML can hold."""
    return _NO_XML.sub("\ufffd", value) if isinstance(value, str) else number(value)


def picture(
    id_: str, title: str, description: str, *body: Markup, **attributes: str | float
) -> Markup:
    """A whole plot, which is one image to those who do not see it.

    :param id_: of the element, unique on the page.
    """
    return element(
        "svg",
        *named(id_, title, description),
        *body,
        id=id_,
        role="img",
        aria_labelledby=f"{id_}-title",
        aria_describedby=f"{id_}-desc",
        **attributes,
    )


def named(id_: str, title: str, description: str) -> tuple[Markup, Markup]:
    """The name of a plot, and what it shows."""
    return (
        element("title", title, id=f"{id_}-title"),
        element("desc", description, id=f"{id_}-desc"),
    )
