"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: calls and their arguments,
containers written out, and what is taken out of them or of objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Block,
    Call,
    Choice,
    Evaluate,
    Expr,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Stmt,
)
from codeintel.engine.dataflow.lowering.csharp import OUT, SETS
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.lowering.rust_macros import macro_arguments
from codeintel.engine.dataflow.nodes import child_of, dotted_identifier, field_of, unquoted
from codeintel.engine.dataflow.pages import ECHO
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def lower_call(lowerer: Lowerer, node: SgNode) -> Call:
    kind = node.kind()
    callee = _lower_callee(lowerer, node, kind)
    arguments = field_of(node, "arguments", "argument_list") or child_of(
        node, "arguments", "argument_list", "token_tree"
    )
    args: list[Argument] = []
    if kind == "macro_invocation":
        args = list(macro_arguments(arguments))
    elif kind == "print_intrinsic":
        args = [Argument(part, None) for part in lower_parts(lowerer, node)]
    elif arguments is not None:
        if arguments.kind() in ("arguments", "argument_list"):
            args = [
                _lower_argument(lowerer, child)
                for child in arguments.named_children()
                if child.kind() not in kinds.IGNORED
            ]
        else:
            args = [_lower_argument(lowerer, arguments)]
    sets = child_of(node, "initializer_expression")
    if sets is not None:
        args.append(Argument(lowerer.expr(sets), SETS))
    block = node.field("block") or child_of(node, "class_body")
    if block is not None and kind != "macro_invocation":
        args.append(Argument(lowerer.expr(block), None))
    return Call(span(node), callee, tuple(args))


def _lower_callee(lowerer: Lowerer, node: SgNode, kind: str) -> Expr:
    if kind == "print_intrinsic" or node.text().startswith(ECHO):
        return Name(span(node), "print" if kind == "print_intrinsic" else "echo")
    receiver = field_of(node, *kinds.RECEIVER_FIELDS)
    name = field_of(node, "name", "method") if receiver is not None or kind in (
        "method_invocation", "member_call_expression", "call", "method_call", "command_call"
    ) else None  # fmt: skip
    if name is not None:
        if receiver is None:
            return Name(span(name), name.text())
        return Member(
            Span(span(receiver).start, span(name).end), lowerer.expr(receiver), name.text()
        )
    callee = field_of(node, *kinds.CALLEE_FIELDS)
    if callee is None:
        named = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
        if not named:
            return Name(span(node), "")
        callee = named[0]
    if kind in ("object_creation_expression", "new_expression"):
        text = callee.text().partition("<")[0].strip()
        if re.fullmatch(r"[\w.\\:]+", text):
            return Name(span(callee), f"new {dotted_identifier(text)}")
    if kind == "macro_invocation":
        return Name(span(callee), f"{dotted_identifier(callee.text())}!")
    if callee.kind() in ("generic_function", "generic_name"):
        inner = callee.named_children()
        callee = inner[0] if inner else callee
    return lowerer.expr(callee)


def _lower_argument(lowerer: Lowerer, node: SgNode) -> Argument:
    kind = node.kind()
    if kind in ("keyword_argument", "named_argument"):
        value = field_of(node, "value") or node.named_children()[-1]
        name = field_of(node, "name")
        return Argument(lowerer.expr(value), name.text() if name is not None else None)
    if kind == "argument":
        name = field_of(node, "name")
        named = node.named_children()
        if not named:
            return Argument(Literal(span(node), node.text()), None)
        if name is None and node.text().startswith("out "):
            return Argument(lowerer.expr(named[-1]), OUT)
        return Argument(lowerer.expr(named[-1]), name.text().rstrip(":") if name else None)
    if kind == "pair":
        key, given = field_of(node, "key"), field_of(node, "value")
        if key is not None and given is not None:
            return Argument(lowerer.expr(given), unquoted(key.text()).strip(":"))
    return Argument(lowerer.expr(node), None)


def lower_parts(lowerer: Lowerer, node: SgNode) -> tuple[Expr, ...]:
    return tuple(
        lowerer.expr(child) for child in node.named_children() if child.kind() not in kinds.IGNORED
    )


def lower_member(lowerer: Lowerer, node: SgNode) -> Expr:
    whole, part = kinds.MEMBERS[node.kind()]
    object_ = field_of(node, whole, "expression", "argument") if whole else None
    name = field_of(node, part, "name", "field") if part else None
    named = node.named_children()
    if object_ is None and len(named) > 1:
        object_ = named[0]
    if name is None and named:
        name = named[-1]
    if object_ is None or name is None:
        return Name(span(node), dotted_identifier(node.text()))
    if name.kind() == "generic_name" and name.named_children():  # C#: `db.Query<User>`
        name = name.named_children()[0]
    return Member(span(node), lowerer.expr(object_), name.text().lstrip("#"))


def lower_index(lowerer: Lowerer, node: SgNode) -> Expr:
    named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
    object_ = field_of(node, *kinds.INDEXED_FIELDS) or (named[0] if named else None)
    key = field_of(node, *kinds.KEY_FIELDS) or (named[-1] if len(named) > 1 else None)
    if object_ is None:
        return Literal(span(node), node.text())
    if key is None and node.text().endswith("[]"):  # PHP's "one more element"
        return Index(span(node), lowerer.expr(object_), Name(Span(0, 0), ""))
    if key is None:
        return Join(span(node), (lowerer.expr(object_),))
    inner = key.named_children()
    if key.kind() in ("bracketed_argument_list", "subscript_argument_list") and inner:
        key = inner[0].named_children()[0] if inner[0].named_children() else inner[0]
    return Index(span(node), lowerer.expr(object_), lowerer.expr(key))


def lower_keyed(lowerer: Lowerer, node: SgNode) -> Expr:
    entries: list[tuple[str | None, Expr]] = []
    for child in node.named_children():
        kind = child.kind()
        if kind in kinds.IGNORED:
            continue
        named = child.named_children()
        if kind in kinds.PAIRS and len(named) > 1:
            key = lowerer.expr(named[0])
            text = key.text if isinstance(key, Literal) else None
            if isinstance(key, Name) and kind in ("pair", "field_initializer", "keyed_element"):
                text = key.id
            entries.append((text, lowerer.expr(named[-1])))
        elif kind == "shorthand_property_identifier":
            entries.append((child.text(), lowerer.expr(child)))
        else:
            entries.append((None, lowerer.expr(child)))
    if any(key is not None for key, _ in entries):
        return Keyed(span(node), tuple(entries))
    return Join(span(node), tuple(value for _, value in entries))


def lower_object_pattern(lowerer: Lowerer, node: SgNode) -> Expr:
    """JavaScript's `{ a, b: c, d = 1, ...rest }` as a target: each variable by its key."""
    entries: list[tuple[str | None, Expr]] = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        key, target = field_of(child, "key"), field_of(child, "value", "left") or child
        while target.kind() in ("assignment_pattern", "object_assignment_pattern"):
            target = field_of(target, "left") or target.named_children()[0]
        text = (key or target).text() if child.kind() != "rest_pattern" else None
        entries.append((unquoted(text) if text is not None else None, lowerer.expr(target)))
    return Keyed(span(node), tuple(entries))


def lower_comprehension(lowerer: Lowerer, node: SgNode) -> Expr:
    """`value for target in source if condition`: assignments, and what they lead to."""
    made: list[Stmt] = []
    body, *clauses = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
    value = lowerer.expr(body)
    for clause in clauses:
        left, right = clause.field("left"), clause.field("right")
        if left is not None and right is not None:
            made.append(Assign(span(clause), lowerer.expr(left), lowerer.expr(right)))
        else:
            parts = (value, Literal(span(clause), ""))
            value = Choice(span(clause), parts, Join(span(clause), lower_parts(lowerer, clause)))
    return Block(span(node), (*made, Evaluate(span(body), value)))
