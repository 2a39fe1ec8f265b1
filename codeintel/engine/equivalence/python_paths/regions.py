"""Lower statements with regions or cases: `try`, `with` and `match`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from codeintel.engine.equivalence.path_trees import (
    POISON,
    UNBOUND,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import bounds, operations
from codeintel.engine.equivalence.python_paths.assignments import store
from codeintel.engine.equivalence.python_paths.lowering import CAUGHT, Control, Lowering
from codeintel.engine.equivalence.python_trees import text_of

Leave = Callable[[State, Then], Tree]
"""Ends a region before the following code."""
_KEEPING = frozenset({"io.open", "io.StringIO", "io.BytesIO", "gzip.open"})


def closing(
    first: ast.stmt, rest: list[ast.stmt], low: Lowering
) -> tuple[ast.stmt, list[ast.stmt]] | None:
    """Turn `f = open(x)` with `try: ... finally: f.close()` into `with open(x) as f: ...`, or
    return None."""
    match (first, rest):
        case (
            ast.Assign(
                targets=[ast.Name(id=name) as target],
                value=ast.Call(func=ast.Name(id="open")) as opened,
            ),
            [
                ast.Try(
                    body=body,
                    handlers=[],
                    orelse=[],
                    finalbody=[
                        ast.Expr(
                            value=ast.Call(
                                func=ast.Attribute(value=ast.Name(id=closed), attr="close"),
                                args=[],
                                keywords=[],
                            )
                        )
                    ],
                ),
                *after,
            ],
        ) if name == closed and low.is_builtin(opened.func, "open"):
            bound = any(
                isinstance(each, ast.Name)
                and each.id == name
                and not isinstance(each.ctx, ast.Load)
                for top in body
                for each in ast.walk(top)
            )
            if not bound:
                return ast.With([ast.withitem(opened, target)], body), after
    return None


def _leaving(control: Control, leave: Leave) -> Control:
    """Return the continuations that leave a region, and end the region in each."""

    def around(then: Then | None) -> Then | None:
        return None if then is None else (lambda s: leave(s, then))

    return Control(
        lambda v, s: leave(s, lambda s2: control.returned(v, s2)),
        around(control.broken),
        around(control.again),
    )


def tried(node: ast.Try, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower `try` with its handlers or its `finally`."""
    if node.finalbody:
        return _finally(node, state, control, then, low)

    def inside(within: State, leave: Leave) -> Tree:
        inner = _leaving(control, leave)
        # The `else` block is no longer guarded.
        return low.block(
            node.body,
            within,
            inner,
            lambda s: leave(s, lambda s2: low.block(node.orelse, s2, control, then)),
        )

    def aside(after: State) -> tuple[Tree, ...]:
        return tuple(_handler(each, after, control, then, low) for each in node.handlers)

    return low.machine.region("try", (), state, inside, aside)


def _handler(
    node: ast.ExceptHandler, state: State, control: Control, then: Then, low: Lowering
) -> Tree:
    kind = ("types", "") if node.type is None else ("types", _type_text(node.type, low))
    error = ("x", f"{state.count}!", "")
    name = node.name
    outer = state.names.get(CAUGHT, UNBOUND)

    def gone(s: State) -> State:
        left = s.bind(CAUGHT, outer)
        return left if name is None else left.bind(name, POISON)

    ended = Control(
        control.returned,
        None if control.broken is None else (lambda s: control.broken(gone(s))),  # type: ignore[misc]
        None if control.again is None else (lambda s: control.again(gone(s))),  # type: ignore[misc]
    )
    bound = state.bind(CAUGHT, error)
    bound = bound if name is None else bound.bind(name, error)
    return ("nested", kind, (low.block(node.body, bound, ended, lambda s: then(gone(s))),))


def _type_text(node: ast.expr, low: Lowering) -> str:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in low.local:
            raise UnsupportedError("a type of errors that is a variable")
        if not isinstance(each, ast.Name | ast.Attribute | ast.Tuple | ast.expr_context):
            raise UnsupportedError("a computed type of errors")
    return text_of(node)


def _finally(node: ast.Try, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    inner_try = ast.Try(node.body, node.handlers, node.orelse, [])
    body = [inner_try] if node.handlers else [*node.body, *node.orelse]

    def inside(within: State, leave: Leave) -> Tree:
        def lastly(follow: Then) -> Then:
            return lambda s: leave(s, lambda s2: low.block(node.finalbody, s2, control, follow))

        inner = Control(
            lambda v, s: lastly(lambda s2: control.returned(v, s2))(s),
            None if control.broken is None else lastly(control.broken),
            None if control.again is None else lastly(control.again),
        )
        return low.block(body, within, inner, lastly(then))

    def aside(after: State) -> tuple[Tree, ...]:
        return (
            low.block(
                node.finalbody, after, control, lambda s: low.machine.fails(("propagated",), s)
            ),
        )

    return low.machine.region("finally", (), state, inside, aside)


def in_contexts(
    items: list[ast.withitem],
    body: list[ast.stmt],
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    """Lower contexts. A context that may suppress errors has an additional way to continue."""
    if not items:
        return low.block(body, state, control, then)
    first, *rest = items
    called = first.context_expr.func if isinstance(first.context_expr, ast.Call) else None
    keeps = called is not None and (
        low.is_builtin(called, "open") or low.is_imported(called, *_KEEPING)
    )

    def entered(context: Term, s: State) -> Tree:
        def inside(within: State, leave: Leave) -> Tree:
            def left(end: State, follow: Then) -> Tree:
                def out(s2: State) -> Tree:
                    # Leaving a context may fail, and may change anything.
                    low.machine.note(s2)
                    return follow(s2.changed())

                return leave(end, out)

            inner = _leaving(control, left)

            def go(s2: State) -> Tree:
                return in_contexts(
                    rest,
                    body,
                    s2,
                    inner,
                    lambda s3: left(s3, then),
                    low,
                )

            if first.optional_vars is None:
                return low.machine.effect("enter", (context,), within, lambda _, s2: go(s2))
            target = first.optional_vars
            return low.machine.effect(
                "enter",
                (context,),
                within,
                lambda v, s2: store(target, v, s2, go, low),
                operations.TEXT_FILE if kind_of(context) == operations.TEXT_FILE else "",
            )

        def aside(after: State) -> tuple[Tree, ...]:
            return () if keeps else (then(after),)

        return low.machine.region("with", (context,), s, inside, aside)

    return low.value(first.context_expr, state, entered)


def chosen(
    cases: list[ast.match_case],
    value: Term,
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    """Lower the first case that a value matches."""
    if not cases:
        return then(state)
    first, *rest = cases

    def fits(s: State) -> Tree:
        return low.block(first.body, s, control, then)

    def other(s: State) -> Tree:
        return chosen(rest, value, s, control, then, low)

    def guarded(s: State) -> Tree:
        if first.guard is None:
            return fits(s)
        return low.test(first.guard, s, fits, other)

    return matched(first.pattern, value, state, guarded, other, low)


def matched(
    pattern: ast.pattern, value: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    """Branch on whether a value matches a pattern.

    Names are bound only if the whole pattern matches.
    """
    names = sorted(
        each.name for each in ast.walk(pattern) if isinstance(each, ast.MatchAs) and each.name
    )

    def fits(s: State) -> Tree:
        end = s
        for name in names:
            captured = s.names.get(_pending(name))
            end = end if captured is None else end.bind(name, captured)
        return yes(end.unbind(*map(_pending, names)))

    def other(s: State) -> Tree:
        return no(s.unbind(*map(_pending, names)))

    return _fitting(pattern, value, state, fits, other, low)


def _pending(name: str) -> str:
    """Return the variable that holds a captured value until the whole pattern matches."""
    return f"%as {name}"


def _fitting(
    pattern: ast.pattern, value: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    match pattern:
        case ast.MatchValue(value=wanted):
            return _compared(ast.Eq(), wanted, value, state, yes, no, low)
        case ast.MatchSingleton(value=single):
            return _compared(ast.Is(), ast.Constant(single), value, state, yes, no, low)
        case ast.MatchOr(patterns=patterns):
            return _any(patterns, value, state, yes, no, low)
        case ast.MatchAs(pattern=None, name=name):
            return yes(_bound(name, value, state))
        case ast.MatchAs(pattern=ast.pattern() as inner, name=name):
            return _fitting(inner, value, state, lambda s: yes(_bound(name, value, s)), no, low)
        case ast.MatchClass(cls=kind, patterns=[], kwd_patterns=[]):
            return low.value(
                kind,
                state,
                lambda k, s: _instance(value, k, s, yes, no, low),
            )
        case ast.MatchSequence(patterns=patterns) if value[0] == "tuple":
            if any(isinstance(each, ast.MatchStar) for each in patterns):
                raise UnsupportedError("a pattern with a star")
            if len(patterns) != len(value) - 1:
                return no(state)
            return _each(list(zip(patterns, value[1:], strict=True)), state, yes, no, low)
    raise UnsupportedError("a pattern")


def _compared(
    operator: ast.cmpop,
    wanted: ast.expr,
    value: Term,
    state: State,
    yes: Then,
    no: Then,
    low: Lowering,
) -> Tree:
    """Branch on `value == wanted` or `value is wanted`."""
    name = low.hidden()
    asked = ast.Compare(ast.Name(name, ast.Load()), [operator], [wanted])
    return low.test(
        asked,
        state.bind(name, value),
        lambda s: yes(s.unbind(name)),
        lambda s: no(s.unbind(name)),
    )


def _bound(name: str | None, value: Term, state: State) -> State:
    return state if name is None else state.bind(_pending(name), value)


def _any(
    patterns: list[ast.pattern], value: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    if not patterns:
        return no(state)
    first, *rest = patterns
    return _fitting(first, value, state, yes, lambda s: _any(rest, value, s, yes, no, low), low)


def _each(
    pairs: list[tuple[ast.pattern, Term]], state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    if not pairs:
        return yes(state)
    (pattern, value), *rest = pairs
    return _fitting(pattern, value, state, lambda s: _each(rest, s, yes, no, low), no, low)


def _instance(value: Term, kind: Term, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether a value is an instance of a class.

    Anything else in its place raises and is not supported.
    """
    known = bounds.asked(value, kind, state, yes, no, low) if kind[0] == "g" else None
    if known is None:
        raise UnsupportedError("a pattern with a class of the program")
    return known
