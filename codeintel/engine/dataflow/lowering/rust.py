"""Lower Rust's syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Assignment,
    Block,
    Branch,
    Call,
    Closure,
    Evaluate,
    Expr,
    Function,
    Join,
    Keyed,
    Leave,
    Literal,
    Loop,
    Member,
    Name,
    Param,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.lowering.control_flow import (
    lower_block,
    lower_branch,
    lower_declare,
    lower_loop,
    plain_as_statement,
)
from codeintel.engine.dataflow.lowering.dialects import DIALECT, expressions, statements
from codeintel.engine.dataflow.lowering.expressions import (
    lower_call,
    lower_keyed,
    lower_member,
    lower_parts,
)
from codeintel.engine.dataflow.lowering.lowerer import RustLowerer, plain_function
from codeintel.engine.dataflow.lowering.rust_forms import (
    INLINE,
    MARK,
    bindings,
    may_leave,
    refusing,
)
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_NOTHING = frozenset({"None", "Err", "false"})
"""Patterns that match when there is no wanted value."""
_MAPPING = frozenset({"map", "and_then", "filter_map", "flat_map", "for_each"})
_WRITES = frozenset({"write!", "writeln!"})
_PIECES = frozenset(
    [
        "chars",
        "bytes",
        "char_indices",
        "components",
        "split",
        "split_whitespace",
        "as_bytes",
        "iter",
        "lines",
    ]
)
_DEMANDS = frozenset({"ensure!", "assert!", "debug_assert!"})
_MAX_NESTED = 40


def _as_block(lowerer: RustLowerer, node: SgNode) -> Expr:
    return Block(span(node), lowerer.statements(node))


def _lambda(lowerer: RustLowerer, node: SgNode) -> Expr:
    return Closure(span(node), lowerer.function(node))


def _number(lowerer: RustLowerer, node: SgNode) -> Expr:
    return Test(span(node), (lowerer.expr(node.named_children()[0]),), "cast")


def _reference(lowerer: RustLowerer, node: SgNode) -> Expr:
    value = node.field("value")
    return Join(span(node), (lowerer.expr(value),) if value is not None else ())


def _literal_struct(lowerer: RustLowerer, node: SgNode) -> Expr:
    body = node.field("body")
    if body is None:
        return Literal(span(node), node.text())
    return lower_keyed(lowerer, body)._replace(span=span(node))


def _field_access(lowerer: RustLowerer, node: SgNode) -> Expr:
    made = lower_member(lowerer, node)
    parent = node.parent()
    called = parent is not None and parent.kind() == "call_expression"
    if isinstance(made, Member) and not called and made.name in lowerer.types.plain_fields:
        return Test(span(node), (made,), "cast")
    return made


def _let_condition(lowerer: RustLowerer, node: SgNode) -> Expr:
    pattern, value = node.field("pattern"), node.field("value")
    if pattern is None or value is None:
        return Join(span(node), lower_parts(lowerer, node))
    made = Assignment(span(node), lowerer.expr(pattern), lowerer.expr(value), False)
    if pattern.text().partition("(")[0] in _NOTHING:
        return Test(span(node), (made,), "!")
    return made


def _tuple_struct(lowerer: RustLowerer, node: SgNode) -> Expr:
    _, *inner = node.named_children()
    return Join(span(node), tuple(lowerer.expr(child) for child in inner))


def _struct(lowerer: RustLowerer, node: SgNode) -> Expr:
    entries: list[tuple[str | None, Expr]] = []
    for child in node.named_children():
        if child.kind() == "field_pattern":
            first, *rest = child.named_children()
            target = rest[-1] if rest else first
            if first.text() not in lowerer.types.plain_fields:
                entries.append((first.text(), lowerer.expr(target)))
    return Keyed(span(node), tuple(entries))


def rust_call(lowerer: RustLowerer, node: SgNode) -> Expr:
    made = lower_call(lowerer, node)
    if isinstance(made.callee, Name) and made.callee.id.endswith((MARK, "!")):
        return _macro(made, made.callee)
    if isinstance(made.callee, Member) and made.args:
        function = made.args[0].value
        if made.callee.name in _MAPPING and isinstance(function, Name) and function.id != "?":
            return Call(made.span, function, (Argument(made.callee.object, None),))
        return _asked_of_pieces(made, made.callee)
    return made


def _macro(call: Call, callee: Name) -> Expr:
    name = callee.id.rpartition(".")[2][:-1] + "!"
    args = call.args
    if name == "matches!" and len(args) > 1:
        one_of = isinstance(args[1].value, Literal | Join)
        asked = (args[0].value, args[1].value)
        return Test(call.span, asked, "in" if one_of else "matches")
    texts = [n for n, each in enumerate(args) if _is_text(each.value)]
    if texts:
        first = texts[0]
        joined = Span(args[first].value.span.start, call.span.end - 1)
        parts = (*_inlined(args[first].value), *(each.value for each in args[first + 1 :]))
        args = (*args[:first], Argument(Join(joined, parts), None))
    made = Call(call.span, Name(callee.span, name), args)
    if name in _WRITES and len(args) > 1:
        added = Assign(call.span, args[0].value, args[1].value, augments=True)
        return Block(call.span, (added, Evaluate(call.span, made._replace(args=args[1:]))))
    return made


def _is_text(value: Expr) -> bool:
    return isinstance(value, Literal)


def _inlined(text: Expr) -> Iterator[Expr]:
    """Yield the variables that a format names within its text."""
    for match in INLINE.finditer(text.text if isinstance(text, Literal) else ""):
        yield Name(text.span, match[1])


def _asked_of_pieces(call: Call, callee: Member) -> Expr:
    """Rewrite `any` and `contains` in terms of good values.

    A value with any bad piece is one whose pieces are not all good. A value that contains any of
    some characters is treated as containing the first.
    """
    given = call.args[0].value
    of_pieces = gives_pieces(callee.object)
    if callee.name in ("any", "contains") and isinstance(given, Closure):
        if of_pieces or callee.name == "contains":
            asked = call._replace(callee=callee._replace(name="all"))
            return Test(call.span, (asked,), "!")
    if callee.name == "contains":
        while isinstance(given, Join) and len(given.parts) == 1:
            given = given.parts[0]
        if isinstance(given, Join) and given.parts and isinstance(given.parts[0], Literal):
            first = next((p for p in given.parts if getattr(p, "text", "") in ("/", "..")), None)
            return call._replace(args=(Argument(first or given.parts[0], None),))
    return call


def gives_pieces(expr: Expr) -> bool:
    """Return whether an expression iterates over the pieces of a value."""
    callee = expr.callee if isinstance(expr, Call) else None
    return isinstance(callee, Member) and callee.name in _PIECES


# Parameters


def rust_params(lowerer: RustLowerer, node: SgNode | None) -> Iterator[Param]:
    for child in node.named_children() if node is not None else ():
        if child.kind() == "self_parameter":
            yield Param(span(child), "self", "", "")
            continue
        if child.kind() in kinds.IGNORED:
            continue
        pattern = child.field("pattern") or child
        type_ = child.field("type") if child.kind() == "parameter" else None
        for name, text in bindings(pattern, type_, lowerer.types):
            yield Param(span(name), name.text(), text, child.text())


def rust_all_params(lowerer: RustLowerer, node: SgNode | None) -> list[Param]:
    return list(rust_params(lowerer, node))


# Statements


def rust_function(lowerer: RustLowerer, node: SgNode) -> Function:
    made = plain_function(lowerer, node)
    decoration = made.decoration + ("\nrouted" if made.name in lowerer.routed else "")
    return made._replace(body=refusing(made.body), decoration=decoration)


def rust_as_statement(lowerer: RustLowerer, value: Expr) -> Stmt:
    if isinstance(value, Call) and isinstance(value.callee, Name) and value.args:
        if value.callee.id in _DEMANDS:
            leave = Leave(value.span, None)
            return Branch(value.span, value.args[0].value, (), (leave,))
    return plain_as_statement(lowerer, value)


def rust_declare(lowerer: RustLowerer, node: SgNode) -> Stmt:
    pattern, value, other = map(node.field, ("pattern", "value", "alternative"))
    if node.kind() != "let_declaration" or pattern is None:
        return lower_declare(lowerer, node)
    type_ = node.field("type")
    made = Assign(
        span(node),
        lowerer.expr(pattern),
        lowerer.expr(value) if value is not None else Literal(Span(0, 0), ""),
        type=lowerer.types.told(type_.text()) if type_ is not None else "",
        declares=True,
    )
    if other is None:
        return made
    otherwise = Branch(span(other), made.value, (), lowerer.statements(other))
    return Sequence(span(node), (made, otherwise))


def rust_loop(lowerer: RustLowerer, node: SgNode) -> Stmt:
    """Lower a loop. A loop over the pieces of a value that may return checks the value."""
    made = lower_loop(lowerer, node)
    if not isinstance(made, Loop) or made.source is None or not may_leave(made.body):
        return made
    if not gives_pieces(made.source):
        return made
    place = made.source.span
    asked = Call(place, Member(place, made.source, "all"), ())
    check = Branch(place, asked, (), (Leave(place, None),))
    return Sequence(made.span, (made, check))


def _lower_match(lowerer: RustLowerer, node: SgNode) -> Stmt:
    value, body = node.field("value"), node.field("body")
    if value is None or body is None:
        return lower_block(lowerer, node)
    asked = lowerer.expr(value)
    arms = [child for child in body.named_children() if child.kind() == "match_arm"]
    rest: tuple[Stmt, ...] = ()
    for position, arm in reversed(list(enumerate(arms))):
        nested = () if len(arms) > _MAX_NESTED else rest
        made = _lower_arm(lowerer, arm, asked, nested, is_last=position == len(arms) - 1)
        rest = made if len(arms) <= _MAX_NESTED else (*made, *rest)
    return Sequence(span(node), (Evaluate(span(value), asked), *rest))


def _lower_arm(
    lowerer: RustLowerer, arm: SgNode, asked: Expr, rest: tuple[Stmt, ...], *, is_last: bool
) -> tuple[Stmt, ...]:
    """Lower a match arm: its body if the pattern matches, otherwise the rest."""
    whole, value = arm.field("pattern"), arm.field("value")
    if whole is None or value is None:
        return rest
    guard = whole.field("condition")
    pattern = whole.named_children()[0] if whole.named_children() else None
    then = lowerer.statements(value)
    bound: tuple[Stmt, ...] = ()
    labels = _constants(pattern) if pattern is not None else []
    if pattern is not None and labels is None:
        bound = (Assign(span(pattern), lowerer.expr(pattern), asked, declares=True),)
    if guard is not None:
        return (*bound, Branch(span(arm), lowerer.expr(guard), then, rest))
    if labels:
        place = span(whole)
        among = Join(place, tuple(Literal(span(each), each.text()) for each in labels))
        return (Branch(span(arm), Test(place, (asked, among), "in"), then, rest),)
    if is_last or pattern is None or pattern.kind() == "identifier":
        return (*bound, *then)
    return (Branch(span(arm), Literal(Span(0, 0), ""), (*bound, *then), rest),)


def _constants(pattern: SgNode) -> list[SgNode] | None:
    """Return the constants that a pattern consists of, or None if it is more."""
    kind, text = pattern.kind(), pattern.text()
    if kind == "or_pattern":
        found: list[SgNode] = []
        for child in pattern.named_children():
            inner = _constants(child)
            if inner is None:
                return None
            found += inner
        return found
    if kind in kinds.STRINGS or kind.endswith("_literal") or kind == "range_pattern":
        return [pattern]
    if kind == "scoped_identifier" or (kind == "identifier" and text.isupper()):
        return [pattern]
    if kind == "tuple_struct_pattern" and text.startswith(("Some(", "Ok(")):
        inner = [each for child in pattern.named_children()[1:] for each in _constants(child) or ()]
        return inner or None
    return None


RUST = replace(
    DIALECT,
    expressions={
        **expressions(rust_call),
        "if_expression": _as_block,
        "match_expression": _as_block,
        "let_condition": _let_condition,
        "tuple_struct_pattern": _tuple_struct,
        "struct_pattern": _struct,
        "field_expression": _field_access,
        "reference_expression": _reference,
        "type_cast_expression": _number,
        "struct_expression": _literal_struct,
        "closure_expression": _lambda,
    },
    statements={
        **statements(rust_loop, rust_declare),
        "if_expression": lower_branch,
        "match_expression": _lower_match,
    },
    function=rust_function,
    params=rust_all_params,
    as_statement=rust_as_statement,
)
