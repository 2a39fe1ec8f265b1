"""Lower tables of constants: a key or an index chooses a value, as a chain of `if` does."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Tree,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.kinds import UNCHANGING
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_SOLID = (str, int, bytes)
_STEADY = (ast.Constant, ast.Name, ast.Tuple, ast.UnaryOp, ast.USub, ast.expr_context)


def item(
    table: ast.Dict, key: ast.expr, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower `{1: a, 2: b}[x]`, which raises if the key is missing."""
    if not _is_table(table, low) or isinstance(key, ast.Slice):
        return None

    def missing(asked: Term, s: State) -> Tree:
        return low.machine.fails(("raise missing", asked), s)

    return low.values(
        [*table.values, key],
        state,
        lambda vs, s: _chosen(table, vs[:-1], vs[-1], s, then, missing, low),
    )


def got(
    table: ast.Dict, args: Sequence[ast.expr], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower `{1: a, 2: b}.get(x, c)`."""
    if not _is_table(table, low) or not 1 <= len(args) <= 2:
        return None
    if any(isinstance(each, ast.Starred) for each in args):
        return None
    given = [args[0], args[1] if len(args) == 2 else ast.Constant(None)]

    def choose(values: tuple[Term, ...], s: State) -> Tree:
        *found, key, default = values
        return _chosen(table, found, key, s, then, lambda _, s2: then(default, s2), low)

    return low.values([*table.values, *given], state, choose)


def _is_table(table: ast.Dict, low: Lowering) -> bool:
    """Return whether the keys are distinct constants of one type and the values are simple."""
    keys = [each.value if isinstance(each, ast.Constant) else None for each in table.keys]
    if not all(type(each) in _SOLID for each in keys) or len(set(keys)) != len(keys):
        return False
    if len({type(each) for each in keys}) != 1 or not low.plain:
        return False
    return all(isinstance(e, _STEADY) for value in table.values for e in ast.walk(value))


def _chosen(
    table: ast.Dict,
    values: Sequence[Term],
    key: Term,
    state: State,
    then: WithValue,
    missing: Callable[[Term, State], Tree],
    low: Lowering,
) -> Tree:
    def one_of(s: State) -> Tree:
        return go(list(zip(table.keys, values, strict=True)), s)

    def go(left: list[tuple[ast.expr | None, Term]], s: State) -> Tree:
        if not left:
            return missing(key, s)
        (first, value), *rest = left
        asked: Term = ("==", key, constant(first.value))  # type: ignore[union-attr]
        if kind_of(key) not in UNCHANGING:
            asked = (*asked, s.version)  # it may equal something else later

        def there(s2: State) -> Tree:
            return then(value, s2)

        if key[0] == "c":
            same = key == constant(first.value)  # type: ignore[union-attr]
            return there(s) if same else go(rest, s)
        return low.machine.branch(asked, s, there, lambda s2: go(rest, s2), is_fixed=True)

    if kind_of(key) in UNCHANGING:
        return one_of(state)
    # The key may be unhashable.
    return low.machine.read("hash", (key,), state, lambda _, s: one_of(s))


_MOST = 8
_BISECTING = {
    "bisect.bisect": ast.Lt(),
    "bisect.bisect_right": ast.Lt(),
    "bisect.bisect_left": ast.LtE(),
}
"""How the searched number compares with the first element after it."""


def element(node: ast.expr, place: Term, low: Lowering) -> ast.expr | None:
    """Return the element of a constant table at an index that is known to exist, or None."""
    table = low.resolved(node)
    if table is node or not isinstance(table, ast.List | ast.Tuple):
        return None
    if place[:2] != ("c", "int") or not -len(table.elts) <= int(place[2]) < len(table.elts):
        return None
    found = table.elts[int(place[2])]
    return found if isinstance(found, ast.Constant) else None


def placed(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `bisect(table, number)` with increasing integers to the questions of a chain of
    `if`."""
    if not low.is_imported(node.func, *_BISECTING) or len(node.args) != 2 or node.keywords:
        return None
    table = low.resolved(node.args[0])
    if not isinstance(table, ast.List | ast.Tuple) or len(table.elts) > _MOST:
        return None
    limits = [each.value for each in table.elts if isinstance(each, ast.Constant)]
    if len(limits) < len(table.elts) or any(type(each) is not int for each in limits):
        return None
    if limits != sorted(limits):  # type: ignore[type-var]
        return None
    comparing = _BISECTING[node.func.id]  # type: ignore[attr-defined]

    def place(number: Term, s: State) -> Tree:
        if kind_of(number) != "int":
            operands = (("g", node.func.id), constant(tuple(limits)), number)  # type: ignore[attr-defined]
            return low.machine.make("call", operands, s, then)

        name = low.hidden()

        def go(at: int, now: State) -> Tree:
            if at == len(limits):
                return then(constant(at), now.unbind(name))
            left, right = ast.Name(name, ast.Load()), ast.Constant(limits[at])
            return low.test(
                ast.Compare(left, [comparing], [right]),
                now,
                lambda s2: then(constant(at), s2.unbind(name)),
                lambda s2: go(at + 1, s2),
            )

        return go(0, s.bind(name, number))

    return low.value(node.args[1], state, place)
