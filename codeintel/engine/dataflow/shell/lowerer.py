"""What lowering keeps while it goes through a shell script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import Evaluate, Expr, Function, Sequence, Stmt
from codeintel.engine.dataflow.shell.functions import (
    defined_name,
    is_set,
    leaves,
    printing_functions,
)
from codeintel.engine.dataflow.tree import span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

LowersStatement = Callable[["ScriptLowerer", "SgNode"], Stmt]
LowersWord = Callable[["ScriptLowerer", "SgNode"], Expr]


class ScriptLowerer:
    """Lowers a script.

    :param statements: what lowers statements that are more than those in them, by their kinds.
    :param word: what lowers words.
    """

    def __init__(
        self, root: SgNode, statements: Mapping[str, LowersStatement], word: LowersWord
    ) -> None:
        self._statements = statements
        self._word = word
        self.functions: list[Function] = []
        self.assigned = frozenset(
            node.text() for node in root.find_all(kind="variable_name") if is_set(node)
        )
        """The variables that the script sets somewhere."""
        defined = list(root.find_all(kind="function_definition"))
        self.leaving = frozenset(defined_name(node) for node in defined if leaves(node))
        """The functions that end the script."""
        self.defined = frozenset(map(defined_name, defined))
        """The script's functions."""
        self.printing = printing_functions(root, defined)
        """The functions of the script whose output is used."""
        self.collects = False
        """Whether what is written is the value of the function that is gone through."""

    def sequence(self, nodes: list[SgNode]) -> tuple[Stmt, ...]:
        """Statements one after the other."""
        return tuple(self.statement(node) for node in nodes if node.kind() != "comment")

    def has_statement(self, kind: str) -> bool:
        """Whether nodes of the kind are more than the statements in them."""
        return kind in self._statements

    def expr(self, node: SgNode) -> Expr:
        """The value of a word."""
        return self._word(self, node)

    def statement(self, node: SgNode) -> Stmt:
        """What a node does."""
        handler = self._statements.get(node.kind())
        if handler is not None:
            return handler(self, node)
        if node.kind() in ("word", "string", "number", "expansion", "simple_expansion"):
            return Evaluate(span(node), self.expr(node))
        return Sequence(span(node), self.sequence(node.named_children()))
