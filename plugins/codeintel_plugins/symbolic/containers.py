"""C++: containers of the standard library, smart pointers, streams, objects."""

from __future__ import annotations

import re

from codeintel_plugins.flow.tree import Span
from codeintel_plugins.symbolic.access import How
from codeintel_plugins.symbolic.facts import Fact
from codeintel_plugins.symbolic.functions import Functions
from codeintel_plugins.symbolic.memory import Origin, Pointer, Region, State, Value
from codeintel_plugins.symbolic.places import Place
from codeintel_plugins.symbolic.poly import ONE, ZERO, Poly, add, scale, shift
from codeintel_plugins.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    CType,
    Deref,
    Expr,
    Field,
    Function,
    Number,
    Several,
    Subscript,
    Text,
    Var,
)
from codeintel_plugins.symbolic.types import CONTIGUOUS
from codeintel_plugins.symbolic.walk import root_name, stripped

_GROWS = frozenset({"push_back", "emplace_back", "insert", "emplace", "resize", "reserve", "append",
                    "push_front", "assign", "shrink_to_fit", "clear", "erase", "pop_back", "swap",
                    "replace", "emplace_front"})  # fmt: skip
_BEGINS = frozenset({"begin", "end", "cbegin", "cend", "rbegin", "rend", "find", "data", "c_str",
                     "front", "back", "lower_bound", "upper_bound"})  # fmt: skip
_FRESHENS = frozenset({"clear", "assign", "reset", "resize", "swap", "operator=", "open"})
_HARMLESS_AFTER_MOVE = frozenset({"empty", "clear", "assign", "reset", "swap", "valid", "joinable",
                                  "has_value", "get", "resize"})  # fmt: skip
_READS = frozenset({"read", "readsome", "recv", "receive", "read_some", "getline", "get"})
_GUARDS = frozenset({"lock_guard", "unique_lock", "shared_lock"})
_MUTEX = re.compile(r"mutex")
_SMART = frozenset({"unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr", "optional"})
_INPUT = frozenset({"stoi", "stol", "stoul", "stoll", "stoull"})


class Containers(Functions):
    """Knows the sizes of containers, and what is still valid of what points into them."""

    def container(self, state: State, expr: Expr) -> str | None:
        """The region of a container, or None if the expression is none."""
        inner = stripped(expr)
        type_ = self.type_of(inner)
        if isinstance(inner, Deref):
            type_ = self.type_of(inner)
        if type_ is None or not self.types.is_container(type_._replace(reference=False)):
            return None
        place = self.place(state, inner, write=None)
        if place is None:
            return None
        bound = state.cells.get((place.region, place.path))
        if type_.reference and isinstance(bound, Pointer):
            return bound.region
        return self._container_part(state, place, type_)

    def _container_part(self, state: State, place: Place, type_: CType) -> str:
        name = f"{place.region}{place.path}"
        known = state.regions.get(name)
        if known is not None and known.kind == "container":
            return name
        outer = state.regions.get(place.region)
        outside = known.outside if known is not None else False
        outside = outside or (outer is not None and outer.kind == "outside")
        size = self._fixed_size(type_)
        if size is None:
            size = self.fresh(
                state, f"size({name})", Origin.LENGTH if outside else Origin.NONE, low=0
            )  # fmt: skip
        state.regions[name] = Region(
            "container", size, outside=outside, parent="", place=Span(0, 0)
        )
        return name

    def _fixed_size(self, type_: CType) -> Poly | None:
        """The size of a `std::array`."""
        type_ = self.types.resolve(type_)
        if type_.base != "array":
            return None
        text = type_.arguments.rpartition(",")[2].strip()
        if text.isdigit():
            return Poly(int(text))
        number = self.types.constant(Var(Span(0, 0), text))
        return Poly(number) if number is not None else None

    def container_element(
        self, state: State, expr: Subscript, *, write: bool | None
    ) -> Place | None:
        name = self.container(state, expr.object)
        index = self.number(state, expr.index) if name is not None else None
        if name is None or index is None:
            self.value(state, expr.index)
            return None
        self.use(state, Pointer(name, ZERO), expr.span)
        type_ = self.type_of(expr.object)
        base = self.types.resolve(type_).base if type_ is not None else ""
        if base in CONTIGUOUS:
            room = ZERO if base == "string" and not write else ONE
            self.access(
                state, Pointer(name, index), room if room != ZERO else ZERO, expr.span,
                write=bool(write), how=How.INDEX,
            )  # fmt: skip
        if base in ("map", "unordered_map"):
            return None
        region = state.regions[name]
        element = f"{name}/"
        if element not in state.regions:
            state.regions[element] = Region(
                "object", outside=region.outside, parent="", written=True
            )  # fmt: skip
        path = f"[{index.constant}{index.terms}]"
        return Place(element, path, self.type_of(expr), None)

    # Methods

    def method(self, state: State, expr: Call) -> Value:
        target = expr.object
        if target is None:
            return self.unknown_call(state, expr)
        if expr.name == "":
            self.value(state, target)
            return self.unknown_call(state, expr._replace(object=None))
        type_ = self.type_of(target)
        self._check_moved(state, target, expr)
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

    def _container_method(self, state: State, expr: Call, name: str, type_: CType) -> Value:
        method = expr.name
        values = [self.value(state, arg) for arg in expr.args]
        for value in values:
            if method not in ("erase", "find", "count", "at", "insert"):
                self.escape(state, value)
        region = state.regions[name]
        size = region.size if region.size is not None else ZERO
        if method in ("size", "length"):
            return size
        if method in ("c_str", "data") and self.types.resolve(type_).base in CONTIGUOUS:
            return self._text_of(state, name, region, size)
        if method in _BEGINS:
            if method in ("front", "back"):
                return self.unknown(state, expr.span)
            return Pointer(name, ZERO, region.generation)
        if method == "at" and values:
            return self.unknown(state, expr.span, Origin.CONTENT if region.outside else Origin.NONE)
        if method in _GROWS:
            return self._changed(state, expr, name, values, type_)
        return self.unknown(state, expr.span)

    def _text_of(self, state: State, name: str, region: Region, size: Poly) -> Pointer:
        inner = f"{name}.text^{region.generation}"
        if inner not in state.regions:
            state.regions[inner] = Region(
                "unknown", shift(size, 1), length=size, outside=region.outside, parent=""
            )  # fmt: skip
        return Pointer(inner, ZERO)

    def _changed(
        self, state: State, expr: Call, name: str, values: list[Value], type_: CType
    ) -> Value:
        """A method that changes the size of a container."""
        region = state.regions[name]
        size = region.size if region.size is not None else ZERO
        contiguous = self.types.resolve(type_).base in CONTIGUOUS
        made = self._size_after(state, expr, size, values)
        invalidates = contiguous and expr.name != "pop_back"
        if (
            contiguous
            and expr.name in ("push_back", "emplace_back")
            and self._reserved(state, name)
        ):
            invalidates = False
        if expr.name == "reserve":
            made = size
            state.cells[f"{name}/", "reserved"] = ONE
        generation = region.generation + 1 if invalidates else region.generation
        state.update(name, size=made, generation=generation, changed=expr.span, moved=None)
        if expr.name == "erase" and expr.args and not contiguous:
            self._erased(state, expr)
        if expr.name in ("erase", "insert", "emplace"):
            return Pointer(name, ZERO, generation)
        return self.unknown(state, expr.span)

    def _reserved(self, state: State, name: str) -> bool:
        return (f"{name}/", "reserved") in state.cells

    def _erased(self, state: State, expr: Call) -> None:
        """Of a list or a map, only the iterator to what was erased is invalid."""
        inner = stripped(expr.args[0])
        if isinstance(inner, Var):
            place = self.variable(state, inner.name, inner.span)
            if place is not None:
                value = state.cells.get((place.region, place.path))
                if isinstance(value, Pointer) and value.generation >= 0:
                    state.cells[place.region, place.path] = value._replace(generation=1_000_000)

    def _size_after(self, state: State, expr: Call, size: Poly, values: list[Value]) -> Poly:
        if expr.name in ("push_back", "emplace_back", "push_front", "emplace_front"):
            return shift(size, 1)
        if expr.name == "pop_back":
            return shift(size, -1)
        if expr.name == "clear":
            return ZERO
        if expr.name == "resize" and values and isinstance(values[0], Poly):
            return values[0]
        return self.fresh(state, self.tag(state, "size", expr.span), low=0)

    # Locks

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

    # Smart pointers and moving

    def _smart_method(self, state: State, expr: Call, target: Expr) -> Value:
        for arg in expr.args:
            self.escape(state, self.value(state, arg))
        del target
        return self.unknown(state, expr.span)

    def moved(self, state: State, expr: Call) -> Value:
        """`std::move(variable)`."""
        inner = stripped(expr.args[0])
        value = self.value(state, inner)
        if isinstance(inner, Var):
            place = self.variable(state, inner.name, inner.span)
            type_ = self.type_of(inner)
            scalar = type_ is not None and self.types.is_scalar(type_._replace(reference=False))
            if place is not None and not scalar and place.region in state.regions:
                region = state.regions[place.region]
                if region.moved is not None:
                    self.report(Fact.USE_AFTER_MOVE, expr.span, (region.moved, "moved here"))
                state.update(place.region, moved=expr.span)
        return value

    def _check_moved(self, state: State, target: Expr, expr: Call) -> None:
        inner = stripped(target)
        if not isinstance(inner, Var):
            return
        if expr.name in _FRESHENS:
            self._settle(state, inner)
        elif expr.name not in _HARMLESS_AFTER_MOVE:
            self.check_moved(state, inner)

    def _settle(self, state: State, expr: Expr) -> None:
        place = self.place(state, expr, write=None) if isinstance(expr, Var) else None
        if place is not None and place.region in state.regions:
            state.update(place.region, moved=None)

    def check_moved(self, state: State, expr: Expr) -> None:
        """A variable is used whose value may have been moved away."""
        expr = stripped(expr)
        if not isinstance(expr, Var):
            return
        place = self.variable(state, expr.name, expr.span)
        region = state.regions.get(place.region) if place is not None else None
        if place is not None and region is not None and region.moved is not None:
            self.report(Fact.USE_AFTER_MOVE, expr.span, (region.moved, "moved here"))
            state.update(place.region, moved=None)

    def object_value(self, state: State, place: Place) -> Value:
        region = state.regions.get(place.region)
        if region is not None and region.moved is not None and not place.path:
            return Pointer(place.region, ZERO)
        type_ = place.type
        if type_ is not None and type_.reference:
            bound = state.cells.get((place.region, place.path))
            if isinstance(bound, Pointer):
                return bound
        return super().object_value(state, place)

    def object_assigned(self, state: State, expr: Assign, value: Value) -> None:
        self.escape(state, value)
        self._given_away(state, value)
        target = stripped(expr.target)
        name = self.container(state, target)
        if name is not None:
            region = state.regions[name]
            state.update(
                name, generation=region.generation + 1, changed=expr.span,
                size=self._assigned_size(state, expr.value, expr.span),
            )  # fmt: skip
        self._settle(state, target)

    def object_changed(self, state: State, expr: Assign, value: Value) -> None:
        del value
        name = self.container(state, expr.target)
        if name is not None:
            region = state.regions[name]
            inner = stripped(expr.value)
            by = Poly(len(inner.text)) if isinstance(inner, Text) else None
            size = region.size if region.size is not None else ZERO
            made = add(size, by) if by is not None else self.fresh(
                state, self.tag(state, "size", expr.span),
                Origin.LENGTH if region.outside else Origin.NONE, low=0,
            )  # fmt: skip
            state.update(name, size=made, generation=region.generation + 1, changed=expr.span)

    def _assigned_size(self, state: State, init: Expr, span: Span) -> Poly:
        inner = stripped(init)
        if isinstance(inner, Text):
            return Poly(len(inner.text))
        if isinstance(inner, Several) and inner.keys:
            return Poly(len(inner.parts))
        known = self.container(state, inner) if isinstance(inner, Var | Field) else None
        if known is not None:
            return state.regions[known].size or ZERO
        return self.fresh(state, self.tag(state, "size", span), low=0)

    # Declarations

    def declare_container(
        self, state: State, place: Place, type_: CType, init: Expr | None, direct: bool, span: Span
    ) -> None:
        """A container is declared: its size may be known."""
        size = self._fixed_size(type_)
        values: list[Value] = []
        outside = False
        if isinstance(init, Several):
            values = [self.value(state, part) for part in init.parts]
            braces = bool(init.keys)
            first = init.parts[0] if init.parts else None
            if size is None:
                size = self._constructed(state, type_, first, values, braces, span)
        elif init is not None:
            value = self.value(state, init)
            source = state.regions.get(value.region) if isinstance(value, Pointer) else None
            outside = source is not None and (source.outside or source.kind == "outside")
            if size is None:
                size = self._assigned_size(state, init, span)
        elif size is None:
            size = ZERO
        del direct
        for value in values:
            region = state.regions.get(value.region) if isinstance(value, Pointer) else None
            outside = outside or (
                region is not None and (region.outside or region.kind == "outside")
            )
        state.regions[place.region] = Region("container", size, outside=outside, place=span)

    def _constructed(
        self, state: State, type_: CType, first: Expr | None, values: list[Value], braces: bool,
        span: Span,
    ) -> Poly:  # fmt: skip
        base = self.types.resolve(type_).base
        if first is None:
            return ZERO
        inner = stripped(first)
        if isinstance(inner, Text):
            return Poly(len(inner.text))
        if braces and base != "string" and not isinstance(inner, Var | Call):
            return Poly(len(values))
        if braces and len(values) > 1:
            return Poly(len(values))
        type_of = self.type_of(inner)
        numeric = isinstance(inner, Number) or self.types.is_integer(type_of)
        if not braces and numeric and isinstance(values[0], Poly) and base in CONTIGUOUS:
            return values[0]
        return self._assigned_size(state, inner, span) if len(values) == 1 else self.fresh(
            state, self.tag(state, "size", span), low=0
        )  # fmt: skip

    # Streams and predicates

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
        name = self.container(state, target)
        if name is not None:
            size = self.fresh(state, self.tag(state, "size", target.span), Origin.LENGTH, low=0)
            generation = state.regions[name].generation + 1
            state.update(name, size=size, outside=True, generation=generation)
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
        for arg in expr.args:
            self.check_moved(state, arg)
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


def _is_tag(expr: Expr) -> bool:
    return isinstance(expr, Var) and expr.name.endswith(
        ("defer_lock", "adopt_lock", "try_to_lock")
    )  # fmt: skip
