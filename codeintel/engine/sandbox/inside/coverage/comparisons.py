"""Record the values that a function's comparisons meet: equal, `nan`, members, empty."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from .beyond import is_none_test
from .changes import last_name
from .goals import (
    BETWEEN,
    BOUNDARY,
    BRANCH,
    EMPTY,
    MEMBER,
    NAN,
    NAN_LEFT,
    NAN_RIGHT,
    Goals,
)

Nodes = Iterable[ast.AST]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPPOSITE = {"Gt": "Lt", "GtE": "LtE"}
_WHOLE = frozenset(("len", "int", "ord"))
_WHOLE_TYPES = frozenset(("int", "bool"))
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def compare_otherwise(one: Nodes, other: Nodes) -> bool:
    """Return whether two programs may compute with fractions and compare them with different
    operators.

    All comparisons with `nan` are false, so `not a < b` is not `b <= a`, and `min(a, b)` depends on
    the order of its arguments. Calls must then have met `nan` on each side of each comparison where
    it can occur.
    """
    one, other = list(one), list(other)
    has_fractions = _has_fractions(one) or _has_fractions(other)
    return has_fractions and set(_orders(one)) != set(_orders(other))


def can_be_watched(nodes: Nodes) -> bool:
    """Return whether calls can reveal what each comparison meets: all comparisons are in
    functions and have two sides."""
    for node in nodes:
        comparisons = [each for each in ast.walk(node) if _order(each)]
        if comparisons and not isinstance(node, _FUNCTIONS):
            return False
        if any(isinstance(each, ast.Call) and not is_choice(each) for each in comparisons):
            return False
    return True


def is_choice(node: ast.AST) -> bool:
    """Return whether a node is `min` or `max` of two values."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("min", "max")
        and len(node.args) == 2
        and not node.keywords
        and not any(isinstance(each, ast.Starred) for each in node.args)
    )


class Whole:
    """The values in a function that are never `nan`, from annotations and constants.

    :param attributes: the attributes of `self` that are integers.
    """

    def __init__(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        attributes: frozenset[str] = frozenset(),
    ) -> None:
        given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        self._names = {
            each.arg
            for each in given
            if isinstance(each.annotation, ast.Name) and each.annotation.id in _WHOLE_TYPES
        }.difference(*map(_rebound, function.body))
        self._attributes = attributes

    def is_whole(self, node: ast.expr) -> bool:
        """Return whether an expression is never `nan`: a constant, an integer, or computed from
        one."""
        if isinstance(node, ast.Call) and last_name(node.func) == "float" and len(node.args) == 1:
            return self.is_int(node.args[0])
        return isinstance(node, ast.Constant) or self.is_int(node)

    def is_int(self, node: ast.expr) -> bool:
        """Return whether an expression is an integer.

        Fractions may become infinite and then `nan`.
        """
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.Name):
            return node.id in self._names
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
            return is_own and node.attr in self._attributes
        if isinstance(node, ast.UnaryOp):
            return self.is_int(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            return self.is_int(node.left) and self.is_int(node.right)
        return isinstance(node, ast.Call) and last_name(node.func) in _WHOLE


def _rebound(node: ast.AST) -> Iterator[str]:
    """Yield the names that code binds."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(getattr(each, "name", None), str):
            yield each.name  # type: ignore[attr-defined]


def whole_attributes(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Return, by class, the attributes that its methods only bind to integers."""
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        bound: dict[str, list[bool]] = {}
        for method in node.body:
            if isinstance(method, _FUNCTIONS):
                whole = Whole(method)
                for attribute, value in _bindings(method):
                    is_int = value is not None and whole.is_int(value)
                    bound.setdefault(attribute, []).append(is_int)
        found[node.name] = frozenset(name for name, each in bound.items() if all(each))
    return found


def _bindings(method: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the attributes that a method binds, each with its value, or None if the value is
    unclear."""
    plain: dict[int, ast.expr] = {}
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            plain[id(node.targets[0])] = node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            plain[id(node.target)] = node.value
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr, plain.get(id(node))


def _has_fractions(nodes: Nodes) -> bool:
    """Return whether numbers may have fractions, as far as constants and annotations tell."""
    return any(
        (isinstance(each, ast.Constant) and isinstance(each.value, float))
        or (isinstance(each, ast.Name) and each.id == "float")
        for node in nodes
        for each in ast.walk(node)
    )


def _orders(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            yield from _order(each)


def _order(node: ast.AST) -> list[str]:
    """Return the operators with which a node compares sizes. Mirrored ones count as the same."""
    if isinstance(node, ast.Compare):
        names = [type(each).__name__ for each in node.ops if isinstance(each, _ORDERS)]
        return [_OPPOSITE.get(name, name) for name in names]
    if isinstance(node, ast.Call):
        return [last_name(node.func)] if last_name(node.func) in ("min", "max") else []
    return []


NAME = "__probe__"
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_MAX_MEMBERS = 40


class Comparisons(ast.NodeTransformer):
    """Puts probes into comparisons.

    :param function: the name of the function.
    :param never_empty: variables that are never empty, or None if emptiness does not matter.
    :param missing: variables whose value is None only if a key is missing.
    :param whole: knows the values that are never `nan`, or None if `nan` does not matter.
    :param members: whether each member of a constant collection must be met.
    :param held: the numbers that variables hold. Comparisons must meet each of them.
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
        """The pairs that are compared with `==`.

        Other comparisons of a pair may never meet equal values.
        """

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
        """Instrument a test for identity or membership."""
        tested = node.left
        self.generic_visit(node)
        if is_none_test(node):
            node.left = self._nothing(tested, node.left)
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            node.left = self._membered(node, self._call("look", node, node.left))
        return node

    def _chain(self, node: ast.Compare) -> ast.expr:
        """Instrument `a < b < c`, where the middle operand belongs to both comparisons."""
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
        """Instrument an operand that is compared with None."""
        is_missing = isinstance(node, ast.Name) and node.id in self._missing
        return inner if is_missing else self._emptied(node, inner)

    def _emptied(self, node: ast.expr, inner: ast.expr) -> ast.expr:
        """Instrument an operand that is tested for emptiness or None, if the difference matters."""
        if self._never_empty is None or isinstance(node, ast.Constant | ast.Compare | ast.BoolOp):
            return inner
        if isinstance(node, ast.Name) and node.id in self._never_empty:
            return inner
        return self._call("empty", node, self._place(node, EMPTY, "empty"), inner)

    def _chosen(self, node: ast.Call) -> None:
        """Instrument `min(a, b)`, which also compares."""
        one, other = node.args
        place = self._numbered(node, BOUNDARY)
        self._add_nans(place, *map(self._is_whole, node.args))
        node.args = [
            self._call("left", node, ast.Constant(place), self.visit(one)),
            self._call("right", node, ast.Constant(place), self.visit(other)),
        ]

    def _add_nans(self, place: int, one: bool, other: bool) -> None:
        """Require `nan` on each side of a comparison in some call.

        :param one: whether the left side is never `nan`.
        :param other: whether the right side is never `nan`.
        """
        ways = (*(() if one else (NAN_LEFT,)), *(() if other else (NAN_RIGHT,)))
        self._goals.add(place, NAN, *ways)

    def _is_whole(self, node: ast.expr) -> bool:
        """Return whether an operand is never `nan`, or `nan` does not matter."""
        return self._whole is None or self._whole.is_whole(node)

    def _add_held(self, place: int, *operands: ast.expr) -> None:
        """Require each number that a variable holds to equal the other side in some call."""
        for operand in operands:
            numbers = self._held.get(operand.id, ()) if isinstance(operand, ast.Name) else ()
            self._goals.add(place, MEMBER, *(f"={number}" for number in sorted(numbers)))

    def _membered(self, node: ast.Compare, left: ast.expr) -> ast.expr:
        """Instrument the left side of `in` with a constant collection. Each member must be met."""
        values = constants_in(node.comparators[0]) if self._members else ()
        if not 0 < len(values) <= _MAX_MEMBERS:
            return left
        indexes = (f"{index}" for index in range(len(values)))
        has_range = sum(type(each) is int for each in values) > 1
        place = self._place(node, MEMBER, *indexes, *((BETWEEN,) if has_range else ()))
        constants = ast.Tuple([ast.Constant(each) for each in values], ast.Load())
        return self._call("member", node, place, left, constants)


def held_numbers(node: ast.AST) -> dict[str, frozenset[int]]:
    """Return the integers in variables that are only compared, except the most common ones.

    Any other use of such a variable reveals its value.
    """
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
    """Return the members of a collection that holds only integers and strings, in order, or
    nothing."""
    if not isinstance(node, ast.Tuple | ast.List | ast.Set):
        return ()
    found = tuple(each.value for each in node.elts if isinstance(each, ast.Constant))
    plain = tuple(each for each in found if type(each) in (int, str))
    return tuple(dict.fromkeys(plain)) if len(plain) == len(node.elts) else ()  # type: ignore[arg-type]


def _pair(one: ast.expr, other: ast.expr) -> frozenset[str]:
    return frozenset((ast.dump(one), ast.dump(other)))
