"""Lower assignments of values to targets."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    With,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import operations
from codeintel.engine.equivalence.python_paths.expressions import collections, library
from codeintel.engine.equivalence.python_paths.expressions.rounds import bind_target
from codeintel.engine.equivalence.python_paths.kinds import UNCHANGING
from codeintel.engine.equivalence.python_paths.lowering import Lowering


def are_names(targets: list[ast.expr], count: int) -> bool:
    """Return whether the targets are this number of different names."""
    names = {each.id for each in targets if isinstance(each, ast.Name)}
    return len(names) == len(targets) == count


def side_by_side(
    targets: list[ast.expr],
    values: list[ast.expr],
    done: list[Value],
    state: State,
    then: Then,
    low: Lowering,
) -> Tree:
    """Lower `a, b = x, y`.

    All values are evaluated before the first name is bound. A new collection may stay private to
    its variable.
    """
    if values:
        first, *rest = values
        if isinstance(first, ast.Starred):
            raise UnsupportedError("a value with a star")
        return low.any(
            first, state, lambda v, s: side_by_side(targets, rest, [*done, v], s, then, low)
        )

    def bind(left: list[tuple[ast.expr, Value]], s: State) -> Tree:
        if not left:
            return then(s)
        (target, value), *rest = left
        return store(target, value, s, lambda s2: bind(rest, s2), low)

    return bind(list(zip(targets, done, strict=True)), state)


def store(target: ast.expr, value: Value, state: State, then: Then, low: Lowering) -> Tree:
    """Assign a value to a target."""
    match target:
        case ast.Name(id=name):
            if name not in low.local and not name.startswith("%"):
                raise UnsupportedError("a name of the module that is bound")
            return then(state.bind(name, value))
        case ast.Tuple() | ast.List():
            return bind_target(target, value, state, then, low)
        case ast.Attribute(value=owner, attr=name):
            return low.machine.keep(
                value,
                state,
                lambda v, s: low.value(
                    owner,
                    s,
                    lambda o, s2: low.machine.effect(
                        "set attribute", (o, name, v), s2, lambda _, s3: then(s3)
                    ),
                ),
            )
        case ast.Subscript(value=owner, slice=index):
            return low.machine.keep(
                value, state, lambda v, s: _store_item(owner, index, v, s, then, low)
            )
    raise UnsupportedError("a target")


def _store_item(
    owner: ast.expr, index: ast.expr, value: Term, state: State, then: Then, low: Lowering
) -> Tree:
    held = low.held(owner, state)
    if held is not None and library.is_dict(held.kind) and isinstance(owner, ast.Name):

        def put(key: Term, s: State) -> Tree:
            now = low.held(owner, s)
            if now is None:
                raise UnsupportedError("a collection that is passed on while it changes")
            return collections.put(
                now, key, value, s, lambda b, s2: then(s2.bind(owner.id, b)), low
            )

        return low.value(index, state, put)
    if isinstance(index, ast.Slice):
        raise UnsupportedError("a slice that is assigned")
    return low.values(
        [owner, index],
        state,
        lambda vs, s: low.machine.effect("set item", (*vs, value), s, lambda _, s2: then(s2)),
    )


def store_all(
    targets: list[ast.expr], value: Term, state: State, then: Then, low: Lowering
) -> Tree:
    """Assign one value to several targets, in order."""
    if not targets:
        return then(state)
    first, *rest = targets
    return store(first, value, state, lambda s: store_all(rest, value, s, then, low), low)


def added(node: ast.AugAssign, state: State, then: Then, low: Lowering) -> Tree:
    """Lower `x += y`. For immutable values it is `x = x + y`."""
    match node.target:
        case ast.Name(id=name) as target:
            held = low.held(target, state)
            if held is not None:
                if held.kind == "list" and isinstance(node.op, ast.Add):
                    return collections.extended(
                        held, node.value, state, lambda b, s: then(s.bind(name, b)), low, name
                    )
                raise UnsupportedError("a collection that is changed by an operator")
            if name not in low.local:
                raise UnsupportedError("a name of the module that is bound")
            return low.read_name(
                name,
                state,
                lambda old, s: low.value(
                    node.value,
                    s,
                    lambda new, s2: _operated(
                        node.op, old, new, s2, lambda v, s3: then(s3.bind(name, v)), low
                    ),
                ),
            )
        case ast.Attribute(value=owner, attr=name):
            return low.value(
                owner,
                state,
                lambda o, s: low.read_attribute(
                    o,
                    name,
                    s,
                    lambda old, s2: low.value(
                        node.value,
                        s2,
                        lambda new, s3: _operated(
                            node.op,
                            old,
                            new,
                            s3,
                            lambda v, s4: low.machine.effect(
                                "set attribute", (o, name, v), s4, lambda _, s5: then(s5)
                            ),
                            low,
                        ),
                    ),
                ),
            )
        case ast.Subscript(value=owner, slice=index) if not isinstance(index, ast.Slice):
            return _added_item(node, owner, index, state, then, low)
    raise UnsupportedError("a target")


def _added_item(
    node: ast.AugAssign,
    owner: ast.expr,
    index: ast.expr,
    state: State,
    then: Then,
    low: Lowering,
) -> Tree:
    held = low.held(owner, state)
    if held is None:
        return low.values(
            [owner, index],
            state,
            lambda vs, s: operations.item(
                vs[0],
                vs[1],
                s,
                lambda old, s2: low.value(
                    node.value,
                    s2,
                    lambda new, s3: _operated(
                        node.op,
                        old,  # type: ignore[arg-type]
                        new,
                        s3,
                        lambda v, s4: low.machine.effect(
                            "set item", (*vs, v), s4, lambda _, s5: then(s5)
                        ),
                        low,
                    ),
                ),
                low,
            ),
        )
    if not library.is_dict(held.kind) or not isinstance(owner, ast.Name):
        raise UnsupportedError("an item that is changed by an operator")

    def read(key: Term, s: State) -> Tree:
        now = low.held(owner, s)
        if now is None:
            raise UnsupportedError("a collection that is passed on while it changes")
        return library.item(
            owner.id,
            now,
            key,
            s,
            lambda old, s2: low.value(node.value, s2, lambda new, s3: add(key, old, new, s3)),  # type: ignore[arg-type]
            low,
        )

    def add(key: Term, old: Term, new: Term, s: State) -> Tree:
        return _operated(node.op, old, new, s, lambda v, s2: write(key, v, s2), low)

    def write(key: Term, value: Term, s: State) -> Tree:
        now = low.held(owner, s)
        if now is None:
            raise UnsupportedError("a collection that is passed on while it changes")
        return collections.put(now, key, value, s, lambda b, s2: then(s2.bind(owner.id, b)), low)

    return low.value(index, state, read)


def _operated(
    operator: ast.operator, old: Term, new: Term, state: State, then: With, low: Lowering
) -> Tree:
    if kind_of(old) in UNCHANGING:
        return operations.calculated(operator, old, new, state, then, low)  # type: ignore[arg-type]
    name = f"in place {type(operator).__name__}"
    return low.machine.effect(name, (old, new), state, then)
