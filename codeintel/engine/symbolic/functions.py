"""Which function a call is of, and the rest of those that need more than the table says."""

from __future__ import annotations

import re

from codeintel.engine.symbolic.base import OUTSIDE
from codeintel.engine.symbolic.conditions import LIKELY
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.library import library
from codeintel.engine.symbolic.memory import Null, Pointer, Region, Value
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, add, multiply
from codeintel.engine.symbolic.program import Function
from codeintel.engine.symbolic.reading import at
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.strings import PRINTING, Strings
from codeintel.engine.symbolic.syntax import AddressOf, Call, Expr
from codeintel.engine.symbolic.walk import stripped

_LIMITS = re.compile(r"(?i)(?:.*_)?(?:min|max)(?:imum)?(?:_\w+)?")
_LOCK = frozenset({"pthread_mutex_lock", "mtx_lock", "pthread_spin_lock", "omp_set_lock",
                   "pthread_rwlock_wrlock", "pthread_mutex_trylock",
                   "EnterCriticalSection"})  # fmt: skip
_UNLOCK = frozenset({"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock",
                     "pthread_rwlock_unlock", "omp_unset_lock",
                     "LeaveCriticalSection"})  # fmt: skip


class Functions(Strings):
    """Finds out what is called."""

    def call(self, state: State, expr: Call) -> Value:
        if expr.object is not None:
            return self.method(state, expr)
        if LIKELY.fullmatch(expr.name) and expr.args:
            return self.value(state, expr.args[0])
        special = _SPECIAL.get(expr.name)
        own = self.source.functions.get(expr.name)
        if own is not None and len(own.parameters) == len(expr.args):
            return self.invoke(state, expr, own)
        if special is not None and len(expr.args) >= special[1]:
            return special[0](self, state, expr)
        known = library().get(expr.name)
        if known is not None:
            return self.known_call(state, expr, known)
        if _LIMITS.fullmatch(expr.name) and len(expr.args) == 2:
            return self._limit_of(state, expr)
        return self.free_call(state, expr)

    def free_call(self, state: State, expr: Call) -> Value:
        """A call of a function that is in no table."""
        return self.unknown_call(state, expr)

    def method(self, state: State, expr: Call) -> Value:
        """A call of a method, or of a value."""
        raise NotImplementedError

    def invoke(self, state: State, expr: Call, function: Function) -> Value:
        """A call of a function of this file."""
        raise NotImplementedError

    def assume_call(self, state: State, expr: Call, truth: bool) -> bool:
        return expr.object is not None and self.assume_method(state, expr, truth)

    def assume_method(self, state: State, expr: Call, truth: bool) -> bool:
        """Take a method's call to be true or not. False if it is not known."""
        raise NotImplementedError

    def _limit_of(self, state: State, expr: Call) -> Value:
        """The smaller or the greater one of two values."""
        values = [self.value(state, arg) for arg in expr.args]
        chosen = self.choose(2)
        one, other = values[chosen], values[1 - chosen]
        if isinstance(one, Poly) and isinstance(other, Poly):
            least = "min" in expr.name.lower()
            self._keep(state, add(one, other, -1) if least else add(other, one, -1))
        return one

    def check(self, state: State, expr: Call) -> Value:
        """`assert(condition)`."""
        self.assume(state, expr.args[0], True)
        return ZERO

    def alloca(self, state: State, expr: Call) -> Value:
        """Memory of the stack."""
        size = self.number(state, expr.args[0])
        self.check_stack(state, size, expr)
        name = self.tag(state, f"{self.frame.prefix}alloca:", expr.span)
        state.regions[name] = Region("stack", size, written=False, place=expr.span)
        return Pointer(name, ZERO)

    def check_stack(self, state: State, size: Poly, expr: Expr) -> None:
        """A size on the stack that somebody outside chooses."""
        for name in size.symbols:
            known = state.symbols.get(name)
            open_ = known is not None and known.origin in OUTSIDE and known.high is None
            if open_ and not state.capped(name):
                self.report(Fact.STACK_UNBOUNDED, expr.span)
                return

    def realloc(self, state: State, expr: Call) -> Value:
        """`realloc(address, size)`: if it fails, what was there is still there."""
        value = self.value(state, expr.args[0])
        size: Poly | None = ONE
        for arg in expr.args[1:]:
            size = multiply(size, self.number(state, arg)) if size is not None else None
        if size is not None and expr.name == "realloc":
            self.check_size(state, expr.span, size, expr.args[1:])
        pointer = self.pointer(state, value) if value != ZERO else None
        known = state.regions.get(state.root(pointer.region)) if pointer is not None else None
        if known is not None and known.released is not None:
            self.use(state, value, expr.span)
        if self.choose(2) == 1:
            name = self.tag(state, "got:", expr.span)
            state.regions[name] = Region("unknown", null=Null.YES, place=expr.span)
            if known is not None and known.owned and pointer is not None:
                state.update(state.root(pointer.region), reallocated=expr.span)
            return Pointer(name, ZERO)
        if pointer is not None and known is not None:
            self.release(state, pointer, "memory", expr.span)
        return self.allocate(state, expr.span, "memory", size, null=False, written=True)

    def getline(self, state: State, expr: Call) -> Value:
        """`getline(&line, &size, file)`: it allocates what it needs."""
        for arg in expr.args:
            self.value(state, arg)
        target = self.value(state, expr.args[0])
        self.use(state, self.value(state, expr.args[-1]), expr.span)
        if isinstance(target, Pointer) and target.region in state.regions:
            place = at(target, None)
            before = state.cells.get((place.region, place.path))
            if isinstance(before, Pointer) and before.region.startswith("heap:"):
                return self.fresh(state, self.tag(state, "n", expr.span), low=-1)
            made = self.allocate(state, expr.span, "memory", None, null=False, written=True)
            state.update(made.region, outside=True, terminated=True)
            state.cells[place.region, place.path] = made
        return self.fresh(state, self.tag(state, "n", expr.span), low=-1)

    def asprintf(self, state: State, expr: Call) -> Value:
        """`asprintf(&text, format, ...)`."""
        target = self.value(state, expr.args[0])
        self.formatted(state, expr, 1)
        if isinstance(target, Pointer) and target.region in state.regions:
            place = at(target, None)
            made = self.allocate(state, expr.span, "memory", None, null=False, written=True)
            state.update(made.region, terminated=True)
            state.cells[place.region, place.path] = made
        return self.fresh(state, self.tag(state, "n", expr.span), low=-1)

    # Locks

    def taken(self, state: State, expr: Call) -> Value:
        """A function that takes a lock."""
        name = self.lock_name(state, expr.args[0])
        if expr.name.endswith("trylock") and self.choose(2) == 1:
            return ONE
        self.lock(state, name, expr.span)
        return ZERO

    def given_back(self, state: State, expr: Call) -> Value:
        """A function that gives a lock back."""
        self.unlock(state, self.lock_name(state, expr.args[0]))
        return ZERO

    def lock_name(self, state: State, expr: Expr) -> str:
        """A name for a lock: the place where it is."""
        expr = stripped(expr)
        inner = stripped(expr.value) if isinstance(expr, AddressOf) else expr
        place = self.place(state, inner, write=None)
        if place is None:
            return str(getattr(inner, "name", inner.span.start))
        if isinstance(expr, AddressOf):
            return f"{place.region}{place.path}"
        value = state.cells.get((place.region, place.path))
        if isinstance(value, Pointer):
            return f"{value.region}{value.offset.constant or ''}"
        return f"{place.region}{place.path}"


_SPECIAL = {
    "strcpy": (Functions.strcpy, 2),
    "stpcpy": (Functions.strcpy, 2),
    "lstrcpy": (Functions.strcpy, 2),
    "strcat": (Functions.strcat, 2),
    "lstrcat": (Functions.strcat, 2),
    "strncpy": (Functions.strncpy, 3),
    "stpncpy": (Functions.strncpy, 3),
    "strncat": (Functions.strncat, 3),
    "strlcpy": (Functions.strlcpy, 3),
    "strlcat": (Functions.strlcpy, 3),
    "sprintf": (Functions.sprintf, 2),
    "vsprintf": (Functions.sprintf, 2),
    "snprintf": (Functions.snprintf, 3),
    "vsnprintf": (Functions.snprintf, 3),
    "gets": (Functions.gets, 1),
    "scanf": (Functions.scanf, 1),
    "fscanf": (Functions.scanf, 2),
    "sscanf": (Functions.scanf, 2),
    "assert": (Functions.check, 1),
    "alloca": (Functions.alloca, 1),
    "_alloca": (Functions.alloca, 1),
    "__builtin_alloca": (Functions.alloca, 1),
    "realloc": (Functions.realloc, 2),
    "getline": (Functions.getline, 3),
    "asprintf": (Functions.asprintf, 2),
    "vasprintf": (Functions.asprintf, 2),
    **dict.fromkeys(PRINTING, (Functions.printed, 1)),
    **dict.fromkeys(_LOCK, (Functions.taken, 1)),
    **dict.fromkeys(_UNLOCK, (Functions.given_back, 1)),
}
