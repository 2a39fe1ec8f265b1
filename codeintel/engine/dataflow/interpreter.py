"""Going through a program with values in place of data: what may each expression hold?

Every function is gone through by itself, its parameters labelled, and once more wherever it is
called in the file, with the values of that call. Branches are both taken and joined; a loop's body
is gone through twice. That is neither sound nor complete, and it ends: calls nest to a fixed depth,
and there is a bound on all steps together."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.core import Exhausted, is_numeric, labelled
from codeintel.engine.dataflow.frame import Frame
from codeintel.engine.dataflow.guards import GuardFinder
from codeintel.engine.dataflow.invoking import Invoking
from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
    Assign,
    Branch,
    Call,
    Define,
    Evaluate,
    Expr,
    Join,
    Leave,
    Literal,
    Loop,
    Name,
    Return,
    Sequence,
    Stmt,
)
from codeintel.engine.dataflow.validators import is_predicate
from codeintel.engine.dataflow.values import HARMLESS, Value, origins

_COMMA = re.compile(r"[\s)\]\"']*,")


class Interpreter(Invoking):
    """One program gone through. `seen` has the value of each expression at its place; `hits` the
    values that reach sinks."""

    def run(self) -> None:
        """Go through everything twice: fields that one method sets another may read."""
        at = ""
        try:
            for _ in range(2):
                self._memo.clear()
                self._module = Frame()
                self._module.holds_fields = self._program.bare_fields
                self._exec(self._program.body, self._module)
                at = ""
                for function in self._program.functions:
                    at = function.name
                    self._standalone(function)
        except Exhausted as exhausted:
            place = f"the function `{at}`" if at else "the code outside of functions"
            self.exhausted = f"{exhausted}, and ended in {place}"

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
