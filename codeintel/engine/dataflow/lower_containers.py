"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: containers written out, and
what is taken out of them or of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Assign,
    Block,
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
from codeintel.engine.dataflow.nodes import dotted_identifier, field_of, unquoted
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class ContainerLowerer:
    """Lowers what has to do with containers; other expressions are the subclass's."""

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        raise NotImplementedError

    def _parts(self, node: SgNode) -> tuple[Expr, ...]:
        return tuple(
            self.expr(child) for child in node.named_children() if child.kind() not in kinds.IGNORED
        )

    def _member(self, node: SgNode, kind: str) -> Expr:
        whole, part = kinds.MEMBERS[kind]
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
        return Member(span(node), self.expr(object_), name.text().lstrip("#"))

    def _index(self, node: SgNode) -> Expr:
        named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
        object_ = field_of(node, *kinds.INDEXED_FIELDS) or (named[0] if named else None)
        key = field_of(node, *kinds.KEY_FIELDS) or (named[-1] if len(named) > 1 else None)
        if object_ is None:
            return Literal(span(node), node.text())
        if key is None and node.text().endswith("[]"):  # PHP's "one more element"
            return Index(span(node), self.expr(object_), Name(Span(0, 0), ""))
        if key is None:
            return Join(span(node), (self.expr(object_),))
        inner = key.named_children()
        if key.kind() in ("bracketed_argument_list", "subscript_argument_list") and inner:
            key = inner[0].named_children()[0] if inner[0].named_children() else inner[0]
        return Index(span(node), self.expr(object_), self.expr(key))

    def _keyed(self, node: SgNode) -> Expr:
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            kind = child.kind()
            if kind in kinds.IGNORED:
                continue
            named = child.named_children()
            if kind in kinds.PAIRS and len(named) > 1:
                key = self.expr(named[0])
                text = key.text if isinstance(key, Literal) else None
                if isinstance(key, Name) and kind in ("pair", "field_initializer", "keyed_element"):
                    text = key.id
                entries.append((text, self.expr(named[-1])))
            elif kind == "shorthand_property_identifier":
                entries.append((child.text(), self.expr(child)))
            else:
                entries.append((None, self.expr(child)))
        if any(key is not None for key, _ in entries):
            return Keyed(span(node), tuple(entries))
        return Join(span(node), tuple(value for _, value in entries))

    def _object_pattern(self, node: SgNode) -> Expr:
        """JavaScript's `{ a, b: c, d = 1, ...rest }` as a target: each variable by its key."""
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            if child.kind() in kinds.IGNORED:
                continue
            key, target = field_of(child, "key"), field_of(child, "value", "left") or child
            while target.kind() in ("assignment_pattern", "object_assignment_pattern"):
                target = field_of(target, "left") or target.named_children()[0]
            text = (key or target).text() if child.kind() != "rest_pattern" else None
            entries.append((unquoted(text) if text is not None else None, self.expr(target)))
        return Keyed(span(node), tuple(entries))

    def _comprehension(self, node: SgNode) -> Expr:
        """`value for target in source if condition`: assignments, and what they lead to."""
        made: list[Stmt] = []
        body, *clauses = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
        value = self.expr(body)
        for clause in clauses:
            left, right = clause.field("left"), clause.field("right")
            if left is not None and right is not None:
                made.append(Assign(span(clause), self.expr(left), self.expr(right)))
            else:
                parts = (value, Literal(span(clause), ""))
                value = Choice(span(clause), parts, Join(span(clause), self._parts(clause)))
        return Block(span(node), (*made, Evaluate(span(body), value)))
