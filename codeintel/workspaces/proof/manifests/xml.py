"""Dependencies of Maven and NuGet projects. Pure functions, safe for hostile XML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from codeintel.workspaces.proof.manifests.formats import (
    DEVELOPMENT,
    OPTIONAL,
    RUNTIME,
    UnreadableError,
    Written,
)

MAX_DEPTH = 100
MAX_ELEMENTS = 100_000
MAX_VALUE_CHARACTERS = 200
"""Maximum length of a property's value."""
_SCOPES = {"test": DEVELOPMENT, "provided": "provided", "system": "system", "import": "import"}


@dataclass
class Element:
    """An element by its local name, with the pieces of text directly in it."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    children: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The joined pieces of text."""
        return "".join(self.pieces)

    def all(self, *names: str) -> Iterator[Element]:
        """Yield the elements at a path of names."""
        if not names:
            yield self
            return
        for child in self.children:
            if child.name == names[0]:
                yield from child.all(*names[1:])

    def value(self, *names: str) -> str:
        """Return the text of the first such element, or an empty text."""
        return next((each.text.strip() for each in self.all(*names)), "")

    def every(self, name: str) -> Iterator[Element]:
        """Yield all elements of a name, at any depth."""
        waiting = self.children[::-1]
        while waiting:
            child = waiting.pop()
            if child.name == name:
                yield child
            waiting += reversed(child.children)


def parse_xml(text: str) -> Element:
    """Parse XML.

    :raises UnreadableError: if it is not well-formed, or declares entities.
    """
    top = Element("")
    open_elements, count = [top], 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(open_elements) > MAX_DEPTH or count > MAX_ELEMENTS:
            raise UnreadableError("It has too many elements.")
        element = Element(name.rpartition(":")[2], attributes)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def characters(data: str) -> None:
        open_elements[-1].pieces.append(data)

    def doctype(*_: object) -> None:
        raise UnreadableError("It has a document type, which is not supported.")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _name: open_elements.pop()
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(re.sub(r"\A\ufeff?\s*<\?xml[^>]*\?>", "", text).encode(), True)
    except (expat.ExpatError, UnicodeEncodeError):
        raise UnreadableError("It is not well-formed XML.") from None
    return top.children[0]


def pom_xml(text: str) -> Iterator[Written]:
    """Yield the dependencies of a POM.

    :raises UnreadableError: if it cannot be read.
    """
    project = parse_xml(text)
    if project.name != "project":
        raise UnreadableError("It is not a Maven project.")
    own = project.value("groupId") or project.value("parent", "groupId")
    values = {each.name: _value(each) for each in _children(project, "properties")}
    version = project.value("version")[:MAX_VALUE_CHARACTERS]
    values |= {"project.groupId": own[:MAX_VALUE_CHARACTERS], "project.version": version}
    lists = [project, *project.all("profiles", "profile")]
    for place in lists:
        for found in place.all("dependencies", "dependency"):
            yield _artifact(found, values, own)
    parent = next(project.all("parent"), None)
    if parent is not None:
        yield _artifact(parent, values, "")._replace(group="parent")


def _value(element: Element) -> str:
    """Return the text of a property, or an empty text if it is long, because it may be
    inserted thousands of times.
    """
    text = element.text.strip()
    return text if len(text) <= MAX_VALUE_CHARACTERS else ""


def _children(element: Element, name: str) -> Iterator[Element]:
    for each in element.all(name):
        yield from each.children


def _artifact(found: Element, values: dict[str, str], own: str) -> Written:
    group_id = _filled(found.value("groupId"), values)
    name = f"{group_id}:{_filled(found.value('artifactId'), values)}"
    group = _SCOPES.get(found.value("scope"), RUNTIME)
    if found.value("optional") == "true":
        group = OPTIONAL
    reason = ""
    if "$" in name:
        reason = "Its name depends on values that are defined elsewhere."
    elif own and (group_id == own or group_id.startswith(f"{own}.")):
        reason = "It has the same group as this project, so it may be private."
    elif found.value("systemPath"):
        reason = "It is a file."
    return Written(name, _filled(found.value("version"), values), group, reason)


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{([^${}]{1,200})\}", lambda match: values.get(match[1], match[0]), text)


def msbuild(text: str) -> Iterator[Written]:
    """Yield `PackageReference` and `PackageVersion` of `*.csproj` and the like, and of
    `packages.config`.

    :raises UnreadableError: if it cannot be read.
    """
    document = parse_xml(text)
    for kind in ("PackageReference", "PackageVersion", "GlobalPackageReference", "package"):
        for found in document.every(kind):
            has = found.attributes
            name = has.get("Include") or has.get("Update") or has.get("id") or ""
            version = has.get("Version") or has.get("version") or found.value("Version")
            is_tool = "all" in (has.get("PrivateAssets", ""), found.value("PrivateAssets"))
            group = DEVELOPMENT if is_tool or has.get("developmentDependency") else RUNTIME
            if name:
                reason = "Its name is defined elsewhere." if "$" in name else ""
                yield Written(name, version, group, reason)
