"""How many turns a loop can have, as far as what it goes through tells."""

from __future__ import annotations

import ast

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
        """Parameters that are not empty any more after a line: if they were, the function ended."""

    def turns(self, node: ast.expr) -> tuple[str, ...]:
        """What a loop through this must have met: more than one turn, and none where what it goes
        through is given by the caller. Nothing where there are always as many."""
        if self._is_fixed(node):
            return ()
        return ("once", "many", "never") if self._is_given(node) else ("once", "many")

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether there are always as many values."""
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
        """Whether a parameter alone decides how many values there are."""
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
    """Whether `not x` says that it is empty: iterators are always true."""
    kind = parameter.annotation
    return last_name(kind.value if isinstance(kind, ast.Subscript) else kind) in _SIZED


def _found_empty(test: ast.expr, sized: set[str]) -> list[str]:
    """The variable that a condition finds to be empty: `not x`, `len(x) == 0`."""
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
    """Whether a function binds a variable, or may take something out of what it holds."""
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
    """Names of the module that are written like constants: how many they hold does not vary."""
    return frozenset(
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


def last_name(node: ast.AST | None) -> str:
    """The name of a function or method, as it is called."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
