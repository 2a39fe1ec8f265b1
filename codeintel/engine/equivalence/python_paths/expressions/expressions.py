"""Lower expressions to values and events."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    bare,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import operations, texts
from codeintel.engine.equivalence.python_paths.expressions import (
    calls,
    closures,
    collections,
    library,
    tables,
)
from codeintel.engine.equivalence.python_paths.kinds import base_of, parts_of
from codeintel.engine.equivalence.python_paths.lowering import Evaluate, Lowering

TRUE, FALSE = constant(True), constant(False)


def _constant(node: ast.Constant, state: State, then: WithValue, _low: Lowering) -> Tree:
    return then(constant(node.value), state)


def _name(node: ast.Name, state: State, then: WithValue, low: Lowering) -> Tree:
    name = node.id
    if name in low.local or name in state.names:
        return low.read_name(name, state, then)
    given = low.program.constants.get(name)
    if given is not None:
        return low.any(given, state, then)
    return then_global(name, state, then, low)


def then_global(name: str, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read a name of the module or the language."""
    if name in low.program.rebound:
        return low.machine.read("global", (name,), state, then)
    return then(("g", name), state)


def _attribute(node: ast.Attribute, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.value(node.value, state, lambda v, s: low.read_attribute(v, node.attr, s, then))


def _subscript(node: ast.Subscript, state: State, then: WithValue, low: Lowering) -> Tree:
    table = low.resolved(node.value)
    if isinstance(table, ast.Dict):
        found = tables.item(table, node.slice, state, then, low)
        if found is not None:
            return found
    held = low.held(node.value, state)
    if held is not None and not isinstance(node.slice, ast.Slice):
        return low.value(node.slice, state, lambda key, s: _held_item(node, key, s, then, low))
    if held is not None and held.kind == "list":
        return _cut(held, node, state, then, low)
    if low.resolved(node.value) is not node.value and not isinstance(node.slice, ast.Slice):
        return low.value(node.slice, state, lambda i, s: _from_table(node, i, s, then, low))
    place = _place(node.slice)

    def read(owner: Value, s: State) -> Tree:
        if isinstance(owner, Built) and owner.kind == "list" and place is not None:
            element = operations.part(owner, place, s)
            if element is not None:
                return then(element, s)
        if isinstance(owner, Built) and owner.kind == "list" and isinstance(node.slice, ast.Slice):
            return _cut(owner, node, s, then, low)
        return low.machine.keep(owner, s, read_kept)

    def read_kept(owner: Term, s: State) -> Tree:
        return _slice(
            node.slice, s, lambda i, s2: operations.item(owner, bare(i), s2, then, low), low
        )

    if isinstance(node.value, ast.Name):
        return low.value(node.value, state, read_kept)
    return low.any(node.value, state, read)


def _cut(held: Built, node: ast.Subscript, state: State, then: WithValue, low: Lowering) -> Tree:
    """Slice a private list into a new list."""

    def cut(index: Value, s: State) -> Tree:
        if not isinstance(index, Built) and texts.is_sure_slice(index):
            return then(Built("list", ("cut", held.term, index), held.inside), s)
        return low.machine.make(
            "item", (("built", "list", held.term), bare(index)), s, then, "list"
        )

    return _slice(node.slice, state, cut, low)


def _from_table(
    node: ast.Subscript, index: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Read an element of a constant that the module binds once.

    The lookup of the name cannot fail.
    """
    element = tables.element(node.value, index, low)
    if element is not None:
        return low.any(element, state, then)
    return low.value(node.value, state, lambda v, s: operations.item(v, index, s, then, low))


def _place(node: ast.expr) -> int | None:
    """Return a constant index into a list, or None."""
    match node:
        case ast.Constant(value=int(place)) if not isinstance(place, bool):
            return place
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(place))):
            return -place
    return None


def _held_item(
    node: ast.Subscript, key: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    held = low.held(node.value, state)
    if held is None:
        raise UnsupportedError("a collection that changes while it is read")
    name = node.value.id  # type: ignore[attr-defined]
    return library.item(name, held, key, state, then, low)


def _slice(node: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    if isinstance(node, ast.Slice):
        parts = [each or ast.Constant(None) for each in (node.lower, node.upper, node.step)]
        return low.values(parts, state, lambda vs, s: then(("slice", *vs), s))
    if isinstance(node, ast.Compare):
        return closures.compared_as_is(node, state, then, low)
    if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
        raise UnsupportedError("slices in a tuple")
    return low.value(node, state, then)


def _binary(node: ast.BinOp, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.value(
        node.left,
        state,
        lambda a, s: low.value(
            node.right, s, lambda b, s2: operations.calculated(node.op, a, b, s2, then, low)
        ),
    )


def _formatted(node: ast.JoinedStr, state: State, then: WithValue, low: Lowering) -> Tree:
    def go(left: list[ast.expr], done: list[Term], now: State) -> Tree:
        if not left:
            return then(operations.joined(done), now)
        part, *rest = left
        if isinstance(part, ast.Constant):
            return go(rest, [*done, constant(part.value)], now)
        if not isinstance(part, ast.FormattedValue):
            raise UnsupportedError("a part of a text")
        spec = part.format_spec or ast.Constant("")
        return low.value(
            part.value,
            now,
            lambda v, s: low.value(
                spec,
                s,
                lambda f, s2: operations.written(
                    v, part.conversion, f, s2, lambda t, s3: go(rest, [*done, bare(t)], s3), low
                ),
            ),
        )

    return go(list(node.values), [], state)


def _choice(node: ast.IfExp, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.test(
        node.test,
        state,
        lambda s: low.any(node.body, s, then),
        lambda s: low.any(node.orelse, s, then),
    )


def _joint(node: ast.BoolOp, state: State, then: WithValue, low: Lowering) -> Tree:
    is_and = isinstance(node.op, ast.And)

    def go(left: list[ast.expr], now: State) -> Tree:
        first, *rest = left
        if not rest:
            return low.any(first, now, then)

        def decide(value: Term, s: State) -> Tree:
            def stop(s2: State) -> Tree:
                return then(value, s2)

            def on(s2: State) -> Tree:
                return go(rest, s2)

            return low.truth(value, s, on, stop) if is_and else low.truth(value, s, stop, on)

        return low.value(first, now, decide)

    return go(node.values, state)


def _unary(node: ast.UnaryOp, state: State, then: WithValue, low: Lowering) -> Tree:
    if isinstance(node.op, ast.Not):
        return low.test(node.operand, state, lambda s: then(FALSE, s), lambda s: then(TRUE, s))

    def go(value: Term, s: State) -> Tree:
        name = type(node.op).__name__
        if kind_of(value) == "int" or (kind_of(value) == "float" and name != "Invert"):
            if value[0] == "c" and name == "USub":
                return then(constant(-ast.literal_eval(value[2])), s)
            return then(("op", name, value, kind_of(value)), s)
        return low.machine.make(name, (value,), s, then)

    return low.value(node.operand, state, go)


def _compare(node: ast.Compare, state: State, then: WithValue, low: Lowering) -> Tree:
    always = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
    if low.plain or all(isinstance(each, always) for each in node.ops):
        return low.test(node, state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
    return closures.compared_as_is(node, state, then, low)


def _tuple(node: ast.Tuple, state: State, then: WithValue, low: Lowering) -> Tree:
    if any(isinstance(each, ast.Starred) for each in node.elts):
        return low.values(
            [each.value if isinstance(each, ast.Starred) else each for each in node.elts],
            state,
            lambda vs, s: low.machine.make(
                "tuple",
                tuple(
                    ("star", v) if isinstance(e, ast.Starred) else v
                    for e, v in zip(node.elts, vs, strict=True)
                ),
                s,
                then,
            ),
        )
    return low.values(node.elts, state, lambda vs, s: then(("tuple", *vs), s))


def _await(node: ast.Await, state: State, then: WithValue, low: Lowering) -> Tree:
    def wait(value: Term, s: State) -> Tree:
        kind = kind_of(value)
        given = parts_of(kind)[0] if base_of(kind) == "awaits" else ""
        return low.machine.effect("await", (value,), s, then, given)

    return low.value(node.value, state, wait)


def _yield(node: ast.Yield, state: State, then: WithValue, low: Lowering) -> Tree:
    value = node.value or ast.Constant(None)
    return low.value(value, state, lambda v, s: low.machine.effect("yield", (v,), s, then))


def _yield_from(node: ast.YieldFrom, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.value(
        node.value, state, lambda v, s: low.machine.effect("yield from", (v,), s, then)
    )


def _walrus(node: ast.NamedExpr, state: State, then: WithValue, low: Lowering) -> Tree:
    name = node.target.id

    def bound(value: Value, s: State) -> Tree:
        if isinstance(value, Built):
            return low.machine.keep(value, s, lambda v, s2: then(v, s2.bind(name, v)))
        return then(value, s.bind(name, value))

    if name not in low.local:
        raise UnsupportedError("a name of the module that is bound")
    return low.any(node.value, state, bound)


EXPRESSIONS: dict[type[ast.AST], Evaluate] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.JoinedStr: _formatted,
    ast.IfExp: _choice,
    ast.BoolOp: _joint,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.Tuple: _tuple,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.NamedExpr: _walrus,
    ast.Lambda: closures.function,
    ast.Call: calls.called,
    ast.List: collections.displayed,
    ast.Set: collections.displayed,
    ast.Dict: collections.displayed_dict,
    ast.ListComp: collections.comprehended,
    ast.SetComp: collections.comprehended,
    ast.DictComp: collections.comprehended_dict,
    ast.GeneratorExp: closures.generator,
}
