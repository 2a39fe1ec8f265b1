"""What lowering keeps while it goes through a file: its functions, and the class it is in.

What depends on the kinds of nodes stands in tables of functions (:class:`Dialect`), which the
lowerer is given: so the parts that lower need not know each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codeintel.engine.dataflow.ir import Expr, Function, Param, Sequence, Stmt
from codeintel.engine.dataflow.lowering.rust_forms import Types, routed_functions
from codeintel.engine.dataflow.tree import Span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

LowersExpression = Callable[[Any, "SgNode"], Expr]
LowersStatement = Callable[[Any, "SgNode"], Stmt]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What lowers a language's nodes, by their kinds; all take the lowerer first."""

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
    """For an expression in the place of a statement."""


class Lowerer:
    """Lowers a file of any language but shell."""

    def __init__(self, dialect: Dialect) -> None:
        self.functions: list[Function] = []
        self.owner = ""
        """The class that is gone through."""
        self.slash_joins = False
        """Whether `/` puts paths together, besides dividing numbers."""
        self.heredocs: Mapping[Span, SgNode] = {}
        """Ruby's texts that stand below the line where they begin, by where they begin."""
        self._dialect = dialect

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        handler = self._dialect.expressions.get(node.kind(), self._dialect.other)
        return handler(self, node)

    def is_statement(self, kind: str) -> bool:
        """Whether nodes of the kind are statements."""
        return kind in self._dialect.statements

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        """The statements of a node that is one, or holds some."""
        made = self.statement(node)
        return made.body if isinstance(made, Sequence) else (made,)

    def statement(self, node: SgNode) -> Stmt:
        """The statement of a node of any kind."""
        kind, dialect = node.kind(), self._dialect
        field, special = dialect.with_field.get(kind, ("", None))
        if special is not None and node.field(field) is not None:
            return special(self, node)
        handler = dialect.statements.get(kind)
        if handler is not None:
            return handler(self, node)
        return self.as_statement(self.expr(node))

    def as_statement(self, value: Expr) -> Stmt:
        """An expression in the place of a statement."""
        return self._dialect.as_statement(self, value)

    def function(self, node: SgNode) -> Function:
        """The function of a definition or closure."""
        return self._dialect.function(self, node)

    def all_params(self, node: SgNode | None) -> list[Param]:
        """The parameters in a list of them, or the one that stands without a list."""
        return self._dialect.params(self, node)


class RustLowerer(Lowerer):
    """Lowers a file of Rust whose macros are exposed."""

    def __init__(self, root: SgNode, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.types = Types(root)
        self.routed = routed_functions(root)
