"""The state of lowering a file, and the lowering of functions.

Tables of functions (:class:`Dialect`) hold what depends on the kinds of nodes. The lowerer receives
them, so the parts that lower do not import each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
    Assign,
    Branch,
    Call,
    Evaluate,
    Expr,
    Function,
    Literal,
    Member,
    Name,
    Param,
    Return,
    Sequence,
    Stmt,
)
from codeintel.engine.dataflow.kinds import child_of, field_of
from codeintel.engine.dataflow.lowering.rust_forms import Types, routed_functions
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


LowersExpression = Callable[[Any, "SgNode"], Expr]
LowersStatement = Callable[[Any, "SgNode"], Stmt]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The functions that lower a language's nodes, by kind. All take the lowerer first."""

    expressions: Mapping[str, LowersExpression]
    other: LowersExpression
    """For kinds that are in no table."""
    statements: Mapping[str, LowersStatement]
    with_field: Mapping[str, tuple[str, LowersStatement]]
    """For nodes of a kind that have a field."""
    function: Callable[[Any, SgNode], Function]
    """For a definition or closure."""
    params: Callable[[Any, SgNode | None], list[Param]]
    as_statement: Callable[[Any, Expr], Stmt]
    """For an expression at the position of a statement."""


class Lowerer:
    """Lowers a file of any language except shell."""

    def __init__(self, dialect: Dialect) -> None:
        self.functions: list[Function] = []
        self.owner = ""
        """The class that is being lowered."""
        self.slash_joins = False
        """Whether `/` joins paths, besides dividing numbers."""
        self.heredocs: Mapping[Span, SgNode] = {}
        """Ruby's heredoc texts, which follow the line where they start, by where they start."""
        self._dialect = dialect

    def expr(self, node: SgNode) -> Expr:
        """Lower a node of any kind to an expression."""
        handler = self._dialect.expressions.get(node.kind(), self._dialect.other)
        return handler(self, node)

    def is_statement(self, kind: str) -> bool:
        """Return whether nodes of the kind are statements."""
        return kind in self._dialect.statements

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        """Return the statements of a node that is one, or holds some."""
        made = self.statement(node)
        return made.body if isinstance(made, Sequence) else (made,)

    def statement(self, node: SgNode) -> Stmt:
        """Lower a node of any kind to a statement."""
        kind, dialect = node.kind(), self._dialect
        field, special = dialect.with_field.get(kind, ("", None))
        if special is not None and node.field(field) is not None:
            return special(self, node)
        handler = dialect.statements.get(kind)
        if handler is not None:
            return handler(self, node)
        return self.as_statement(self.expr(node))

    def as_statement(self, value: Expr) -> Stmt:
        """Lower an expression at the position of a statement."""
        return self._dialect.as_statement(self, value)

    def function(self, node: SgNode) -> Function:
        """Lower a definition or closure to a function."""
        return self._dialect.function(self, node)

    def all_params(self, node: SgNode | None) -> list[Param]:
        """Return the parameters in a list, or the one parameter without a list."""
        return self._dialect.params(self, node)


class RustLowerer(Lowerer):
    """Lowers a file of Rust whose macros are exposed."""

    def __init__(self, root: SgNode, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.types = Types(root)
        self.routed = routed_functions(root)


_MAX_DECORATION = 600
_MAX_CALL = 120
_NAMING = frozenset({"assignment_expression", "variable_declarator", "pair"})
_WORD = re.compile(r"[\w$]+[?!]?")


def plain_function(lowerer: Lowerer, node: SgNode) -> Function:
    """Lower a definition or closure to a function."""
    head, declarator = node, node.field("declarator")
    depth = 0
    while declarator is not None and head.field("parameters") is None and depth < 5:  # C, C++
        head, declarator, depth = declarator, declarator.field("declarator"), depth + 1
    name = field_of(head, "name") or (head.field("declarator") if head is not node else None)
    body = field_of(node, "body", "value") or child_of(node, "arrow_expression_clause", "block")
    params = field_of(head, "parameters", "parameter") or child_of(
        node, "parameter_list", "formal_parameters"
    )
    statements: tuple[Stmt, ...] = ()
    if body is not None:
        statements = lowerer.statements(body)
        if len(statements) == 1 and isinstance(statements[0], Evaluate):
            statements = (Return(statements[0].span, statements[0].value),)
        statements = (*_taken_apart(lowerer, params), *_with_value(statements, node.kind()))
    text = name.text() if name is not None else ""
    words = _WORD.findall(text)
    return Function(
        span(node),
        words[-1] if words else "",
        tuple(lowerer.all_params(params)),
        statements,
        _decoration(node, body) + _of_controller(lowerer, node),
        lowerer.owner,
    )


def _of_controller(lowerer: Lowerer, node: SgNode) -> str:
    is_action = node.kind() == "method_declaration" and lowerer.owner.endswith("Controller")
    return f"\nin {lowerer.owner}" if is_action else ""


def _taken_apart(lowerer: Lowerer, params: SgNode | None) -> Iterator[Stmt]:
    """Yield the assignments that a function's parameter patterns amount to."""
    for child in params.named_children() if params is not None else ():
        if (pattern := parameter_pattern(child)) is not None:
            whole = Name(span(pattern), pattern.text())
            yield Assign(span(pattern), lowerer.expr(pattern), whole)
        elif child.kind() == "property_promotion_parameter":  # PHP; objects are services
            name, type_ = child_of(child, "variable_name"), child_of(child, "named_type")
            if name is not None and type_ is None:
                given = Name(span(name), name.text())
                own = Member(span(name), Name(Span(0, 0), "$this"), name.text().lstrip("$"))
                yield Assign(span(name), own, given)


def plain_params(_lowerer: Lowerer, node: SgNode | None) -> list[Param]:
    """Return the parameters in a list, or the one parameter without a list."""
    if node is not None and node.kind() in ("closure_parameters", "block_parameters"):
        return [
            Param(span(child), child.text(), "", "")
            for child in node.named_children()
            if child.kind() in kinds.IDENTIFIERS
        ] or list(listed_params(node))
    return list(listed_params(node))


def _decoration(node: SgNode, body: SgNode | None) -> str:
    parent = node.parent()
    start = span(node).start
    text = node.text()
    if body is not None:
        text = text[: span(body).start - start]
    if parent is not None and parent.kind() in ("decorated_definition", "export_statement"):
        text = parent.text()[: start - span(parent).start] + text
    elif parent is not None and parent.kind() in ("arguments", "argument_list", "argument"):
        outer = parent.parent() if parent.kind() == "argument" else parent
        call = (outer.parent() if outer is not None else None) or parent
        text = call.text()[: start - span(call).start][-_MAX_CALL:] + text
    elif parent is not None and parent.kind() in _NAMING:
        text = parent.text()[: start - span(parent).start][-_MAX_CALL:] + text
    else:
        previous = node.prev()
        while previous is not None and previous.kind() in ("decorator", "attribute_item"):
            text = f"{previous.text()}\n{text}"
            previous = previous.prev()
    return text[:_MAX_DECORATION]


def listed_params(node: SgNode | None) -> Iterator[Param]:
    """Yield the parameters in a list, or the one parameter without a list."""
    if node is None:
        return
    if node.kind() in kinds.IDENTIFIERS:
        yield Param(span(node), node.text(), "", "")
        return
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        if (pattern := parameter_pattern(child)) is not None:
            yield Param(span(pattern), pattern.text(), "", child.text()[:_MAX_DECORATION])
            continue
        name = _parameter_name(child)
        if name is None:
            continue
        type_ = field_of(child, "type")
        text = (type_.text() if type_ is not None else "") + pointed(child)
        for each in _field_children(child, "name") or [name]:  # Go: `a, b string`
            decoration = child.text()[:_MAX_DECORATION]
            yield Param(span(each), each.text(), text.lstrip(": "), decoration)


def pointed(node: SgNode) -> str:
    """Return what a C declarator adds to a type: ` *` for a pointer or array, otherwise nothing."""
    declarator = node.field("declarator")
    kind = declarator.kind() if declarator is not None else ""
    return " *" if kind.endswith(("pointer_declarator", "array_declarator")) else ""


def parameter_pattern(node: SgNode) -> SgNode | None:
    """Return the pattern that destructures a JavaScript parameter, or None."""
    found = field_of(node, "pattern", "left") or node
    return found if found.kind() in ("object_pattern", "array_pattern") else None


def _parameter_name(node: SgNode) -> SgNode | None:
    if node.kind() in kinds.IDENTIFIERS:
        return node
    found = field_of(node, "name", "pattern", "left", "declarator")
    if node.kind() == "spread_parameter":  # Java: `String... names`
        found = node.named_children()[-1]
    depth = 0
    while found is not None and found.kind() not in kinds.IDENTIFIERS and depth < 6:
        inner = field_of(found, "declarator", "name", "pattern")
        if inner is None:
            named = [c for c in found.named_children() if c.kind() in kinds.IDENTIFIERS]
            inner = named[-1] if named else None
        found, depth = inner, depth + 1
    if found is None:
        named = [child for child in node.named_children() if child.kind() in kinds.IDENTIFIERS]
        found = named[0] if named else None
    return found


def _field_children(node: SgNode, name: str) -> list[SgNode]:
    found = [child for child in node.field_children(name) if child.kind() in kinds.IDENTIFIERS]
    return found if len(found) > 1 else []


def _with_value(body: tuple[Stmt, ...], kind: str) -> tuple[Stmt, ...]:
    """Return the last expression of a body as its value, in languages where it is."""
    implicit = kind in ("method", "singleton_method", "function_item", "closure_expression",
                        "do_block", "block", "lambda")  # fmt: skip
    return _returning(body) if implicit else body


def _returning(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    if not body:
        return body
    *before, last = body
    if isinstance(last, Evaluate):
        if called_name(last.value) not in kinds.EXIT_CALLS:
            last = Return(last.span, last.value)
    elif isinstance(last, Sequence):
        last = last._replace(body=_returning(last.body))
    elif isinstance(last, Branch):
        if _handles(last) == FINALLY:
            return (*_returning(tuple(before)), last)
        if _handles(last) == HANDLER:  # `rescue`: the expression before it is the value, too
            before = list(_returning(tuple(before)))
        last = last._replace(then=_returning(last.then), otherwise=_returning(last.otherwise))
    return (*before, last)


def _handles(branch: Branch) -> str:
    return branch.condition.text if isinstance(branch.condition, Literal) else ""


def called_name(expr: Expr) -> str:
    """Return the name of a function that is called without an object, or an empty text."""
    if isinstance(expr, Call):
        return expr.callee.id if isinstance(expr.callee, Name) else ""
    return ""
