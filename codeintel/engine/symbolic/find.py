"""Find facts in a file by executing each function as if anyone called it."""

from __future__ import annotations

import time
from itertools import islice
from typing import NamedTuple

from codeintel.engine.dataflow.tree import Tree
from codeintel.engine.symbolic.calls.dispatch import assume_call, call_function
from codeintel.engine.symbolic.calls.functions import capture
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
    assign,
    cast,
    conditional,
    literal,
    number_value,
    operation,
    several,
    size_of,
    step,
    unary,
    value_at,
    variable_value,
)
from codeintel.engine.symbolic.facts import Early, EarlyEnds, Fact, Found
from codeintel.engine.symbolic.machine import (
    MAX_SECONDS,
    Assumes,
    Evaluates,
    Exhausted,
    FindsPlace,
    Frame,
    Handlers,
    Machine,
)
from codeintel.engine.symbolic.memory.cells import field_at, pointee_at, variable_at
from codeintel.engine.symbolic.memory.containers import element_at
from codeintel.engine.symbolic.memory.resources import (
    delete_object,
    finish,
    new_object,
    note_lost,
    report_leaks,
    report_locks,
)
from codeintel.engine.symbolic.non_termination import calls_itself, unending_loops
from codeintel.engine.symbolic.paths import Exit, explore
from codeintel.engine.symbolic.program import Function, Parameter
from codeintel.engine.symbolic.reading.file import read_file
from codeintel.engine.symbolic.syntax import (
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
from codeintel.engine.symbolic.values.polynomials import ZERO
from codeintel.engine.symbolic.values.state import Null, Origin, Pointer, Region, State

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
"""The handlers for C and C++."""


class Executed(NamedTuple):
    """The facts that were found, in order of place, and a sentence for each reason why some code
    was not executed to its end.
    """

    found: list[Found]
    early: tuple[str, ...]


MAX_WORK = 300_000
MAX_FUNCTION_WORK = 80_000


def execute(tree: Tree, language: str) -> Executed:
    """Return what may happen on the paths through the functions of a C or C++ file.

    Execution always ends after :data:`MAX_SECONDS`, with the facts found by then. Code
    that is nested too deeply yields no facts. No code makes this function raise.

    :param language: `c` or `cpp`.
    """
    deadline = time.thread_time() + MAX_SECONDS
    early = EarlyEnds()
    source = read_file(tree, language, early)
    if source is None:
        return Executed([], early.sentences())
    machine = Machine(source, deadline, HANDLERS)
    machine.early = early
    for done, function in enumerate(source.functions.values()):
        if machine.done >= MAX_WORK or time.thread_time() > deadline:
            for other in islice(source.functions.values(), done, None):
                early.add(Early.NOT_BEGUN, other.name)
            break
        for place in unending_loops(function, machine.types):
            machine.report(Fact.LOOP_UNENDING, place)
        itself = calls_itself(function, machine.types)
        if itself is not None:
            machine.report(Fact.RECURSION_UNENDING, itself)
        try:
            run(machine, function)
        except RecursionError:  # the function is nested too deeply to be executed to its end
            early.add(Early.DEPTH, function.name)
    found = sorted(machine.found.values(), key=lambda each: (each.place, each.fact))
    return Executed(found, early.sentences())


def run(machine: Machine, function: Function) -> None:
    """Execute a function as if anyone called it."""
    machine.leaks, machine.kept, machine.unlocked = {}, {}, set()
    machine.released_places = set()
    machine.limit = min(MAX_WORK, machine.done + MAX_FUNCTION_WORK)
    state = State()
    frame = Frame(function, f"{function.name}/")
    called = function.static and machine.source.calls.get(function.name, 0) > 0
    for parameter in function.parameters:
        frame.types[parameter.name] = parameter.type
    machine.frames = [frame]
    for parameter in function.parameters:
        _given(machine, state, frame, parameter, outside=not called)
    main = function.name == "main" and not function.owner
    try:
        for found in explore(machine, state, frame):
            if not main:
                finish(machine, found.state, frame, found.value, found.span)
            else:
                _check_main(machine, found)
    except Exhausted as exhausted:
        machine.early.add(exhausted.why, function.name)
    machine.frames = []
    report_leaks(machine)
    report_locks(machine)


def _check_main(machine: Machine, found: Exit) -> None:
    """Report memory that `main` lost to realloc. The program's end releases everything else."""
    for region in found.state.regions.values():
        if region.reallocated is not None and region.owned:
            note_lost(machine, region, found.span)


def _given(
    machine: Machine, state: State, frame: Frame, parameter: Parameter, *, outside: bool
) -> None:
    """Give a parameter an unknown value, as any caller may pass one."""
    name = f"{frame.prefix}{parameter.name}"
    type_ = machine.types.resolve(parameter.type)
    state.regions[name] = Region("stack", machine.types.size(type_), place=parameter.span)
    origin = Origin.PARAMETER if outside else Origin.NONE
    if machine.types.is_container(type_._replace(reference=False)):
        size = machine.fresh(
            state, f"size({name})", Origin.LENGTH if outside else Origin.NONE, low=0
        )  # fmt: skip
        state.regions[name] = Region("container", size, outside=outside, place=parameter.span)
    elif type_.is_pointer:
        inner = f"*{parameter.name}@{parameter.span.start}"
        kind = "outside" if outside else "unknown"
        state.regions[inner] = Region(kind, null=Null.UNKNOWN, outside=outside)
        state.cells[name, ""] = Pointer(inner, ZERO)
    elif machine.types.is_object(type_):
        state.regions[name] = Region("outside" if outside else "object", outside=outside)
    else:
        low = 1 if parameter.name == "argc" and frame.function.name == "main" else None
        made = machine.fresh(state, f"{parameter.name}@{name}", origin, low=low, type_=type_)
        state.cells[name, ""] = made
