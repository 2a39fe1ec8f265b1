"""From syntax trees to graphs of statements: whole functions and files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.flow.tree import Span, span
from codeintel_plugins.symbolic.graph import Graph
from codeintel_plugins.symbolic.read_expressions import ExpressionReader
from codeintel_plugins.symbolic.read_types import NAMES, base_type, declared
from codeintel_plugins.symbolic.syntax import (
    CType,
    Expr,
    Function,
    Parameter,
    Several,
    Var,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ast_grep_py import SgNode

_BLOCK_MACRO = re.compile(r"\s*(?:do\b|\{|if\b)|;")
_EMPTY = Several(Span(0, 0), ())


class StatementReader(ExpressionReader):
    """Reads functions; `functions` and `prototypes` are what it has found."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.functions: list[Function] = []
        self.prototypes: dict[str, tuple[CType, ...]] = {}
        self.enumerations: list[frozenset[int]] = []
        self.graph = Graph()
        self._owner = ""
        self._names: dict[str, int] = {}

    # Functions

    def function(self, node: SgNode, owner: str) -> None:
        """Read a function's definition."""
        body = node.field("body")
        known = declared(node.field("declarator"), base_type(node, self), self)
        if known.function is None or known.name is None:
            return
        words = known.name.text().split("::")
        listed = known.function.field("parameters")
        parameters = tuple(self._parameters(listed))
        self.prototypes[words[-1]] = tuple(each.type for each in parameters)
        if body is None or body.kind() not in ("compound_statement", "try_statement"):
            return
        if body.find(kind="ERROR") is not None:  # what it says is not known
            return
        owner = words[-2].partition("<")[0] if len(words) > 1 else owner
        initialised = []
        self.scopes.append({each.name: each.name for each in parameters})
        for child in node.named_children():
            if child.kind() == "field_initializer_list":
                initialised = list(self._initialisers(child))
        self.scopes.pop()
        static = any(
            child.kind() == "storage_class_specifier" and child.text() == "static"
            for child in node.named_children()
        )
        made = self._read(node, body, words[-1], owner, parameters, known.type)
        made.static = static and not owner
        made.initialised = tuple(initialised)
        made.variadic = listed is not None and "..." in listed.text()
        self.functions.append(made)

    def lambda_body(self, node: SgNode) -> None:
        body = node.field("body")
        if body is None:
            return
        declarator = node.field("declarator")
        listed = declarator.field("parameters") if declarator is not None else None
        parameters = tuple(self._parameters(listed))
        made = self._read(node, body, "", self._owner, parameters, CType("auto"))
        self.functions.append(made)

    def _read(
        self,
        node: SgNode,
        body: SgNode,
        name: str,
        owner: str,
        parameters: tuple[Parameter, ...],
        result: CType,
    ) -> Function:
        outer = self.graph, self._owner, self._names
        self.graph, self._owner = Graph(), owner
        self._names = {each.name: 1 for each in parameters}
        self.scopes.append({each.name: each.name for each in parameters})
        self.graph.add("join", span(body))
        self._statement(body)
        order, joins = self.graph.finish()
        self.scopes.pop()
        nodes = self.graph.nodes
        self.graph, self._owner, self._names = outer
        return Function(
            span(node), name, owner, parameters, result, False, nodes, 0, span(body), order=order,
            joins=joins,
        )  # fmt: skip

    def _parameters(self, node: SgNode | None) -> list[Parameter]:
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

    def _initialisers(self, node: SgNode) -> list[tuple[str, tuple[Expr, ...], Span]]:
        found = []
        for child in node.named_children():
            named = child.named_children()
            if child.kind() == "field_initializer" and len(named) > 1:
                found.append((named[0].text(), self.arguments(named[1]), span(named[0])))
        return found

    # Statements

    def _statement(self, node: SgNode) -> None:
        handler = _STATEMENTS.get(node.kind())
        if handler is not None:
            self.deeper()
            handler(self, node)
            self._depth -= 1
        elif node.kind() not in ("comment", "type_definition", "using_declaration",
                                 "alias_declaration", "static_assert_declaration"):  # fmt: skip
            self.graph.add("do", self.span(node), self.expr(node))

    def _block(self, node: SgNode) -> None:
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        for child in node.named_children():
            self._statement(child)
        self.scopes.pop()
        if scope and self.graph.loose:
            end = span(node).end
            place = self._fixed or Span(max(0, end - 1), end)
            self.graph.add("leave", place, names=tuple(scope.values()))

    def _expression(self, node: SgNode) -> None:
        for child in node.named_children():
            if child.kind() == "comment":
                continue
            if child.kind() == "call_expression" and self._macro_block(child):
                continue
            self.graph.add("do", self.span(child), self.expr(child))

    def _macro_block(self, node: SgNode) -> bool:
        """A call of a macro that stands for statements."""
        callee = node.field("function")
        if callee is None or callee.kind() != "identifier":
            return False
        text = self.expansion(callee.text(), node.field("arguments"))
        if text is None or not _BLOCK_MACRO.search(text):
            return False
        from ast_grep_py import SgRoot

        root = SgRoot(f"void f(void) {{ {text}; }}", self.language).root()
        body = root.find(kind="compound_statement")
        if body is None or root.find(kind="ERROR") is not None:
            return False
        with self.expanding(callee.text(), node):
            self._block(body)
        return True

    def _declaration(self, node: SgNode) -> None:
        base = base_type(node, self)
        static = any(
            child.kind() == "storage_class_specifier" and child.text() in ("static", "extern")
            for child in node.named_children()
        )
        value = node.field("value")  # a declaration that is a condition
        for each in node.field_children("declarator"):
            if each.kind() == "structured_binding_declarator":
                self._binding(each)
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
                self._binding(inner)
                continue
            if known.name is None:
                continue
            given = each.field("value") if each.kind() == "init_declarator" else value
            init, direct = self._initial(given, known.function)
            if known.function is not None and init is None:
                continue  # a prototype
            self._declare(known.name.text(), known.type, init, span(each), direct, static)

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

    def _declare(
        self, name: str, type_: CType, init: Expr | None, place: Span, direct: bool, static: bool
    ) -> None:
        count = self._names.get(name, 0) + 1
        self._names[name] = count
        unique = name if count == 1 else f"{name}#{count}"
        self.scopes[-1][name] = unique
        self.graph.add(
            "declare", self._fixed or place, init, name=unique, type_=type_, direct=direct,
            static=static,
        )  # fmt: skip

    def _binding(self, node: SgNode) -> None:
        for child in node.named_children():
            self._declare(child.text(), CType("auto"), _EMPTY, span(child), False, False)

    # Branches and loops

    def _condition(self, node: SgNode | None) -> Expr | None:
        """A condition; what is declared in it is declared before."""
        if node is None:
            return None
        if node.kind() == "condition_clause":
            for child in node.named_children():
                if child.kind() == "init_statement":
                    for inner in child.named_children():
                        self._statement(inner)
                elif child.kind() == "declaration":
                    self._statement(child)
                    last = self.graph.nodes[-1]
                    return Var(last.span, last.name)
            value = node.field("value")
            return self.expr(value) if value is not None else None
        return self.expr(node)

    def _if(self, node: SgNode) -> None:
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        condition = node.field("condition")
        test = self._condition(condition)
        number = self.graph.add("test", span(condition) if condition else span(node), test)
        then, otherwise = node.field("consequence"), node.field("alternative")
        if then is not None:
            self._statement(then)
        ends = self.graph.loose
        self.graph.loose = [(number, "other")]
        if otherwise is not None:
            for child in otherwise.named_children() or [otherwise]:
                self._statement(child)
        self.graph.loose += ends
        self.scopes.pop()

    def _while(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        self.scopes.append({})
        with self.graph.loop(span(node)) as head:
            test = self._condition(condition)
            number = self.graph.add("test", span(condition) if condition else span(node), test)
            if body is not None:
                self._statement(body)
            self.graph.loose += self.graph.continues[-1]
            self.graph.join(head)
            self.graph.loose = [(number, "other")]
        self.scopes.pop()

    def _do(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        with self.graph.loop(span(node)) as head:
            if body is not None:
                self._statement(body)
            self.graph.loose += self.graph.continues[-1]
            if self.graph.loose:
                place = span(condition) if condition else span(node)
                test = self._condition(condition)
                number = self.graph.add("test", place, test)
                self.graph.join(head)
                self.graph.loose = [(number, "other")]

    def _for(self, node: SgNode) -> None:
        first, condition = node.field("initializer"), node.field("condition")
        update, body = node.field("update"), node.field("body")
        scope: dict[str, str] = {}
        self.scopes.append(scope)
        if first is not None:
            self._statement(first)
        with self.graph.loop(span(node)) as head:
            exits = []
            if condition is not None:
                number = self.graph.add("test", span(condition), self.expr(condition))
                exits = [(number, "other")]
            if body is not None:
                self._statement(body)
            self.graph.loose += self.graph.continues[-1]
            if update is not None and self.graph.loose:
                self.graph.add("do", span(update), self.expr(update))
            self.graph.join(head)
            self.graph.loose = exits
        self.scopes.pop()
        if scope and self.graph.loose:
            self.graph.add("leave", span(node), names=tuple(scope.values()))

    def _range_for(self, node: SgNode) -> None:
        right, body = node.field("right"), node.field("body")
        container = self.expr(right) if right is not None else _EMPTY
        self.scopes.append({})
        self.graph.add("do", span(node), container)
        with self.graph.loop(span(node), container) as head:
            number = self.graph.add("test", span(node), None)
            base = base_type(node, self)
            known = declared(node.field("declarator"), base, self)
            if known.name is not None:
                self._declare(known.name.text(), known.type, _EMPTY, span(known.name), False, False)
            else:
                for child in node.find_all(kind="structured_binding_declarator"):
                    self._binding(child)
            if body is not None:
                self._statement(body)
            self.graph.loose += self.graph.continues[-1]
            self.graph.join(head)
            self.graph.loose = [(number, "other")]
        self.scopes.pop()

    def _switch(self, node: SgNode) -> None:
        condition, body = node.field("condition"), node.field("body")
        test = self._condition(condition)
        switch = self.graph.add("switch", span(condition) if condition else span(node), test)
        self.graph.loose = []
        self.graph.breaks.append([])
        complete = False
        self.scopes.append({})
        for child in body.named_children() if body is not None else ():
            if child.kind() == "case_statement":
                value = child.field("value")
                inside = [c for c in child.named_children() if c.kind() != "comment"]
                if value is not None:
                    inside = inside[1:]
                else:
                    complete = True
                target = self.graph.add("join", self.span(child))
                found = self.expr(value) if value is not None else None
                self.graph.case(switch, found, target)
                for inner in inside:
                    self._statement(inner)
            else:
                self._statement(child)
        self.scopes.pop()
        exits = self.graph.breaks.pop()
        self.graph.loose += exits
        complete = complete or self._all_values(switch)
        self.graph.nodes[switch].direct = complete
        if not complete:
            self.graph.loose.append((switch, "next"))

    def _all_values(self, switch: int) -> bool:
        """Whether the cases are all values of an enumeration."""
        values = frozenset(
            getattr(value, "value", None) for value, _ in self.graph.nodes[switch].cases
        )
        return values in self.enumerations

    # Leaving

    def _return(self, node: SgNode) -> None:
        named = [child for child in node.named_children() if child.kind() != "comment"]
        value = self.expr(named[0]) if named else None
        self.graph.add("return", self.span(node), value)
        self.graph.loose = []

    def _break(self, _node: SgNode) -> None:
        self.graph.leave(self.graph.breaks)

    def _continue(self, _node: SgNode) -> None:
        self.graph.leave(self.graph.continues)

    def _goto(self, node: SgNode) -> None:
        label = node.field("label")
        self.graph.goto(label.text() if label is not None else "")

    def _label(self, node: SgNode) -> None:
        label = node.field("label")
        self.graph.label(label.text() if label is not None else "", self.span(node))
        for child in node.named_children():
            if child.kind() != "statement_identifier":
                self._statement(child)

    def _throw(self, node: SgNode) -> None:
        self.graph.add("throw", self.span(node), self._inner(node))
        self.graph.loose = []

    def _try(self, node: SgNode) -> None:
        body = node.field("body")
        with self.graph.attempt(span(node)) as number:
            if body is not None:
                self._statement(body)
        ends = self.graph.loose
        for child in node.named_children():
            if child.kind() != "catch_clause":
                continue
            self.graph.loose = []
            self.scopes.append({})
            target = self.graph.add("join", span(child))
            self.graph.case(number, None, target)
            for each in self._parameters(child.field("parameters")):
                if each.name:
                    self._declare(each.name, each.type, _EMPTY, each.span, False, False)
            handler = child.field("body")
            if handler is not None:
                self._statement(handler)
            self.scopes.pop()
            ends = ends + self.graph.loose
        self.graph.loose = ends

    def _conditionally(self, node: SgNode) -> None:
        """What a preprocessor condition guards may be there or not."""
        number = self.graph.add("test", span(node), None)
        otherwise = node.field("alternative")
        for child in node.named_children():
            if child.kind() in (*NAMES, "preproc_defined", "number_literal", "binary_expression",
                                "unary_expression", "call_expression"):  # fmt: skip
                continue
            if otherwise is None or span(child) != span(otherwise):
                self._statement(child)
        ends = self.graph.loose
        self.graph.loose = [(number, "other")]
        if otherwise is not None:
            self._conditionally(otherwise)
        self.graph.loose += ends

    def _nothing(self, _node: SgNode) -> None:
        pass

    def _defined(self, node: SgNode) -> None:
        if node.field("body") is not None:
            self.define(node)


_STATEMENTS: dict[str, Callable[[StatementReader, SgNode], None]] = {
    "compound_statement": StatementReader._block,
    "expression_statement": StatementReader._expression,
    "declaration": StatementReader._declaration,
    "if_statement": StatementReader._if,
    "while_statement": StatementReader._while,
    "do_statement": StatementReader._do,
    "for_statement": StatementReader._for,
    "for_range_loop": StatementReader._range_for,
    "switch_statement": StatementReader._switch,
    "return_statement": StatementReader._return,
    "break_statement": StatementReader._break,
    "continue_statement": StatementReader._continue,
    "goto_statement": StatementReader._goto,
    "labeled_statement": StatementReader._label,
    "throw_statement": StatementReader._throw,
    "try_statement": StatementReader._try,
    "preproc_ifdef": StatementReader._conditionally,
    "preproc_if": StatementReader._conditionally,
    "preproc_else": StatementReader._conditionally,
    "preproc_elif": StatementReader._conditionally,
    "else_clause": StatementReader._block,
    "function_definition": StatementReader._nothing,
    "preproc_def": StatementReader._nothing,
    "preproc_call": StatementReader._nothing,
    "struct_specifier": StatementReader._defined,
    "class_specifier": StatementReader._defined,
    "enum_specifier": StatementReader._defined,
}
