"""Lower statements: their effects on variables, and where control continues."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codeintel.engine.equivalence.path_trees import (
    UNBOUND,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import assignments, regions
from codeintel.engine.equivalence.python_paths.expressions import library, methods, rounds
from codeintel.engine.equivalence.python_paths.expressions.rounds import bind_target
from codeintel.engine.equivalence.python_paths.lowering import (
    CAUGHT,
    Control,
    Lowering,
    stored_names,
)

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def as_range(node: ast.While, names: Sequence[str], state: State, low: Lowering) -> ast.For | None:
    """Turn `while i < n: ...; i += 1` into `for i in range(i, n): ...; i += 1`.

    Only the last statement may set the variable, nothing may set the bound, and both must be
    integers.
    """
    match node.test:
        case ast.Compare(
            left=ast.Name() as left, ops=[ast.Lt() | ast.LtE() as operator], comparators=[right]
        ):
            counter, bound = left, right
        case ast.Compare(
            left=left, ops=[ast.Gt() | ast.GtE() as operator], comparators=[ast.Name() as right]
        ):
            counter, bound = right, left
        case _:
            return None
    *before, last = node.body
    if not _is_step(last, counter.id) or counter.id in stored_names(before):
        return None
    if any(_goes_on(each) for each in before):
        return None
    if not _is_whole(counter, state, low) or not _is_fixed(bound, names, state, low):
        return None
    if isinstance(operator, ast.LtE | ast.GtE):
        bound = ast.BinOp(bound, ast.Add(), ast.Constant(1))
    target = ast.Name(counter.id, ast.Store())
    over = ast.Call(ast.Name("range", ast.Load()), [counter, bound], [])
    if not low.is_builtin(over.func, "range"):
        return None
    return ast.For(target, over, node.body, node.orelse)


def _is_step(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.AugAssign(
            target=ast.Name(id=set_), op=ast.Add(), value=ast.Constant(value=int() as step)
        ):
            return set_ == name and step is not True and step == 1
        case ast.Assign(
            targets=[ast.Name(id=set_)],
            value=ast.BinOp(
                left=ast.Name(id=read), op=ast.Add(), right=ast.Constant(value=int() as step)
            ),
        ):
            return set_ == read == name and step is not True and step == 1
    return False


def _goes_on(node: ast.AST) -> bool:
    """Return whether a statement can start the next iteration without the last statement of this
    one."""
    if isinstance(node, ast.Continue):
        return True
    if isinstance(node, _LOOPS):
        return any(_goes_on(each) for each in node.orelse)
    if isinstance(node, _SCOPES):
        return False
    return any(_goes_on(each) for each in ast.iter_child_nodes(node))


def _is_whole(node: ast.Name, state: State, low: Lowering) -> bool:
    value = state.names.get(node.id)
    return node.id in low.local and value is not None and kind_of(value) == "int"


def _is_fixed(node: ast.expr, names: Sequence[str], state: State, low: Lowering) -> bool:
    """Return whether a bound is an integer that does not change."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Name) and node.id not in names and _is_whole(node, state, low)


def is_over(test: ast.expr, state: State, low: Lowering) -> bool:
    """Return whether a condition is known to be false, so that asking it has no effect."""
    if isinstance(test, ast.Constant):
        return not test.value
    return low.test(test, state, lambda _s: ("round",), lambda _s: ("over",)) == ("over",)


NONE = constant(None)


def block(
    body: Sequence[ast.stmt], state: State, control: Control, then: Then, low: Lowering
) -> Tree:
    """Lower a sequence of statements."""
    if not body:
        return then(state)
    first, *rest = body
    joined = regions.closing(first, rest, low)
    if joined is not None:
        first, rest = joined
    return statement(first, state, control, lambda s: block(rest, s, control, then, low), low)


def statement(node: ast.stmt, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower one statement and everything after it."""
    low.machine.step()
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return then(state)
        case ast.Expr(value=value):
            return low.any(value, state, lambda _, s: then(s))
        case ast.Return(value=value):
            return low.value(value or ast.Constant(None), state, control.returned)
        case ast.Assign(
            targets=[ast.Tuple() | ast.List() as target], value=ast.Name() as value
        ) if low.held(value, state) is not None:
            held = low.held(value, state) or NONE
            return assignments.store(target, held, state, then, low)
        case ast.Assign(
            targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)],
            value=ast.Tuple(elts=values) | ast.List(elts=values),
        ) if assignments.are_names(targets, len(values)):
            return assignments.side_by_side(targets, values, [], state, then, low)
        case ast.Assign(targets=[target], value=ast.expr() as value):
            return low.any(value, state, lambda v, s: assignments.store(target, v, s, then, low))
        case ast.Assign(targets=targets, value=value):
            return low.value(
                value, state, lambda v, s: assignments.store_all(targets, v, s, then, low)
            )
        case ast.AnnAssign(target=ast.Name(), value=None):
            return then(state)
        case ast.AnnAssign(
            target=ast.Name() | ast.Attribute() as target, value=ast.expr() as value
        ):
            return low.any(value, state, lambda v, s: assignments.store(target, v, s, then, low))
        case ast.AugAssign():
            return assignments.added(node, state, then, low)
        case ast.If(test=test, body=body, orelse=orelse):
            return low.test(
                test,
                state,
                lambda s: block(body, s, control, then, low),
                lambda s: block(orelse, s, control, then, low),
            )
        case ast.For():
            return _for(node, state, control, then, low)
        case ast.While():
            return _while(node, state, control, then, low)
        case ast.Break() if control.broken is not None:
            return control.broken(state)
        case ast.Continue() if control.again is not None:
            return control.again(state)
        case ast.Raise():
            return _raise(node, state, low)
        case ast.Assert():
            return _assert(node, state, then, low)
        case ast.Try():
            return regions.tried(node, state, control, then, low)
        case ast.With():
            return regions.in_contexts(node.items, node.body, state, control, then, low)
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name)) as target]) if (
            _is_held_dict(target.value, state, low)
        ):
            return methods.deleted(name, target.slice, state, then, low)
        case ast.Delete(targets=[ast.Subscript() as target]):
            return low.values(
                [target.value, target.slice],
                state,
                lambda vs, s: low.machine.effect("delete", vs, s, lambda _, s2: then(s2)),
            )
        case ast.Match(subject=subject, cases=cases):
            return low.value(
                subject, state, lambda v, s: regions.chosen(cases, v, s, control, then, low)
            )
        case ast.FunctionDef():
            return _def(node, state, then, low)
    raise UnsupportedError(type(node).__name__)


def _is_held_dict(node: ast.expr, state: State, low: Lowering) -> bool:
    held = low.held(node, state)
    return held is not None and library.is_dict(held.kind)


def _assert(node: ast.Assert, state: State, then: Then, low: Lowering) -> Tree:
    """Lower an assertion. Python may skip it, so nothing about it is known afterwards."""
    if any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
        raise UnsupportedError("a variable that an assertion binds")
    message = node.msg or ast.Constant(None)
    asked = low.test(
        node.test,
        state,
        lambda _s: ("holds",),
        lambda s: low.value(message, s, lambda v, s2: low.machine.fails(("assertion", v), s2)),
    )
    low.machine.note(state)
    return ("region", "assert", (), (asked,), then(state.next().changed()))


def _def(node: ast.FunctionDef, state: State, then: Then, low: Lowering) -> Tree:
    if node.decorator_list or node.name in low.rebound:
        raise UnsupportedError("a nested function")
    return then(state.bind(node.name, ("def", node)))


def _for(node: ast.For, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    names = rounds.carried([node.target, *node.body], state, low)

    def ended(s: State) -> Tree:
        return block(node.orelse, s, control, then, low)

    def one(element: Term, now: State, again: Then) -> Tree:
        inner = Control(control.returned, then, again)
        return bind_target(
            node.target,
            element,
            now,
            lambda s: block(node.body, s, inner, again, low),
            low,
        )

    return low.go_through(node.iter, state, names, one, ended)


def _while(node: ast.While, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    names = rounds.carried([node.test, *node.body], state, low)

    counted = as_range(node, names, state, low)
    if counted is not None:
        return _for(counted, state, control, then, low)

    def out(s: State) -> Tree:
        return block(node.orelse, s, control, then, low)

    def one(now: State, again: Then) -> Tree:
        def further(end: State) -> Tree:
            # If there is no further iteration, leave the loop immediately.
            return out(end) if is_over(node.test, end, low) else again(end)

        inner = Control(control.returned, then, further)
        return low.test(node.test, now, lambda s: block(node.body, s, inner, further, low), out)

    return low.machine.loop(("while",), state, names, one, lambda _s: ("never",), is_steady=True)


def _raise(node: ast.Raise, state: State, low: Lowering) -> Tree:
    if node.exc is None:
        return low.machine.fails(("raise again", state.names.get(CAUGHT, UNBOUND)), state)
    given = [node.exc] if node.cause is None else [node.exc, node.cause]
    return low.values(given, state, lambda vs, s: low.machine.fails(("raise", *vs), s))


def start_names(names: Sequence[str], kinds: dict[str, str]) -> dict[str, Value]:
    """Return the parameters of a function at its start."""
    return {name: ("p", str(place), kinds.get(name, "")) for place, name in enumerate(names)}
