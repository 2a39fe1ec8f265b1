"""Which function interprets which type of expression or statement."""

from __future__ import annotations

from codeintel.engine.dataflow.interpreting.calling import call_value
from codeintel.engine.dataflow.interpreting.evaluating import (
    assignment_value,
    choice_value,
    closure_value,
    joined_value,
    keyed_value,
    literal_value,
    test_value,
)
from codeintel.engine.dataflow.interpreting.interpreter import Evaluates, Executes, Handlers
from codeintel.engine.dataflow.interpreting.reading import index_value, member_value, name_value
from codeintel.engine.dataflow.interpreting.statements import (
    block_value,
    do_assign,
    do_branch,
    do_define,
    do_evaluate,
    do_leave,
    do_loop,
    do_sequence,
)
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
