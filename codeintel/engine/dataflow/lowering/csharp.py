"""Lower what only C# has, and the annotated fields that it shares with Java."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Assign,
    Evaluate,
    Expr,
    Index,
    Join,
    Keyed,
    Member,
    Name,
    Stmt,
)
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


SETS = "{}"
"""The keyword of the argument that stands for what `new T { A = b }` sets."""
OUT = "out"
"""The keyword of an argument that a call assigns."""
_ANNOTATION = re.compile(r"[@\[]\s*(\w+)")


def conditional_access(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower `a?.b` and `a?[k]`, and what may follow them."""
    object_, part = node.named_children()[0], node.named_children()[-1]
    whole = lowerer.expr(object_)
    inner = part.named_children()
    if part.kind() == "member_binding_expression" and inner:
        return Member(span(node), whole, inner[-1].text())
    if part.kind() == "element_binding_expression" and inner:
        key = inner[0].named_children()
        return Index(span(node), whole, lowerer.expr(key[-1] if key else inner[0]))
    return Join(span(node), (whole, lowerer.expr(part)))


def initializer(lowerer: Lowerer, node: SgNode) -> Expr:
    """Lower `{ A = b, ["k"] = c }` by name, and `{ a, b }` as a value of both parts."""
    entries: list[tuple[str | None, Expr]] = []
    for child in node.named_children():
        named = child.named_children()
        if child.kind() == "assignment_expression" and len(named) > 1:
            entries.append((named[0].text().strip('[]" '), lowerer.expr(named[-1])))
        elif "comment" not in child.kind():
            entries.append((None, lowerer.expr(child)))
    if any(key is not None for key, _ in entries):
        return Keyed(span(node), tuple(entries))
    return Join(span(node), tuple(value for _, value in entries))


def property_statement(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Lower `[BindProperty] public string A { get; set; }` and `string A => b;` to assignments."""
    name = node.field("name")
    given = next((c for c in node.children() if c.kind() == "arrow_expression_clause"), None)
    value: Expr | None = None
    if given is not None and given.named_children():
        value = lowerer.expr(given.named_children()[-1])
    annotation = annotated(node)
    if name is not None and annotation is not None:
        return Assign(span(node), Name(span(name), name.text()), annotation)
    if name is not None and value is not None:
        return Assign(span(node), Name(span(name), name.text()), value)
    type_ = node.field("type")
    if name is not None:
        empty = Join(Span(0, 0), ())
        text = type_.text() if type_ is not None else ""
        return Assign(span(node), Name(span(name), name.text()), empty, type=text)
    return Evaluate(span(node), Join(span(node), ()))


def annotated(node: SgNode) -> Expr | None:
    """Return the name, with an @, that stands for what a framework puts into an annotated field."""
    for child in node.children():
        if child.kind() in ("attribute_list", "modifiers"):
            found = _ANNOTATION.search(child.text())
            if found:
                return Name(span(child), f"@{found[1]}")
    return None
