"""What lowering keeps while it goes through a shell script, and what its functions are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import Evaluate, Expr, Function, Sequence, Stmt
from codeintel.engine.dataflow.tree import span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def defined_name(definition: SgNode) -> str:
    """The name that a definition gives a function."""
    return function_name(definition.named_children()[0].text())


def printing_functions(root: SgNode, defined: list[SgNode]) -> frozenset[str]:
    """The functions whose output is used, and those that write a part of it."""
    bodies = {defined_name(node): node for node in defined}
    found: set[str] = set()
    left = list(root.find_all(kind="command_substitution"))
    while left:
        names = {function_name(each.text()) for each in left.pop().find_all(kind="command_name")}
        made = (names & bodies.keys()) - found
        found |= made
        left += [bodies[name] for name in sorted(made)]
    return frozenset(found)


def is_set(name: SgNode) -> bool:
    """Whether a variable is given a value where its name stands."""
    parent = name.parent()
    if parent is None:
        return False
    kind = parent.kind()
    if kind == "variable_assignment":
        return span(parent.named_children()[0]) == span(name)
    return kind in ("for_statement", "declaration_command")


def shared_variables(root: SgNode) -> frozenset[str]:
    """The variables that functions set and do not keep to themselves."""
    found: set[str] = set()
    for function in root.find_all(kind="function_definition"):
        local: set[str] = set()
        for name in function.find_all(kind="variable_name"):
            parent = name.parent()
            outer = parent.parent() if parent is not None else None
            if not is_set(name) or parent is None or outer is None:
                continue
            kinds = (parent.kind(), outer.kind())
            (local if "declaration_command" in kinds else found).add(name.text())
        found -= local
    return frozenset(found)


def leaves(definition: SgNode) -> bool:
    """Whether a function ends the script in any case."""
    body = definition.named_children()[-1].named_children()
    last = body[-1] if body else None
    return last is not None and last.kind() == "command" and last.text().startswith("exit")


def function_name(text: str) -> str:
    """A command's name as a name without dots and dashes, by which functions are found."""
    return re.sub(r"[^\w]", "_", text.rpartition("/")[2].lstrip("\\"))


def printing_name(name: str) -> str:
    """The name of the function that gives what a function writes, not whether it succeeds."""
    return f"{name} prints"


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
