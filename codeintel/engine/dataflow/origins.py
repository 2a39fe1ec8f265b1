"""Trace where the values in a piece of code come from, for rules that ask."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.dataflow.interpreting.calling import call_value
from codeintel.engine.dataflow.interpreting.interpreter import (
    Evaluates,
    Executes,
    Handlers,
    Interpreter,
)
from codeintel.engine.dataflow.interpreting.statements import (
    assignment_value,
    block_value,
    choice_value,
    closure_value,
    do_assign,
    do_branch,
    do_define,
    do_evaluate,
    do_leave,
    do_loop,
    do_sequence,
    joined_value,
    keyed_value,
    literal_value,
    run,
    test_value,
)
from codeintel.engine.dataflow.interpreting.variables import index_value, member_value, name_value
from codeintel.engine.dataflow.ir import (
    Assign,
    Assignment,
    Block,
    Branch,
    Call,
    Choice,
    Closure,
    Define,
    Evaluate,
    Index,
    Join,
    Keyed,
    Leave,
    Literal,
    Loop,
    Member,
    Name,
    Return,
    Sequence,
    Test,
)
from codeintel.engine.dataflow.lowering.programs import lower
from codeintel.engine.dataflow.table import classes_by_cwe, load_table
from codeintel.engine.dataflow.tree import Span, Tree, text_of
from codeintel.engine.dataflow.values import RANKS, Kind, Label

_EXPRESSIONS: dict[type, Evaluates] = {
    Literal: literal_value,
    Name: name_value,
    Member: member_value,
    Call: call_value,
    Join: joined_value,
    Index: index_value,
    Choice: choice_value,
    Keyed: keyed_value,
    Test: test_value,
    Closure: closure_value,
    Assignment: assignment_value,
    Block: block_value,
}
_STATEMENTS: dict[type, Executes] = {
    Assign: do_assign,
    Evaluate: do_evaluate,
    Branch: do_branch,
    Sequence: do_sequence,
    Return: do_leave,
    Leave: do_leave,
    Loop: do_loop,
    Define: do_define,
}
HANDLERS = Handlers(_EXPRESSIONS, _STATEMENTS)


MAX_HOPS = 5
MAX_TEXT = 2_000
"""Maximum number of characters of an expression that rules see."""


class Origins:
    """Answers questions about the expressions of one piece of code, by their place."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._seen = interpreter.seen
        self._assigned = interpreter.assigned
        self._text = interpreter.text
        self.exhausted = interpreter.exhausted

    def is_dynamic(self, place: Span, cwe: str | None) -> bool:
        """Return whether an expression holds unsanitized input from a caller, a user or a client.

        Unknown expressions count as such input, unless the analysis stopped early.
        """
        value = self._seen.get(place)
        if value is None:
            return not self.exhausted
        sink_class = _class_of(cwe)
        return any(label.harms(sink_class) for label in value.values())

    def is_external(self, place: Span, cwe: str | None) -> bool:
        """Return whether an expression holds unsanitized input from a request."""
        value = self._seen.get(place) or {}
        sink_class = _class_of(cwe)
        return any(
            label.kind is Kind.REMOTE and label.harms(sink_class) for label in value.values()
        )

    def worst(self, place: Span, cwe: str | None) -> Label | None:
        """Return the origin of the expression's value that does most harm, if one is known."""
        value = self._seen.get(place) or {}
        sink_class = _class_of(cwe)
        harmful = (label for label in value.values() if label.harms(sink_class))
        return min(harmful, key=lambda label: (RANKS[label.kind], len(label.steps)), default=None)

    def texts(self, place: Span) -> Iterator[str]:
        """Yield the text of an expression, then of the value last assigned to that variable,
        and so on.
        """
        hops = 0
        known: Span | None = place
        while known is not None and hops < MAX_HOPS:
            yield self._text[known.start : min(known.end, known.start + MAX_TEXT)]
            known, hops = self._assigned.get(known), hops + 1


def _class_of(cwe: str | None) -> str:
    return classes_by_cwe().get(cwe or "", "")


def trace_origins(tree: Tree, language: str) -> Origins:
    """Trace the values in the code of a tree."""
    return Origins(interpret(tree, language))


def interpret(tree: Tree, language: str) -> Interpreter:
    """Return an interpreter that has executed the code of a tree."""
    interpreter = Interpreter(lower(tree, language), load_table(language), text_of(tree), HANDLERS)
    run(interpreter)
    return interpreter
