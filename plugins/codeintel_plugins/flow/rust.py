"""From Rust's syntax trees to the form of :mod:`codeintel_plugins.flow.ir`: patterns, `match`,
macros, and `Err` for leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel_plugins.flow import kinds
from codeintel_plugins.flow.ir import (
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
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel_plugins.flow.lower import INLINE
from codeintel_plugins.flow.rust_macros import MARK
from codeintel_plugins.flow.rust_types import Types, bindings, routed_functions
from codeintel_plugins.flow.statements import _Lowerer
from codeintel_plugins.flow.tree import Span, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

_NOTHING = frozenset({"None", "Err", "false"})
"""A pattern of these holds if the value is none that was wanted."""
_DEMANDS = frozenset({"ensure!", "assert!", "debug_assert!"})
_MAPPING = frozenset({"map", "and_then", "filter_map", "flat_map", "for_each"})
_WRITES = frozenset({"write!", "writeln!"})
_MAX_NESTED = 40
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


class RustLowerer(_Lowerer):
    """Lowers a file of Rust whose macros are exposed."""

    def __init__(self, root: SgNode) -> None:
        super().__init__()
        self._types = Types(root)
        self._routed = routed_functions(root)
        self._handlers |= {"if_expression": self._branch, "match_expression": self._match}
        self._exprs = {
            "if_expression": self._as_block,
            "match_expression": self._as_block,
            "let_condition": self._let_condition,
            "tuple_struct_pattern": self._tuple_struct,
            "struct_pattern": self._struct,
            "field_expression": self._field_access,
            "reference_expression": self._reference,
            "type_cast_expression": self._number,
            "struct_expression": self._literal_struct,
            "closure_expression": self._lambda,
        }

    # Expressions

    def expr(self, node: SgNode) -> Expr:
        handler = self._exprs.get(node.kind())
        return handler(node) if handler is not None else super().expr(node)

    def _as_block(self, node: SgNode) -> Expr:
        return Block(span(node), self.statements(node))

    def _lambda(self, node: SgNode) -> Expr:
        return Closure(span(node), self.function(node))

    def _number(self, node: SgNode) -> Expr:
        return Test(span(node), (self.expr(node.named_children()[0]),), "cast")

    def _reference(self, node: SgNode) -> Expr:
        value = node.field("value")
        return Join(span(node), (self.expr(value),) if value is not None else ())

    def _literal_struct(self, node: SgNode) -> Expr:
        body = node.field("body")
        if body is None:
            return Literal(span(node), node.text())
        return self._keyed(body)._replace(span=span(node))

    def _field_access(self, node: SgNode) -> Expr:
        made = self._member(node, "field_expression")
        parent = node.parent()
        called = parent is not None and parent.kind() == "call_expression"
        if isinstance(made, Member) and not called and made.name in self._types.plain_fields:
            return Test(span(node), (made,), "cast")
        return made

    def _let_condition(self, node: SgNode) -> Expr:
        pattern, value = node.field("pattern"), node.field("value")
        if pattern is None or value is None:
            return Join(span(node), self._parts(node))
        made = Assignment(span(node), self.expr(pattern), self.expr(value), False)
        if pattern.text().partition("(")[0] in _NOTHING:
            return Test(span(node), (made,), "!")
        return made

    def _tuple_struct(self, node: SgNode) -> Expr:
        _, *inner = node.named_children()
        return Join(span(node), tuple(self.expr(child) for child in inner))

    def _struct(self, node: SgNode) -> Expr:
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            if child.kind() == "field_pattern":
                first, *rest = child.named_children()
                target = rest[-1] if rest else first
                if first.text() not in self._types.plain_fields:
                    entries.append((first.text(), self.expr(target)))
        return Keyed(span(node), tuple(entries))

    def _call(self, node: SgNode, kind: str) -> Expr:
        made = super()._call(node, kind)
        if not isinstance(made, Call):
            return made
        if isinstance(made.callee, Name) and made.callee.id.endswith((MARK, "!")):
            return self._macro(node, made, made.callee)
        if isinstance(made.callee, Member) and made.args:
            function = made.args[0].value
            if made.callee.name in _MAPPING and isinstance(function, Name) and function.id != "?":
                return Call(made.span, function, (Argument(made.callee.object, None),))
            return _asked_of_pieces(made, made.callee)
        return made

    def _macro(self, node: SgNode, call: Call, callee: Name) -> Expr:
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

    # Parameters

    def params(self, node: SgNode | None) -> Iterator[Param]:
        for child in node.named_children() if node is not None else ():
            if child.kind() == "self_parameter":
                yield Param(span(child), "self", "", "")
                continue
            if child.kind() in kinds.IGNORED:
                continue
            pattern = child.field("pattern") or child
            type_ = child.field("type") if child.kind() == "parameter" else None
            for name, text in bindings(pattern, type_, self._types):
                yield Param(span(name), name.text(), text, child.text())

    def _all_params(self, node: SgNode | None) -> list[Param]:
        return list(self.params(node))

    # Statements

    def function(self, node: SgNode) -> Function:
        made = super().function(node)
        decoration = made.decoration + ("\nrouted" if made.name in self._routed else "")
        return made._replace(body=_refusing(made.body), decoration=decoration)

    def _as_statement(self, value: Expr) -> Stmt:
        if isinstance(value, Call) and isinstance(value.callee, Name) and value.args:
            if value.callee.id in _DEMANDS:
                leave = Leave(value.span, None)
                return Branch(value.span, value.args[0].value, (), (leave,))
        return super()._as_statement(value)

    def _declare(self, node: SgNode) -> Stmt:
        pattern, value, other = map(node.field, ("pattern", "value", "alternative"))
        if node.kind() != "let_declaration" or pattern is None:
            return super()._declare(node)
        type_ = node.field("type")
        made = Assign(
            span(node),
            self.expr(pattern),
            self.expr(value) if value is not None else Literal(Span(0, 0), ""),
            type=self._types.told(type_.text()) if type_ is not None else "",
            declares=True,
        )
        if other is None:
            return made
        otherwise = Branch(span(other), made.value, (), self.statements(other))
        return Sequence(span(node), (made, otherwise))

    def _loop(self, node: SgNode) -> Stmt:
        """A loop over the pieces of a value that it may leave checks the value."""
        made = super()._loop(node)
        if not isinstance(made, Loop) or made.source is None or not _may_leave(made.body):
            return made
        if _last_called(made.source) not in _PIECES:
            return made
        place = made.source.span
        asked = Call(place, Member(place, made.source, "all"), ())
        check = Branch(place, asked, (), (Leave(place, None),))
        return Sequence(made.span, (made, check))

    def _match(self, node: SgNode) -> Stmt:
        value, body = node.field("value"), node.field("body")
        if value is None or body is None:
            return self._block(node)
        asked = self.expr(value)
        arms = [child for child in body.named_children() if child.kind() == "match_arm"]
        rest: tuple[Stmt, ...] = ()
        for position, arm in reversed(list(enumerate(arms))):
            nested = () if len(arms) > _MAX_NESTED else rest
            made = self._arm(arm, asked, nested, is_last=position == len(arms) - 1)
            rest = made if len(arms) <= _MAX_NESTED else (*made, *rest)
        return Sequence(span(node), (Evaluate(span(value), asked), *rest))

    def _arm(
        self, arm: SgNode, asked: Expr, rest: tuple[Stmt, ...], *, is_last: bool
    ) -> tuple[Stmt, ...]:
        """What is done if an arm's pattern holds, and otherwise the rest."""
        whole, value = arm.field("pattern"), arm.field("value")
        if whole is None or value is None:
            return rest
        guard = whole.field("condition")
        pattern = whole.named_children()[0] if whole.named_children() else None
        then = self.statements(value)
        bound: tuple[Stmt, ...] = ()
        labels = _constants(pattern) if pattern is not None else []
        if pattern is not None and labels is None:
            bound = (Assign(span(pattern), self.expr(pattern), asked, declares=True),)
        if guard is not None:
            return (*bound, Branch(span(arm), self.expr(guard), then, rest))
        if labels:
            place = span(whole)
            among = Join(place, tuple(Literal(span(each), each.text()) for each in labels))
            return (Branch(span(arm), Test(place, (asked, among), "in"), then, rest),)
        if is_last or pattern is None or pattern.kind() == "identifier":
            return (*bound, *then)
        return (Branch(span(arm), Literal(Span(0, 0), ""), (*bound, *then), rest),)


def _constants(pattern: SgNode) -> list[SgNode] | None:
    """The constants that a pattern is, or None if it is more."""
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


def _is_text(value: Expr) -> bool:
    return isinstance(value, Literal)


def _inlined(text: Expr) -> Iterator[Expr]:
    """The variables that a format names within its text."""
    for match in INLINE.finditer(text.text if isinstance(text, Literal) else ""):
        yield Name(text.span, match[1])


def _asked_of_pieces(call: Call, callee: Member) -> Expr:
    """A value with any bad piece is one of which not all pieces are good; and one that contains any
    of some characters contains the first."""
    given = call.args[0].value
    of_pieces = _last_called(callee.object) in _PIECES
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


def _may_leave(body: tuple[Stmt, ...]) -> bool:
    return any(
        (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        or (isinstance(each, Sequence) and _may_leave(each.body))
        for each in body
    )


def _may_return(body: tuple[Stmt, ...]) -> bool:
    return any(
        isinstance(each, Return)
        or (isinstance(each, Sequence) and _may_return(each.body))
        or (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        for each in body
    )


def _last_called(expr: Expr) -> str:
    callee = expr.callee if isinstance(expr, Call) else None
    return callee.name if isinstance(callee, Member) else ""


def _refusing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """A function's body with `Err(...)` and `None` for leaving: what returns them refuses. A last
    branch one of whose ways refuses goes on with the other."""
    made: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Return) and _refuses(statement.value):
            made.append(Leave(statement.span, statement.value))
        elif isinstance(statement, Sequence | Loop):
            made.append(statement._replace(body=_refusing(statement.body)))
        elif isinstance(statement, Branch):
            made += _one_way(
                statement._replace(
                    then=_refusing(statement.then), otherwise=_refusing(statement.otherwise)
                )
            )
        else:
            made.append(statement)
    return tuple(made)


def _one_way(branch: Branch) -> tuple[Stmt, ...]:
    if _left(branch.then) and branch.otherwise:
        return (branch._replace(otherwise=()), *branch.otherwise)
    if _left(branch.otherwise) and branch.then:
        return (branch._replace(then=()), *branch.then)
    return (branch,)


def _left(body: tuple[Stmt, ...]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, Sequence):
        return _left(last.body)
    return isinstance(last, Leave) and last.value is not None


def _refuses(value: Expr | None) -> bool:
    if isinstance(value, Name):
        return value.id == "None"
    return isinstance(value, Call) and isinstance(value.callee, Name) and value.callee.id == "Err"
