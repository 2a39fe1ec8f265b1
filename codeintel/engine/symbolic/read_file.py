"""Reading a whole file: its functions, types, constants and variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Tree
from codeintel.engine.symbolic.early import Early, EarlyEnds
from codeintel.engine.symbolic.program import Function, Source
from codeintel.engine.symbolic.read_functions import FunctionReader
from codeintel.engine.symbolic.read_types import base_type, declared
from codeintel.engine.symbolic.reader import TooDeep, TooLong
from codeintel.engine.symbolic.syntax import CType, Expr, Number

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


def read_file(tree: Tree, language: str, early: EarlyEnds | None = None) -> Source | None:
    """What a file in C or C++ has, or None if it is nested too deeply or too long to be read. Of a
    file whose functions take too long, those that were read in time.

    :param early: is told of what was left out.
    """
    early = EarlyEnds() if early is None else early
    reader = _FileReader(language, early)
    try:
        reader.macros_of(tree.root)
        reader.types_of(tree.root)
        try:
            reader.body_of(tree.root, "")
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
    return Source(
        functions, reader.records, reader.typedefs, reader.constants, reader.globals,
        reader.prototypes, reader.calls, language,
    )  # fmt: skip


class _FileReader(FunctionReader):
    def __init__(self, language: str, early: EarlyEnds) -> None:
        super().__init__(language)
        self._early = early
        self.globals: dict[str, tuple[CType, Expr | None, bool]] = {}

    # Macros

    def macros_of(self, root: SgNode) -> None:
        """Note what the file defines by the preprocessor."""
        for count, node in enumerate(root.find_all(kind="preproc_function_def")):
            name, listed, value = (node.field(f) for f in ("name", "parameters", "value"))
            if name is None or listed is None or value is None or count > _MAX_MACROS:
                continue
            names = tuple(child.text() for child in listed.named_children())
            body = value.text().replace("\\\n", "\n").replace("\\\r\n", "\n")
            self.macros[name.text()] = (names, body.strip().rstrip(";"))
        for count, node in enumerate(root.find_all(kind="preproc_def")):
            name, value = node.field("name"), node.field("value")
            if name is None or value is None or count > _MAX_MACROS:
                continue
            text = value.text().partition("//")[0].partition("/*")[0].strip()
            if len(text) <= _MAX_VALUE and _VALUE.fullmatch(text):
                found = self._constant_value(text)
                if found is not None:
                    self.constant(name.text(), found)

    def _constant_value(self, text: str) -> Expr | None:
        from ast_grep_py import SgRoot

        root = SgRoot(f"int x = ({text});", self.language).root()
        made = root.find(kind="init_declarator")
        value = made.field("value") if made is not None else None
        if value is None or root.find(kind="ERROR") is not None:
            return None
        return self.expr(value)

    # Types

    def types_of(self, root: SgNode) -> None:
        """Note the types that the file defines."""
        self.packs = root.find(kind="preproc_call", regex=r"pragma\s+pack") is not None
        cpp = self.language == "cpp"  # the grammar of C does not know all kinds
        kinds = _CLASSES if cpp else _CLASSES[1:]
        for node in root.find_all(kind="field_declaration"):
            self._member_constant(node)
        for node in root.find_all(any=[{"kind": kind} for kind in kinds]):
            if node.field("body") is not None:
                self.define(node)
                self._note_enumeration(node)
        for node in root.find_all(kind="type_definition"):
            base = base_type(node, self)
            for each in node.field_children("declarator"):
                known = declared(each, base, self)
                if known.name is not None and known.function is None:
                    self.typedefs[known.name.text()] = known.type
        for node in root.find_all(kind="alias_declaration") if cpp else ():
            name, type_ = node.field("name"), node.field("type")
            if name is not None and type_ is not None:
                self.typedefs[name.text()] = self.type_of(type_)

    def _note_enumeration(self, node: SgNode) -> None:
        body = node.field("body")
        if node.kind() != "enum_specifier" or body is None:
            return
        names = [child.field("name") for child in body.named_children()]
        values = [self.constants.get(name.text()) for name in names if name is not None]
        self.enumerations.append(frozenset(v.value for v in values if isinstance(v, Number)))

    # Functions and variables

    def body_of(self, node: SgNode, owner: str) -> None:
        """Read what stands in the file, in a namespace or in a class."""
        pending = [(iter(node.named_children()), owner)]
        while pending:
            children, owner = pending[-1]
            child = next(children, None)
            if child is None:
                pending.pop()
                continue
            kind = child.kind()
            if kind == "function_definition":
                self._function(child, owner)
            elif kind in _HOLDERS:
                pending.append((iter(child.named_children()), owner))
            elif kind in _CLASSES:
                pending.append(_members(child))
            elif kind in ("declaration", "field_declaration", "type_definition"):
                if kind == "declaration" and not owner:
                    self._global(child)
                type_ = child.field("type")
                if type_ is not None and type_.kind() in _CLASSES:
                    pending.append(_members(type_))

    def _function(self, node: SgNode, owner: str) -> None:
        """Read a function, unless it is nested too deeply."""
        before = self.graph, self._owner, self._names, len(self.scopes)
        try:
            self.function(node, owner)
        except TooDeep:
            self._early.add(Early.DEPTH, _name(node))
            self.graph, self._owner, self._names, scopes = before
            del self.scopes[scopes:]
            self._depth = 0

    def _member_constant(self, node: SgNode) -> None:
        """`static const int SIZE = 16;` in a class."""
        words = {child.text() for child in node.named_children()}
        name, value = node.field("declarator"), node.field("default_value")
        fixed = "static" in words and words & {"const", "constexpr"}
        if fixed and name is not None and value is not None and name.kind() == "field_identifier":
            self.constant(name.text(), self.expr(value))

    def _global(self, node: SgNode) -> None:
        base = base_type(node, self)
        fixed = base.const or any(c.text() == "constexpr" for c in node.named_children())
        for each in node.field_children("declarator"):
            known = declared(each, base, self)
            if known.name is None:
                continue
            name = known.name.text()
            if known.function is not None:
                listed = known.function.field("parameters")
                self.prototypes[name] = tuple(p.type for p in self.parameters(listed))
                continue
            value = each.field("value") if each.kind() == "init_declarator" else None
            made = self.expr(value) if value is not None else None
            plain = not known.type.dims and not known.type.pointers
            if fixed and plain and made is not None and known.type.base != "auto":
                self.constant(name, made)
            self.globals[name] = (known.type, made, fixed)


def _members(node: SgNode) -> tuple[Iterator[SgNode], str]:
    """What stands in a class, and the class's name."""
    name, body = node.field("name"), node.field("body")
    if body is None or node.kind() == "enum_specifier":
        return iter(()), ""
    return iter(body.named_children()), name.text().partition("<")[0] if name is not None else ""


def _name(node: SgNode) -> str:
    """The name of a function's definition, as far as it has one."""
    declarator = node.field("declarator")
    while declarator is not None and declarator.field("declarator") is not None:
        declarator = declarator.field("declarator")
    return declarator.text()[:_MAX_NAME] if declarator is not None else ""
