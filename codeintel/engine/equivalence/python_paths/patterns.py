"""`match`: each case as the questions that it asks."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import State, Term, Then, Tree, UnsupportedError
from codeintel.engine.equivalence.python_paths import bounds
from codeintel.engine.equivalence.python_paths.lowering import Control, Lowering


def chosen(
    cases: list[ast.match_case],
    value: Term,
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    """The first of the cases that a value fits."""
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
    """Ask whether a value fits a pattern, and bind what it captures: only if all of it fits."""
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
    """What holds a captured value until the whole pattern fits."""
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
    """`value == wanted`, or `value is wanted`."""
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
    """A class alone: whether it is an instance. What is no class raises, and is not followed."""
    known = bounds.asked(value, kind, state, yes, no, low) if kind[0] == "g" else None
    if known is None:
        raise UnsupportedError("a pattern with a class of the program")
    return known
