"""Find the function that is called, and execute the library's methods and special functions."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.calls.functions import (
    call_own,
    call_own_method,
    forget_content,
    unknown_call,
)
from codeintel.engine.symbolic.calls.table import check_count, fill, known_call
from codeintel.engine.symbolic.calls.texts import (
    PRINTING,
    formatted,
    gets,
    printed,
    scanf,
    snprintf,
    sprintf,
    strcat,
    strcpy,
    strlcpy,
    strncat,
    strncpy,
)
from codeintel.engine.symbolic.expressions.conditions import (
    CLASSES,
    LIKELY,
    assume_at_most_zero,
    assume_class,
    assume_equal,
    assume_value,
)
from codeintel.engine.symbolic.expressions.values import extract
from codeintel.engine.symbolic.library import library
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import How, check_access, escape, pointer_to, use
from codeintel.engine.symbolic.memory.containers import call_container, container_of
from codeintel.engine.symbolic.memory.objects import check_receiver, move_away, pass_moved, settle
from codeintel.engine.symbolic.memory.resources import (
    allocate,
    call_lock,
    check_size,
    check_stack,
    lock_given_back,
    lock_taken,
    release,
)
from codeintel.engine.symbolic.program import Function
from codeintel.engine.symbolic.static_types import type_of
from codeintel.engine.symbolic.syntax import Call, CType, Expr, Field, Var, stripped
from codeintel.engine.symbolic.values.polynomials import (
    ONE,
    ZERO,
    Poly,
    add,
    multiply,
    scale,
    shift,
)
from codeintel.engine.symbolic.values.state import Null, Origin, Pointer, Region, State, Value, at

_LOCK = frozenset({"pthread_mutex_lock", "mtx_lock", "pthread_spin_lock", "omp_set_lock",
                   "pthread_rwlock_wrlock", "pthread_mutex_trylock",
                   "EnterCriticalSection"})  # fmt: skip
_UNLOCK = frozenset({"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock",
                     "pthread_rwlock_unlock", "omp_unset_lock",
                     "LeaveCriticalSection"})  # fmt: skip


def assertion(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `assert(condition)`: continue only where the condition is true."""
    machine.assume(state, expr.args[0], True)
    return ZERO


def alloca(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `alloca`: allocate memory on the stack."""
    size = machine.number(state, expr.args[0])
    check_stack(machine, state, size, expr)
    name = machine.tag(state, f"{machine.frame.prefix}alloca:", expr.span)
    state.regions[name] = Region("stack", size, written=False, place=expr.span)
    return Pointer(name, ZERO)


def realloc(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `realloc(address, size)`. If it fails, the old memory is still allocated."""
    value = machine.value(state, expr.args[0])
    size: Poly | None = ONE
    for arg in expr.args[1:]:
        size = multiply(size, machine.number(state, arg)) if size is not None else None
    if size is not None and expr.name == "realloc":
        check_size(machine, state, expr.span, size, expr.args[1:])
    pointer = pointer_to(state, value) if value != ZERO else None
    known = state.regions.get(state.root(pointer.region)) if pointer is not None else None
    if known is not None and known.released is not None:
        use(machine, state, value, expr.span)
    if machine.choose(2) == 1:
        name = machine.tag(state, "got:", expr.span)
        state.regions[name] = Region("unknown", null=Null.YES, place=expr.span)
        if known is not None and known.owned and pointer is not None:
            state.update(state.root(pointer.region), reallocated=expr.span)
        return Pointer(name, ZERO)
    if pointer is not None and known is not None:
        release(machine, state, pointer, "memory", expr.span)
    return allocate(machine, state, expr.span, "memory", size, null=False, written=True)


def getline(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `getline(&line, &size, file)`, which allocates the memory it needs."""
    for arg in expr.args:
        machine.value(state, arg)
    target = machine.value(state, expr.args[0])
    use(machine, state, machine.value(state, expr.args[-1]), expr.span)
    if isinstance(target, Pointer) and target.region in state.regions:
        place = at(target, None)
        before = state.cells.get((place.region, place.path))
        if isinstance(before, Pointer) and before.region.startswith("heap:"):
            return machine.fresh(state, machine.tag(state, "n", expr.span), low=-1)
        made = allocate(machine, state, expr.span, "memory", None, null=False, written=True)
        state.update(made.region, outside=True, terminated=True)
        state.cells[place.region, place.path] = made
    return machine.fresh(state, machine.tag(state, "n", expr.span), low=-1)


def asprintf(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `asprintf(&text, format, ...)`, which allocates the text."""
    target = machine.value(state, expr.args[0])
    formatted(machine, state, expr, 1)
    if isinstance(target, Pointer) and target.region in state.regions:
        place = at(target, None)
        made = allocate(machine, state, expr.span, "memory", None, null=False, written=True)
        state.update(made.region, terminated=True)
        state.cells[place.region, place.path] = made
    return machine.fresh(state, machine.tag(state, "n", expr.span), low=-1)


SPECIAL = {
    "strcpy": (strcpy, 2),
    "stpcpy": (strcpy, 2),
    "lstrcpy": (strcpy, 2),
    "strcat": (strcat, 2),
    "lstrcat": (strcat, 2),
    "strncpy": (strncpy, 3),
    "stpncpy": (strncpy, 3),
    "strncat": (strncat, 3),
    "strlcpy": (strlcpy, 3),
    "strlcat": (strlcpy, 3),
    "sprintf": (sprintf, 2),
    "vsprintf": (sprintf, 2),
    "snprintf": (snprintf, 3),
    "vsnprintf": (snprintf, 3),
    "gets": (gets, 1),
    "scanf": (scanf, 1),
    "fscanf": (scanf, 2),
    "sscanf": (scanf, 2),
    "assert": (assertion, 1),
    "alloca": (alloca, 1),
    "_alloca": (alloca, 1),
    "__builtin_alloca": (alloca, 1),
    "realloc": (realloc, 2),
    "getline": (getline, 3),
    "asprintf": (asprintf, 2),
    "vasprintf": (asprintf, 2),
    **dict.fromkeys(PRINTING, (printed, 1)),
    **dict.fromkeys(_LOCK, (lock_taken, 1)),
    **dict.fromkeys(_UNLOCK, (lock_given_back, 1)),
}


_READS = frozenset({"read", "readsome", "recv", "receive", "read_some", "getline", "get"})
_SMART = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "optional"})


def call_method(machine: Machine, state: State, expr: Call) -> Value:
    """Execute a call of a method, or of a value."""
    target = expr.object
    if target is None:
        return unknown_call(machine, state, expr)
    if expr.name == "":
        machine.value(state, target)
        return unknown_call(machine, state, expr._replace(object=None))
    type_ = type_of(machine, target)
    check_receiver(machine, state, target, expr)
    for arg in expr.args:
        settle(machine, state, arg)
    name = container_of(machine, state, target)
    if name is not None:
        return call_container(machine, state, expr, name, type_ or CType(""))
    if expr.name in ("lock", "unlock", "try_lock") and not expr.args:
        return call_lock(machine, state, expr, target)
    if type_ is not None and machine.types.resolve(type_).base in _SMART:
        return _smart_method(machine, state, expr)
    if expr.name in _READS and expr.args:
        return _read_method(machine, state, expr)
    value = _receiver(machine, state, target)
    own = _own_method(machine, type_, expr)
    if own is not None:
        return call_own_method(machine, state, expr, own, value)
    if isinstance(value, Pointer) and state.root(value.region) in state.regions:
        forget_content(state, state.root(value.region))
    return unknown_call(machine, state, expr)


def _read_method(machine: Machine, state: State, expr: Call) -> Value:
    """Execute `stream.read(address, count)` and the like, which read untrusted input."""
    values = [machine.value(state, arg) for arg in expr.args]
    if len(values) > 1 and isinstance(values[0], Pointer) and isinstance(values[1], Poly):
        check_count(machine, state, values[1], expr, 1)
        check_access(machine, state, values[0], values[1], expr.span, write=True, how=How.COPY)
    if isinstance(values[0], Pointer) and values[0].region in state.regions:
        fill(machine, state, values[0], expr.span)
        state.cells.pop((values[0].region, ""), None)
        state.update(values[0].region, outside=True, terminated=expr.name != "read")
    return machine.unknown(state, expr.span)


def _own_method(machine: Machine, type_: CType | None, expr: Call) -> Function | None:
    """Return the method that is called, or None if several are possible."""
    if type_ is None:
        return None
    base = machine.types.resolve(type_).base.removeprefix("struct ")
    found = [
        function for function in machine.source.functions.values()
        if function.owner and function.name == expr.name
        and len(function.parameters) == len(expr.args)
    ]  # fmt: skip
    return found[0] if len(found) == 1 and found[0].owner == base else None


def _receiver(machine: Machine, state: State, target: Expr) -> Value:
    type_ = type_of(machine, target)
    value = machine.value(state, target)
    if (type_ is not None and machine.types.resolve(type_).is_pointer) or (
        isinstance(value, Pointer) and value.generation >= 0
    ):
        use(machine, state, value, target.span)
    return value


def _smart_method(machine: Machine, state: State, expr: Call) -> Value:
    for arg in expr.args:
        escape(state, machine.value(state, arg))
    return machine.unknown(state, expr.span)


_LIMITS = re.compile(r"(?i)(?:.*_)?(?:min|max)(?:imum)?(?:_\w+)?")
_INPUT = frozenset({"stoi", "stol", "stoul", "stoll", "stoull"})


def call_function(machine: Machine, state: State, expr: Call) -> Value:
    if expr.object is not None:
        return call_method(machine, state, expr)
    if LIKELY.fullmatch(expr.name) and expr.args:
        return machine.value(state, expr.args[0])
    special = SPECIAL.get(expr.name)
    own = machine.source.functions.get(expr.name)
    if own is not None and len(own.parameters) == len(expr.args):
        return call_own(machine, state, expr, own)
    if special is not None and len(expr.args) >= special[1]:
        return special[0](machine, state, expr)
    known = library().get(expr.name)
    if known is not None:
        return known_call(machine, state, expr, known)
    if _LIMITS.fullmatch(expr.name) and len(expr.args) == 2:
        return _limit_of(machine, state, expr)
    return free_call(machine, state, expr)


def assume_call(machine: Machine, state: State, expr: Call, truth: bool) -> None:
    """Continue where a known predicate is true, or where it is false."""
    if expr.name in CLASSES and len(expr.args) == 1:
        assume_class(machine, state, expr, truth)
    elif LIKELY.fullmatch(expr.name) and expr.args:
        machine.assume(state, expr.args[0], truth)
    elif expr.object is None or not assume_method(machine, state, expr, truth):
        assume_value(machine, state, expr, truth)


def _limit_of(machine: Machine, state: State, expr: Call) -> Value:
    """Return the smaller or the greater of two values."""
    values = [machine.value(state, arg) for arg in expr.args]
    chosen = machine.choose(2)
    one, other = values[chosen], values[1 - chosen]
    if isinstance(one, Poly) and isinstance(other, Poly):
        least = "min" in expr.name.lower()
        assume_at_most_zero(machine, state, add(one, other, -1) if least else add(other, one, -1))
    return one


def free_call(machine: Machine, state: State, expr: Call) -> Value:
    """Execute a call of a function that is in no table."""
    if expr.name == "move" and len(expr.args) == 1:
        return move_away(machine, state, expr)
    if expr.name in _INPUT and expr.args:
        for arg in expr.args:
            machine.value(state, arg)
        return machine.fresh(state, machine.tag(state, "n", expr.span), Origin.INPUT,
                          type_=type_of(machine, expr) or CType("int"))  # fmt: skip
    if expr.name == "getline" and len(expr.args) >= 2:
        machine.value(state, expr.args[0])
        extract(machine, state, expr.args[1])
        return machine.unknown(state, expr.span)
    if expr.name in ("make_unique", "make_shared"):
        for arg in expr.args:
            escape(state, machine.value(state, arg))
        return machine.unknown(state, expr.span)
    pass_moved(machine, state, expr)
    for arg in expr.args:
        _seen_container(machine, state, arg)
    return unknown_call(machine, state, expr)


def _seen_container(machine: Machine, state: State, arg: Expr) -> None:
    """Forget the size of a container that is passed on, because the callee may change it."""
    name = container_of(machine, state, arg) if isinstance(stripped(arg), Var | Field) else None
    if name is not None and not _is_const(machine, arg) and _fixed(state, name):
        size = machine.fresh(state, machine.tag(state, "size", arg.span), low=0)
        state.update(name, size=size)


def _fixed(state: State, name: str) -> bool:
    return state.regions[name].kind == "container"


def _is_const(machine: Machine, arg: Expr) -> bool:
    type_ = type_of(machine, arg)
    return type_ is not None and (type_.const or type_.base in ("array", "string_view", "span"))


def assume_method(machine: Machine, state: State, expr: Call, truth: bool) -> bool:
    """Assume that a method's result is true or false. Return False if the method is unknown."""
    if expr.name != "empty" or expr.args or expr.object is None:
        return False
    name = container_of(machine, state, expr.object)
    if name is None:
        return False
    size = state.regions[name].size or ZERO
    if truth:
        assume_equal(machine, state, size, ZERO)
    else:
        assume_at_most_zero(machine, state, shift(scale(size, -1), 1))
    return True
