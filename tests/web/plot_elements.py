"""Plots, parsed into their elements."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from hypothesis import strategies as st
from markupsafe import Markup

HOSTILE = "<script>\"'&{{ x }}\x00\ud800"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
Element = ElementTree.Element
finite = st.floats(-1e12, 1e12)
texts = st.text(max_size=40)


def read(markup: Markup) -> Element:
    """Return the plot, which must be well formed, named, and free of what a strict policy stops."""
    root = ElementTree.fromstring(str(markup))
    texts = {each.get("id"): each.text for each in root if each.tag in ("title", "desc")}
    assert list(texts) == [root.get("aria-labelledby"), root.get("aria-describedby")]
    assert not [each for each in root.iter() if each.get("style") is not None]
    assert "nan" not in "".join(numbers_of(root))
    assert "inf" not in "".join(numbers_of(root))
    return root


def numbers_of(root: Element) -> list[str]:
    """Return all coordinates, as they are written."""
    names = ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "points", "d")
    return [value for each in root.iter() for name in names if (value := each.get(name))]


def assert_inside(root: Element) -> None:
    """Check that all parts are within the plot: percentages of its width, pixels of its height."""
    height = float(root.get("height", ""))
    for each in root:
        if each.tag in ("title", "desc", "defs"):
            continue
        for name in ("x", "x1", "x2", "cx"):
            value = each.get(name)
            if value is not None and value.endswith("%"):
                assert 0 <= float(value[:-1]) <= 100
        if each.tag == "rect":
            x, width = (each.get(name, "").removesuffix("%") for name in ("x", "width"))
            assert float(x) + float(width) <= 100.02
        for name in ("y", "y1", "y2", "cy"):
            if each.get(name):
                assert -4 <= float(each.get(name, "")) <= height + 4
    for inner in root.iter("svg"):
        box = [float(part) for part in inner.get("viewBox", "").split()]
        for shape in inner if box else ():
            points = [pair.split(",") for pair in shape.get("points", "").split()]
            for x, y in points:
                assert box[0] <= float(x) <= box[2]
                assert box[1] <= float(y) <= box[3]


def words(root: Element) -> list[str]:
    return [each.text or "" for each in root.iter("text")]
