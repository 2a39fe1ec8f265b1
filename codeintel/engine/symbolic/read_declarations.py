"""From syntax trees to declarations of variables and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.graph import Graph
from codeintel.engine.symbolic.program import Function, Parameter
from codeintel.engine.symbolic.read_expressions import ExpressionReader
from codeintel.engine.symbolic.read_types import base_type, declared
from codeintel.engine.symbolic.syntax import CType, Expr, Several, Var

if TYPE_CHECKING:
    from ast_grep_py import SgNode


EMPTY = Several(Span(0, 0), ())


class DeclarationReader(ExpressionReader):
    """Reads declarations."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.functions: list[Function] = []
        self.prototypes: dict[str, tuple[CType, ...]] = {}
        self.enumerations: list[frozenset[int]] = []
        self.graph = Graph()
        self._owner = ""
        self._names: dict[str, int] = {}

    def parameters(self, node: SgNode | None) -> list[Parameter]:
        """The parameters in a list; arrays and functions are the pointers that are passed."""
        found = []
        for child in node.named_children() if node is not None else ():
            if child.kind() not in ("parameter_declaration", "optional_parameter_declaration"):
                continue
            known = declared(child.field("declarator"), base_type(child, self), self)
            type_ = known.type
            if known.name is None and type_.base == "void" and not type_.pointers:
                continue
            if known.function is not None or type_.dims:  # both are passed as pointers
                type_ = type_._replace(pointers=type_.pointers + 1, dims=type_.dims[1:])
            name = known.name.text() if known.name is not None else ""
            place = span(known.name) if known.name is not None else span(child)
            found.append(Parameter(place, name, type_))
        return found

    def declaration(self, node: SgNode) -> None:
        """Add the variables that a declaration declares to the graph; prototypes are none."""
        base = base_type(node, self)
        static = any(
            child.kind() == "storage_class_specifier" and child.text() in ("static", "extern")
            for child in node.named_children()
        )
        value = node.field("value")  # a declaration that is a condition
        for each in node.field_children("declarator"):
            if each.kind() == "structured_binding_declarator":
                self.binding(each)
                continue
            known = declared(each, base, self)
            inner: SgNode | None = each
            for _ in range(6):
                if inner is None or inner.kind() == "structured_binding_declarator":
                    break
                inner = inner.field("declarator") or next(
                    (c for c in inner.named_children()
                     if c.kind() == "structured_binding_declarator"), None,
                )  # fmt: skip
            if inner is not None and inner.kind() == "structured_binding_declarator":
                self.binding(inner)
                continue
            if known.name is None:
                continue
            given = each.field("value") if each.kind() == "init_declarator" else value
            init, direct = self._initial(given, known.function)
            if known.function is not None and init is None:
                continue  # a prototype
            self.declare(known.name.text(), known.type, init, span(each), direct, static)

    def _initial(self, given: SgNode | None, function: SgNode | None) -> tuple[Expr | None, bool]:
        """The value of a declaration, and whether it stands in brackets after the name."""
        if given is not None:
            direct = given.kind() == "argument_list"
            if direct:
                return Several(self.span(given), self.arguments(given)), True
            return self.expr(given), given.kind() == "initializer_list"
        listed = function.field("parameters") if function is not None else None
        if listed is None or not listed.named_children():
            return None, False
        names = []
        for child in listed.named_children():  # `lock_guard<mutex> lock(m)` looks like a prototype
            type_ = child.field("type")
            if type_ is None or child.field("declarator") is not None or type_.kind() not in (
                "type_identifier", "qualified_identifier"
            ):  # fmt: skip
                return None, False
            text = type_.text()
            names.append(Var(self.span(child), self.resolve(text.removeprefix("std::"))))
        return Several(self.span(listed), tuple(names)), True

    def declare(
        self, name: str, type_: CType, init: Expr | None, place: Span, direct: bool, static: bool
    ) -> None:
        """Add a variable to the graph, by a name that is its own in the function.

        :param direct: whether `init` stands in brackets after the name.
        """
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        unique = name if count == 1 else f"{name}#{count}"
        self.scopes[-1][name] = unique
        self.graph.add(
            "declare", self._fixed or place, init, name=unique, type_=type_, direct=direct,
            static=static,
        )  # fmt: skip

    def binding(self, node: SgNode) -> None:
        """Declare the names of `auto [a, b]`."""
        for child in node.named_children():
            self.declare(child.text(), CType("auto"), EMPTY, span(child), False, False)
