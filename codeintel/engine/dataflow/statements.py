"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: declarations, and
statements of one expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.control_flow import ControlFlowLowerer
from codeintel.engine.dataflow.csharp import annotated, property_statement
from codeintel.engine.dataflow.functions import called_name, pointed
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
    Function,
    Join,
    Leave,
    Literal,
    Name,
    Return,
    Sequence,
    Stmt,
    Test,
)
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


class StatementLowerer(ControlFlowLowerer):
    """Lowers a file of any language but shell."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self._owner = ""
        self._handlers: dict[str, Callable[[SgNode], Stmt]] = {
            **dict.fromkeys(kinds.BLOCKS, self._block),
            **dict.fromkeys(kinds.CLASSES, self._class),
            **dict.fromkeys(kinds.FUNCTIONS, self._define),
            **dict.fromkeys(kinds.BRANCHES, self._branch),
            **dict.fromkeys(kinds.LOOPS, self._loop),
            **dict.fromkeys(kinds.SWITCHES, self._switch),
            **dict.fromkeys(kinds.RETURNS, self._return),
            **dict.fromkeys(kinds.LEAVES, self._leave),
            **dict.fromkeys(kinds.DECLARATORS, self._declare),
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "try_expression_statement": self._try,
            "catch_clause": self._block,
            "except_clause": self._block,
            "expression_statement": self._expression,
            "property_declaration": self._property,
            "with_item": self._with_item,
            "as_pattern": self._with_item,
            "echo_statement": self._echo,
            "rescue": self._rescue,
            "ensure": self._ensure,
            "exit_statement": self._exit,
            "block": self._block,
        }

    def is_statement(self, kind: str) -> bool:
        return kind in self._handlers

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        made = self._statement(node)
        return made.body if isinstance(made, Sequence) else (made,)

    def _statement(self, node: SgNode) -> Stmt:
        kind = node.kind()
        if kind == "module" and node.field("body") is not None:  # Ruby's, not Python's whole file
            return self._class(node)
        if kind == "block" and node.field("parameters") is not None:
            return Evaluate(span(node), self.expr(node))
        if kind == "switch_expression" and node.field("body") is not None:  # Java's statement
            return self._switch(node)
        handler = self._handlers.get(kind)
        if handler is not None:
            return handler(node)
        return self._as_statement(self.expr(node))

    def _as_statement(self, value: Expr) -> Stmt:
        if isinstance(value, Assignment):
            return Assign(value.span, value.target, value.value, value.augments)
        if isinstance(value, Test) and len(value.parts) == 2 and value.operator in ("and", "&&"):
            then = self._as_statement(value.parts[1])
            if called_name(value.parts[0]) in _ANSWERS:  # Rails: `redirect_to x and return`
                return Sequence(value.span, (Evaluate(value.span, value.parts[0]), then))
            return Branch(value.span, value.parts[0], (then,), ())
        if isinstance(value, Choice) and value.condition is None and len(value.parts) == 2:
            other = self._as_statement(value.parts[1])
            if not _leads_away(other):
                return Evaluate(value.span, value)
            if isinstance(value.parts[0], Assignment):
                first = self._as_statement(value.parts[0])
                check = Branch(value.span, value.parts[0].target, (), (other,))
                return Sequence(value.span, (first, check))
            return Branch(value.span, value.parts[0], (), (other,))
        if isinstance(value, Block):
            return Sequence(value.span, value.body)
        return Evaluate(value.span, value)

    def _block(self, node: SgNode) -> Stmt:
        type_ = field_of(node, "type")
        annotation = annotated(node) if node.kind() == "field_declaration" else None
        made = []
        for child in node.named_children():
            if child.kind() in kinds.IGNORED or (type_ is not None and span(child) == span(type_)):
                continue
            statement = self._statement(child)
            if type_ is not None and isinstance(statement, Assign):
                statement = statement._replace(type=type_.text() + pointed(child))
            if annotation is not None and isinstance(statement, Assign):
                statement = statement._replace(value=annotation)
            made.append(statement)
        return Sequence(span(node), tuple(made))

    def _property(self, node: SgNode) -> Stmt:
        if node.field("type") is None:  # PHP's and Rust's have no type there
            return self._block(node)
        return property_statement(self, node)

    def _expression(self, node: SgNode) -> Stmt:
        named = [child for child in node.named_children() if child.kind() not in kinds.IGNORED]
        if len(named) == 1:
            return self._stream(named[0]) or self._statement(named[0])
        return self._block(node)

    def _stream(self, node: SgNode) -> Stmt | None:
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
            parts.append(self.expr(right))
            head, depth = left, depth + 1
        stream = self.expr(head)
        if sign == "<<":
            return Assign(span(node), stream, Join(span(node), tuple(reversed(parts))), True)
        return Sequence(
            span(node), tuple(Assign(part.span, part, stream) for part in reversed(parts))
        )

    def _class(self, node: SgNode) -> Stmt:
        name = field_of(node, "name", "type")
        outer, self._owner = self._owner, name.text() if name is not None else ""
        body = node.field("body") or child_of(node, "declaration_list", "class_body", "block")
        made = self.statements(body) if body is not None else ()
        self._owner = outer
        return Sequence(span(node), made)

    def _define(self, node: SgNode) -> Stmt:
        function = self.function(node)
        self.functions.append(function)
        return Define(span(node), function)

    def _declare(self, node: SgNode) -> Stmt:
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
            return self._block(node)
        type_ = field_of(node, "type")
        made: Stmt = Assign(
            span(node),
            self._declared(target),
            self.expr(value) if value is not None else Literal(Span(0, 0), ""),
            type=type_.text() if type_ is not None else "",
            declares=True,
        )
        if value is None and node.kind() == "let_declaration":
            return made
        alternative = node.field("alternative")  # Rust: let ... else
        if alternative is not None:
            return Sequence(span(node), (made, *self.statements(alternative)))
        return made

    def _declared(self, node: SgNode) -> Expr:
        """The variable behind C's stars and brackets."""
        depth = 0
        while node.field("declarator") is not None and depth < 6:
            inner = node.field("declarator")
            assert inner is not None  # noqa: S101 - for mypy
            node, depth = inner, depth + 1
        return self.expr(node)

    def _with_item(self, node: SgNode) -> Stmt:
        """`with value as target`."""
        named = node.named_children()
        if len(named) == 1 and node.kind() == "with_item":
            return self._statement(named[0])
        if len(named) == 2:
            return Assign(span(node), self.expr(named[1]), self.expr(named[0]))
        return self._block(node)

    def _exit(self, node: SgNode) -> Stmt:
        """PHP's `exit(text)`, which prints."""
        made = self._echo(node)
        return Sequence(span(node), (made, Leave(span(node), None)))

    def _echo(self, node: SgNode) -> Stmt:
        args = tuple(Argument(part, None) for part in self._parts(node))
        return Evaluate(span(node), Call(span(node), Name(span(node), "echo"), args))


def _leads_away(statement: Stmt) -> bool:
    if isinstance(statement, Sequence):
        return bool(statement.body) and _leads_away(statement.body[-1])
    if isinstance(statement, Evaluate):
        called = statement.value
        name = called.id if isinstance(called, Name) else called_name(called)
        return name in kinds.EXIT_CALLS
    return isinstance(statement, Return | Leave)
