"""Find the classes of a file with their bases and the types of their fields, and its package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codeintel.engine.dataflow.kinds import field_of
from codeintel.engine.dataflow.project.records import ClassSummary
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KINDS = {
    "python": ("class_definition",),
    "javascript": ("class_declaration", "class"),
    "typescript": (
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "class",
    ),
    "java": ("class_declaration", "interface_declaration", "record_declaration"),
    "csharp": (
        "class_declaration",
        "interface_declaration",
        "record_declaration",
        "struct_declaration",
    ),
    "php": ("class_declaration", "interface_declaration", "trait_declaration"),
    "ruby": ("class", "module"),
    "go": ("type_spec",),
}
_FIELDS = {
    "java": ("field_declaration",),
    "csharp": ("field_declaration", "property_declaration"),
    "typescript": ("public_field_definition",),
    "php": ("property_declaration",),
    "python": (),
}
_PACKAGES = {
    "java": re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE),
    "csharp": re.compile(r"^\s*namespace\s+([\w.]+)", re.MULTILINE),
    "php": re.compile(r"^\s*namespace\s+([\w\\]+)\s*[;{]", re.MULTILINE),
    "go": re.compile(r"^\s*package\s+(\w+)", re.MULTILINE),
}
_MAX_HEAD = 600
_BASES = re.compile(
    r"\b(?:extends|implements)\s+([^{]+?)(?=\bextends\b|\bimplements\b|\bpermits\b|\{|\Z)"
)
_CSHARP_HEAD = re.compile(r"\A[^:{]*?\w(?:<[^>]*>)?(?:\([^{]*?\))?\s*:\s*([^{]+)", re.DOTALL)
_RUBY_BASE = re.compile(r"\Aclass\s+[\w:]+\s*<\s*([\w:]+)")
_RUBY_INCLUDE = re.compile(r"^\s*(?:include|extend|prepend)\s+([\w:]+)", re.MULTILINE)
_GENERIC = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_GO_FIELD = re.compile(r"^[ \t]*+(\w++(?:[ \t]*+,[ \t]*+\w++)*+)[ \t]++([*\[\]\w.]+)", re.MULTILINE)
_GO_EMBEDDED = re.compile(r"^\s*\*?([\w.]+)\s*(?:`[^`]*`)?\s*$", re.MULTILINE)
_GO_RECEIVER = re.compile(
    r"\Afunc\s*+\((?:\s*+(\w++)(?=[\s*]))?\s*+\*?\s*+(\w++)(?:\[[^\]]*+\])?\s*+\)"
)
_CSHARP_PARAMETERS = re.compile(r"\A[^{:]*?\b(?:class|record|struct)\s+\w+\s*\(([^{]*?)\)")
_TYPED = re.compile(r"([\w.<>\[\]?]+)\s+(\w+)\s*(?:=[^,]*)?(?:,|\Z)")
_TYPED_FIELD = re.compile(
    r"(?:\b(?:public|private|protected|internal|static|readonly|final|required|virtual|override"
    r"|abstract|volatile|transient|new|var)\s+)*([\w.\\?|<>\[\], ]+?)\s+(\$?\w+)\s*(?:[=;{]|=>|\Z)"
)
_TS_FIELD = re.compile(r"(#?\w+)[?!]?\s*:\s*([\w.<>\[\]| ]+)")
_ATTRIBUTES = re.compile(r"\A(?:\s*(?:@\w[\w.]*(?:\([^()]*\))?|\[[^\]]*\]|#\[[^\]]*\]))*\s*")


class Declared(NamedTuple):
    """The classes of a file, and for Go the name and type of each method's receiver."""

    classes: tuple[ClassSummary, ...]
    receivers: dict[Span, tuple[str, str]]
    package: str


def declared_in(root: SgNode, language: str, text: str) -> Declared:
    """Return the declarations of a file."""
    pattern = _PACKAGES.get(language)
    package = pattern.search(text) if pattern is not None else None
    receivers = {}
    if language == "go":
        for node in root.find_all(kind="method_declaration"):
            if found := _GO_RECEIVER.match(node.text()[:_MAX_HEAD]):
                receivers[span(node)] = found[1] or "", found[2]
    classes = [
        made
        for kind in _KINDS.get(language, ())
        for node in root.find_all(kind=kind)
        if (made := _class(node, kind, language)) is not None
    ]
    name = package[1].replace("\\", ".") if package is not None else ""
    return Declared(tuple(classes), receivers, name)


def plain_type(text: str) -> str:
    """Return the class that a declared type names, with dots, or an empty text."""
    text = text.strip().strip("\"'").lstrip(":").strip()
    if match := re.match(r"(?:Annotated|Optional|Promise|Task|ValueTask|Lazy)[\[<](.+)[\]>]", text):
        text = match[1].partition(",")[0]
    for _ in range(3):
        text = _GENERIC.sub("", text)
    words = [
        each.strip().lstrip("?*&").replace("\\", ".").replace("::", ".").strip(".")
        for each in text.split("|")
    ]
    words = [each.rstrip("?*& ") for each in words if each not in ("None", "null", "undefined")]
    return words[0] if words and re.fullmatch(r"[A-Za-z_][\w.]*", words[0]) else ""


def _class(node: SgNode, kind: str, language: str) -> ClassSummary | None:
    name = node.field("name")
    if name is None:
        return None
    text = node.text()
    body = field_of(node, "body")
    start = span(node).start
    head = text[: span(body).start - start] if body is not None else text.partition("{")[0]
    head = _ATTRIBUTES.sub("", head[:_MAX_HEAD], count=1)
    bases = tuple(filter(None, map(plain_type, _bases(node, head, text, language))))
    fields = {} if language == "go" else dict(_fields(node, language))
    if language == "csharp" and (found := _CSHARP_PARAMETERS.match(head)):
        fields |= {name: plain_type(type_) for type_, name in _TYPED.findall(found[1])}
    if language == "go":
        inner = text.partition("{")[2].rpartition("}")[0]
        embedded = tuple(_GO_EMBEDDED.findall(inner)) if "struct" in text[:200] else ()
        bases = (*bases, *embedded)
        fields = {
            each.strip(): plain_type(type_)
            for names, type_ in _GO_FIELD.findall(inner)
            for each in names.split(",")
        }
    is_open = kind.startswith(("interface", "abstract", "trait")) or bool(
        re.search(r"\babstract\b|\binterface\b|\(ABC\)|Protocol\b", head)
    )
    plain = name.text().rpartition("::")[2].partition("<")[0]
    return ClassSummary(plain, bases, fields, is_open)


def _bases(node: SgNode, head: str, text: str, language: str) -> Iterator[str]:
    if language == "python":
        listed = node.field("superclasses")
        for child in listed.named_children() if listed is not None else ():
            if child.kind() in ("identifier", "attribute", "subscript"):
                yield child.text()
    elif language == "csharp":
        if found := _CSHARP_HEAD.match(head):
            yield from _split(found[1].partition(" where ")[0])
    elif language == "ruby":
        if found := _RUBY_BASE.match(text):
            yield found[1]
        yield from _RUBY_INCLUDE.findall(text[:4000])
    elif language != "go":
        for listed_names in _BASES.findall(head):
            yield from _split(listed_names)
        if language == "php":
            yield from re.findall(r"^\s*use\s+([\w\\]+)\s*;", text[:4000], re.MULTILINE)


def _split(names: str) -> Iterator[str]:
    for _ in range(3):
        names = _GENERIC.sub("", names)
    yield from (re.sub(r"\(.*", "", each).strip() for each in names.split(","))


def _fields(node: SgNode, language: str) -> Iterator[tuple[str, str]]:
    body = field_of(node, "body")
    for child in body.named_children() if body is not None else ():
        if child.kind() not in _FIELDS.get(language, ()):
            continue
        text = _ATTRIBUTES.sub("", child.text()[:_MAX_HEAD], count=1)
        if language == "typescript":
            if found := _TS_FIELD.search(text):
                yield found[1].lstrip("#"), plain_type(found[2])
        elif found := _TYPED_FIELD.match(text):
            yield found[2].lstrip("$"), plain_type(found[1])
