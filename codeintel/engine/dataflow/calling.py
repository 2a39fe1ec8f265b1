"""Calls: of functions of the file, of what the tables know, and of anything else."""

from __future__ import annotations

import re
from typing import NamedTuple

from codeintel.engine.dataflow.core import (
    HOSTED,
    READS,
    SELVES,
    format_settles_host,
    invocation_key,
    labelled,
)
from codeintel.engine.dataflow.csharp import OUT, SETS
from codeintel.engine.dataflow.evaluating import Evaluating
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.ir import (
    Argument,
    Call,
    Choice,
    Closure,
    Expr,
    Function,
    Index,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
)
from codeintel.engine.dataflow.table import Source
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import HARMLESS, Value, cleaned, join, of, origins, through

_FORMATS = frozenset({"format", "Format", "formatted", "sprintf", "Sprintf", "format!"})
_TREATS = re.compile(
    r"(?i)saniti[sz]e|(?<!un)(?<!de)escape(?!d_?from)|purify|strip_?tags|html_?encode|url_?encode"
)
# What the body of a function has that does what its name says.
_CHANGES = re.compile(r"(?i)replace|escape|encode|translate|quote|gsub|\bsub\(|&lt;|\[\^|append")
_MAPS = frozenset({"map", "and_then", "flatMap", "flat_map", "filter_map", "then", "Select"})
_REFUSING = {"abort_unless": True, "throw_unless": True, "abort_if": False, "throw_if": False}
# Functions that go on only if their first argument holds, or only if it does not.
_FORMS = re.compile(r"[a-z](?:Form|FormSet|Serializer)$")
_FINDS = re.compile(r"(?:find|lookup|look_up|authenticate)(?:_?[A-Z]\w*|_\w+)")
"""Functions whose result is something that was kept, not what they were asked for."""


class _Called(NamedTuple):
    """A call with what is known of it: its name as written and by the type of what it is called on,
    the value of that, and those of the arguments with their keywords."""

    expr: Call
    names: tuple[str, str]
    receiver: Value
    args: list[tuple[str | None, Value]]

    @property
    def name(self) -> str:
        """The name as written."""
        return self.names[0]

    @property
    def values(self) -> list[Value]:
        """The values of the arguments."""
        return [value for _, value in self.args]


class Calling(Evaluating):
    """Calls."""

    def _call(self, expr: Call, frame: Frame) -> Value:
        name = self._dotted(expr.callee)
        if (value := self._with_function(expr, name, frame)) is not None:
            return value
        typed = self._typed(expr.callee, frame)
        receiver = self._receiver(expr.callee, frame)
        args = [self._argument(argument, receiver, frame) for argument in expr.args]
        if expr.args and expr.args[-1].keyword == SETS:
            args[-1] = SETS, self._initialised(name, expr.args[-1].value, frame)
        called = _Called(expr, (name, typed), receiver, args)
        self._settle(called)
        self._refuse(called, frame)
        is_sink = self._sinks(expr, called.names, receiver, called.values, frame)
        self._assign_out(expr, name, receiver, called.values, frame)
        self._fill(called, frame)
        foreign = (is_sink or self._table.source_calls.find(name)) and not self._is_own(expr.callee)
        function = None if foreign else self._resolve(expr, frame)
        if function is not None:
            return self._own(function, called, frame)
        if (source := self._source_of(called)) is not None:
            return self._called_source(source, expr, frame)
        return self._foreign(called, frame)

    def _with_function(self, expr: Call, name: str, frame: Frame) -> Value | None:
        """Calls that are all about the function that they are given first."""
        given = expr.args[0].value if expr.args else None
        if not isinstance(given, Closure):
            return None
        if name == "new Promise":
            return self._promise(given.function, frame)
        if name == "array_map" and len(expr.args) > 1:
            values = join(self._eval(each.value, frame) for each in expr.args[1:])
            mapped = self._closure(given.function, frame, values)
            return through(mapped, expr.span, "passed through array_map()")
        return None

    def _receiver(self, callee: Expr, frame: Frame) -> Value:
        """The value that a method is called on, or that is called itself."""
        if isinstance(callee, Member):
            receiver = self._eval(callee.object, frame)
            if callee.name.startswith("$"):  # PHP: in a variable
                end = callee.span.end
                self._eval(Name(Span(end - len(callee.name), end), callee.name), frame)
            return receiver
        if isinstance(callee, Call | Closure | Index | Join | Choice):
            return self._eval(callee, frame)
        if isinstance(callee, Name) and frame.knows(callee.id):
            receiver = frame.read(callee.id) or HARMLESS
            self._see(callee.span, receiver)
            return receiver
        return HARMLESS

    def _settle(self, called: _Called) -> None:
        callee = called.expr.callee
        if isinstance(callee, Name):
            for settles, found in self._settling:
                if settles == callee.id:
                    found.append(join(called.values))

    def _refuse(self, called: _Called, frame: Frame) -> None:
        """Calls that leave unless a condition is as they want it."""
        if called.name in _REFUSING and called.expr.args:
            for guard in self._guards(frame).find(called.expr.args[0].value):
                if guard.holds == _REFUSING[called.name]:
                    frame.clean(guard.origins, guard.classes)

    def _fill(self, called: _Called, frame: Frame) -> None:
        """Sources that put a value into their arguments."""
        for source in self._table.fills.find(called.name):
            for argument in called.expr.args:
                path = self._path(argument.value)
                if path:
                    frame.add(path, labelled(source, argument.value.span))

    def _own(self, function: Function, called: _Called, frame: Frame) -> Value:
        """A call of a function of the file."""
        self._called.add(function.name)
        value = self._invoke(function, called.args, called.expr.span)
        key = invocation_key(function, called.args)
        self._rows_of[called.expr.span] = self._rows.get(key, [])
        for known, classes in self._checks.get(key, ()):
            frame.clean(known, classes)
        for shared, left in self._set.get(key, {}).items():
            frame.write(shared, left)
        if function.name in ("__construct", "initialize"):
            return join((value, *called.values))
        if _TREATS.search(function.name) and _CHANGES.search(self._text_of(function)):
            return HARMLESS
        return value

    def _source_of(self, called: _Called) -> Source | None:
        for candidate in filter(None, called.names):
            for source in self._table.source_calls.find(candidate):
                text = self._own_text(called.expr)
                if source.without_text is None or not re.search(source.without_text, text):
                    return source
        return None

    def _foreign(self, called: _Called, frame: Frame) -> Value:
        """A call of anything else: what it gives has something of all that it was given."""
        expr, name, table = called.expr, called.name, self._table
        everything = join((called.receiver, *called.values))
        for candidate in called.names:
            if candidate and (demanded := table.checks.find(candidate)):
                frame.clean(origins(everything), demanded[0])
            if candidate and (classes := self._treats(expr, candidate)):
                return cleaned(everything, classes)
            if maker := self._maker(expr.callee, frame):
                everything = cleaned(everything, self._treats(expr, maker))
            if candidate and table.opaque.find(candidate):
                return HARMLESS
        if table.copies.find(name) and expr.args:
            path = self._path(expr.args[0].value)
            if path:
                stepped = through(join(called.values[1:]), expr.span, f"copied by {name}()")
                frame.add(path, stepped)
            return HARMLESS
        return self._passed(called, everything, frame)

    def _passed(self, called: _Called, everything: Value, frame: Frame) -> Value:
        """What goes through a call that no table knows."""
        expr, last = called.expr, called.name.rpartition(".")[2]
        if last in _FORMATS and everything and format_settles_host(expr):
            everything = cleaned(everything, HOSTED)
        if isinstance(expr.callee, Member) and (called.receiver or called.values):
            read = self._container(expr.callee, last, expr, called.values, frame)
            if read is not None:
                return read
        if _FORMS.search(last) and everything:
            # To ask whether the form is valid says nothing of the request it was made of.
            return join(of(label._replace(origin=expr.span)) for label in everything.values())
        if _TREATS.search(last) or (not called.receiver and _FINDS.match(last)):
            return HARMLESS
        return through(everything, expr.span, f"passed through {last or 'a call'}()")

    def _promise(self, function: Function, frame: Frame) -> Value:
        """What the function that makes a promise settles it with."""
        found: list[Value] = []
        self._settling.append((function.params[0].name if function.params else "", found))
        self._closure(function, frame, HARMLESS)
        self._settling.pop()
        return join(found)

    def _initialised(self, made: str, sets: Expr, frame: Frame) -> Value:
        """What `new T { A = b }` holds of what it sets."""
        if not isinstance(sets, Keyed):
            return self._eval(sets, frame)
        found = []
        for key, part in sets.entries:
            if isinstance(part, Keyed):
                found.append(self._initialised(f"{made}.{key}", part, frame))
                continue
            value = self._eval(part, frame)
            self._assigned_sink(f"{made}.{key}", part.span, value, part, frame)
            if not self._table.opaque.find(f"{made}.{key}"):
                found.append(value)
        return join(found)

    def _assign_out(
        self, call: Call, name: str, receiver: Value, values: list[Value], frame: Frame
    ) -> None:
        """C#'s `out` arguments: what is looked up comes from the container alone."""
        last = name.rpartition(".")[2]
        for argument in call.args:
            path = self._path(argument.value) if argument.keyword == OUT else ""
            if path and last in ("TryGetValue", "TryCreate"):
                value = receiver if last == "TryGetValue" else join(values)
                frame.write(path, through(value, argument.value.span, f"assigned by {last}()"))

    def _treats(self, call: Call | Member, name: str) -> frozenset[str]:
        """Against which classes of sinks a call, or a part of one, makes a value harmless."""
        if not name:
            return frozenset()
        text = self._own_text(call)
        return frozenset(
            each
            for sanitizer in self._table.sanitizers.find(name)
            if sanitizer.with_text is None or re.search(sanitizer.with_text, text)
            for each in sanitizer.classes
        )

    def _argument(self, argument: Argument, given: Value, frame: Frame) -> tuple[str | None, Value]:
        if isinstance(argument.value, Closure):
            value = self._closure(argument.value.function, frame, given)
            self._see(argument.value.span, value)
            return argument.keyword, value
        return argument.keyword, self._eval(argument.value, frame)

    def _container(
        self, callee: Member, last: str, expr: Call, values: list[Value], frame: Frame
    ) -> Value | None:
        keeps = self._table.keeps.find(f"x.{last}")
        path = self._path(self._behind_keeps(callee.object) if keeps else callee.object)
        key = expr.args[0].value if expr.args else None
        if path and keeps:
            if len(values) > 1 and isinstance(key, Literal):
                stepped = through(values[1], expr.span, "put into a container")
                frame.write_part(path, f"{path}[{key.text}]", stepped)
            else:
                stepped = through(join(values), expr.span, "put into a container")
                frame.add(path, stepped)
            whole, _, field = path.partition(".")
            if whole in SELVES and field.isidentifier():
                self._keep_field(field, stepped)
            return frame.read(path) or HARMLESS
        if path and last in READS and isinstance(key, Literal):
            known = frame.read_part(path, f"{path}[{key.text}]")
            if known is not None:
                part = Index(expr.span, callee.object, key)
                return join((self._source_part(path, part, known, frame), *values[1:]))
        owner = callee.object.id if isinstance(callee.object, Name) else ""
        statically = owner[:1].isupper() and not owner.isupper()  # a class, and no constant
        if last in READS and len(values) in (1, 2) and not statically:
            # what is looked up does not have the key
            return join((self._eval(callee.object, frame), *values[1:]))
        if last in _MAPS and expr.args and isinstance(expr.args[0].value, Closure):
            return through(values[0], expr.span, f"passed through {last}()")
        return None
