"""Find what no call can reach: iterations that loops cannot have, and lookups that always
succeed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from .changes import Function, last_name

_TAKING = frozenset(("pop", "popleft", "popitem", "clear", "remove", "discard"))
_SIZED = frozenset(
    (
        *("list", "dict", "set", "frozenset", "tuple", "str", "bytes", "deque"),
        *("List", "Dict", "Set", "Tuple", "Sequence", "Mapping", "Collection"),
        *("MutableSequence", "MutableMapping"),
    )
)
_PASSING = frozenset(("enumerate", "zip", "range", "len", "reversed", "sorted", "list", "iter"))


class Loops:
    """The loops of one function.

    :param constant: names of the module that are written like constants.
    """

    def __init__(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, constant: frozenset[str]
    ) -> None:
        given = node.args
        self._constant = constant
        self._parameters = frozenset(
            each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)
        )
        sized = {
            each.arg for each in ast.walk(given) if isinstance(each, ast.arg) and _is_sized(each)
        }
        self._guarded = {
            name: guard.lineno
            for guard in node.body
            if isinstance(guard, ast.If) and isinstance(guard.body[-1], ast.Return | ast.Raise)
            for name in _found_empty(guard.test, sized)
            if not _is_emptied(node, name)
        }
        """Parameters that are not empty after a line, because the function would have ended
        there."""

    def turns(self, node: ast.expr) -> tuple[str, ...]:
        """Return what calls of a loop over this iterable must show: one iteration, several
        iterations, and no iteration if the caller provides the iterable.

        Return an empty tuple if the number of iterations is fixed.
        """
        if self._is_fixed(node):
            return ()
        return ("once", "many", "never") if self._is_given(node) else ("once", "many")

    def _is_fixed(self, node: ast.expr) -> bool:
        """Return whether the number of values is always the same."""
        if isinstance(node, ast.Constant | ast.Tuple | ast.List | ast.Set | ast.Dict):
            return True
        if isinstance(node, ast.Name):
            return node.id in self._constant
        if isinstance(node, ast.Attribute):
            return self._is_fixed(node.value)
        if isinstance(node, ast.Call):
            name = last_name(node.func)
            if isinstance(node.func, ast.Attribute) and name in ("items", "keys", "values"):
                return self._is_fixed(node.func.value)
            return (
                name in _PASSING
                and any(map(self._is_fixed, node.args))
                and (name != "range" or all(map(self._is_fixed, node.args)))
            )
        return isinstance(node, ast.UnaryOp) and self._is_fixed(node.operand)

    def _is_given(self, node: ast.expr) -> bool:
        """Return whether a parameter alone decides the number of values."""
        if isinstance(node, ast.Name):
            guard = self._guarded.get(node.id, node.lineno)
            return node.id in self._parameters and guard >= node.lineno
        if isinstance(node, ast.Call) and node.args:
            name = last_name(node.func)
            one = node.args[0]
            if isinstance(node.func, ast.Name) and name in ("enumerate", "reversed", "sorted"):
                return self._is_given(one)
            if name == "range" and len(node.args) == 1:
                inner = isinstance(one, ast.Call) and last_name(one.func) == "len"
                return self._is_given(one.args[0] if inner and one.args else one)  # type: ignore[attr-defined]
        return False


def _is_sized(parameter: ast.arg) -> bool:
    """Return whether `not x` means that the parameter is empty. Iterators are always true."""
    kind = parameter.annotation
    return last_name(kind.value if isinstance(kind, ast.Subscript) else kind) in _SIZED


def _found_empty(test: ast.expr, sized: set[str]) -> list[str]:
    """Return the variables that a condition such as `not x` or `len(x) == 0` finds empty."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        name = last_name(test.operand)
        return [name] if isinstance(test.operand, ast.Name) and name in sized else []
    is_length = (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Eq)
        and isinstance(test.left, ast.Call)
        and last_name(test.left.func) == "len"
        and isinstance(test.comparators[0], ast.Constant)
        and test.comparators[0].value == 0
    )
    given = test.left.args if is_length else []  # type: ignore[attr-defined]
    return [each.id for each in given if isinstance(each, ast.Name)]


def _is_emptied(node: ast.AST, name: str) -> bool:
    """Return whether a function rebinds a variable or may remove something from its value."""
    return any(
        isinstance(each, ast.Name | ast.Attribute | ast.Subscript)
        and (
            (_is(each, name) and not isinstance(each.ctx, ast.Load))
            or (_is(getattr(each, "value", None), name) and _takes(each))
        )
        for each in ast.walk(node)
    )


def _takes(part: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return isinstance(part.ctx, ast.Del) or last_name(part) in _TAKING


def _is(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def constants(tree: ast.Module) -> frozenset[str]:
    """Return the names of the module that are written like constants, whose size does not vary."""
    return frozenset(
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


_READ = frozenset(("get", "keys", "values", "items"))
_GONE_THROUGH = frozenset(("len", "list", "sorted", "tuple", "set", "iter", "enumerate"))
_LATER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_BLOCKS = ("body", "orelse", "finalbody")


def full_dictionaries(function: Function) -> frozenset[str]:
    """Return the variables that are bound once, to an empty dictionary that only receives values
    other than None and that no other code can change.

    `best.get(key)` of such a dictionary is None only if the key is missing. A value whose item is
    read is not None, because `best[each["id"]] = each` would have raised otherwise.
    """
    tree = _Tree(function)
    return frozenset(name for name in tree.dictionaries() if tree.is_full(name))


class _Tree:
    """A function with the parent of each of its nodes."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._outer = {
            id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)
        }
        self._stored = Counter(
            each.id
            for each in ast.walk(function)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        )

    def dictionaries(self) -> Iterator[str]:
        """Yield the variables that are bound once, to an empty dictionary."""
        for node in ast.walk(self._function):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
            elif isinstance(node, ast.AnnAssign):
                target = node.target
            else:
                continue
            is_empty = isinstance(node.value, ast.Dict) and not node.value.keys
            if is_empty and isinstance(target, ast.Name) and self._stored[target.id] == 1:
                yield target.id

    def is_full(self, name: str) -> bool:
        """Return whether no use of a dictionary can add None to it."""
        return all(
            self._is_harmless(each)
            for each in ast.walk(self._function)
            if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
        )

    def _is_harmless(self, name: ast.Name) -> bool:
        outer = self._outer[id(name)]
        if isinstance(outer, ast.Subscript) and outer.value is name:
            return not isinstance(outer.ctx, ast.Store) or self._is_full_store(outer)
        if isinstance(outer, ast.Attribute):
            return outer.attr in _READ and isinstance(self._outer[id(outer)], ast.Call)
        if isinstance(outer, ast.Compare):
            return all(isinstance(each, ast.In | ast.NotIn) for each in outer.ops)
        if isinstance(outer, ast.Call):
            return isinstance(outer.func, ast.Name) and outer.func.id in _GONE_THROUGH
        return isinstance(outer, ast.For | ast.comprehension) and outer.iter is name

    def _is_full_store(self, target: ast.Subscript) -> bool:
        """Return whether a stored value is not None."""
        statement = self._outer[id(target)]
        if not isinstance(statement, ast.Assign):
            return False
        value = statement.value
        if isinstance(value, ast.Constant):
            return value.value is not None
        return isinstance(value, ast.Name) and self._has_items(value.id, statement)

    def _has_items(self, name: str, statement: ast.stmt) -> bool:
        """Return whether an item of the loop variable is always read in a statement or before
        it."""
        node: ast.AST = statement
        found = any(_reads(part, name) for part in _always(statement))
        while not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            outer = self._outer[id(node)]
            for field in _BLOCKS:
                block = getattr(outer, field, None)
                if isinstance(block, list) and node in block:
                    before = block[: block.index(node)]
                    found = found or any(_reads(e, name) for s in before for e in _always(s))
            if isinstance(outer, ast.If):
                found = found or _reads(outer.test, name)
            if isinstance(outer, ast.For) and node in outer.body and _is(outer.target, name):
                return found and self._stored[name] == 1
            node = outer
        return False


def _always(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that are always evaluated when a statement runs to its end."""
    if isinstance(statement, ast.Assign):
        yield from (statement.value, *statement.targets)
    elif isinstance(statement, ast.Expr | ast.AugAssign | ast.AnnAssign):
        yield from (statement.value,) if statement.value is not None else ()
    elif isinstance(statement, ast.If | ast.While):
        yield statement.test
    elif isinstance(statement, ast.For):
        yield statement.iter


def _reads(node: ast.expr, name: str) -> bool:
    """Return whether evaluating an expression always reads an item of a variable."""
    is_item = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    if is_item and _is(node.value, name):  # type: ignore[attr-defined]
        return not isinstance(node.slice, ast.Slice)  # type: ignore[attr-defined]
    if isinstance(node, ast.BoolOp):
        return _reads(node.values[0], name)
    if isinstance(node, ast.IfExp):
        return _reads(node.test, name)
    if isinstance(node, ast.Compare):
        return any(_reads(each, name) for each in (node.left, node.comparators[0]))
    if isinstance(node, _LATER):
        return False
    return any(
        _reads(each, name)
        for child in ast.iter_child_nodes(node)
        for each in ([child] if isinstance(child, ast.expr) else _of_keyword(child))
    )


def _of_keyword(node: ast.AST) -> list[ast.expr]:
    return [node.value] if isinstance(node, ast.keyword) else []


def full_tables(tree: ast.Module) -> frozenset[str]:
    """Return the names that are bound once, to a dictionary of functions and true constants,
    such as a table of operators."""
    found: set[str] = set()
    bound: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] += 1
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        if isinstance(value, ast.Dict) and all(map(_is_full, value.values)):
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(name for name in found if bound[name] == 1)


def _is_full(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return bool(node.value)
    return isinstance(node, ast.Lambda | ast.Attribute | ast.Name)


def looked_up(function: Function, tables: frozenset[str]) -> frozenset[str]:
    """Return the variables that are bound once, to a lookup in one of the tables."""
    bound: Counter[str] = Counter()
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound[node.id] += 1
        if isinstance(node, ast.Assign) and _is_lookup(node.value, tables):
            found |= {each.id for each in node.targets if isinstance(each, ast.Name)}
        if isinstance(node, ast.NamedExpr) and _is_lookup(node.value, tables):
            found.add(node.target.id)
    return frozenset(name for name in found if bound[name] == 1)


def _is_lookup(node: ast.expr, tables: frozenset[str]) -> bool:
    """Return whether a node is `TABLE.get(key)`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and len(node.args) == 1
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in tables
    )
