"""Read syntax trees into functions and the declarations of their variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.program import Function, Graph, Parameter
from codeintel.engine.symbolic.reading.expressions import read_arguments
from codeintel.engine.symbolic.reading.reader import WORD, Reader
from codeintel.engine.symbolic.reading.types import base_type, declared
from codeintel.engine.symbolic.syntax import CType, Expr, Lambda, Several, Var

if TYPE_CHECKING:
    from ast_grep_py import SgNode


EMPTY = Several(Span(0, 0), ())


def read_parameters(reader: Reader, node: SgNode | None) -> list[Parameter]:
    """Return the parameters in a list. Arrays and functions become pointers, as they are passed."""
    found = []
    for child in node.named_children() if node is not None else ():
        if child.kind() not in ("parameter_declaration", "optional_parameter_declaration"):
            continue
        known = declared(child.field("declarator"), base_type(child, reader), reader)
        type_ = known.type
        if known.name is None and type_.base == "void" and not type_.pointers:
            continue
        if known.function is not None or type_.dims:  # both are passed as pointers
            type_ = type_._replace(pointers=type_.pointers + 1, dims=type_.dims[1:])
        name = known.name.text() if known.name is not None else ""
        place = span(known.name) if known.name is not None else span(child)
        found.append(Parameter(place, name, type_))
    return found


def declaration(reader: Reader, node: SgNode) -> None:
    """Add the variables of a declaration to the graph, except prototypes."""
    base = base_type(node, reader)
    static = any(
        child.kind() == "storage_class_specifier" and child.text() in ("static", "extern")
        for child in node.named_children()
    )
    value = node.field("value")  # a declaration that is a condition
    for each in node.field_children("declarator"):
        if each.kind() == "structured_binding_declarator":
            declare_bindings(reader, each)
            continue
        known = declared(each, base, reader)
        inner: SgNode | None = each
        for _ in range(6):
            if inner is None or inner.kind() == "structured_binding_declarator":
                break
            inner = inner.field("declarator") or next(
                (c for c in inner.named_children()
                 if c.kind() == "structured_binding_declarator"), None,
            )  # fmt: skip
        if inner is not None and inner.kind() == "structured_binding_declarator":
            declare_bindings(reader, inner)
            continue
        if known.name is None:
            continue
        given = each.field("value") if each.kind() == "init_declarator" else value
        init, direct = _initial(reader, given, known.function)
        if known.function is not None and init is None:
            continue  # a prototype
        declare_variable(reader, known.name.text(), known.type, init, span(each), direct, static)


def _initial(
    reader: Reader, given: SgNode | None, function: SgNode | None
) -> tuple[Expr | None, bool]:
    """Return the initial value of a declaration, and whether it is in brackets after the name."""
    if given is not None:
        direct = given.kind() == "argument_list"
        if direct:
            return Several(reader.span(given), read_arguments(reader, given)), True
        return reader.expr(given), given.kind() == "initializer_list"
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
        names.append(Var(reader.span(child), reader.resolve(text.removeprefix("std::"))))
    return Several(reader.span(listed), tuple(names)), True


def declare_variable(
    reader: Reader,
    name: str,
    type_: CType,
    init: Expr | None,
    place: Span,
    direct: bool,
    static: bool,
) -> None:
    """Add a variable to the graph, with a name that is unique in the function.

    :param direct: whether `init` is in brackets after the name.
    """
    count = reader.names.get(name, 0) + 1
    reader.names[name] = count
    unique = name if count == 1 else f"{name}#{count}"
    reader.scopes[-1][name] = unique
    reader.graph.add(
        "declare", reader.fixed or place, init, name=unique, type_=type_, direct=direct,
        static=static,
    )  # fmt: skip


def declare_bindings(reader: Reader, node: SgNode) -> None:
    """Declare the names of `auto [a, b]`."""
    for child in node.named_children():
        declare_variable(reader, child.text(), CType("auto"), EMPTY, span(child), False, False)


def read_function(reader: Reader, node: SgNode, owner: str) -> None:
    """Read a function's definition."""
    body = node.field("body")
    known = declared(node.field("declarator"), base_type(node, reader), reader)
    if known.function is None or known.name is None:
        return
    words = known.name.text().split("::")
    listed = known.function.field("parameters")
    parameters = tuple(read_parameters(reader, listed))
    reader.prototypes[words[-1]] = tuple(each.type for each in parameters)
    if body is None or body.kind() not in ("compound_statement", "try_statement"):
        return
    if body.find(kind="ERROR") is not None:  # the meaning is unknown
        return
    owner = words[-2].partition("<")[0] if len(words) > 1 else owner
    initialised = []
    reader.scopes.append({each.name: each.name for each in parameters})
    for child in node.named_children():
        if child.kind() == "field_initializer_list":
            initialised = list(_initialisers(reader, child))
    reader.scopes.pop()
    static = any(
        child.kind() == "storage_class_specifier" and child.text() == "static"
        for child in node.named_children()
    )
    made = _read_body(reader, node, body, words[-1], owner, parameters, known.type)
    made.static = static and not owner
    made.initialised = tuple(initialised)
    reader.functions.append(made)


def _lambda_body(reader: Reader, node: SgNode) -> None:
    body = node.field("body")
    if body is None:
        return
    declarator = node.field("declarator")
    listed = declarator.field("parameters") if declarator is not None else None
    parameters = tuple(read_parameters(reader, listed))
    made = _read_body(reader, node, body, "", reader.owner, parameters, CType("auto"))
    reader.functions.append(made)


def _read_body(
    reader: Reader,
    node: SgNode,
    body: SgNode,
    name: str,
    owner: str,
    parameters: tuple[Parameter, ...],
    result: CType,
) -> Function:
    outer = reader.graph, reader.owner, reader.names
    reader.graph, reader.owner = Graph(), owner
    reader.names = {each.name: 1 for each in parameters}
    reader.scopes.append({each.name: each.name for each in parameters})
    reader.graph.add("join", span(body))
    reader.statement(body)
    order, joins = reader.graph.finish()
    reader.scopes.pop()
    nodes = reader.graph.nodes
    reader.graph, reader.owner, reader.names = outer
    return Function(
        span(node), name, owner, parameters, result, False, nodes, 0, span(body), order=order,
        joins=joins,
    )  # fmt: skip


def _initialisers(reader: Reader, node: SgNode) -> list[tuple[str, tuple[Expr, ...], Span]]:
    found = []
    for child in node.named_children():
        named = child.named_children()
        if child.kind() == "field_initializer" and len(named) > 1:
            found.append((named[0].text(), read_arguments(reader, named[1]), span(named[0])))
    return found


def read_lambda(reader: Reader, node: SgNode) -> Expr:
    _lambda_body(reader, node)
    names = {reader.resolve(name) for name in WORD.findall(node.text())}
    return Lambda(reader.span(node), tuple(sorted(names)))
