"""Going through a program with values in place of data: what may each expression hold?

Every function is gone through by itself, its parameters labelled, and once more wherever it is
called in the file, with the values of that call. Branches are both taken and joined; a loop's body
is gone through twice. That is neither sound nor complete, and it ends: calls nest to a fixed depth,
and there is a bound on all steps together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from codeintel_plugins.flow import kinds, prefixes
from codeintel_plugins.flow.csharp import OUT, SETS
from codeintel_plugins.flow.frame import Frame
from codeintel_plugins.flow.guards import Guard, GuardFinder
from codeintel_plugins.flow.ir import (
    FINALLY,
    HANDLER,
    Argument,
    Assign,
    Assignment,
    Block,
    Branch,
    Call,
    Choice,
    Closure,
    Define,
    Evaluate,
    Expr,
    Function,
    Index,
    Join,
    Keyed,
    Leave,
    Literal,
    Loop,
    Member,
    Name,
    Param,
    Program,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel_plugins.flow.table import Sink, Source, Table
from codeintel_plugins.flow.tree import Span
from codeintel_plugins.flow.validators import is_predicate, refuses, returned_values
from codeintel_plugins.flow.values import (
    HARMLESS,
    Kind,
    Label,
    Step,
    Value,
    checked,
    cleaned,
    cleaned_of,
    join,
    of,
    origins,
    through,
)

MAX_STEPS = 300_000
MAX_DEPTH = 5
_SELVES = frozenset({"self", "this", "$this", "cls", "@"})
_NUMERIC = re.compile(
    r"(?i)\W*(?:u?int(?:eger|8|16|32|64)?_?t?|[iu](?:8|16|32|64|128|size)|f(?:32|64)|float|double|long"
    r"|short|byte|bool(?:ean)?|size_t|ssize_t|number|decimal|uuid|guid|datetime|date|localdate|bigint"
    r"|nat|char|time\.duration|unsigned(?: int| long| char)?|bigdecimal|optional\[int\]|int \| none)\W*\Z"
)
_BYTES = re.compile(r"(?i)(?:byte|char)\s*\[|\[\]\s*(?:byte|u8)|\[u8|char\s*[*&]")
_TEXTUAL = frozenset({"String", "string", "CharSequence", "string?"})
_FORMATS = frozenset({"format", "Format", "formatted", "sprintf", "Sprintf", "format!"})
_HOSTED = frozenset({"url", "redirect"})
# Beside a result they say how it went.
_OUTCOMES = frozenset({"err", "ok", "error", "_"})
_READS = frozenset(
    {"get", "getOrDefault", "fetch", "at", "pop", "dig", "Get", "get_or", "setdefault"}
)
_TREATS = re.compile(
    r"(?i)saniti[sz]e|(?<!un)(?<!de)escape(?!d_?from)|purify|strip_?tags|html_?encode|url_?encode"
)
# What the body of a function has that does what its name says.
_CHANGES = re.compile(r"(?i)replace|escape|encode|translate|quote|gsub|\bsub\(|&lt;|\[\^|append")
_MAPS = frozenset({"map", "and_then", "flatMap", "flat_map", "filter_map", "then", "Select"})
_NUMBERS = frozenset({"length", "Length", "byteLength"})
_COUNTERS = frozenset({"i", "j", "n", "idx", "index", "pos", "position"})
_ENUM = re.compile(
    r"\benum\s+(?:class\s+|struct\s+)?(\w+)|\bclass\s+(\w+)\([^)\n]{0,80}Enum\)"
)
_BARE = re.compile(r"def (?:self\.)?\w+[?!]?\s*(?:=\s*)?")
"""How a method of Ruby without parameters begins, which is called by its name alone."""
_CONVERTED = re.compile(r"<(?:int|float|uuid):(\w+)>")
"""A part of a path that a web framework turns into a number before it calls the handler."""
_INERT_KEYS = frozenset(
    """
    tmp_name tempfile DOCUMENT_ROOT REQUEST_METHOD REMOTE_ADDR REQUEST_TIME REQUEST_TIME_FLOAT SERVER_ADDR
    SERVER_PORT SERVER_NAME SERVER_SOFTWARE SERVER_PROTOCOL SCRIPT_NAME SCRIPT_FILENAME HTTPS argc
    CONTENT_LENGTH GATEWAY_INTERFACE rack.input action_dispatch.request_id
    """.split()
)
"""What the server itself puts beside what a request brings."""
_FINDS = re.compile(r"(?:find|lookup|look_up|authenticate)(?:_?[A-Z]\w*|_\w+)")
"""Functions whose result is something that was kept, not what they were asked for."""
_READERS = re.compile(r"\battr_(?:reader|accessor)[ (]+([^\n]+)")
"""Ruby: names that stand for the field with an `@` before it."""
_CONSTRUCTORS = ("__init__", "constructor", "__construct")
_STATEMENT = re.compile(r"\$?(?:sql|stmt|statement)", re.IGNORECASE)
"""A parameter that is meant to be a whole statement: it is for the caller to keep it constant."""
_PRIVATE = re.compile(r"\b(?:private|static)\b")


_LIST_HEADS = ("[", "new String[", "new[]", "new string[", "array(", "(", "{")
_LISTS = frozenset({"List.of", "Arrays.asList", "new ArrayList", "new LinkedList", "new List"})


class Hit(NamedTuple):
    """A value from outside reaches a sink. `call` is the sink's place, `argument` the value's."""

    sink: Sink
    call: Span
    argument: Span
    label: Label


class Exhausted(Exception):  # noqa: N818 - a signal, not an error
    """The program is too large to be gone through."""


class Interpreter:
    """One program gone through. `seen` has the value of each expression at its place; `hits` the
    values that reach sinks."""

    def __init__(self, program: Program, table: Table, text: str) -> None:
        self.seen: dict[Span, Value] = {}
        self.assigned: dict[Span, Span] = {}
        """By the place of a variable's use, the place of what it was assigned last."""
        self.hits: dict[tuple[str, Span, Span], Hit] = {}
        self.exhausted = False
        self._program = program
        self._table = table.within(text)
        self.text = text
        self._module = Frame()
        self._fields: dict[str, Value] = {}
        self._functions: dict[str, list[Function]] = {}
        for function in program.functions:
            self._functions.setdefault(function.name, []).append(function)
        self._readers = frozenset(
            name for words in _READERS.findall(text) for name in re.findall(r":(\w+)", words)
        )
        self._bare = {f.name: f for f in program.functions if _BARE.fullmatch(f.decoration)}
        self._called: set[str] = set()
        self._enums = frozenset(map("".join, _ENUM.findall(text)))
        self._checks: dict[tuple[object, ...], list[tuple[frozenset[Span], frozenset[str]]]] = {}
        self._sourced: set[str] = set()
        self._field_exprs: dict[str, Expr] = {}
        self._homes: dict[Span, Frame] = {}
        self._settling: list[tuple[str, list[Value]]] = []
        self._stack: list[Span] = []
        self._memo: dict[tuple[object, ...], Value] = {}
        self._set: dict[tuple[object, ...], dict[str, Value]] = {}
        """What a call sets for its caller, by its function and arguments."""
        self._steps = 0

    def run(self) -> None:
        """Go through everything twice: fields that one method sets another may read."""
        try:
            for _ in range(2):
                self._memo.clear()
                self._module = Frame()
                self._exec(self._program.body, self._module)
                for function in self._program.functions:
                    self._standalone(function)
        except Exhausted:
            self.exhausted = True

    # Functions

    def _standalone(self, function: Function) -> None:
        frame = Frame(function.owner, self._homes.get(function.span, self._module))
        handler = _search(self._table.handlers, function.decoration)
        private = function.name in self._called and (
            function.name.startswith("_")
            or _PRIVATE.search(function.decoration) is not None
            or function.span in self._homes
        )
        for param in function.params:
            frame.types[param.name] = param.type
            if param.name in _SELVES:
                continue
            source = _search(self._table.parameters, param.decoration) or handler
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
        type_ = param.type or _annotation(param.decoration)
        if _is_numeric(type_) or type_ in self._enums:
            return HARMLESS
        neutral = self._table.neutral
        if source is not None and not (neutral and neutral.search(param.decoration)):
            return _labelled(source, param.span)
        label = _label(Kind.PARAMETER, param.span, f"the parameter {param.name}")
        if _STATEMENT.fullmatch(param.name):
            label = label._replace(clean=frozenset({"sql"}))
        return of(label)

    def _invoke(
        self, function: Function, args: list[tuple[str | None, Value]], place: Span
    ) -> Value:
        key = _invocation(function, args)
        if key in self._memo:
            return self._memo[key]
        if function.span in self._stack or len(self._stack) >= MAX_DEPTH:
            return join(value for _, value in args)
        self._memo[key] = HARMLESS
        frame = Frame(function.owner, self._homes.get(function.span, self._module))
        params = [p for p in function.params if p.name not in _SELVES]
        for param in params:
            frame.types[param.name] = param.type
            frame.write(param.name, HARMLESS)
        by_name = {param.name: param for param in params}
        for position, (keyword, value) in enumerate(args):
            found = by_name.get(keyword) if keyword else None
            if found is None and position < len(params):
                found = params[position]
            if found is not None:
                if not _is_numeric(found.type):
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
        self._set[key] = {
            name: frame.values[name] for name in self._program.shared & frame.values.keys()
        }
        if refuses(function):
            given = [value for _, value in args]
            left = [frame.values.get(f"{param.name} as given", HARMLESS) for param in params]
            self._checks[key] = list(checked(join(given), join(left)))
        return through(value, place, f"returned by {function.name}()")

    def _returned(self, function: Function, frame: Frame) -> None:
        for pattern, sink in self._table.sink_returns:
            if pattern.search(function.decoration):
                for place, value in frame.returned:
                    self._reach(sink, place, place, value)

    def _closure(self, function: Function, frame: Frame, given: Value | None) -> Value:
        """Go through a function where it stands; `given` is what it is called with, if known."""
        inner = Frame(frame.owner, frame, is_closure=True)
        handler = _search(self._table.handlers, function.decoration)
        for position, param in enumerate(function.params):
            source = _search(self._table.parameters, param.decoration) or handler
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

    # Statements: each says whether what follows it is never reached

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
            if isinstance(statement.target, Name) and _is_numeric(statement.type):
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
            return True
        if isinstance(statement, Loop):
            self._loop(statement, frame)
        elif isinstance(statement, Define) and frame is not self._module:
            self._homes[statement.function.span] = frame
        return False

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
                    value = _labelled(source, loop.source.span)
            inner = frame.fork()
            if loop.target is not None:
                self._store(loop.target, value, None, frame=inner)
            elif loop.source is not None:
                for guard in self._guards(frame).find(loop.source):
                    if guard.holds:
                        inner.clean(guard.origins, guard.classes)
            self._exec(loop.body, inner)
            frame.merge(frame.fork(), inner)

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
        if isinstance(value, Closure) and self._is_helper(target, frame):
            known = self._closure(value.function, frame, HARMLESS)
        else:
            known = self._eval(value, frame)
        if augments:
            known = join((known, self._eval(target, frame)))
        kept = None if augments else value
        self._store(target, known, kept, frame=frame, declares=declares)
        return known

    def _is_helper(self, target: Expr, frame: Frame) -> bool:
        """Whether a function within a function is kept under a name by which it is called."""
        if not isinstance(target, Name) or frame is self._module:
            return False
        return re.search(rf"\b{re.escape(target.id)}\(", self.text) is not None

    def _store(
        self, target: Expr, value: Value, expr: Expr | None, *, frame: Frame, declares: bool = True
    ) -> None:
        self._tick()
        if isinstance(target, Name):
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
        elif isinstance(target, Member):
            self._eval(target.object, frame)
            whole, dotted = self._path(target.object), self._path(target)
            stepped = through(value, target.span, f"assigned to {target.name}")
            if whole:
                frame.write_part(whole, dotted, stepped)
                if whole in _SELVES:
                    self._keep_field(target.name, stepped)
                    if expr is not None:
                        self._field_exprs[target.name] = expr
            self._see(target.span, value)
            self._assigned_sink(self._dotted(target), target.span, stepped, expr, frame)
        elif isinstance(target, Index):
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
            elif isinstance(target.object, Member) and self._path(target.object.object) in _SELVES:
                self._keep_field(target.object.name, stepped)
            self._assigned_sink(self._dotted(target.object), target.span, stepped, expr, frame)
        elif isinstance(target, Join | Choice | Keyed | Call):
            parts: Iterable[Expr]
            if isinstance(target, Keyed):
                self._take_apart(target, value, expr, frame, declares)
                return
            if isinstance(target, Call):  # Rust: `Some(x)`, in C# and C++ a declaration
                parts = [argument.value for argument in target.args]
            else:
                parts = target.parts
            for part in parts:
                outcome = isinstance(part, Name) and part.id in _OUTCOMES
                known = HARMLESS if outcome else value
                self._store(part, known, expr, frame=frame, declares=declares)
        elif isinstance(target, Block):
            for statement in target.body:
                if isinstance(statement, Evaluate):
                    self._store(statement.value, value, expr, frame=frame, declares=declares)

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

    def _assigned_sink(
        self, dotted: str, place: Span, value: Value, expr: Expr | None, frame: Frame
    ) -> None:
        for sink in self._table.sink_assigns.find(dotted) if value else ():
            if not (sink.no_lists and expr is not None and self._is_list(expr, frame)):
                self._reach(sink, place, place, value)

    # Expressions

    def _eval(self, expr: Expr, frame: Frame) -> Value:
        self._tick()
        value = self._value(expr, frame)
        self._see(expr.span, value)
        return value

    def _see(self, place: Span, value: Value) -> None:
        known = self.seen.get(place)
        self.seen[place] = value if not known else join((known, value))

    def _value(self, expr: Expr, frame: Frame) -> Value:
        if isinstance(expr, Literal):
            if expr.text.startswith("php://"):
                for source in self._table.names.find(expr.text):
                    return self._read_source(source, expr, frame)
            return HARMLESS
        if isinstance(expr, Name):
            return self._name(expr, frame)
        if isinstance(expr, Member):
            return self._member(expr, frame)
        if isinstance(expr, Call):
            return self._call(expr, frame)
        if isinstance(expr, Join):
            return self._joined(expr, frame)
        if isinstance(expr, Index):
            return self._index(expr, frame)
        if isinstance(expr, Choice):
            return self._choice(expr, frame)
        if isinstance(expr, Keyed):
            return join([self._eval(part, frame) for _, part in expr.entries])
        if isinstance(expr, Test):
            return self._test(expr, frame)
        if isinstance(expr, Closure):
            return self._closure(expr.function, frame, None)
        if isinstance(expr, Assignment):
            return self._assign(expr.target, expr.value, expr.augments, frame)
        return self._block(expr.body, frame)[0]

    def _test(self, test: Test, frame: Frame) -> Value:
        """Nothing; but what `a and b` is may be b, which is looked at only if a holds."""
        if test.operator not in ("&&", "and") or len(test.parts) != 2:
            for part in test.parts:
                self._eval(part, frame)
            return HARMLESS
        self._eval(test.parts[0], frame)
        way = frame.fork()
        for guard in self._guards(frame).find(test.parts[0]):
            if guard.holds:
                way.clean(guard.origins, guard.classes)
        value = self._eval(test.parts[1], way)
        return value if test.operator == "and" else HARMLESS

    def _block(self, body: tuple[Stmt, ...], frame: Frame) -> tuple[Value, bool]:
        """The value of statements in the place of an expression, and whether they lead away."""
        if not body:
            return HARMLESS, False
        if self._exec(body[:-1], frame):
            return HARMLESS, True
        last = body[-1]
        if isinstance(last, Evaluate):
            return self._eval(last.value, frame), self._exits(last.value)
        if isinstance(last, Sequence):
            return self._block(last.body, frame)
        if isinstance(last, Branch):
            values: list[Value] = []
            left = self._branch(last, frame, values)
            return join(values), left
        return HARMLESS, self._statement(last, frame)

    def _name(self, expr: Name, frame: Frame) -> Value:
        known = frame.read(expr.id)
        if (assigned := frame.expr_of(expr.id)) is not None:
            self.assigned[expr.span] = assigned.span
        if not known and self._is_field(expr.id, frame):
            return self._field(expr.id)
        if known is not None:
            return known
        for source in self._table.names.find(self._program.aliases.get(expr.id, expr.id)):
            return self._read_source(source, expr, frame)
        if (method := self._bare.get(expr.id)) is not None:
            self._called.add(method.name)
            return self._invoke(method, [], expr.span)
        if frame.owner and expr.id in self._readers:
            return self._fields.get(f"@{expr.id}", HARMLESS)
        if frame.owner or expr.id.startswith("@"):
            return self._fields.get(expr.id, HARMLESS)
        return HARMLESS

    def _is_field(self, name: str, frame: Frame) -> bool:
        """Whether a name without `this` stands for a field."""
        return (
            self._program.bare_fields
            and bool(frame.owner)
            and self._module.knows(name)
            and not frame.is_local(name)
        )

    def _field(self, name: str) -> Value:
        """What methods put into a field. What a constructor was given counts if it is text; the
        rest are mostly services."""
        textual = self._module.type_of(name) in _TEXTUAL
        return {
            key: label
            for key, label in self._fields.get(name, HARMLESS).items()
            if textual or label.kind is not Kind.PARAMETER
        }

    def _member(self, expr: Member, frame: Frame) -> Value:
        whole = self._eval(expr.object, frame)
        for source in self._table.names.find(self._dotted(expr)):
            return self._read_source(source, expr, frame)
        if expr.name in _NUMBERS:
            return HARMLESS
        if whole and (classes := self._treats(expr, self._dotted_of_part(expr, frame))):
            return cleaned(whole, classes)
        path = self._path(expr.object)
        if path:
            known = frame.read_part(path, self._path(expr))
            if path in _SELVES:
                kept = self._field_exprs.get(expr.name) or self._module.expr_of(expr.name)
                if kept is not None:
                    self.assigned[expr.span] = kept.span
                own = frame.values.get(self._path(expr))
                return own if own is not None else self._fields.get(expr.name, HARMLESS)
            if known is not None:
                return self._source_part(path, expr, known, frame)
        return whole

    def _read_source(self, source: Source, expr: Expr, frame: Frame) -> Value:
        """A source's value; reading it again gives the same, which may have been checked."""
        path = self._path(expr)
        known = frame.read_part("", path) if path else None
        if known is None:
            known = _labelled(source, expr.span)
            if path:
                frame.values[path] = known
                self._sourced.add(path)
        return known

    def _called_source(self, source: Source, call: Call, frame: Frame) -> Value:
        """What a source gives when it is called; the same call gives the same again."""
        given = [argument.value for argument in call.args[:1]]
        callee = call.callee
        if not all(isinstance(each, Literal) for each in given) or not isinstance(callee, Member):
            return _labelled(source, call.span)
        path = f"{self._dotted(callee)}({''.join(e.text for e in given if isinstance(e, Literal))})"
        known = frame.read_part("", path)
        if known is None:
            known = _labelled(source, call.span)
            frame.values[path] = known
        return known

    def _source_part(self, whole: str, expr: Expr, value: Value, frame: Frame) -> Value:
        """A part of a source's value; to check it says nothing of the other parts."""
        path = self._path(expr)
        if whole in self._sourced and not frame.knows(path):
            value = join(
                of(label._replace(origin=expr.span, steps=(Step(expr.span, label.what),)))
                for label in value.values()
            )
            frame.values[path] = value
            self._sourced.add(path)
        return value

    def _index(self, expr: Index, frame: Frame) -> Value:
        for source in self._table.names.find(f"{self._dotted(expr.object)}[]"):
            return self._read_source(source, expr, frame)
        whole = self._eval(expr.object, frame)
        self._eval(expr.key, frame)
        path = self._path(expr.object)
        if isinstance(expr.key, Literal) and expr.key.text in _INERT_KEYS:
            return HARMLESS
        if path and isinstance(expr.key, Literal):
            known = frame.read_part(path, f"{path}[{expr.key.text}]")
            if known is not None:
                return self._source_part(path, expr, known, frame)
        return whole

    def _joined(self, expr: Join, frame: Frame) -> Value:
        value = join([self._eval(part, frame) for part in expr.parts])
        if len(expr.parts) == 1 and expr.parts[0].span in self.assigned:
            self.assigned[expr.span] = self.assigned[expr.parts[0].span]
        if value and self._settles_host(expr):
            return cleaned(value, _HOSTED)
        return value

    def _settles_host(self, expr: Join) -> bool:
        """Whether text that is put together begins with a host, or with a path of this site."""
        source = self.text[expr.span.start : min(expr.span.end, expr.span.start + 300)]
        if prefixes.begins_fixed(source):
            return True
        first: Expr = expr
        while isinstance(first, Join) and first.parts:
            first = first.parts[0]
        if not isinstance(first, Name | Member) or self.seen.get(first.span):
            return False
        plain = first.span.start == expr.span.start and first.span.end < expr.span.end
        return (plain or prefixes.begins_interpolated(source)) and prefixes.names_address(
            first.id if isinstance(first, Name) else first.name
        )

    def _choice(self, expr: Choice, frame: Frame) -> Value:
        if expr.condition is None:
            return join([self._eval(part, frame) for part in expr.parts])
        self._eval(expr.condition, frame)
        guards = list(self._guards(frame).find(expr.condition))
        found = []
        for position, part in enumerate(expr.parts):
            way = frame.fork()
            for guard in guards:
                if guard.holds == (position == 0):
                    way.clean(guard.origins, guard.classes)
            found.append(self._eval(part, way))
        return join(found)

    # Calls

    def _promise(self, function: Function, frame: Frame) -> Value:
        """What the function that makes a promise settles it with."""
        found: list[Value] = []
        self._settling.append((function.params[0].name if function.params else "", found))
        self._closure(function, frame, HARMLESS)
        self._settling.pop()
        return join(found)

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
                    frame.add(path, _labelled(source, argument.value.span))
        foreign = (sinks or table.source_calls.find(name)) and not self._is_own(callee)
        function = None if foreign else self._resolve(expr, frame)
        if function is not None:
            self._called.add(function.name)
            value = self._invoke(function, args, expr.span)
            for known, classes in self._checks.get(_invocation(function, args), ()):
                frame.clean(known, classes)
            for shared, left in self._set.get(_invocation(function, args), {}).items():
                frame.write(shared, left)
            if function.name in ("__construct", "initialize"):
                return join((value, *values))
            if _TREATS.search(function.name) and _CHANGES.search(self._text_of(function)):
                return HARMLESS
            return value
        for candidate in (name, typed):
            if candidate and (sources := table.source_calls.find(candidate)):
                return self._called_source(sources[0], expr, frame)
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
        if last in _FORMATS and everything and _format_settles_host(expr):
            everything = cleaned(everything, _HOSTED)
        if isinstance(callee, Member) and (receiver or values):
            read = self._container(callee, last, expr, values, frame)
            if read is not None:
                return read
        if _TREATS.search(last) or (not receiver and _FINDS.match(last)):
            return HARMLESS
        return through(everything, expr.span, f"passed through {last or 'a call'}()")

    def _dotted_of_part(self, expr: Member, frame: Frame) -> str:
        """A name such as `Path().name` for a part of what a call made; nothing for others."""
        whole: Expr | None = expr.object
        if isinstance(whole, Name):
            whole = frame.expr_of(whole.id)
        return f"{self._dotted(whole)}.{expr.name}" if isinstance(whole, Call) else ""

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

    def _text_of(self, function: Function) -> str:
        """What stands behind a function's head."""
        start = function.span.start + len(function.decoration)
        return self.text[start : function.span.end]

    def _maker(self, callee: Expr, frame: Frame) -> str:
        """The call that made the function in a variable: `pug.compile()` for a template."""
        kept = frame.expr_of(callee.id) if isinstance(callee, Name) else None
        return f"{self._dotted(kept.callee)}()" if isinstance(kept, Call) else ""

    def _treats(self, call: Call | Member, name: str) -> frozenset[str]:
        """Against which classes of sinks a call, or a part of one, makes a value harmless."""
        if not name:
            return frozenset()
        text = self.text[call.span.start : call.span.end]
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
            if whole in _SELVES and field.isidentifier():
                self._keep_field(field, stepped)
            return frame.read(path) or HARMLESS
        if path and last in _READS and isinstance(key, Literal):
            known = frame.read_part(path, f"{path}[{key.text}]")
            if known is not None:
                part = Index(expr.span, callee.object, key)
                return join((self._source_part(path, part, known, frame), *values[1:]))
        owner = callee.object.id if isinstance(callee.object, Name) else ""
        statically = owner[:1].isupper() and not owner.isupper()  # a class, and no constant
        if last in _READS and len(values) in (1, 2) and not statically:
            # what is looked up does not have the key
            return join((self._eval(callee.object, frame), *values[1:]))
        if last in _MAPS and expr.args and isinstance(expr.args[0].value, Closure):
            return through(values[0], expr.span, f"passed through {last}()")
        return None

    def _behind_keeps(self, expr: Expr) -> Expr:
        """What `x.append(a).append(b)` appends to."""
        while (
            isinstance(expr, Call)
            and isinstance(expr.callee, Member)
            and self._table.keeps.find(f"x.{expr.callee.name}")
        ):
            expr = expr.callee.object
        return expr

    def _sinks(
        self,
        expr: Call,
        names: tuple[str, str],
        receiver: Value,
        values: list[Value],
        frame: Frame,
    ) -> bool:
        found = False
        sinks = self._table.sink_calls
        for sink in dict.fromkeys(s for name in names if name for s in sinks.find(name)):
            found = True
            text = self.text[expr.span.start : expr.span.end]
            if sink.with_text and not re.search(sink.with_text, text):
                continue
            if sink.without_text and re.search(sink.without_text, text):
                continue
            if sink.receiver:
                self._reach(sink, expr.span, expr.span, receiver)
            position = 0
            for argument, value in zip(expr.args, values, strict=True):
                if argument.keyword is not None:
                    wanted = argument.keyword in sink.keywords
                else:
                    wanted = position in sink.arguments or -1 in sink.arguments
                    position += 1
                    if wanted and sink.keywords:
                        value = self._keys_of(argument.value, sink.keywords, value, frame)
                if (
                    wanted
                    and value
                    and not (sink.no_lists and self._is_list(argument.value, frame))
                ):
                    self._reach(sink, expr.span, argument.value.span, value)
        return found

    def _keys_of(
        self, expr: Expr, keys: tuple[str, ...], value: Value, frame: Frame
    ) -> Value:
        """What some keys of an object that is written out hold; of anything else, all of it."""
        if isinstance(expr, Name):
            name, kept = expr.id, frame.expr_of(expr.id)
            if isinstance(kept, Keyed):
                return join([frame.read_part(name, f"{name}.{key}") or HARMLESS for key in keys])
        if isinstance(expr, Keyed):
            return join([self._eval(part, frame) for key, part in expr.entries if key in keys])
        return value

    def _reach(self, sink: Sink, call: Span, argument: Span, value: Value) -> None:
        for label in value.values():
            if label.harms(sink.class_):
                key = (sink.class_, call, label.origin)
                known = self.hits.get(key)
                if known is None or len(known.label.steps) > len(label.steps):
                    self.hits[key] = Hit(sink, call, argument, label)

    def _is_list(self, expr: Expr, frame: Frame) -> bool:
        if isinstance(expr, Name):
            kept = frame.expr_of(expr.id)
            if kept is None or isinstance(kept, Name):
                return False
            expr = kept
        head = self.text[expr.span.start : expr.span.start + 12]
        if isinstance(expr, Keyed) and head.startswith("{"):
            return True
        if isinstance(expr, Call):
            own = self._resolve(expr, frame)
            if own is not None and own.span not in self._stack:
                found = returned_values(own)
                return bool(found) and all(
                    not isinstance(each, Name | Call) and self._is_list(each, frame)
                    for each in found
                )
            return self._dotted(expr.callee) in _LISTS
        if isinstance(expr, Join) and not head.startswith(_LIST_HEADS):
            return any(isinstance(e, Join) and self._is_list(e, frame) for e in expr.parts)
        return isinstance(expr, Join)

    def _is_own(self, callee: Expr) -> bool:
        if isinstance(callee, Member):
            return isinstance(callee.object, Name) and callee.object.id in _SELVES
        return isinstance(callee, Name)

    def _resolve(self, call: Call, frame: Frame) -> Function | None:
        """The function of this file that is called, if it is one."""
        callee = call.callee
        if isinstance(callee, Name):
            name = callee.id.removeprefix("new ").rpartition(".")[2]
        elif isinstance(callee, Member):
            name = callee.name
            if name in _READS and not self._is_own(callee):
                # a container's method much rather than that of a class of this file
                owner = self._dotted(callee.object).removeprefix("new ").partition(".")[0]
                if not any(e.owner == owner for e in self._functions.get(name, ())):
                    return None
            if name == "new" and isinstance(callee.object, Name):  # Ruby
                made = self._functions.get("initialize", ())
                return next((e for e in made if e.owner == callee.object.id), None)
        else:
            return None
        candidates = self._functions.get(name)
        if not candidates and isinstance(callee, Name):
            constructors = [e for c in _CONSTRUCTORS for e in self._functions.get(c, ())]
            candidates = [each for each in constructors if each.owner == name]
            if not candidates:
                kept = frame.expr_of(callee.id)
                return kept.function if isinstance(kept, Closure) else None
        if not candidates:
            return None
        count = len(call.args)
        exact = [each for each in candidates if _arity(each) == count]
        return (exact or candidates)[0]

    # Names

    def _dotted(self, expr: Expr) -> str:
        parts: list[str] = []
        while True:
            if isinstance(expr, Member):
                parts.append(expr.name)
                expr = expr.object
            elif isinstance(expr, Index):
                expr = expr.object
            elif isinstance(expr, Call):
                module = self._module_of(expr)
                if module:
                    parts.append(module)
                    break
                callee = expr.callee
                if isinstance(callee, Member):
                    parts.append(f"{callee.name}()")
                    expr = callee.object
                else:
                    if isinstance(callee, Name):
                        full = self._program.aliases.get(callee.id, callee.id)
                        parts.append(f"{full}()")
                    break
            elif isinstance(expr, Join) and len(expr.parts) == 1:
                expr = expr.parts[0]
            elif isinstance(expr, Name):
                new = "new " if expr.id.startswith("new ") else ""
                head, dot, tail = expr.id.removeprefix(new).partition(".")
                parts.append(new + self._program.aliases.get(head, head) + dot + tail)
                break
            else:
                parts.append("?")
                break
        return ".".join(reversed(parts))

    def _module_of(self, call: Call) -> str:
        if isinstance(call.callee, Name) and call.callee.id in ("require", "import") and call.args:
            module = call.args[0].value
            if isinstance(module, Literal):
                return module.text.removeprefix("node:")
        return ""

    def _typed(self, callee: Expr, frame: Frame) -> str:
        if isinstance(callee, Member) and isinstance(callee.object, Name):
            type_ = frame.type_of(callee.object.id).partition("<")[0].strip("*& ?")
            if type_:
                return f"{type_.rpartition('.')[2]}.{callee.name}"
        return ""

    def _path(self, expr: Expr) -> str:
        """A variable, or a part of one, as a frame names it; nothing for other expressions."""
        if isinstance(expr, Name):
            return expr.id
        if isinstance(expr, Member):
            whole = self._path(expr.object)
            return f"{whole}.{expr.name}" if whole else ""
        if isinstance(expr, Index) and isinstance(expr.key, Literal):
            whole = self._path(expr.object)
            return f"{whole}[{expr.key.text}]" if whole else ""
        if isinstance(expr, Join) and len(expr.parts) == 1:
            return self._path(expr.parts[0])
        return ""

    def _tick(self) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise Exhausted


def _search(patterns: list[tuple[re.Pattern[str], Source]], text: str) -> Source | None:
    return next((source for pattern, source in patterns if pattern.search(text)), None)


def _invocation(
    function: Function, args: list[tuple[str | None, Value]]
) -> tuple[object, ...]:
    return function.span, tuple((name, frozenset(value)) for name, value in args)


def _label(kind: Kind, place: Span, what: str) -> Label:
    return Label(kind, place, what, steps=(Step(place, what),))


def _labelled(source: Source, place: Span) -> Value:
    label = _label(source.kind, place, source.what)
    return of(label._replace(clean=frozenset(source.clean)))


def _is_numeric(type_: str) -> bool:
    return _NUMERIC.match(type_) is not None and _BYTES.search(type_) is None


def _format_settles_host(call: Call) -> bool:
    """Whether a format such as `https://host/%s` lets its values choose no host."""
    texts = [argument.value for argument in call.args[:1]]
    if isinstance(call.callee, Member):
        texts.insert(0, call.callee.object)
    return any(isinstance(each, Literal) and prefixes.is_fixed(each.text) for each in texts)


def _annotation(decoration: str) -> str:
    return decoration.partition(":")[2].partition("=")[0].strip()


def _arity(function: Function) -> int:
    return sum(param.name not in _SELVES for param in function.params)
