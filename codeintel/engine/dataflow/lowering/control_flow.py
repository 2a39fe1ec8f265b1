"""Lower statements and control flow: declarations, branches, loops, handlers and jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
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
    Loop,
    Name,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.kinds import child_of, field_of
from codeintel.engine.dataflow.lowering.csharp import annotated, property_statement
from codeintel.engine.dataflow.lowering.expressions import lower_parts
from codeintel.engine.dataflow.lowering.lowerer import Lowerer, called_name, pointed
from codeintel.engine.dataflow.lowering.switches import lower_switch
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# The value of these has no field name in the grammar.
_DECLARED_BY_PLACE = frozenset(
    {"variable_declarator", "property_element", "const_element", "static_variable_declaration"}
)
_MAX_STREAM = 100
_ANSWERS = frozenset({"render", "redirect_to", "head", "redirect"})


def lower_evaluated(lowerer: Lowerer, node: SgNode) -> Stmt:
    return Evaluate(span(node), lowerer.expr(node))


def plain_as_statement(lowerer: Lowerer, value: Expr) -> Stmt:
    """Lower an expression at the position of a statement."""
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
    if node.field("type") is None:  # PHP and Rust have no type there
        return lower_block(lowerer, node)
    return property_statement(lowerer, node)


def lower_expression(lowerer: Lowerer, node: SgNode) -> Stmt:
    named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
    if len(named) == 1:
        return _stream(lowerer, named[0]) or lowerer.statement(named[0])
    return lower_block(lowerer, node)


def _stream(lowerer: Lowerer, node: SgNode) -> Stmt | None:
    """Lower C++ streams: `stream << a << b` puts values in, `stream >> a` takes them out."""
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
    """Lower the variable behind C's stars and brackets."""
    depth = 0
    while node.field("declarator") is not None and depth < 6:
        inner = node.field("declarator")
        assert inner is not None  # noqa: S101 - for mypy
        node, depth = inner, depth + 1
    return lowerer.expr(node)


def lower_with_item(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Lower `with value as target`."""
    named = node.named_children()
    if len(named) == 1 and node.kind() == "with_item":
        return lowerer.statement(named[0])
    if len(named) == 2:
        return Assign(span(node), lowerer.expr(named[1]), lowerer.expr(named[0]))
    return lower_block(lowerer, node)


def lower_exit(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Lower PHP's `exit(text)`, which prints."""
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


_HANDLER = Literal(Span(0, 0), HANDLER)
_HANDLERS = {
    "catch_clause": HANDLER,
    "except_clause": HANDLER,
    "rescue": HANDLER,
    "finally_clause": FINALLY,
}


def lower_branch(lowerer: Lowerer, node: SgNode) -> Stmt:
    condition = field_of(node, "condition", "value")
    first = field_of(node, "initializer")
    then = field_of(node, "consequence", "body")
    rest = node.field_children("alternative")
    otherwise: tuple[Stmt, ...] = ()
    for alternative in reversed(rest):
        made = lowerer.statement(alternative)
        if isinstance(made, Branch):
            otherwise = (made._replace(otherwise=made.otherwise or otherwise),)
        else:
            otherwise = made.body if isinstance(made, Sequence) else (made,)
    test = lowerer.expr(condition) if condition is not None else Literal(span(node), "")
    ways = lowerer.statements(then) if then is not None else ()
    if node.kind() in ("unless", "unless_modifier"):
        ways, otherwise = otherwise, ways
    branch = Branch(span(node), test, ways, otherwise)
    if first is None:
        return branch
    return Sequence(span(node), (*lowerer.statements(first), branch))


def lower_loop(lowerer: Lowerer, node: SgNode) -> Stmt:
    inner = child_of(node, "range_clause", "for_clause") or node
    target = field_of(inner, "left", "name", "pattern", "declarator")
    source = field_of(inner, "right", "value", "condition")
    body = field_of(node, "body", "consequence")
    if node.kind() == "foreach_statement":
        return _foreach(lowerer, node)
    if node.kind() == "for_statement" and inner.kind() == "for_clause":
        target, source = None, field_of(inner, "condition")
    start = field_of(inner, "initializer")
    before = lowerer.statements(start) if start is not None else ()
    loop = Loop(
        span(node),
        lowerer.expr(target) if target is not None and source is not None else None,
        lowerer.expr(source) if source is not None else None,
        lowerer.statements(body) if body is not None else (),
    )
    return Sequence(span(node), (*before, loop)) if before else loop


def _foreach(lowerer: Lowerer, node: SgNode) -> Stmt:
    body = node.field("body")
    named = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
    if body is not None:
        place = span(body)
        named = [child for child in named if span(child) != place]
    left, right = field_of(node, "left"), field_of(node, "right")
    if left is not None and right is not None:  # C#
        source, target = right, left
    elif len(named) >= 2:
        source, target = named[0], named[1]
    else:
        return lower_block(lowerer, node)
    return Loop(
        span(node),
        lowerer.expr(target),
        lowerer.expr(source),
        lowerer.statements(body) if body is not None else (),
    )


def switch_statement(lowerer: Lowerer, node: SgNode) -> Stmt:
    value = field_of(node, "value", "condition", "subject")
    if value is not None:
        return lower_switch(lowerer, node, value)
    made: list[Stmt] = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        ways = lowerer.statements(child)
        made.extend(Branch(each.span, Literal(each.span, ""), (each,), ()) for each in ways)
    return Sequence(span(node), tuple(made))


def lower_return(lowerer: Lowerer, node: SgNode) -> Stmt:
    parts = lower_parts(lowerer, node)
    if node.kind() == "yield_statement" and len(parts) == 1 and "return" not in node.text():
        return Evaluate(span(node), parts[0])  # the value of a case in Java's switch
    value: Expr | None = None
    if len(parts) == 1:
        value = parts[0]
    elif parts:
        value = Join(span(node), parts)
    return Return(span(node), value)


def lower_leave(lowerer: Lowerer, node: SgNode) -> Stmt:
    parts = lower_parts(lowerer, node)
    value = Join(span(node), parts) if parts else None
    return Leave(span(node), value, not parts and node.text().strip(" ;") == "break")


def lower_try(lowerer: Lowerer, node: SgNode) -> Stmt:
    made: list[Stmt] = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        found = lowerer.statements(child)
        if (handles := _HANDLERS.get(child.kind())) is not None:
            made.append(Branch(span(child), Literal(Span(0, 0), handles), found, ()))
        else:
            made.extend(found)
    return Sequence(span(node), tuple(made))


def lower_rescue(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Lower Ruby's exception handler, which may or may not run."""
    body = child_of(node, "then")
    return Branch(
        span(node),
        _HANDLER,
        lowerer.statements(body) if body is not None else (),
        (),
    )


def lower_ensure(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Lower Ruby's `ensure`, which always runs."""
    made = lower_block(lowerer, node)
    body = made.body if isinstance(made, Sequence) else (made,)
    return Branch(span(node), Literal(Span(0, 0), FINALLY), body, ())
