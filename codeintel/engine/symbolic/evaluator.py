"""Which function evaluates which type of expression."""

from __future__ import annotations

from codeintel.engine.symbolic.calls.dispatch import assume_call, call_function
from codeintel.engine.symbolic.calls.unknown import capture
from codeintel.engine.symbolic.expressions.changes import assign, step
from codeintel.engine.symbolic.expressions.conditions import (
    assume_binary,
    assume_cast,
    assume_conditional,
    assume_several,
    assume_unary,
    assume_value,
)
from codeintel.engine.symbolic.expressions.values import (
    address,
    cast,
    conditional,
    literal,
    number_value,
    operation,
    several,
    size_of,
    unary,
    value_at,
    variable_value,
)
from codeintel.engine.symbolic.machine import Assumes, Evaluates, FindsPlace, Handlers
from codeintel.engine.symbolic.memory.containers import element_at
from codeintel.engine.symbolic.memory.places import field_at, pointee_at, variable_at
from codeintel.engine.symbolic.memory.resources import delete_object, new_object
from codeintel.engine.symbolic.program.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Delete,
    Deref,
    Field,
    Lambda,
    New,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Text,
    Unary,
    Var,
)

_VALUES: dict[type, Evaluates] = {
    Number: number_value,
    Text: literal,
    Var: variable_value,
    Field: value_at,
    Subscript: value_at,
    Deref: value_at,
    Assign: assign,
    Step: step,
    Call: call_function,
    AddressOf: address,
    Cast: cast,
    SizeOf: size_of,
    Unary: unary,
    Binary: operation,
    Conditional: conditional,
    Several: several,
    New: new_object,
    Delete: delete_object,
    Lambda: capture,
}
_CONDITIONS: dict[type, Assumes] = {
    **dict.fromkeys(_VALUES, assume_value),
    Unary: assume_unary,
    Binary: assume_binary,
    Cast: assume_cast,
    Several: assume_several,
    Conditional: assume_conditional,
    Call: assume_call,
}
_PLACES: dict[type, FindsPlace] = {
    Var: variable_at,
    Field: field_at,
    Subscript: element_at,
    Deref: pointee_at,
}
HANDLERS = Handlers(_VALUES, _CONDITIONS, _PLACES)
"""Those of C and C++."""
