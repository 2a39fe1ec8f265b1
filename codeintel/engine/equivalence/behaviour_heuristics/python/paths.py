"""Under which conditions Python does what it does."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codeintel.engine.equivalence.behaviour_heuristics.operations import Unit
from codeintel.engine.equivalence.behaviour_heuristics.python.source import Path, Source

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_PATH = 60
_Block = tuple[list[ast.stmt], Path]
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class PathReader:
    """Notes with what conditions statements are done, and their order."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ends: list[_Block] = []

    def read(self, body: list[ast.stmt], unit: Unit) -> None:
        """Read a function."""
        self._ends = []
        blocks: list[_Block] = [(body, frozenset())]
        while blocks:
            statements, path = blocks.pop()
            before = ""
            for statement in statements:
                said = self._called(statement)
                if said and before and said != before:
                    unit.sequences.add((before, said))
                before = said
                for inner, more in self._inside(statement, path, unit):
                    blocks.append((inner, more))
                path = self._after(statement, path)

    def _inside(self, statement: ast.stmt, path: Path, unit: Unit) -> Iterable[_Block]:
        """Note a statement; the blocks in it, with the conditions of each."""
        source = self._source
        match statement:
            case ast.If(test=test, body=body, orelse=other):
                yield body, _and(path, source.path(test))
                yield other, _and(path, source.path(test, False))
            case ast.While(test=test, body=body, orelse=other):
                yield body, _and(path, source.path(test))
                yield other, path
            case ast.For(body=body, orelse=other) | ast.AsyncFor(body=body, orelse=other):
                yield body, path
                yield other, path
            case ast.With(body=body) | ast.AsyncWith(body=body):
                yield body, path
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                for inner in (body, other, last, *(each.body for each in handlers)):
                    yield inner, path
            case ast.Match(cases=cases):
                for case in cases:
                    yield case.body, path
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
                yield body, frozenset()
            case ast.Return(value=value) if value is not None:
                self._leaf("return ", value, path, unit)
            case ast.Assign(targets=[target], value=value):
                self._leaf(f"{source.text(target)}=", value, path, unit)
            case ast.Raise(exc=raised) if raised is not None:
                called = raised.func if isinstance(raised, ast.Call) else raised
                _note(unit, f"raise {source.text(called)}", path)
            case ast.Expr(value=ast.Yield(value=value)) if value is not None:
                _note(unit, f"yield {source.text(value)}", path)
            case ast.Expr() | ast.AugAssign() | ast.Break() | ast.Continue() | ast.Delete():
                _note(unit, source.text(statement), path)
            case ast.Assert(test=test):
                _note(unit, "assert", _and(path, source.path(test)))
            case _:
                pass

    def _leaf(self, how: str, value: ast.expr, path: Path, unit: Unit) -> None:
        """Note a value that is returned or assigned, each arm of a condition for itself."""
        source = self._source
        while isinstance(value, ast.IfExp):
            _note(unit, how + source.text(value.body), _and(path, source.path(value.test)))
            path = _and(path, source.path(value.test, False))
            value = value.orelse
        any_or_all = self._any_or_all(value)
        if any_or_all is not None:
            test, every = any_or_all
            _note(unit, f"{how}{not every}", _and(path, source.path(test, not every)))
            _note(unit, f"{how}{every}", path)
        elif isinstance(value, ast.Compare | ast.BoolOp) or (
            isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
        ):
            for result in (True, False):
                _note(unit, f"{how}{result}", _and(path, source.path(value, result)))
        elif isinstance(value, _COMPREHENSIONS):
            for each in value.generators:
                for test in each.ifs:
                    path = _and(path, source.path(test))
            _note(unit, f"each {source.text(value.elt)}", path)
        else:
            _note(unit, how + source.text(value), path)

    def _any_or_all(self, value: ast.expr) -> tuple[ast.expr, bool] | None:
        if isinstance(value, ast.Call) and len(value.args) == 1:
            inner, name = value.args[0], self._source.text(value.func)
            if name in ("any", "all") and isinstance(inner, _COMPREHENSIONS):
                return inner.elt, name == "all"
        return None

    def _called(self, statement: ast.stmt) -> str:
        """A call that is a statement."""
        is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        return self._source.text(statement) if is_call else ""

    def _after(self, statement: ast.stmt, path: Path) -> Path:
        """The conditions of what follows: a statement may leave when they do not hold."""
        if isinstance(statement, ast.If):
            if _leaves(statement.body):
                return _and(path, self._source.path(statement.test, False))
            if statement.orelse and _leaves(statement.orelse):
                return _and(path, self._source.path(statement.test))
        return path


def _leaves(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and isinstance(last.orelse[-1], _LEAVING) and _leaves(last.body)
    return isinstance(last, _LEAVING)


def may_fall(body: list[ast.stmt]) -> bool:
    """Whether the end of a function may be reached."""
    last = body[-1]
    if isinstance(last, ast.With | ast.AsyncWith):
        last = last.body[-1]
    if isinstance(last, ast.If):
        return not last.orelse or may_fall(last.body) or may_fall(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise)


def _note(unit: Unit, leaf: str, path: Path) -> None:
    said = leaf
    call = leaf.startswith("each ") or ".append(" not in leaf
    if not call:  # what is added to a list one by one may be written as a comprehension
        said = "each " + leaf.partition(".append(")[2].removesuffix(")")
    unit.leaves.setdefault(said, []).append(path)


def _and(path: Path, more: Path) -> Path:
    return path | more if len(path) < _MAX_PATH else path
