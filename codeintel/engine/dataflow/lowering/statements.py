"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: declarations, and
statements of one expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Assignment,
    Block,
    Branch,
    Call,
    Choice,
    Define,
    Evaluate,
    Expr,
    Join,
    Leave,
    Literal,
    Name,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.lowering.calls import lower_parts
from codeintel.engine.dataflow.lowering.csharp import annotated, property_statement
from codeintel.engine.dataflow.lowering.functions import called_name, pointed
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.nodes import child_of, field_of
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# The value of these has no name among the node's parts.
_DECLARED_BY_PLACE = frozenset(
    {"variable_declarator", "property_element", "const_element", "static_variable_declaration"}
)
_MAX_STREAM = 100
_ANSWERS = frozenset({"render", "redirect_to", "head", "redirect"})


def lower_evaluated(lowerer: Lowerer, node: SgNode) -> Stmt:
    return Evaluate(span(node), lowerer.expr(node))


def plain_as_statement(lowerer: Lowerer, value: Expr) -> Stmt:
    """An expression in the place of a statement."""
    if isinstance(value, Assignment):
        return Assign(value.span, value.target, value.value, value.augments)
    if isinstance(value, Test) and len(value.parts) == 2 and value.operator in ("and", "&&"):
        then = lowerer.as_statement(value.parts[1])
        if called_name(value.parts[0]) in _ANSWERS:  # Rails: `redirect_to x and return`
            return Sequence(value.span, (Evaluate(value.span, value.parts[0]), then))
        return Branch(value.span, value.parts[0], (then,), ())
    if isinstance(value, Choice) and value.condition is None and len(value.parts) == 2:
        other = lowerer.as_statement(value.parts[1])
        if not _leads_away(other):
            return Evaluate(value.span, value)
        if isinstance(value.parts[0], Assignment):
            first = lowerer.as_statement(value.parts[0])
            check = Branch(value.span, value.parts[0].target, (), (other,))
            return Sequence(value.span, (first, check))
        return Branch(value.span, value.parts[0], (), (other,))
    if isinstance(value, Block):
        return Sequence(value.span, value.body)
    return Evaluate(value.span, value)


def lower_block(lowerer: Lowerer, node: SgNode) -> Stmt:
    type_ = field_of(node, "type")
    annotation = annotated(node) if node.kind() == "field_declaration" else None
    made = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED or (type_ is not None and span(child) == span(type_)):
            continue
        statement = lowerer.statement(child)
        if type_ is not None and isinstance(statement, Assign):
            statement = statement._replace(type=type_.text() + pointed(child))
        if annotation is not None and isinstance(statement, Assign):
            statement = statement._replace(value=annotation)
        made.append(statement)
    return Sequence(span(node), tuple(made))


def lower_property(lowerer: Lowerer, node: SgNode) -> Stmt:
    if node.field("type") is None:  # PHP's and Rust's have no type there
        return lower_block(lowerer, node)
    return property_statement(lowerer, node)


def lower_expression(lowerer: Lowerer, node: SgNode) -> Stmt:
    named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
    if len(named) == 1:
        return _stream(lowerer, named[0]) or lowerer.statement(named[0])
    return lower_block(lowerer, node)


def _stream(lowerer: Lowerer, node: SgNode) -> Stmt | None:
    """`stream << a << b` puts values into a stream of C++, `stream >> a` takes them out."""
    operator = node.field("operator") if node.kind() == "binary_expression" else None
    sign = operator.text() if operator is not None else ""
    if sign not in ("<<", ">>"):
        return None
    parts, head, depth = [], node, 0
    while head.kind() == "binary_expression" and depth < _MAX_STREAM:
        left, right, operator = (head.field(name) for name in ("left", "right", "operator"))
        if left is None or right is None or operator is None or operator.text() != sign:
            break
        parts.append(lowerer.expr(right))
        head, depth = left, depth + 1
    stream = lowerer.expr(head)
    if sign == "<<":
        return Assign(span(node), stream, Join(span(node), tuple(reversed(parts))), True)
    return Sequence(span(node), tuple(Assign(part.span, part, stream) for part in reversed(parts)))


def lower_class(lowerer: Lowerer, node: SgNode) -> Stmt:
    name = field_of(node, "name", "type")
    outer, lowerer.owner = lowerer.owner, name.text() if name is not None else ""
    body = node.field("body") or child_of(node, "declaration_list", "class_body", "block")
    made = lowerer.statements(body) if body is not None else ()
    lowerer.owner = outer
    return Sequence(span(node), made)


def lower_define(lowerer: Lowerer, node: SgNode) -> Stmt:
    function = lowerer.function(node)
    lowerer.functions.append(function)
    return Define(span(node), function)


def lower_declare(lowerer: Lowerer, node: SgNode) -> Stmt:
    target = field_of(node, "name", "left", "pattern", "declarator", "property")
    value = field_of(node, "value", "right")
    named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
    if target is None and named:
        target = named[0]
    if value is None and len(named) > 1 and node.kind() in _DECLARED_BY_PLACE:
        last = named[-1]
        if target is not None and span(last) != span(target):
            value = last
    if target is None:
        return lower_block(lowerer, node)
    type_ = field_of(node, "type")
    made: Stmt = Assign(
        span(node),
        _declared(lowerer, target),
        lowerer.expr(value) if value is not None else Literal(Span(0, 0), ""),
        type=type_.text() if type_ is not None else "",
        declares=True,
    )
    if value is None and node.kind() == "let_declaration":
        return made
    alternative = node.field("alternative")  # Rust: let ... else
    if alternative is not None:
        return Sequence(span(node), (made, *lowerer.statements(alternative)))
    return made


def _declared(lowerer: Lowerer, node: SgNode) -> Expr:
    """The variable behind C's stars and brackets."""
    depth = 0
    while node.field("declarator") is not None and depth < 6:
        inner = node.field("declarator")
        assert inner is not None  # noqa: S101 - for mypy
        node, depth = inner, depth + 1
    return lowerer.expr(node)


def lower_with_item(lowerer: Lowerer, node: SgNode) -> Stmt:
    """`with value as target`."""
    named = node.named_children()
    if len(named) == 1 and node.kind() == "with_item":
        return lowerer.statement(named[0])
    if len(named) == 2:
        return Assign(span(node), lowerer.expr(named[1]), lowerer.expr(named[0]))
    return lower_block(lowerer, node)


def lower_exit(lowerer: Lowerer, node: SgNode) -> Stmt:
    """PHP's `exit(text)`, which prints."""
    made = lower_echo(lowerer, node)
    return Sequence(span(node), (made, Leave(span(node), None)))


def lower_echo(lowerer: Lowerer, node: SgNode) -> Stmt:
    args = tuple(Argument(part, None) for part in lower_parts(lowerer, node))
    return Evaluate(span(node), Call(span(node), Name(span(node), "echo"), args))


def _leads_away(statement: Stmt) -> bool:
    if isinstance(statement, Sequence):
        return bool(statement.body) and _leads_away(statement.body[-1])
    if isinstance(statement, Evaluate):
        called = statement.value
        name = called.id if isinstance(called, Name) else called_name(called)
        return name in kinds.EXIT_CALLS
    return isinstance(statement, Return | Leave)
