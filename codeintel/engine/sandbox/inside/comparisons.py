"""Notes what comparisons of one function meet: equal values, `nan`, members, what is empty."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .beyond import is_none_test
from .goals import BETWEEN, BOUNDARY, BRANCH, EMPTY, MEMBER, NAN, NAN_LEFT, NAN_RIGHT, Goals
from .nans import Whole

NAME = "__probe__"
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_MAX_MEMBERS = 40


class Comparisons(ast.NodeTransformer):
    """Puts probes into comparisons.

    :param function: the name of the function.
    :param never_empty: variables that are never empty; None if emptiness does not matter.
    :param missing: variables that are None only where a key is missing.
    :param whole: what is never `nan`; None if `nan` does not matter.
    :param members: whether each member of a collection of constants must be met.
    :param held: the numbers that variables hold: comparisons must meet each of them.
    """

    def __init__(
        self,
        function: str,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        goals: Goals,
        *,
        never_empty: frozenset[str] | None,
        missing: frozenset[str],
        whole: Whole | None,
        members: bool,
        held: Mapping[str, frozenset[int]],
    ) -> None:
        self._function = function
        self._goals = goals
        self._never_empty = never_empty
        self._missing = missing
        self._whole = whole
        self._members = members
        self._held = held
        self._equals = {
            _pair(each.left, each.comparators[0])
            for each in ast.walk(node)
            if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq | ast.NotEq)
        }
        """What is compared with `==`: elsewhere it may never be equal."""

    def _place(self, node: ast.AST, what: str, *ways: str, needed: bool = True) -> ast.Constant:
        return ast.Constant(self._numbered(node, what, *ways, needed=needed))

    def _numbered(self, node: ast.AST, what: str, *ways: str, needed: bool = True) -> int:
        line = getattr(node, "lineno", 0)
        return self._goals.place(self._function, line, what, *ways, needed=needed)

    @staticmethod
    def _call(method: str, node: ast.AST, *values: ast.expr) -> ast.expr:
        probe = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
        call = ast.Call(probe, list(values), [])
        for each in ast.walk(call):
            if not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return call

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        place = self._place(node, BRANCH, "true", "false")
        return self._call("truth", node, place, self._compared(node))

    def _compared(self, node: ast.Compare) -> ast.expr:
        is_order = any(isinstance(each, _ORDERS) for each in node.ops)
        if len(node.ops) > 1 or isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
            chained = len(node.ops) > 1 and is_order
            return self._chain(node) if chained else self._tested(node)
        is_open = is_order and _pair(node.left, node.comparators[0]) not in self._equals
        place = self._numbered(node, BOUNDARY, *(("equal",) if is_open else ()))
        if is_order:
            self._add_nans(place, *map(self._is_whole, (node.left, node.comparators[0])))
        self._add_held(place, node.left, node.comparators[0])
        tested, left = node.left, self.visit(node.left)
        left = self._nothing(tested, left) if is_none_test(node) else left
        node.left = self._call("left", node, ast.Constant(place), left)
        other = self.visit(node.comparators[0])
        node.comparators = [self._call("right", node, ast.Constant(place), other)]
        return node

    def _tested(self, node: ast.Compare) -> ast.expr:
        """A test for being the same object, or a member."""
        tested = node.left
        self.generic_visit(node)
        if is_none_test(node):
            node.left = self._nothing(tested, node.left)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            node.left = self._membered(node, self._call("look", node, node.left))
        return node

    def _chain(self, node: ast.Compare) -> ast.expr:
        """`a < b < c`: an operand is the right side of one comparison and the left of the next."""
        operands = [node.left, *node.comparators]
        whole = [self._is_whole(each) for each in operands]
        values = [self.visit(each) for each in operands]
        for index, order in enumerate(node.ops):
            ways = ("equal",) if isinstance(order, _ORDERS) else ()
            place = self._numbered(node, BOUNDARY, *ways)
            self._add_nans(place, whole[index], whole[index + 1])
            self._add_held(place, *operands[index : index + 2])
            values[index] = self._call("left", node, ast.Constant(place), values[index])
            right = ast.Constant(place)
            values[index + 1] = self._call("right", node, right, values[index + 1])
        node.left, node.comparators = values[0], values[1:]
        return node

    def _nothing(self, node: ast.expr, inner: ast.expr) -> ast.expr:
        """What is tested for None."""
        is_missing = isinstance(node, ast.Name) and node.id in self._missing
        return inner if is_missing else self._emptied(node, inner)

    def _emptied(self, node: ast.expr, inner: ast.expr) -> ast.expr:
        """What is tested for being empty or None, if that has to be told apart."""
        if self._never_empty is None or isinstance(node, ast.Constant | ast.Compare | ast.BoolOp):
            return inner
        if isinstance(node, ast.Name) and node.id in self._never_empty:
            return inner
        return self._call("empty", node, self._place(node, EMPTY, "empty"), inner)

    def _chosen(self, node: ast.Call) -> None:
        """`min(a, b)`: it compares, too."""
        one, other = node.args
        place = self._numbered(node, BOUNDARY)
        self._add_nans(place, *map(self._is_whole, node.args))
        node.args = [
            self._call("left", node, ast.Constant(place), self.visit(one)),
            self._call("right", node, ast.Constant(place), self.visit(other)),
        ]

    def _add_nans(self, place: int, one: bool, other: bool) -> None:
        """Each side of a comparison must be `nan` in some call.

        :param one: whether the left side is never `nan`.
        """
        ways = (*(() if one else (NAN_LEFT,)), *(() if other else (NAN_RIGHT,)))
        self._goals.add(place, NAN, *ways)

    def _is_whole(self, node: ast.expr) -> bool:
        """Whether an operand is never `nan`, or that does not matter."""
        return self._whole is None or self._whole.is_whole(node)

    def _add_held(self, place: int, *operands: ast.expr) -> None:
        """Each number that a variable holds must be equal to the other side in some call."""
        for operand in operands:
            numbers = self._held.get(operand.id, ()) if isinstance(operand, ast.Name) else ()
            self._goals.add(place, MEMBER, *(f"={number}" for number in sorted(numbers)))

    def _membered(self, node: ast.Compare, left: ast.expr) -> ast.expr:
        """The left side of `in` and a collection of constants, each of which must be met."""
        values = constants_in(node.comparators[0]) if self._members else ()
        if not 0 < len(values) <= _MAX_MEMBERS:
            return left
        indexes = (f"{index}" for index in range(len(values)))
        has_range = sum(type(each) is int for each in values) > 1
        place = self._place(node, MEMBER, *indexes, *((BETWEEN,) if has_range else ()))
        constants = ast.Tuple([ast.Constant(each) for each in values], ast.Load())
        return self._call("member", node, place, left, constants)


def held_numbers(node: ast.AST) -> dict[str, frozenset[int]]:
    """The whole numbers that variables hold which are only compared, but for the most usual ones:
    where else such a variable is used, its value shows."""
    nodes = list(ast.walk(node))
    operands = {
        id(operand)
        for each in nodes
        if isinstance(each, ast.Compare)
        for operand in (each.left, *each.comparators)
    }
    shown = {
        each.id
        for each in nodes
        if isinstance(each, ast.Name)
        and isinstance(each.ctx, ast.Load)
        and id(each) not in operands
    }
    found: dict[str, frozenset[int]] = {}
    for each in nodes:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant):
            value = each.value.value
            for target in each.targets:
                is_hidden = isinstance(target, ast.Name) and target.id not in shown
                if is_hidden and type(value) is int and abs(value) > 1:
                    name = target.id  # type: ignore[attr-defined]
                    found[name] = found.get(name, frozenset()) | {value}
    return found


def constants_in(node: ast.expr) -> tuple[int | str, ...]:
    """The whole numbers and texts of a collection that holds nothing else, as it is written."""
    if not isinstance(node, ast.Tuple | ast.List | ast.Set):
        return ()
    found = tuple(each.value for each in node.elts if isinstance(each, ast.Constant))
    plain = tuple(each for each in found if type(each) in (int, str))
    return tuple(dict.fromkeys(plain)) if len(plain) == len(node.elts) else ()  # type: ignore[arg-type]


def _pair(one: ast.expr, other: ast.expr) -> frozenset[str]:
    return frozenset((ast.dump(one), ast.dump(other)))
