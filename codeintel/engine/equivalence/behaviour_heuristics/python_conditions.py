"""Render Python code as text, and record the conditions under which statements run."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Atom,
    Operation,
    Unit,
    equal,
    ordered,
    plain,
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import folded, written

_ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_EMPTY = frozenset({"[]", "{}", "()", "''", "set()"})
_MAX_PARTS = 60
_MAX_SIDE = 200
Path = frozenset[Atom]


class SourceText:
    """Source code, addressed by the positions of nodes."""

    def __init__(self, code: str) -> None:
        self._lines = [line.encode() for line in code.removeprefix("\ufeff").split("\n")]

    def text(self, node: ast.AST) -> str:
        """Return an expression as written, on one line."""
        if isinstance(node, ast.expr):
            number = folded(node)
            if number is not None:
                return written(number)
        first, last = getattr(node, "lineno", 0) - 1, getattr(node, "end_lineno", 0) - 1
        start, end = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        if first < 0 or last >= len(self._lines):
            return ""
        if first == last:
            end = min(end, len(self._lines[first]))
            if end - start > 4 * _MAX_SIDE:
                line = self._lines[first]
                ends = line[start : start + _MAX_SIDE], line[end - _MAX_SIDE : end]
                return plain(b"".join(ends).decode(errors="replace"))
            return plain(self._lines[first][start:end].decode(errors="replace"))
        inner = [line[:_MAX_SIDE] for line in self._lines[first + 1 : min(last, first + 5)]]
        lines = [
            self._lines[first][start : start + _MAX_SIDE],
            *inner,
            self._lines[last][max(0, end - _MAX_SIDE) : end],
        ]
        return plain(b" ".join(lines).decode(errors="replace"))

    def atom(self, node: ast.expr) -> Atom:
        """Return a condition without its negations, and whether it must hold."""
        holds = True
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node, holds = node.operand, not holds
        if isinstance(node, ast.Call) and self.text(node.func) == "bool" and len(node.args) == 1:
            node = node.args[0]
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            return self.text(node), holds
        said = self.comparison(node.left, node.ops[0], node.comparators[0])
        return " ".join(said[0][1:] if said[0][0] == "?" else said[0]), holds == said[1]

    def comparison(
        self, left: ast.expr, sign: ast.cmpop, right: ast.expr
    ) -> tuple[Operation, bool]:
        """Return a comparison and whether it must hold.

        The operator `?` stands for a test of emptiness.
        """
        one, other = self.text(left), self.text(right)
        counted = one.startswith("len(") and one.endswith(")") and one.count("(") == 1
        is_equal = isinstance(sign, ast.Eq | ast.Is)
        if counted and other == "0" and isinstance(sign, ast.Eq | ast.NotEq | ast.Gt):
            return ("?", one[4:-1]), isinstance(sign, ast.NotEq | ast.Gt)
        if counted and other == "1" and isinstance(sign, ast.GtE | ast.Lt):
            return ("?", one[4:-1]), isinstance(sign, ast.GtE)
        if other in _EMPTY and isinstance(sign, ast.Eq | ast.NotEq):
            return ("?", one), not is_equal
        if other in ("True", "False") and isinstance(sign, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            return ("?", one), (other == "True") == is_equal
        if type(sign) in _ORDERS:
            return ordered(_ORDERS[type(sign)], one, other)
        if isinstance(sign, ast.In | ast.NotIn):
            return ("in", one, other.removesuffix(".keys()")), isinstance(sign, ast.In)
        return equal(one, other), is_equal

    def parts(self, node: ast.BoolOp) -> list[Atom]:
        """Return the conditions that a connective joins."""
        found: list[Atom] = []
        for each in node.values[:_MAX_PARTS]:
            if isinstance(each, ast.Compare) and len(each.ops) > 1 and isinstance(node.op, ast.And):
                found += self.chain(each)
            else:
                found.append(self.atom(each))
        return found

    def chain(self, node: ast.Compare) -> list[Atom]:
        """Split `a < b < c` into two conditions."""
        found: list[Atom] = []
        left = node.left
        for sign, right in list(zip(node.ops, node.comparators, strict=True))[:_MAX_PARTS]:
            found.append(self.atom(ast.Compare(left, [sign], [right])))
            left = right
        return found

    def path(self, node: ast.expr, holds: bool = True) -> Path:
        """Split a condition into its atoms, each with whether it must hold."""
        found: set[Atom] = set()
        stack = [(node, holds, False)]
        while stack and len(found) < _MAX_PARTS:
            each, so, is_weak = stack.pop()
            if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Not):
                stack.append((each.operand, not so, is_weak))
            elif isinstance(each, ast.BoolOp):
                either = is_weak or so == isinstance(each.op, ast.Or)
                stack.extend((value, so, either) for value in each.values)
            else:
                chain = isinstance(each, ast.Compare) and len(each.ops) > 1
                several = self.chain(each) if chain else [self.atom(each)]  # type: ignore[arg-type]
                for text, also in several:
                    either = is_weak or (len(several) > 1 and not so)
                    found.add((weak(text) if either else text, so == also))
        return frozenset(found)


_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MAX_PATH = 60
_Block = tuple[list[ast.stmt], Path]
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)


class PathReader:
    """Record the conditions under which statements run, and their order."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._ends: list[_Block] = []

    def read(self, body: list[ast.stmt], unit: Unit) -> None:
        """Record the statements of a function."""
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
        """Record a statement and yield its inner blocks with their conditions."""
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
        """Record a returned or assigned value.

        Each arm of a conditional expression counts separately.
        """
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
        """Return the text of a call that is a statement, or an empty string."""
        is_call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        return self._source.text(statement) if is_call else ""

    def _after(self, statement: ast.stmt, path: Path) -> Path:
        """Return the conditions of the code after a statement, which may have left the block."""
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
    """Return whether control can reach the end of a function."""
    last = body[-1]
    if isinstance(last, ast.With | ast.AsyncWith):
        last = last.body[-1]
    if isinstance(last, ast.If):
        return not last.orelse or may_fall(last.body) or may_fall(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise)


def _note(unit: Unit, leaf: str, path: Path) -> None:
    said = leaf
    call = leaf.startswith("each ") or ".append(" not in leaf
    if not call:  # appending one by one can become a comprehension
        said = "each " + leaf.partition(".append(")[2].removesuffix(")")
    unit.leaves.setdefault(said, []).append(path)


def _and(path: Path, more: Path) -> Path:
    return path | more if len(path) < _MAX_PATH else path
