"""Going through a program with values in place of data: what may each expression hold?

Every function is gone through by itself, its parameters labelled, and once more wherever it is
called in the file, with the values of that call. Branches are both taken and joined; a loop's body
is gone through twice. That is neither sound nor complete, and it ends: calls nest to a fixed depth,
and there is a bound on all steps together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codeintel_plugins.flow import kinds
from codeintel_plugins.flow.calling import Calling
from codeintel_plugins.flow.core import (
    MAX_DEPTH,
    SELVES,
    Exhausted,
    annotation_of,
    first_source,
    invocation_key,
    is_numeric,
    labelled,
    new_label,
)
from codeintel_plugins.flow.frame import Frame
from codeintel_plugins.flow.guards import GuardFinder
from codeintel_plugins.flow.ir import (
    FINALLY,
    HANDLER,
    Assign,
    Branch,
    Call,
    Define,
    Evaluate,
    Expr,
    Function,
    Join,
    Leave,
    Literal,
    Loop,
    Name,
    Param,
    Return,
    Sequence,
    Stmt,
)
from codeintel_plugins.flow.table import Source
from codeintel_plugins.flow.tree import Span
from codeintel_plugins.flow.validators import is_predicate, refuses
from codeintel_plugins.flow.values import (
    HARMLESS,
    Kind,
    Value,
    checked,
    join,
    of,
    origins,
    through,
)

_COUNTERS = frozenset({"i", "j", "n", "idx", "index", "pos", "position"})
_CONVERTED = re.compile(r"<(?:int|float|uuid):(\w+)>")
"""A part of a path that a web framework turns into a number before it calls the handler."""
_STATEMENT = re.compile(r"\$?(?:sql|stmt|statement)", re.IGNORECASE)
"""A parameter that is meant to be a whole statement: it is for the caller to keep it constant."""
_COMMA = re.compile(r"[\s)\]\"']*,")
_PRIVATE = re.compile(r"\b(?:private|static)\b")


class Interpreter(Calling):
    """One program gone through. `seen` has the value of each expression at its place; `hits` the
    values that reach sinks."""

    def run(self) -> None:
        """Go through everything twice: fields that one method sets another may read."""
        try:
            for _ in range(2):
                self._memo.clear()
                self._module = Frame()
                self._module.holds_fields = self._program.bare_fields
                self._exec(self._program.body, self._module)
                for function in self._program.functions:
                    self._standalone(function)
        except Exhausted:
            self.exhausted = True

    def _standalone(self, function: Function) -> None:
        frame = Frame(function.owner, self._homes.get(function.span, self._module))
        handler = first_source(self._table.handlers, function.decoration)
        private = function.name in self._called and (
            function.name.startswith("_")
            or _PRIVATE.search(function.decoration) is not None
            or function.span in self._homes
        )
        for param in function.params:
            frame.types[param.name] = param.type
            if param.name in SELVES:
                continue
            source = first_source(self._table.parameters, param.decoration) or handler
            value = HARMLESS if private and source is None else self._given(param, source)
            if param.name in _CONVERTED.findall(function.decoration):
                value = HARMLESS
            frame.write(param.name, value)
            self._see(param.span, value)
        self._stack.append(function.span)
        self._exec(function.body, frame)
        self._stack.pop()
        self._returned(function, frame)

    def _given(self, param: Param, source: Source | None) -> Value:
        """What a parameter holds as far as its own text and its function's tell."""
        type_ = param.type or annotation_of(param.decoration)
        if is_numeric(type_) or type_ in self._enums:
            return HARMLESS
        neutral = self._table.neutral
        if source is not None and not (neutral and neutral.search(param.decoration)):
            return labelled(source, param.span)
        label = new_label(Kind.PARAMETER, param.span, f"the parameter {param.name}")
        if _STATEMENT.fullmatch(param.name):
            label = label._replace(clean=frozenset({"sql"}))
        return of(label)

    def _invoke(
        self, function: Function, args: list[tuple[str | None, Value]], place: Span
    ) -> Value:
        key = invocation_key(function, args)
        if key in self._memo:
            return self._memo[key]
        if function.span in self._stack or len(self._stack) >= MAX_DEPTH:
            return join(value for _, value in args)
        self._memo[key] = HARMLESS
        frame = Frame(function.owner, self._homes.get(function.span, self._module))
        params = [p for p in function.params if p.name not in SELVES]
        for param in params:
            frame.types[param.name] = param.type
            frame.write(param.name, HARMLESS)
        by_name = {param.name: param for param in params}
        for position, (keyword, value) in enumerate(args):
            found = by_name.get(keyword) if keyword else None
            if found is None and position < len(params):
                found = params[position]
            if found is not None:
                if not is_numeric(found.type):
                    step = f"passed to {function.name}() as {found.name}"
                    frame.write(found.name, through(value, place, step))
                    frame.write(f"{found.name} as given", value)
            elif params:
                frame.add(params[-1].name, value)
        self._stack.append(function.span)
        self._exec(function.body, frame)
        self._stack.pop()
        value = join(value for _, value in frame.returned)
        self._memo[key] = value
        widths = {len(row) for row in frame.rows}
        if len(widths) == 1 and widths != {0}:
            columns = zip(*frame.rows, strict=True)
            self._rows[key] = [
                through(join(each), place, f"returned by {function.name}()") for each in columns
            ]
        self._set[key] = {
            name: frame.values[name] for name in self._program.shared & frame.values.keys()
        }
        if refuses(function):
            given = [value for _, value in args]
            left = [frame.values.get(f"{param.name} as given", HARMLESS) for param in params]
            self._checks[key] = list(checked(join(given), join(left)))
        return through(value, place, f"returned by {function.name}()")

    def _closure(self, function: Function, frame: Frame, given: Value | None) -> Value:
        """Go through a function where it stands; `given` is what it is called with, if known."""
        inner = Frame(frame.owner, frame, is_closure=True)
        handler = first_source(self._table.handlers, function.decoration)
        for position, param in enumerate(function.params):
            source = first_source(self._table.parameters, param.decoration) or handler
            inner.types[param.name] = param.type
            value = self._given(param, source)
            if source is None and given is not None:
                value = HARMLESS if position and param.name in _COUNTERS else given
            inner.write(param.name, value)
            self._see(param.span, value)
        if len(self._stack) < MAX_DEPTH + 5:
            self._stack.append(function.span)
            self._exec(function.body, inner)
            self._stack.pop()
        return join(value for _, value in inner.returned)

    def _exec(self, body: Iterable[Stmt], frame: Frame) -> bool:
        left = False
        for statement in body:
            if not left:
                left = self._statement(statement, frame)
            elif isinstance(statement, Branch) and isinstance(statement.condition, Literal):
                if statement.condition.text == HANDLER:
                    left = self._exec(statement.then, frame)
                elif statement.condition.text == FINALLY:
                    self._exec(statement.then, frame)
        return left

    def _statement(self, statement: Stmt, frame: Frame) -> bool:
        self._tick()
        if isinstance(statement, Assign):
            if statement.type and isinstance(statement.target, Name):
                frame.types[statement.target.id] = statement.type
            self._assign(
                statement.target, statement.value, statement.augments, frame, statement.declares
            )
            if isinstance(statement.target, Name) and is_numeric(statement.type):
                frame.write(statement.target.id, HARMLESS, statement.value)
            return False
        if isinstance(statement, Evaluate):
            self._eval(statement.value, frame)
            return self._exits(statement.value)
        if isinstance(statement, Branch):
            return self._branch(statement, frame)
        if isinstance(statement, Sequence):
            return self._exec(statement.body, frame)
        if isinstance(statement, Return | Leave):
            if statement.value is not None:
                value = self._eval(statement.value, frame)
                if isinstance(statement, Return):
                    frame.returned.append((statement.span, value))
                    frame.rows.append(self._row(statement.value, frame))
            return True
        if isinstance(statement, Loop):
            self._loop(statement, frame)
        elif isinstance(statement, Define) and frame is not self._module:
            self._homes[statement.function.span] = frame
        return False

    def _row(self, returned: Expr, frame: Frame) -> list[Value]:
        """The value of each part if several are returned at once."""
        if not isinstance(returned, Join) or len(returned.parts) < 2:
            return []
        ends = [part.span.end for part in returned.parts]
        between = self.text[ends[0] : returned.parts[1].span.start]
        if _COMMA.match(between) is None:
            return []
        checked = frame.fork()  # callers use the value if what comes last says that it is good
        for guard in self._guards(frame).find(returned.parts[-1]):
            if guard.holds:
                checked.clean(guard.origins, guard.classes)
        return [self._eval(part, checked) for part in returned.parts]

    def _exits(self, value: Expr) -> bool:
        while isinstance(value, Join) and len(value.parts) == 1:
            value = value.parts[0]
        if isinstance(value, Call):
            return self._dotted(value.callee) in kinds.EXIT_CALLS
        return isinstance(value, Name) and value.id in ("exit", "die", "abort")

    def _branch(self, branch: Branch, frame: Frame, values: list[Value] | None = None) -> bool:
        """Whether both ways lead away; `values` gets the values of those that do not."""
        self._eval(branch.condition, frame)
        guards = list(self._guards(frame).find(branch.condition))
        then, otherwise = frame.fork(), frame.fork()
        for guard in guards:
            (then if guard.holds else otherwise).clean(guard.origins, guard.classes)
        if values is None:
            then_leaves = self._exec(branch.then, then)
            otherwise_leaves = self._exec(branch.otherwise, otherwise)
        else:
            one, then_leaves = self._block(branch.then, then)
            other, otherwise_leaves = self._block(branch.otherwise, otherwise)
            values += [HARMLESS if then_leaves else one, HARMLESS if otherwise_leaves else other]
        if then_leaves and otherwise_leaves:
            return True
        for guard in guards:
            if otherwise_leaves if guard.holds else then_leaves:
                self._clean_fields(guard)
        if then_leaves:
            frame.become(otherwise)
        elif otherwise_leaves:
            frame.become(then)
        else:
            frame.merge(then, otherwise)
        return False

    def _guards(self, frame: Frame) -> GuardFinder:
        def predicate(call: Call) -> bool:
            function = self._resolve(call, frame)
            return function is not None and is_predicate(function)

        return GuardFinder(
            self._table,
            lambda expr: origins(self._eval(expr, frame)),
            self._dotted,
            frame.expr_of,
            predicate,
        )

    def _loop(self, loop: Loop, frame: Frame) -> None:
        for _ in range(2):
            value = self._eval(loop.source, frame) if loop.source is not None else HARMLESS
            if loop.target is not None and loop.source is not None:
                for source in self._table.names.find(f"{self._dotted(loop.source)}.[]"):
                    value = labelled(source, loop.source.span)
            inner = frame.fork()
            if loop.target is not None:
                self._store(loop.target, value, None, frame=inner)
            elif loop.source is not None:
                for guard in self._guards(frame).find(loop.source):
                    if guard.holds:
                        inner.clean(guard.origins, guard.classes)
            self._exec(loop.body, inner)
            frame.merge(frame.fork(), inner)
