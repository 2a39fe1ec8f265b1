"""Read syntax trees into graphs of statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.reading.expressions import inner
from codeintel.engine.symbolic.reading.functions import (
    EMPTY,
    declare_bindings,
    declare_variable,
    read_parameters,
)
from codeintel.engine.symbolic.reading.reader import Reader
from codeintel.engine.symbolic.reading.types import NAMES, base_type, declared, define
from codeintel.engine.symbolic.syntax import Expr, Var

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_BLOCK_MACRO = re.compile(r"do\b|\{|if\b|;")


def block(reader: Reader, node: SgNode) -> None:
    scope: dict[str, str] = {}
    reader.scopes.append(scope)
    for child in node.named_children():
        reader.statement(child)
    reader.scopes.pop()
    if scope and reader.graph.loose:
        end = reader.span(node).end
        place = Span(max(0, end - 1), end)
        reader.graph.add("leave", place, names=tuple(scope.values()))


def expression_statement(reader: Reader, node: SgNode) -> None:
    for child in node.named_children():
        if child.kind() == "comment":
            continue
        if child.kind() == "call_expression" and _macro_block(reader, child):
            continue
        reader.graph.add("do", reader.span(child), reader.expr(child))


def _macro_block(reader: Reader, node: SgNode) -> bool:
    """Read a macro call that expands to statements. Return False for other calls."""
    callee = node.field("function")
    if callee is None or callee.kind() != "identifier":
        return False
    text = reader.expansion(callee.text(), node.field("arguments"))
    if text is None or not _BLOCK_MACRO.search(text):
        return False
    from ast_grep_py import SgRoot

    root = SgRoot(f"void f(void) {{ {text}; }}", reader.language).root()
    body = root.find(kind="compound_statement")
    if body is None or root.find(kind="ERROR") is not None:
        return False
    with reader.expanding(callee.text(), node):
        block(reader, body)
    return True


# Leaving


def return_statement(reader: Reader, node: SgNode) -> None:
    named = [child for child in node.named_children() if child.kind() != "comment"]
    value = reader.expr(named[0]) if named else None
    reader.graph.add("return", reader.span(node), value)
    reader.graph.loose = []


def break_statement(reader: Reader, _node: SgNode) -> None:
    reader.graph.leave(reader.graph.breaks)


def continue_statement(reader: Reader, _node: SgNode) -> None:
    reader.graph.leave(reader.graph.continues)


def goto(reader: Reader, node: SgNode) -> None:
    label = node.field("label")
    reader.graph.goto(label.text() if label is not None else "")


def label(reader: Reader, node: SgNode) -> None:
    label = node.field("label")
    reader.graph.label(label.text() if label is not None else "", reader.span(node))
    for child in node.named_children():
        if child.kind() != "statement_identifier":
            reader.statement(child)


def throw_statement(reader: Reader, node: SgNode) -> None:
    reader.graph.add("throw", reader.span(node), inner(reader, node))
    reader.graph.loose = []


def try_statement(reader: Reader, node: SgNode) -> None:
    body = node.field("body")
    with reader.graph.attempt(reader.span(node)) as number:
        if body is not None:
            reader.statement(body)
    ends = reader.graph.loose
    for child in node.named_children():
        if child.kind() != "catch_clause":
            continue
        reader.graph.loose = []
        reader.scopes.append({})
        target = reader.graph.add("join", reader.span(child))
        reader.graph.case(number, None, target)
        for each in read_parameters(reader, child.field("parameters")):
            if each.name:
                declare_variable(reader, each.name, each.type, EMPTY, each.span, False, False)
        handler = child.field("body")
        if handler is not None:
            reader.statement(handler)
        reader.scopes.pop()
        ends = ends + reader.graph.loose
    reader.graph.loose = ends


def preprocessor_condition(reader: Reader, node: SgNode) -> None:
    """Read code under a preprocessor condition as code that may run or not."""
    reader.deeper()
    number = reader.graph.add("test", reader.span(node), None)
    otherwise = node.field("alternative")
    for child in node.named_children():
        if child.kind() in (*NAMES, "preproc_defined", "number_literal", "binary_expression",
                            "unary_expression", "call_expression"):  # fmt: skip
            continue
        if otherwise is None or reader.span(child) != reader.span(otherwise):
            reader.statement(child)
    ends = reader.graph.loose
    reader.graph.loose = [(number, "other")]
    if otherwise is not None:
        preprocessor_condition(reader, otherwise)
    reader.graph.loose += ends
    reader.depth -= 1


def nothing(reader: Reader, _node: SgNode) -> None:
    pass


def defined_type(reader: Reader, node: SgNode) -> None:
    if node.field("body") is not None:
        define(reader, node)


def _read_condition(reader: Reader, node: SgNode | None) -> Expr | None:
    """Return a condition. Variables that it declares are declared before it."""
    if node is None:
        return None
    if node.kind() == "condition_clause":
        for child in node.named_children():
            if child.kind() == "init_statement":
                for inner in child.named_children():
                    reader.statement(inner)
            elif child.kind() == "declaration":
                reader.statement(child)
                last = reader.graph.nodes[-1]
                return Var(last.span, last.name)
        value = node.field("value")
        return reader.expr(value) if value is not None else None
    return reader.expr(node)


def if_statement(reader: Reader, node: SgNode) -> None:
    scope: dict[str, str] = {}
    reader.scopes.append(scope)
    condition = node.field("condition")
    test = _read_condition(reader, condition)
    number = reader.graph.add(
        "test", reader.span(condition) if condition else reader.span(node), test
    )
    then, otherwise = node.field("consequence"), node.field("alternative")
    if then is not None:
        reader.statement(then)
    ends = reader.graph.loose
    reader.graph.loose = [(number, "other")]
    if otherwise is not None:
        for child in otherwise.named_children() or [otherwise]:
            reader.statement(child)
    reader.graph.loose += ends
    reader.scopes.pop()


def while_statement(reader: Reader, node: SgNode) -> None:
    condition, body = node.field("condition"), node.field("body")
    reader.scopes.append({})
    with reader.graph.loop(reader.span(node)) as head:
        test = _read_condition(reader, condition)
        number = reader.graph.add(
            "test", reader.span(condition) if condition else reader.span(node), test
        )
        _round(reader, body, head, number)
    reader.scopes.pop()


def _round(reader: Reader, body: SgNode | None, head: int, test: int) -> None:
    """Read the body of a loop and connect it to the head.

    The graph continues where the test is false.
    """
    if body is not None:
        reader.statement(body)
    reader.graph.loose += reader.graph.continues[-1]
    reader.graph.join(head)
    reader.graph.loose = [(test, "other")]


def do_statement(reader: Reader, node: SgNode) -> None:
    condition, body = node.field("condition"), node.field("body")
    with reader.graph.loop(reader.span(node)) as head:
        if body is not None:
            reader.statement(body)
        reader.graph.loose += reader.graph.continues[-1]
        if reader.graph.loose:
            place = reader.span(condition) if condition else reader.span(node)
            test = _read_condition(reader, condition)
            number = reader.graph.add("test", place, test)
            reader.graph.join(head)
            reader.graph.loose = [(number, "other")]


def for_statement(reader: Reader, node: SgNode) -> None:
    first, condition = node.field("initializer"), node.field("condition")
    update, body = node.field("update"), node.field("body")
    scope: dict[str, str] = {}
    reader.scopes.append(scope)
    if first is not None:
        reader.statement(first)
    with reader.graph.loop(reader.span(node)) as head:
        exits = []
        if condition is not None:
            number = reader.graph.add("test", reader.span(condition), reader.expr(condition))
            exits = [(number, "other")]
        if body is not None:
            reader.statement(body)
        reader.graph.loose += reader.graph.continues[-1]
        if update is not None and reader.graph.loose:
            reader.graph.add("do", reader.span(update), reader.expr(update))
        reader.graph.join(head)
        reader.graph.loose = exits
    reader.scopes.pop()
    if scope and reader.graph.loose:
        reader.graph.add("leave", reader.span(node), names=tuple(scope.values()))


def range_for_statement(reader: Reader, node: SgNode) -> None:
    right, body = node.field("right"), node.field("body")
    container = reader.expr(right) if right is not None else EMPTY
    reader.scopes.append({})
    reader.graph.add("do", reader.span(node), container)
    with reader.graph.loop(reader.span(node), container) as head:
        number = reader.graph.add("test", reader.span(node), None)
        base = base_type(node, reader)
        known = declared(node.field("declarator"), base, reader)
        if known.name is not None:
            declare_variable(
                reader, known.name.text(), known.type, EMPTY, reader.span(known.name), False, False
            )
        else:
            for child in node.find_all(kind="structured_binding_declarator"):
                declare_bindings(reader, child)
        _round(reader, body, head, number)
    reader.scopes.pop()


def switch_statement(reader: Reader, node: SgNode) -> None:
    condition, body = node.field("condition"), node.field("body")
    test = _read_condition(reader, condition)
    switch = reader.graph.add(
        "switch", reader.span(condition) if condition else reader.span(node), test
    )
    reader.graph.loose = []
    reader.graph.breaks.append([])
    complete = False
    reader.scopes.append({})
    for child in body.named_children() if body is not None else ():
        if child.kind() == "case_statement":
            value = child.field("value")
            inside = [c for c in child.named_children() if c.kind() != "comment"]
            if value is not None:
                inside = inside[1:]
            else:
                complete = True
            target = reader.graph.add("join", reader.span(child))
            found = reader.expr(value) if value is not None else None
            reader.graph.case(switch, found, target)
            for inner in inside:
                reader.statement(inner)
        else:
            reader.statement(child)
    reader.scopes.pop()
    exits = reader.graph.breaks.pop()
    reader.graph.loose += exits
    complete = complete or _all_values(reader, switch)
    reader.graph.nodes[switch].direct = complete
    if not complete:
        reader.graph.loose.append((switch, "next"))


def _all_values(reader: Reader, switch: int) -> bool:
    """Return whether the cases are all values of an enumeration."""
    values = frozenset(
        getattr(value, "value", None) for value, _ in reader.graph.nodes[switch].cases
    )
    return values in reader.enumerations
