"""Read a whole file: its functions, types, constants and variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Tree
from codeintel.engine.symbolic.facts import Early, EarlyEnds
from codeintel.engine.symbolic.program import Function, TranslationUnit
from codeintel.engine.symbolic.reading.functions import read_function, read_parameters
from codeintel.engine.symbolic.reading.kinds import EXPRESSIONS, STATEMENTS
from codeintel.engine.symbolic.reading.reader import Reader, TooDeep, TooLong
from codeintel.engine.symbolic.reading.types import (
    base_type,
    declared,
    define,
    named_type,
    note_constant,
)
from codeintel.engine.symbolic.syntax import Expr, Number

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_MAX_MACROS = 400
_MAX_VALUE = 120
_MAX_NAME = 80
_HOLDERS = (
    "namespace_definition", "declaration_list", "linkage_specification", "template_declaration",
    "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "field_declaration_list",
)  # fmt: skip
_CLASSES = ("class_specifier", "struct_specifier", "union_specifier", "enum_specifier")
_VALUE = re.compile(r"[\w\s()\[\]+*/<>|&\"'.:%~!^=\\-]+")


def read_file(tree: Tree, language: str, early: EarlyEnds | None = None) -> TranslationUnit | None:
    """Return the contents of a C or C++ file, or None if it is nested too deeply or too long to
    read.

    If reading the functions takes too long, only those read in time are returned.

    :param early: collects what was left out.
    """
    early = EarlyEnds() if early is None else early
    reader = Reader(language, early, EXPRESSIONS, STATEMENTS)
    try:
        macros_of(reader, tree.root)
        types_of(reader, tree.root)
        try:
            body_of(reader, tree.root, "")
        except TooLong:
            early.add(Early.UNREAD)
    except (TooDeep, TooLong) as error:
        early.add(Early.TOO_DEEP if isinstance(error, TooDeep) else Early.UNREAD)
        return None
    functions: dict[str, Function] = {}
    for function in reader.functions:
        key = function.name
        while key in functions:
            key += "'"
        functions[key] = function
    return TranslationUnit(
        functions, reader.records, reader.typedefs, reader.constants, reader.globals,
        reader.prototypes, reader.calls, language,
    )  # fmt: skip


# Macros


def macros_of(reader: Reader, root: SgNode) -> None:
    """Note the macros and constants that the file defines by the preprocessor."""
    for count, node in enumerate(root.find_all(kind="preproc_function_def")):
        name, listed, value = (node.field(f) for f in ("name", "parameters", "value"))
        if name is None or listed is None or value is None or count > _MAX_MACROS:
            continue
        names = tuple(child.text() for child in listed.named_children())
        body = value.text().replace("\\\n", "\n").replace("\\\r\n", "\n")
        reader.macros[name.text()] = (names, body.strip().rstrip(";"))
    for count, node in enumerate(root.find_all(kind="preproc_def")):
        name, value = node.field("name"), node.field("value")
        if name is None or value is None or count > _MAX_MACROS:
            continue
        text = value.text().partition("//")[0].partition("/*")[0].strip()
        if len(text) <= _MAX_VALUE and _VALUE.fullmatch(text):
            found = _constant_value(reader, text)
            if found is not None:
                note_constant(reader, name.text(), found)


def _constant_value(reader: Reader, text: str) -> Expr | None:
    from ast_grep_py import SgRoot

    root = SgRoot(f"int x = ({text});", reader.language).root()
    made = root.find(kind="init_declarator")
    value = made.field("value") if made is not None else None
    if value is None or root.find(kind="ERROR") is not None:
        return None
    return reader.expr(value)


# Types


def types_of(reader: Reader, root: SgNode) -> None:
    """Note the types that the file defines."""
    reader.packs = root.find(kind="preproc_call", regex=r"pragma\s+pack") is not None
    cpp = reader.language == "cpp"  # the grammar of C does not have all kinds
    kinds = _CLASSES if cpp else _CLASSES[1:]
    for node in root.find_all(kind="field_declaration"):
        _member_constant(reader, node)
    for node in root.find_all(any=[{"kind": kind} for kind in kinds]):
        if node.field("body") is not None:
            define(reader, node)
            _note_enumeration(reader, node)
    for node in root.find_all(kind="type_definition"):
        base = base_type(node, reader)
        for each in node.field_children("declarator"):
            known = declared(each, base, reader)
            if known.name is not None and known.function is None:
                reader.typedefs[known.name.text()] = known.type
    for node in root.find_all(kind="alias_declaration") if cpp else ():
        name, type_ = node.field("name"), node.field("type")
        if name is not None and type_ is not None:
            reader.typedefs[name.text()] = named_type(type_, reader)


def _note_enumeration(reader: Reader, node: SgNode) -> None:
    body = node.field("body")
    if node.kind() != "enum_specifier" or body is None:
        return
    names = [child.field("name") for child in body.named_children()]
    values = [reader.constants.get(name.text()) for name in names if name is not None]
    reader.enumerations.append(frozenset(v.value for v in values if isinstance(v, Number)))


# Functions and variables


def body_of(reader: Reader, node: SgNode, owner: str) -> None:
    """Read the contents of the file, of a namespace or of a class."""
    pending = [(iter(node.named_children()), owner)]
    while pending:
        children, owner = pending[-1]
        child = next(children, None)
        if child is None:
            pending.pop()
            continue
        kind = child.kind()
        if kind == "function_definition":
            _function(reader, child, owner)
        elif kind in _HOLDERS:
            pending.append((iter(child.named_children()), owner))
        elif kind in _CLASSES:
            pending.append(_members(child))
        elif kind in ("declaration", "field_declaration", "type_definition"):
            if kind == "declaration" and not owner:
                _global(reader, child)
            type_ = child.field("type")
            if type_ is not None and type_.kind() in _CLASSES:
                pending.append(_members(type_))


def _function(reader: Reader, node: SgNode, owner: str) -> None:
    """Read a function, unless it is nested too deeply."""
    before = reader.graph, reader.owner, reader.names, len(reader.scopes)
    try:
        read_function(reader, node, owner)
    except TooDeep:
        reader.early.add(Early.DEPTH, _name(node))
        reader.graph, reader.owner, reader.names, scopes = before
        del reader.scopes[scopes:]
        reader.depth = 0


def _member_constant(reader: Reader, node: SgNode) -> None:
    """Read `static const int SIZE = 16;` in a class."""
    words = {child.text() for child in node.named_children()}
    name, value = node.field("declarator"), node.field("default_value")
    fixed = "static" in words and words & {"const", "constexpr"}
    if fixed and name is not None and value is not None and name.kind() == "field_identifier":
        note_constant(reader, name.text(), reader.expr(value))


def _global(reader: Reader, node: SgNode) -> None:
    base = base_type(node, reader)
    fixed = base.const or any(c.text() == "constexpr" for c in node.named_children())
    for each in node.field_children("declarator"):
        known = declared(each, base, reader)
        if known.name is None:
            continue
        name = known.name.text()
        if known.function is not None:
            listed = known.function.field("parameters")
            reader.prototypes[name] = tuple(p.type for p in read_parameters(reader, listed))
            continue
        value = each.field("value") if each.kind() == "init_declarator" else None
        made = reader.expr(value) if value is not None else None
        plain = not known.type.dims and not known.type.pointers
        if fixed and plain and made is not None and known.type.base != "auto":
            note_constant(reader, name, made)
        reader.globals[name] = (known.type, made, fixed)


def _members(node: SgNode) -> tuple[Iterator[SgNode], str]:
    """Return the contents of a class, and its name."""
    name, body = node.field("name"), node.field("body")
    if body is None or node.kind() == "enum_specifier":
        return iter(()), ""
    return iter(body.named_children()), name.text().partition("<")[0] if name is not None else ""


def _name(node: SgNode) -> str:
    """Return the name in a function's definition, or an empty text."""
    declarator = node.field("declarator")
    while declarator is not None and declarator.field("declarator") is not None:
        declarator = declarator.field("declarator")
    return declarator.text()[:_MAX_NAME] if declarator is not None else ""
