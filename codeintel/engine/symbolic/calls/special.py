"""Functions that need more than the table says: `alloca`, `realloc`, `getline` and so on."""

from __future__ import annotations

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
from codeintel.engine.symbolic.machine import Machine
from codeintel.engine.symbolic.memory.access import pointer_to, use
from codeintel.engine.symbolic.memory.locks import lock_given_back, lock_taken
from codeintel.engine.symbolic.memory.resources import allocate, check_size, check_stack, release
from codeintel.engine.symbolic.program.syntax import Call
from codeintel.engine.symbolic.values.polynomials import ONE, ZERO, Poly, multiply
from codeintel.engine.symbolic.values.regions import Null, Pointer, Region, Value, at
from codeintel.engine.symbolic.values.state import State

_LOCK = frozenset({"pthread_mutex_lock", "mtx_lock", "pthread_spin_lock", "omp_set_lock",
                   "pthread_rwlock_wrlock", "pthread_mutex_trylock",
                   "EnterCriticalSection"})  # fmt: skip
_UNLOCK = frozenset({"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock",
                     "pthread_rwlock_unlock", "omp_unset_lock",
                     "LeaveCriticalSection"})  # fmt: skip


def assertion(machine: Machine, state: State, expr: Call) -> Value:
    """`assert(condition)`."""
    machine.assume(state, expr.args[0], True)
    return ZERO


def alloca(machine: Machine, state: State, expr: Call) -> Value:
    """Memory of the stack."""
    size = machine.number(state, expr.args[0])
    check_stack(machine, state, size, expr)
    name = machine.tag(state, f"{machine.frame.prefix}alloca:", expr.span)
    state.regions[name] = Region("stack", size, written=False, place=expr.span)
    return Pointer(name, ZERO)


def realloc(machine: Machine, state: State, expr: Call) -> Value:
    """`realloc(address, size)`: if it fails, what was there is still there."""
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
    """`getline(&line, &size, file)`: it allocates what it needs."""
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
    """`asprintf(&text, format, ...)`."""
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
