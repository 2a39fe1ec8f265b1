"""What a piece of Python is as text, and as a condition."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Atom,
    Operation,
    equal,
    ordered,
    plain,
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.words.folding import folded, written

_ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_EMPTY = frozenset({"[]", "{}", "()", "''", "set()"})
_MAX_PARTS = 60
_MAX_SIDE = 200
Path = frozenset[Atom]


class Source:
    """Code by its positions."""

    def __init__(self, code: str) -> None:
        self._lines = [line.encode() for line in code.removeprefix("\ufeff").split("\n")]

    def text(self, node: ast.AST) -> str:
        """An expression as it is written, on one line."""
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
        """A condition without what negates it."""
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
        """What is compared, and whether that is to hold; `?` for whether there is something."""
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
        """The conditions that a connective joins."""
        found: list[Atom] = []
        for each in node.values[:_MAX_PARTS]:
            if isinstance(each, ast.Compare) and len(each.ops) > 1 and isinstance(node.op, ast.And):
                found += self.chain(each)
            else:
                found.append(self.atom(each))
        return found

    def chain(self, node: ast.Compare) -> list[Atom]:
        """`a < b < c` as two conditions."""
        found: list[Atom] = []
        left = node.left
        for sign, right in list(zip(node.ops, node.comparators, strict=True))[:_MAX_PARTS]:
            found.append(self.atom(ast.Compare(left, [sign], [right])))
            left = right
        return found

    def path(self, node: ast.expr, holds: bool = True) -> Path:
        """The conditions that a condition is made of, with how each of them is to be."""
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
