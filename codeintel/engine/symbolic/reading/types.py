"""Read syntax trees into types and the names that a file defines."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import span
from codeintel.engine.symbolic.program import Member, Record, TranslationUnit
from codeintel.engine.symbolic.reading.reader import Reader
from codeintel.engine.symbolic.syntax import Binary, CType, Expr, Number, Unary, walk
from codeintel.engine.symbolic.values.types import Types, constant_value

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DECLARATORS = (
    "pointer_declarator", "array_declarator", "function_declarator", "parenthesized_declarator",
    "reference_declarator", "init_declarator", "abstract_pointer_declarator",
    "abstract_array_declarator", "abstract_reference_declarator", "abstract_function_declarator",
    "abstract_parenthesized_declarator", "attributed_declarator",
)  # fmt: skip
NAMES = ("identifier", "field_identifier", "type_identifier", "qualified_identifier",
         "destructor_name", "operator_name", "template_function")  # fmt: skip
_UNUSUAL = ("attribute_specifier", "attribute_declaration", "ms_declspec_modifier",
            "base_class_clause", "bitfield_clause", "alignas_qualifier")  # fmt: skip
_MAX_DEPTH = 12
_WORD = re.compile(r"\w+")


class Declared:
    """A declarator's name, type and parameters.

    `name` is the node of the name, `function` the declarator of a function's parameters. Both may
    be None.
    """

    def __init__(self, type_: CType) -> None:
        self.type = type_
        self.name: SgNode | None = None
        self.function: SgNode | None = None


_MAX_PARTS = 40


def declared(node: SgNode | None, base: CType, reader: Reader) -> Declared:
    """Return the name and the type that a declarator makes of a base type."""
    found = Declared(base)
    dims = []
    behind_function = False
    for _ in range(_MAX_DEPTH):
        if node is None:
            break
        kind = node.kind()
        if kind in NAMES:
            found.name = node
            break
        if kind in ("pointer_declarator", "abstract_pointer_declarator"):
            if behind_function:  # a pointer to a function is not a function
                found.function = None
            found.type = found.type._replace(pointers=found.type.pointers + 1)
        elif kind in ("reference_declarator", "abstract_reference_declarator"):
            found.type = found.type._replace(reference=True)
        elif kind in ("array_declarator", "abstract_array_declarator"):
            size = node.field("size")
            dims.append(reader.expr(size) if size is not None else None)
        elif kind in ("function_declarator", "abstract_function_declarator"):
            found.function, behind_function = node, True
        node = _inner(node)
    if dims:
        found.type = found.type._replace(dims=tuple(reversed(dims)))
    return found


def _inner(node: SgNode) -> SgNode | None:
    inner = node.field("declarator")
    if inner is not None:
        return inner
    for child in node.named_children():
        if child.kind() in NAMES or child.kind() in _DECLARATORS:
            return child
    return None


def base_type(node: SgNode, reader: Reader) -> CType:
    """Return the type before the declarators of a declaration, parameter or descriptor."""
    words = {c.text() for c in node.named_children() if c.kind() == "type_qualifier"}
    written = node.field("type")
    made = named_type(written, reader) if written is not None else CType("")
    return made._replace(const="const" in words, volatile="volatile" in words)


def named_type(node: SgNode, reader: Reader) -> CType:
    """Return the type of a node that names a type."""
    kind = node.kind()
    if kind in ("struct_specifier", "union_specifier", "class_specifier", "enum_specifier"):
        name = node.field("name")
        if node.field("body") is not None:
            define(reader, node)
        label = name.text() if name is not None else f"anonymous {span(node).start}"
        if kind == "enum_specifier":
            return CType("int")
        return CType(f"struct {label}")
    if kind in ("primitive_type", "sized_type_specifier"):
        return CType(_plain(node.text()))
    if kind == "placeholder_type_specifier":
        return CType("auto")
    if kind == "type_descriptor":
        base = base_type(node, reader)
        return declared(node.field("declarator"), base, reader).type
    text = node.text()
    head, _, rest = text.partition("<")
    name_ = head.strip().removeprefix("::").removeprefix("std::")
    return CType(name_, arguments=rest.rpartition(">")[0].strip())


def _plain(text: str) -> str:
    """Return a type's words in their usual order: `long unsigned` becomes `unsigned long`."""
    words = [word for word in _WORD.findall(text) if word not in ("const", "volatile", "int")]
    if not words:
        return "int"
    if words[-1] == "unsigned" and len(words) > 1:
        words = ["unsigned", *words[:-1]]
    if words == ["signed"]:
        return "int"
    return " ".join(words if words[0] != "signed" or words[-1] == "char" else words[1:])


def record(node: SgNode, reader: Reader) -> Record:
    """Return the structure, union or class of a node with a body."""
    name = node.field("name")
    label = name.text() if name is not None else f"anonymous {span(node).start}"
    body = node.field("body")
    members: dict[str, Member] = {}
    methods = set()
    for child in body.named_children() if body is not None else ():
        if child.kind() in ("field_declaration", "declaration", "function_definition"):
            base = base_type(child, reader)
            for each in child.field_children("declarator"):
                known = declared(each, base, reader)
                if known.name is None:
                    continue
                if known.function is not None:
                    methods.add(known.name.text())
                    continue
                initialised = child.field("default_value") is not None
                members[known.name.text()] = Member(
                    known.name.text(), known.type, span(known.name), initialised
                )
    return Record(
        f"struct {label.partition('<')[0]}",
        members,
        node.kind() == "union_specifier",
        frozenset(methods),
        span(node),
        not reader.packs and _is_plain(node),
    )


def _is_plain(node: SgNode) -> bool:
    """Return whether the types of the named members alone decide the size of a structure."""
    body = node.field("body")
    fields = body.named_children() if body is not None else []
    parts = [part for field in fields for part in (field, *field.named_children())]
    if any(part.kind() in _UNUSUAL for part in (*node.named_children(), *parts)):
        return False
    return not any(
        field.kind() == "field_declaration" and field.field("declarator") is None
        for field in fields
    )


def define(reader: Reader, node: SgNode) -> None:
    """Note the structure, class or enumeration that a node with a body defines."""
    place = span(node)
    if place in reader.defined_at:
        return
    reader.defined_at.add(place)
    reader.deeper()
    if node.kind() == "enum_specifier":
        _enumeration(reader, node)
    else:
        known = record(node, reader)
        reader.records[known.name] = known
    reader.depth -= 1


def _enumeration(reader: Reader, node: SgNode) -> None:
    body = node.field("body")
    value: int | None = -1
    for child in body.named_children() if body is not None else ():
        name, given = child.field("name"), child.field("value")
        if name is None:
            continue
        if given is not None:
            value = constant_value(reader.expr(given), types_so_far(reader))
        else:
            value = value + 1 if value is not None else None
        if value is None:
            reader.constants.pop(name.text(), None)
        else:
            reader.constants[name.text()] = Number(span(child), value)


def types_so_far(reader: Reader) -> Types:
    """Return the types that have been read so far."""
    return Types(
        TranslationUnit(
            {}, reader.records, reader.typedefs, reader.constants, {}, {}, {}, reader.language
        )
    )


def note_constant(reader: Reader, name: str, value: Expr) -> None:
    """Note the value of a constant.

    Values made of numbers are reduced to a number. Long values are not noted, because they would
    grow each time another constant uses them.
    """
    parts = list(islice(walk(value), _MAX_PARTS + 1))
    if all(isinstance(part, Number | Unary | Binary) for part in parts):
        number = constant_value(value, types_so_far(reader))
        if number is not None:
            value, parts = Number(value.span, number), []
    if len(parts) <= _MAX_PARTS:
        reader.constants[name] = value
