"""Pages as a browser without scripts would read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise

Attributes = dict[str, str | None]
EDITORS = (
    "vscode://vscode.git/clone?",
    "cursor://vscode.git/clone?",
    "jetbrains://idea/checkout/git?",
)
"""What links that open an editor begin with."""
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}


class Element:
    """A tag with what is in it."""

    def __init__(self, tag: str, attributes: Attributes) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        """Return an attribute. Empty without a value, and an error if missing."""
        return self.attributes[name] or ""

    @property
    def text(self) -> str:
        """All text in it, on one line."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """Return the descendants with this tag and these attributes. `class_` is one of their
        classes."""
        return [each for each in self._elements() if each._fits(tag, attributes)]

    def one(self, tag: str = "", **attributes: str) -> Element:
        """Return the only matching element."""
        (found,) = self.all(tag, **attributes)
        return found

    def _elements(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child._elements()

    def _fits(self, tag: str, attributes: dict[str, str]) -> bool:
        classes = (self.attributes.get("class") or "").split()
        own = {name: value for name, value in attributes.items() if name != "class_"}
        return (
            tag in ("", self.tag)
            and ("class_" not in attributes or attributes["class_"] in classes)
            and all(self.attributes.get(name) == value for name, value in own.items())
        )


class Page(HTMLParser):
    """A whole page. Reading it fails where a tag is not closed."""

    VOID = frozenset({"meta", "link", "wbr", "input"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]
        self.feed(source)
        self.close()
        assert self.open == [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in self.VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    @property
    def text(self) -> str:
        return "".join(self.root._texts())

    @property
    def tags(self) -> list[tuple[str, Attributes]]:
        """All tags with their attributes, in order."""
        return [(each.tag, each.attributes) for each in self.root.all()]

    def values(self, attribute: str) -> Iterator[str]:
        for _, attributes in self.tags:
            if (value := attributes.get(attribute)) is not None:
                yield value

    def all(self, name: str) -> list[Attributes]:
        return [attributes for tag, attributes in self.tags if tag == name]


def assert_sound(page: Page) -> None:
    """Check the properties of every page: landmarks, headings in order, labels, nothing that a
    strict content security policy would block, no broken reference."""
    names = Counter(tag for tag, _ in page.tags)
    assert (names["header"], names["main"], names["footer"], names["h1"]) == (1, 1, 1, 1)
    assert [each["lang"] for each in page.all("html")] == ["en"]
    assert page.root.all("a")[0]["href"] == "#main"
    assert not names.keys() & {"style", "iframe", "img", "object"}
    for script in page.root.all("script"):  # the front end's, where it was built
        assert script["src"].startswith("/static/web/dist/")
        assert len(script["nonce"]) >= 16
        assert not script.children
    attributes = {name for _, found in page.tags for name in found}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    for address in [*page.values("href"), *page.values("src"), *page.values("action")]:
        assert address.startswith(("/", "#", "https://", "http://", *EDITORS)), address
    levels = [int(tag[1]) for tag, _ in page.tags if tag in HEADINGS]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = Counter(page.values("id"))
    assert not ids or max(ids.values()) == 1
    named = [link[1:] for link in page.values("href") if link.startswith("#")]
    for attribute in ("aria-labelledby", "aria-describedby", "for"):
        named += [name for value in page.values(attribute) for name in value.split()]
    assert set(named) <= ids.keys()
    labels = [each["aria-label"] for each in page.root.all("nav")]
    assert labels[0] == "Site"
    assert len(set(labels)) == len(labels)
    labelled = {each["for"] for each in page.root.all("label") if "for" in each.attributes}
    wrapped = {id(field) for each in page.root.all("label") for field in each.all("input")}
    fields = [*page.root.all("input"), *page.root.all("select")]
    for field in (each for each in fields if each.attributes.get("type") != "hidden"):
        is_labelled = field.attributes.get("id") in labelled or id(field) in wrapped
        assert is_labelled or field.attributes.get("aria-label")
