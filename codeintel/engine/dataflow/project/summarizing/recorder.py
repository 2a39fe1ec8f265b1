"""Record, while a file is interpreted, how it uses other files and what others may use of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from codeintel.engine.dataflow.interpreting.calling import call_value
from codeintel.engine.dataflow.interpreting.interpreter import (
    SELVES,
    Arguments,
    Evaluates,
    Executes,
    Frame,
    Handlers,
    Interpreter,
    annotation_of,
    is_numeric,
)
from codeintel.engine.dataflow.interpreting.naming import dotted_name, resolve
from codeintel.engine.dataflow.interpreting.statements import do_assign, do_evaluate
from codeintel.engine.dataflow.interpreting.variables import member_value, name_value
from codeintel.engine.dataflow.ir import (
    Assign,
    Call,
    Closure,
    Evaluate,
    Expr,
    Function,
    Index,
    Join,
    Literal,
    Member,
    Name,
    Param,
)
from codeintel.engine.dataflow.origins import HANDLERS
from codeintel.engine.dataflow.project.summarizing.paths import UNKNOWN, Paths, Scope, default_type
from codeintel.engine.dataflow.project.summarizing.wiring import (
    BAGS,
    Rendered,
    rendered_by,
    routed_by,
)
from codeintel.engine.dataflow.tree import Span
from codeintel.engine.dataflow.values import (
    HARMLESS,
    Key,
    Kind,
    Label,
    Step,
    Value,
    is_tainted,
    join,
    of,
    origins,
)

MARK = "?"
"""The first character of marks, which no class of sinks begins with."""
_SOURCES = frozenset({Kind.REMOTE, Kind.LOCAL})
MAX_CONTEXTS = 3
"""How often a function is executed only because the labels of other files differ."""
MAX_SITES = 5_000
"""Maximum number of recorded uses of other files in one file."""


class Use(NamedTuple):
    """A use of another file: a call, or a read of a variable.

    `passes` says that the value of the call as the file alone sees it depends on the other file.
    `is_tabled` says that the tables have a function of the same name.
    """

    target: str
    expr: Expr
    passes: bool
    is_tabled: bool = False


class Recorder:
    """Records the uses of other files in one file, and the results of its functions."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.paths = Paths(scope)
        self.uses: dict[Span, Use] = {}
        self.returns: dict[Span, Value] = {}
        self.closures: dict[Span, Function] = {}
        """The closures of the module, which other files may call under the name of a variable."""
        self.writes: dict[str, Value] = {}
        self.folded: set[Span] = set()
        """The calls whose results stand for the values that they get."""
        self._contexts: dict[Span, set[tuple[frozenset[Key], ...]]] = {}
        self._read: dict[str, int] = {}
        """The number of labels that each field had when it was read first."""
        self.renders: dict[Span, Rendered] = {}
        self.routes: dict[Span, tuple[str, Call]] = {}
        self.full = False
        self._known: dict[tuple[Span, str], Use | None] = {}

    def given(self, param: Param, value: Value) -> Value:
        """Return a parameter's value, with a label for what callers in other files pass."""
        if any(label.kind in (Kind.REMOTE, Kind.LOCAL) for label in value.values()):
            return value
        if is_numeric(param.type or annotation_of(param.decoration)):
            return value
        if any(label.kind is Kind.PARAMETER and not label.clean for label in value.values()):
            return value
        what = f"the parameter {param.name}"
        step = Step(param.span, what)
        return join((value, of(Label(Kind.FOREIGN, param.span, what, steps=(step,)))))

    def returned(self, function: Function, frame: Frame) -> None:
        """Note what a function returns if its parameters have only their own labels."""
        value = join(value for _, value in frame.returned)
        self.returns[function.span] = join((self.returns.get(function.span, HARMLESS), value))

    def limited(self, function: Function, args: Arguments) -> Arguments:
        """Return the arguments of a call, without labels of other files after many calls.

        Each set of labels executes the function again, and these labels differ between all calls.
        """
        if not any(label.kind is Kind.FOREIGN for _, value in args for label in value.values()):
            return args
        known = self._contexts.setdefault(function.span, set())
        key = tuple(frozenset(value) for _, value in args)
        if key in known:
            return args
        if len(known) < MAX_CONTEXTS:
            known.add(key)
            return args
        return [
            (name, {k: e for k, e in value.items() if e.kind is not Kind.FOREIGN})
            for name, value in args
        ]

    def is_settled(self, interpreter: Interpreter) -> bool:
        """Return whether executing the program again would find nothing new.

        That is so if no field got labels after it was read first, and no function is defined in
        another one.
        """
        if interpreter.homes or interpreter.program.shared:
            return False
        fields = interpreter.fields
        return all(len(fields.get(name, ())) == size for name, size in self._read.items())

    def mark(self, call: Call) -> str:
        """Return a mark for values that a call of another file checks, or an empty text."""
        use = self.uses.get(call.span)
        return mark_of(call.span) if use is not None and use.passes else ""

    def called(self, interpreter: Interpreter, call: Call, frame: Frame, value: Value) -> Value:
        """Return a call's value, with a label for what a function of another file returns."""
        key = call.span, frame.owner
        if key not in self._known:
            self._known[key] = self._use(interpreter, call, frame)
            self._wire(interpreter, call, frame)
        use = self._known[key]
        if use is None:
            return value
        if use.target.startswith(UNKNOWN):
            return value
        known = self._foreign(call.span, use.target)
        if not value or not use.passes:
            return join((value, known))
        return self._folded(value, call.span, known, use.is_tabled)

    def _folded(self, value: Value, place: Span, result: Value, keeps: bool) -> Value:
        """Return a call's value. Its result stands for all labels that callers may fill.

        Linking knows the arguments of the call, so it finds these labels again. Sources of this
        file keep their labels, because the file alone reports them.

        :param keeps: keep all labels, because a table says which classes of sinks are harmless now.
        """
        if not keeps:
            self.folded.add(place)
        via = frozenset({place})
        found = {}
        hides = False
        for label in value.values():
            if keeps or label.kind in _SOURCES:
                passed = label.via | via
                key = label.kind, label.origin, label.clean, passed
                found[key] = label._replace(via=passed)
            elif label.kind is Kind.PARAMETER or label.via:
                hides = True
        for label in result.values():
            own = label._replace(via=via) if hides else label
            found[own.kind, own.origin, own.clean, own.via] = own
        return found

    def _wire(self, interpreter: Interpreter, call: Call, frame: Frame) -> None:
        """Note a call that gives values to a template, or a function to a framework."""
        if (rendered := rendered_by(interpreter, call, frame, self.scope.language)) is not None:
            self.renders[call.span] = rendered
        handler = routed_by(call, self.scope.language)
        target = self.paths.path(interpreter, handler, frame) if handler is not None else ""
        if target not in ("", UNKNOWN) and not target.endswith("()"):
            self.routes[call.span] = target, call

    def _foreign(self, place: Span, target: str) -> Value:
        what = f"the result of {target.rpartition('.')[2]}()"
        return of(Label(Kind.FOREIGN, place, what, steps=(Step(place, what),)))

    def _use(self, interpreter: Interpreter, call: Call, frame: Frame) -> Use | None:
        if call.span in self.uses:
            return self.uses[call.span]
        for name in _typed_by_default(interpreter, call.callee, frame):
            frame.types[name[0]] = name[1]
        target = self.paths.callee(interpreter, call.callee, frame)
        if not target or target == UNKNOWN:
            return None
        own = resolve(interpreter, call, frame) is not None
        certain = self.paths.certain(target)
        if own and (target.startswith(UNKNOWN) or self.paths.is_own_member(target)):
            return None
        if own and not certain and isinstance(call.callee, Name):
            return None
        if not certain and self._is_tabled(interpreter, call, target):
            return None
        table, dotted = interpreter.table, dotted_name(interpreter, call.callee)
        tabled = bool(table.sanitizers.find(dotted) or table.opaque.find(dotted))
        return self._note(call, Use(target, call, not own, tabled))

    def _is_tabled(self, interpreter: Interpreter, call: Call, target: str) -> bool:
        """Return whether the tables describe the call, so that no file of the project does."""
        table, name = interpreter.table, dotted_name(interpreter, call.callee)
        if table.source_calls.find(name):
            return True
        if target.partition(".")[0] in self.scope.imports:
            return False
        weak = target.startswith(UNKNOWN) or "." not in target
        listed = (table.sink_calls, table.sanitizers, table.opaque)
        return weak and any(each.find(name) for each in listed)

    def _note(self, expr: Expr, use: Use) -> Use | None:
        if len(self.uses) >= MAX_SITES:
            self.full = True
            return None
        self.uses[expr.span] = use
        return use

    def note_field(self, interpreter: Interpreter, name: str) -> None:
        """Note that a field, or what may be one, is read."""
        if name not in self._read:
            self._read[name] = len(interpreter.fields.get(name, ()))

    def read(self, interpreter: Interpreter, expr: Name | Member, frame: Frame) -> Value:
        """Return a label for a variable of another file, or no value."""
        key = expr.span, frame.owner
        if key not in self._known:
            self._known[key] = self._variable(interpreter, expr, frame)
        use = self._known[key]
        return self._foreign(expr.span, use.target) if use is not None else HARMLESS

    def _variable(self, interpreter: Interpreter, expr: Name | Member, frame: Frame) -> Use | None:
        if isinstance(expr, Name):
            found = self.scope.imports.get(expr.id)
            if found is None or not found.name or frame.is_local(expr.id):
                return None
            target = expr.id
        elif isinstance(expr.object, Name) and expr.object.id in self.scope.imports:
            if frame.is_local(expr.object.id):
                return None
            target = f"{expr.object.id}.{expr.name}"
        elif isinstance(expr.object, Name) and expr.object.id in SELVES and frame.owner:
            if expr.name in interpreter.fields or not self._has_bases(frame.owner):
                return None
            target = f"{frame.owner}.{expr.name}"
        else:
            return None
        if self.paths.library(target) or target.rpartition(".")[2][:1].isupper():
            return None  # classes and constants hold no input
        return self._note(expr, Use(target, expr, False))

    def _has_bases(self, owner: str) -> bool:
        return any(e.name == owner and e.bases for e in self.scope.declared.classes)

    def wrote(self, interpreter: Interpreter, statement: Assign, frame: Frame) -> None:
        """Note that a variable of another file, or one that other files read, gets a value."""
        target = statement.target
        value = interpreter.seen.get(statement.value.span)
        if not value:
            return
        if isinstance(target, Name):
            name = target.id if frame is interpreter.module else ""
            if target.id.startswith("@") and frame.owner:
                name = f"{frame.owner}.{target.id}"
        elif isinstance(target, Member) and isinstance(target.object, Name):
            whole = target.object.id
            if whole in SELVES:
                name = f"{frame.owner}.{target.name}" if frame.owner else ""
            elif whole in BAGS:
                name = f"{frame.owner}.{whole}.{target.name}"
            else:
                name = f"{whole}.{target.name}" if whole in self.scope.imports else ""
        elif isinstance(target, Index) and (bag := _bag(target)):
            name = f"{frame.owner}.{bag}"
        else:
            return
        if name and not isinstance(statement.value, Closure):
            self.writes[name] = join((self.writes.get(name, HARMLESS), value))


def mark_of(place: Span) -> str:
    """Return the mark of the call at a place. It stands among the classes of sinks of a label."""
    return f"{MARK}{place.start}-{place.end}"


def _typed_by_default(
    interpreter: Interpreter, callee: Expr, frame: Frame
) -> list[tuple[str, str]]:
    """Return the types that FastAPI's dependencies give to untyped parameters."""
    root = callee
    while isinstance(root, Member):
        root = root.object
    if not isinstance(root, Name) or not interpreter.stack or frame.type_of(root.id):
        return []
    for function in interpreter.program.functions:
        if function.span == interpreter.stack[-1]:
            for param in function.params:
                if param.name == root.id and (made := default_type(param.decoration)):
                    return [(param.name, made)]
    return []


def _recorder(interpreter: Interpreter) -> Recorder:
    return cast("Recorder", interpreter.recorder)


def _call(interpreter: Interpreter, expr: Call, frame: Frame) -> Value:
    value = call_value(interpreter, expr, frame)
    return _recorder(interpreter).called(interpreter, expr, frame, value)


def _name(interpreter: Interpreter, expr: Name, frame: Frame) -> Value:
    value = name_value(interpreter, expr, frame)
    recorder = _recorder(interpreter)
    if recorder.scope.has_bare_fields:
        recorder.note_field(interpreter, expr.id)
    if value or expr.id[:1].isupper():
        return value
    if expr.id not in recorder.scope.imports:
        return value
    return recorder.read(interpreter, expr, frame)


def _member(interpreter: Interpreter, expr: Member, frame: Frame) -> Value:
    value = member_value(interpreter, expr, frame)
    if isinstance(expr.object, Name) and expr.object.id in SELVES:
        _recorder(interpreter).note_field(interpreter, expr.name)
    if isinstance(expr.object, Name) and not expr.name[:1].isupper() and not is_tainted(value):
        own = _recorder(interpreter).read(interpreter, expr, frame)
        return join((value, own)) if own else value
    return value


def _assign(interpreter: Interpreter, statement: Assign, frame: Frame) -> bool:
    left = do_assign(interpreter, statement, frame)
    _recorder(interpreter).wrote(interpreter, statement, frame)
    return left


def _bag(target: Index) -> str:
    """Return `ViewData.Title` for `ViewData["Title"]`, or an empty text."""
    bag = target.object.id if isinstance(target.object, Name) else ""
    if bag in BAGS and isinstance(target.key, Literal):
        return f"{bag}.{target.key.text}"
    return ""


def _evaluate(interpreter: Interpreter, statement: Evaluate, frame: Frame) -> bool:
    """Execute a call as a statement, which may raise unless its arguments are good."""
    left = do_evaluate(interpreter, statement, frame)
    call = statement.value
    while isinstance(call, Join) and len(call.parts) == 1:
        call = call.parts[0]
    if isinstance(call, Call) and (mark := _recorder(interpreter).mark(call)):
        values = [interpreter.seen.get(each.value.span, HARMLESS) for each in call.args]
        frame.clean(origins(join(values)), frozenset({mark}))
    return left


_EXPRESSIONS: Mapping[type, Evaluates] = {
    **HANDLERS.expressions,
    Call: _call,
    Name: _name,
    Member: _member,
}
_STATEMENTS: Mapping[type, Executes] = {
    **HANDLERS.statements,
    Assign: _assign,
    Evaluate: _evaluate,
}
RECORDING = Handlers(_EXPRESSIONS, _STATEMENTS)
"""The functions that interpret a program and record what other files need to know."""
