"""C++: methods, streams, guards of locks."""

from __future__ import annotations

import re

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.access import How
from codeintel.engine.symbolic.facts import Fact
from codeintel.engine.symbolic.memory import Origin, Pointer, Value
from codeintel.engine.symbolic.objects import Objects
from codeintel.engine.symbolic.poly import ONE, ZERO, Poly, scale, shift
from codeintel.engine.symbolic.program import Function
from codeintel.engine.symbolic.state import State
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Binary,
    Call,
    CType,
    Expr,
    Field,
    Several,
    Var,
)
from codeintel.engine.symbolic.walk import root_name, stripped

_READS = frozenset({"read", "readsome", "recv", "receive", "read_some", "getline", "get"})
_GUARDS = frozenset({"lock_guard", "unique_lock", "shared_lock"})
_MUTEX = re.compile(r"mutex")
_SMART = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "optional"})
_INPUT = frozenset({"stoi", "stol", "stoul", "stoll", "stoull"})


def _is_tag(expr: Expr) -> bool:
    return isinstance(expr, Var) and expr.name.endswith(
        ("defer_lock", "adopt_lock", "try_to_lock")
    )  # fmt: skip


class Methods(Objects):
    """Calls methods."""

    def method(self, state: State, expr: Call) -> Value:
        target = expr.object
        if target is None:
            return self.unknown_call(state, expr)
        if expr.name == "":
            self.value(state, target)
            return self.unknown_call(state, expr._replace(object=None))
        type_ = self.type_of(target)
        self._check_moved(state, target, expr)
        for arg in expr.args:
            self.settle(state, arg)
        name = self.container(state, target)
        if name is not None:
            return self._container_method(state, expr, name, type_ or CType(""))
        if expr.name in ("lock", "unlock", "try_lock") and not expr.args:
            return self._lock_method(state, expr, target)
        if type_ is not None and self.types.resolve(type_).base in _SMART:
            return self._smart_method(state, expr, target)
        if expr.name in _READS and expr.args:
            return self._read_method(state, expr)
        value = self._receiver(state, target)
        own = self._own_method(type_, expr)
        if own is not None:
            return self.invoke_method(state, expr, own, value)
        if isinstance(value, Pointer) and state.root(value.region) in state.regions:
            self.forget_content(state, state.root(value.region))
        return self.unknown_call(state, expr)

    def _read_method(self, state: State, expr: Call) -> Value:
        """`stream.read(address, count)` and the like: what comes is chosen outside."""
        values = [self.value(state, arg) for arg in expr.args]
        if len(values) > 1 and isinstance(values[0], Pointer) and isinstance(values[1], Poly):
            self.check_count(state, values[1], expr, 1)
            self.access(state, values[0], values[1], expr.span, write=True, how=How.COPY)
        if isinstance(values[0], Pointer) and values[0].region in state.regions:
            self.fill(state, values[0], expr.span)
            state.cells.pop((values[0].region, ""), None)
            state.update(values[0].region, outside=True, terminated=expr.name != "read")
        return self.unknown(state, expr.span)

    def invoke_method(self, state: State, expr: Call, function: Function, receiver: Value) -> Value:
        """A call of a method of this file."""
        raise NotImplementedError

    def _own_method(self, type_: CType | None, expr: Call) -> Function | None:
        """The method that is called, if there is only one that it can be."""
        if type_ is None:
            return None
        base = self.types.resolve(type_).base.removeprefix("struct ")
        found = [
            function for function in self.source.functions.values()
            if function.owner and function.name == expr.name
            and len(function.parameters) == len(expr.args)
        ]  # fmt: skip
        return found[0] if len(found) == 1 and found[0].owner == base else None

    def _receiver(self, state: State, target: Expr) -> Value:
        type_ = self.type_of(target)
        value = self.value(state, target)
        if (type_ is not None and self.types.resolve(type_).is_pointer) or (
            isinstance(value, Pointer) and value.generation >= 0
        ):
            self.use(state, value, target.span)
        return value

    def _lock_method(self, state: State, expr: Call, target: Expr) -> Value:
        name = self.lock_name(state, AddressOf(target.span, target))
        if expr.name == "unlock":
            self.unlock(state, name)
        elif self._is_mutex(target):
            if expr.name == "try_lock" and self.choose(2) == 1:
                return ZERO
            self.lock(state, name, expr.span)
        return ONE

    def _is_mutex(self, target: Expr) -> bool:
        type_ = self.type_of(target)
        if type_ is None:
            return re.search(r"(?i)mutex|mtx|lock|^m_?$", root_name(target)) is not None
        base = self.types.resolve(type_).base
        return _MUTEX.search(base) is not None and "recursive" not in base

    def guard(self, state: State, name: str, type_: CType, init: Expr | None, span: Span) -> bool:
        """The declaration of an object that holds a lock as long as it lives."""
        base = type_.base
        if base not in (*_GUARDS, "scoped_lock") or not isinstance(init, Several):
            return False
        locks = [part for part in init.parts if not _is_tag(part)]
        if len(locks) < len(init.parts) or len(locks) != 1:
            return True  # deferred, adopted, or several at once: no order can be wrong
        self.lock(
            state,
            self.lock_name(state, AddressOf(span, locks[0])),
            span,
            f"{self.frame.prefix}{name}",
        )
        return True

    def _smart_method(self, state: State, expr: Call, target: Expr) -> Value:
        for arg in expr.args:
            self.escape(state, self.value(state, arg))
        del target
        return self.unknown(state, expr.span)

    def stream(self, state: State, expr: Binary) -> Value | None:
        parts: list[Expr] = []
        head: Expr = expr
        while isinstance(head, Binary) and head.op == expr.op:
            parts.append(head.right)
            head = head.left
        if self.source.language != "cpp" or not self._is_stream(head, expr.op):
            return None
        for part in reversed(parts):
            if expr.op == ">>":
                self._extract(state, part)
            else:
                self.check_moved(state, part)
                self.value(state, part)
        return self.unknown(state, expr.span)

    def _is_stream(self, head: Expr, op: str) -> bool:
        name = root_name(head)
        type_ = self.type_of(head)
        if type_ is not None:
            return "stream" in type_.base
        streams = ("cin",) if op == ">>" else ("cout", "cerr", "clog")
        return name in streams or "stream" in name

    def _extract(self, state: State, target: Expr) -> None:
        type_ = self.type_of(target)
        self.settle(state, target)
        name = self.container(state, target)
        if name is not None:
            size = self.fresh(state, self.tag(state, "size", target.span), Origin.LENGTH, low=0)
            generation = state.regions[name].generation + 1
            state.update(name, size=size, outside=True, generation=generation, moved=None)
            return
        if type_ is not None and self.types.resolve(type_).dims:
            value = self.value(state, target)
            region = state.regions.get(value.region) if isinstance(value, Pointer) else None
            if region is not None and region.size is not None and type_.base == "char":
                self.report(Fact.COPY_UNBOUNDED, target.span)
            return
        place = self.place(state, target, write=True)
        if place is not None:
            made = self.fresh(state, self.tag(state, "in:", target.span), Origin.INPUT, type_=type_)
            self.write(state, place, made, target.span)

    def free_call(self, state: State, expr: Call) -> Value:
        if expr.name == "move" and len(expr.args) == 1:
            return self.moved(state, expr)
        if expr.name in _INPUT and expr.args:
            for arg in expr.args:
                self.value(state, arg)
            return self.fresh(state, self.tag(state, "n", expr.span), Origin.INPUT,
                              type_=self.type_of(expr) or CType("int"))  # fmt: skip
        if expr.name == "getline" and len(expr.args) >= 2:
            self.value(state, expr.args[0])
            self._extract(state, expr.args[1])
            return self.unknown(state, expr.span)
        if expr.name in ("make_unique", "make_shared"):
            for arg in expr.args:
                self.escape(state, self.value(state, arg))
            return self.unknown(state, expr.span)
        self.pass_moved(state, expr)
        for arg in expr.args:
            self._seen_container(state, arg)
        return self.unknown_call(state, expr)

    def _seen_container(self, state: State, arg: Expr) -> None:
        """A container is passed on: nothing says that it is not changed."""
        name = self.container(state, arg) if isinstance(stripped(arg), Var | Field) else None
        if name is not None and not self._is_const(arg) and self._fixed(state, name):
            size = self.fresh(state, self.tag(state, "size", arg.span), low=0)
            state.update(name, size=size)

    def _fixed(self, state: State, name: str) -> bool:
        return state.regions[name].kind == "container"

    def _is_const(self, arg: Expr) -> bool:
        type_ = self.type_of(arg)
        return type_ is not None and (type_.const or type_.base in ("array", "string_view", "span"))

    def assume_method(self, state: State, expr: Call, truth: bool) -> bool:
        if expr.name != "empty" or expr.args or expr.object is None:
            return False
        name = self.container(state, expr.object)
        if name is None:
            return False
        size = state.regions[name].size or ZERO
        if truth:
            self._equal(state, size, ZERO)
        else:
            self._keep(state, shift(scale(size, -1), 1))
        return True
