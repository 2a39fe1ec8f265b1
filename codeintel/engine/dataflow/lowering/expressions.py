"""Lower expressions: operations, calls with their arguments, and container literals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Assignment,
    Block,
    Call,
    Choice,
    Closure,
    Evaluate,
    Expr,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.kinds import (
    child_of,
    dotted_identifier,
    field_of,
    operator_of,
    unquoted,
)
from codeintel.engine.dataflow.lowering.csharp import OUT, SETS
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.lowering.rust_forms import macro_arguments
from codeintel.engine.dataflow.lowering.switches import lower_choice
from codeintel.engine.dataflow.tree import ECHO, Span, span

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
    """Lower JavaScript's `{ a, b: c, d = 1, ...rest }` as a target: each variable by its key."""
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
    """Lower `value for target in source if condition` to assignments and the value."""
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


_NUMBER_TYPE = re.compile(r"int|float|double|long|bool|boolean|byte|short|char|integer|number")


def lower_dynamic_variable(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower PHP's `$$x`."""
    inner = child_of(node, "variable_name")
    if inner is None:
        return lower_identifier(lowerer, node)
    return Index(span(node), Name(Span(0, 0), "$GLOBALS"), lowerer.expr(inner))


def lower_identifier(_lowerer: Lowerer, node: SgNode) -> Expr:
    return Name(span(node), dotted_identifier(node.text()))


def lower_heredoc(lowerer: Lowerer, node: SgNode) -> Expr:
    body = lowerer.heredocs.get(span(node))
    return (
        lower_string(lowerer, body)._replace(span=span(node))
        if body is not None
        else lower_other(lowerer, node)
    )


def lower_include(lowerer: Lowerer, node: SgNode) -> Expr:
    args = tuple(Argument(part, None) for part in lower_parts(lowerer, node))
    return Call(span(node), Name(span(node), node.children()[0].text()), args)


def lower_tested(lowerer: Lowerer, node: SgNode) -> Expr:
    return Test(span(node), lower_parts(lowerer, node), operator_of(node))


def lower_unary(lowerer: Lowerer, node: SgNode) -> Expr:
    operator, parts = operator_of(node), lower_parts(lowerer, node)
    if operator in kinds.UNARY_TESTS:
        return Test(span(node), parts, operator)
    return Join(span(node), parts)


def lower_declaration_expression(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower C#'s `out var x`."""
    return lowerer.expr(node.named_children()[-1])


def lower_closure(lowerer: Lowerer, node: SgNode) -> Expr:
    if node.field("body") is None:
        return lower_other(lowerer, node)
    return Closure(span(node), lowerer.function(node))


def lower_other(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower a node of a kind that is in no table."""
    if lowerer.is_statement(node.kind()):
        return Block(span(node), lowerer.statements(node))
    if not node.named_children():
        return Literal(span(node), unquoted(node.text()))
    return Join(span(node), lower_parts(lowerer, node))


def _lower_appended(lowerer: Lowerer, node: SgNode) -> Expr | None:
    """Lower Ruby's `target << value << value`, which changes the target."""
    values: list[SgNode] = []
    while node.kind() == "binary" and operator_of(node) == "<<":
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            return None
        values.insert(0, right)
        node = left
    if not values or node.kind() not in kinds.IDENTIFIERS | kinds.INDEXES | {"call"}:
        return None
    place = Span(span(values[0]).start, span(values[-1]).end)
    added = Join(place, tuple(lowerer.expr(each) for each in values))
    return Assignment(Span(span(node).start, place.end), _lower_target(lowerer, node), added, True)


def _lower_target(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower the target of an assignment. In Ruby, `object.name = value` is a call."""
    found = lowerer.expr(node)
    if isinstance(found, Call) and isinstance(found.callee, Member) and not found.args:
        return found.callee
    return found


def lower_string(lowerer: Lowerer, node: SgNode) -> Expr:
    parts: list[Expr] = []
    for child in node.named_children():
        kind = child.kind()
        if kind in kinds.INTERPOLATIONS:
            inner = lowerer.expr(child)
            if not isinstance(inner, Literal):
                parts.append(inner)
        elif kind not in kinds.TEXT_PARTS and child.named_children():
            parts.append(lowerer.expr(child))
    if parts:
        found: Expr = Join(span(node), tuple(parts))
    else:
        found = Literal(span(node), unquoted(node.text()))
    if node.kind() in ("shell_command_expression", "subshell"):
        return Call(span(node), Name(span(node), "`"), (Argument(found, None),))
    return found


def lower_operation(lowerer: Lowerer, node: SgNode) -> Expr:
    operator = operator_of(node)
    if operator == "<<" and (appended := _lower_appended(lowerer, node)) is not None:
        return appended
    parts = lower_parts(lowerer, node)
    if operator in kinds.CHOOSING and operator != "//":
        return Choice(span(node), parts)
    if operator in kinds.COMPARING and not (operator == "/" and lowerer.slash_joins):
        if operator == "&&" and node.kind() == "binary":
            operator = "and"  # Ruby's returns one of its parts, as Python's does
        return Test(span(node), parts, operator)
    return Join(span(node), parts)


def choice_expression(lowerer: Lowerer, node: SgNode) -> Expr:
    condition = field_of(node, "condition")
    if node.kind() == "switch_expression":
        return lower_choice(lowerer, node, condition or node.named_children()[0])
    parts = lower_parts(lowerer, node)
    if condition is not None:
        place = span(condition)
        rest = tuple(part for part in parts if part.span != place)
        found = next((part for part in parts if part.span == place), None)
        if len(rest) == 1 and found is not None:  # PHP's `a ?: b`
            return Choice(span(node), (found, *rest))
        return Choice(span(node), rest, found)
    if len(parts) == 3:  # Python's has no fields: value, condition, other value
        return Choice(span(node), (parts[0], parts[2]), parts[1])
    return Choice(span(node), parts)


def lower_assignment(lowerer: Lowerer, node: SgNode) -> Expr:
    left, right = field_of(node, "left", "name"), field_of(node, "right", "value")
    if left is None or right is None:
        return Join(span(node), lower_parts(lowerer, node))
    augments = operator_of(node) not in ("=", ":=", "", "?=")
    return Assignment(span(node), _lower_target(lowerer, left), lowerer.expr(right), augments)


def lower_cast(lowerer: Lowerer, node: SgNode) -> Expr:
    value = field_of(node, "value", "operand", "argument") or node.named_children()[-1]
    type_ = field_of(node, "type")
    if type_ is None and node.kind() == "as_expression":
        value = node.named_children()[0]
    if type_ is not None and _NUMBER_TYPE.fullmatch(type_.text().lower()):
        return Test(span(node), (lowerer.expr(value),), "cast")
    if type_ is not None and type_.text() == "string":  # PHP, C#
        return Call(span(node), Name(span(type_), "strval"), (Argument(lowerer.expr(value), None),))
    return Join(span(node), (lowerer.expr(value),))
