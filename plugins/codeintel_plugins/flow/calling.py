"""Calls: of functions of the file, of what the tables know, and of anything else."""

from __future__ import annotations

import re

from codeintel_plugins.flow.core import (
    HOSTED,
    READS,
    SELVES,
    format_settles_host,
    invocation_key,
    labelled,
)
from codeintel_plugins.flow.csharp import OUT, SETS
from codeintel_plugins.flow.evaluating import Evaluating
from codeintel_plugins.flow.frame import Frame
from codeintel_plugins.flow.ir import (
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
from codeintel_plugins.flow.tree import Span
from codeintel_plugins.flow.values import (
    HARMLESS,
    Value,
    cleaned,
    join,
    of,
    origins,
    through,
)

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


class Calling(Evaluating):
    """Calls."""

    def _call(self, expr: Call, frame: Frame) -> Value:
        name = self._dotted(expr.callee)
        if name == "new Promise" and expr.args:
            settled = expr.args[0].value
            if isinstance(settled, Closure):
                return self._promise(settled.function, frame)
        typed = self._typed(expr.callee, frame)
        callee = expr.callee
        receiver = self._eval(callee.object, frame) if isinstance(callee, Member) else HARMLESS
        if isinstance(callee, Call | Closure | Index | Join | Choice):
            receiver = self._eval(callee, frame)
        elif isinstance(callee, Name) and frame.knows(callee.id):
            receiver = frame.read(callee.id) or HARMLESS
            self._see(callee.span, receiver)
        if isinstance(callee, Member) and callee.name.startswith("$"):  # PHP: in a variable
            end = callee.span.end
            self._eval(Name(Span(end - len(callee.name), end), callee.name), frame)
        if name == "array_map" and len(expr.args) > 1 and isinstance(expr.args[0].value, Closure):
            given = join(self._eval(each.value, frame) for each in expr.args[1:])
            mapped = self._closure(expr.args[0].value.function, frame, given)
            return through(mapped, expr.span, "passed through array_map()")
        args = [self._argument(argument, receiver, frame) for argument in expr.args]
        if expr.args and expr.args[-1].keyword == SETS:
            args[-1] = SETS, self._initialised(name, expr.args[-1].value, frame)
        values = [value for _, value in args]
        if name in _REFUSING and expr.args:
            for guard in self._guards(frame).find(expr.args[0].value):
                if guard.holds == _REFUSING[name]:
                    frame.clean(guard.origins, guard.classes)
        if isinstance(callee, Name):
            for settles, found in self._settling:
                if settles == callee.id:
                    found.append(join(values))
        sinks = self._sinks(expr, (name, typed), receiver, values, frame)
        table = self._table
        self._assign_out(expr, name, receiver, values, frame)
        for source in table.fills.find(name):
            for argument in expr.args:
                path = self._path(argument.value)
                if path:
                    frame.add(path, labelled(source, argument.value.span))
        foreign = (sinks or table.source_calls.find(name)) and not self._is_own(callee)
        function = None if foreign else self._resolve(expr, frame)
        if function is not None:
            self._called.add(function.name)
            value = self._invoke(function, args, expr.span)
            self._rows_of[expr.span] = self._rows.get(invocation_key(function, args), [])
            for known, classes in self._checks.get(invocation_key(function, args), ()):
                frame.clean(known, classes)
            for shared, left in self._set.get(invocation_key(function, args), {}).items():
                frame.write(shared, left)
            if function.name in ("__construct", "initialize"):
                return join((value, *values))
            if _TREATS.search(function.name) and _CHANGES.search(self._text_of(function)):
                return HARMLESS
            return value
        for candidate in (name, typed):
            for source in table.source_calls.find(candidate) if candidate else ():
                text = self._own_text(expr)
                if source.without_text is None or not re.search(source.without_text, text):
                    return self._called_source(source, expr, frame)
        everything = join((receiver, *values))
        for candidate in (name, typed):
            if candidate and (demanded := table.checks.find(candidate)):
                frame.clean(origins(everything), demanded[0])
            if candidate and (classes := self._treats(expr, candidate)):
                return cleaned(everything, classes)
            if maker := self._maker(callee, frame):
                everything = cleaned(everything, self._treats(expr, maker))
            if candidate and table.opaque.find(candidate):
                return HARMLESS
        if table.copies.find(name) and expr.args:
            path = self._path(expr.args[0].value)
            if path:
                stepped = through(join(values[1:]), expr.span, f"copied by {name}()")
                frame.add(path, stepped)
            return HARMLESS
        last = name.rpartition(".")[2]
        if last in _FORMATS and everything and format_settles_host(expr):
            everything = cleaned(everything, HOSTED)
        if isinstance(callee, Member) and (receiver or values):
            read = self._container(callee, last, expr, values, frame)
            if read is not None:
                return read
        if _FORMS.search(last) and everything:
            # To ask whether the form is valid says nothing of the request it was made of.
            return join(of(label._replace(origin=expr.span)) for label in everything.values())
        if _TREATS.search(last) or (not receiver and _FINDS.match(last)):
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
