"""Assigning values to variables, fields and parts of containers."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel.engine.dataflow.core import SELVES
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.guard_calls import Guard
from codeintel.engine.dataflow.ir import (
    Block,
    Call,
    Choice,
    Closure,
    Evaluate,
    Expr,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
)
from codeintel.engine.dataflow.reading import Reading
from codeintel.engine.dataflow.values import HARMLESS, Kind, Value, cleaned_of, join, through

# Beside a result they say how it went.
_OUTCOMES = frozenset({"err", "ok", "error", "_"})


class Storing(Reading):
    """Assigns."""

    def _assign(
        self, target: Expr, value: Expr, augments: bool, frame: Frame, declares: bool = False
    ) -> Value:
        if (
            isinstance(target, Join)
            and isinstance(value, Join)
            and 1 < len(target.parts) == len(value.parts)
        ):
            found = [self._eval(part, frame) for part in value.parts]
            for each, known, part in zip(target.parts, found, value.parts, strict=True):
                self._store(each, known, part, frame=frame, declares=declares)
            return join(found)
        if isinstance(target, Join) and (found := self._columns(target, value, frame)):
            for each, known in zip(target.parts, found, strict=True):
                self._store(each, known, None, frame=frame, declares=declares)
            return join(found)
        if isinstance(value, Closure) and self._is_helper(target, frame):
            known = self._closure(value.function, frame, HARMLESS)
        else:
            known = self._eval(value, frame)
        if isinstance(target, Name) and known and _is_untouched(known):
            self._sourced.add(target.id)
        call = value  # Go wraps it as a list of one value
        while isinstance(call, Join) and len(call.parts) == 1:
            call = call.parts[0]
        if isinstance(target, Join) and isinstance(call, Call):
            row = self._rows_of.get(call.span, [])
            if len(row) == len(target.parts) > 1:
                for each, one in zip(target.parts, row, strict=True):
                    self._store(each, one, None, frame=frame, declares=declares)
                return known
        if augments:
            known = join((known, self._eval(target, frame)))
        kept = None if augments else value
        self._store(target, known, kept, frame=frame, declares=declares)
        return known

    def _columns(self, target: Join, value: Expr, frame: Frame) -> list[Value]:
        """What each of several targets gets of `(a, b) if condition else (c, d)`."""
        if not isinstance(value, Choice) or len(target.parts) < 2:
            return []
        rows = [part.parts for part in value.parts if isinstance(part, Join)]
        if len(rows) < len(value.parts) or {len(row) for row in rows} != {len(target.parts)}:
            return []
        self._eval(value, frame)
        columns = zip(*rows, strict=True)
        return [join([self._eval(each, frame) for each in column]) for column in columns]

    def _store(
        self, target: Expr, value: Value, expr: Expr | None, *, frame: Frame, declares: bool = True
    ) -> None:
        self._tick()
        if isinstance(target, Name):
            self._store_name(target, value, expr, frame, declares)
        elif isinstance(target, Member):
            self._store_member(target, value, expr, frame)
        elif isinstance(target, Index):
            self._store_part(target, value, expr, frame)
        elif isinstance(target, Keyed):
            self._take_apart(target, value, expr, frame, declares)
        elif isinstance(target, Join | Choice | Call):
            for part in _targets(target):
                outcome = isinstance(part, Name) and part.id in _OUTCOMES
                known = HARMLESS if outcome else value
                self._store(part, known, expr, frame=frame, declares=declares)
        elif isinstance(target, Block):
            for statement in target.body:
                if isinstance(statement, Evaluate):
                    self._store(statement.value, value, expr, frame=frame, declares=declares)

    def _store_name(
        self, target: Name, value: Value, expr: Expr | None, frame: Frame, declares: bool
    ) -> None:
        stepped = through(value, target.span, f"assigned to {target.id}")
        is_field = not declares and self._is_field(target.id, frame)
        if not declares and frame.is_closure and frame.is_outer(target.id):
            frame.add(target.id, stepped)
        else:
            frame.write(target.id, stepped, expr)
        if target.id.startswith("@") or is_field:
            self._keep_field(target.id, stepped)
        elif isinstance(expr, Keyed):
            self._keyed_parts(target.id, expr, frame)
        self._see(target.span, value)
        self._assigned_sink(target.id, target.span, stepped, expr, frame)

    def _store_member(self, target: Member, value: Value, expr: Expr | None, frame: Frame) -> None:
        self._eval(target.object, frame)
        whole, dotted = self._path(target.object), self._path(target)
        stepped = through(value, target.span, f"assigned to {target.name}")
        if whole:
            frame.write_part(whole, dotted, stepped)
            if whole in SELVES:
                self._keep_field(target.name, stepped)
                if expr is not None:
                    self._field_exprs[target.name] = expr
        self._see(target.span, value)
        self._assigned_sink(self._dotted(target), target.span, stepped, expr, frame)

    def _store_part(self, target: Index, value: Value, expr: Expr | None, frame: Frame) -> None:
        self._eval(target.object, frame)
        self._eval(target.key, frame)
        whole = self._path(target.object)
        stepped = through(value, target.span, "put into a container")
        if whole and isinstance(target.key, Literal):
            frame.write_part(whole, f"{whole}[{target.key.text}]", stepped)
        elif whole:
            frame.add(whole, stepped)
        if whole.startswith("@"):
            self._keep_field(whole, stepped)
        elif isinstance(target.object, Member) and self._path(target.object.object) in SELVES:
            self._keep_field(target.object.name, stepped)
        self._assigned_sink(self._dotted(target.object), target.span, stepped, expr, frame)

    def _take_apart(
        self, target: Keyed, value: Value, expr: Expr | None, frame: Frame, declares: bool
    ) -> None:
        """Each variable gets the part of the value that its key names."""
        while isinstance(expr, Join) and len(expr.parts) == 1:
            expr = expr.parts[0]
        for key, each in target.entries:
            part: Expr | None = None
            known = value
            if key is not None and isinstance(expr, Name | Member | Index):
                part = Member(each.span, expr, key)
                known = self._eval(part, frame)
            self._store(each, known, part, frame=frame, declares=declares)

    def _keyed_parts(self, name: str, keyed: Keyed, frame: Frame) -> None:
        """A container written out with its keys: each key has its own value."""
        rest = []
        for key, part in keyed.entries:
            value = self._eval(part, frame)
            if key is None:
                rest.append(value)
            else:
                frame.write_part(name, f"{name}[{key}]", value)
                frame.write_part(name, f"{name}.{key}", value)
        frame.values[name] = join(rest)

    def _clean_fields(self, guard: Guard) -> None:
        """A method goes on only with values that are good: so are the fields that have them."""
        for name, value in self._fields.items():
            self._fields[name] = cleaned_of(value, guard.origins, guard.classes)

    def _keep_field(self, name: str, value: Value) -> None:
        self._fields[name] = join((self._fields.get(name, HARMLESS), value))


def _is_untouched(value: Value) -> bool:
    """Whether it is what a request brought, as a whole: its parts are checked one by one."""
    return all(e.kind is Kind.REMOTE and len(e.steps) == 1 for e in value.values())


def _targets(target: Join | Choice | Call) -> Iterable[Expr]:
    """The variables in a target of several."""
    if isinstance(target, Call):  # Rust: `Some(x)`, in C# and C++ a declaration
        return [argument.value for argument in target.args]
    return target.parts
