"""Lower arguments, functions as values, and calls of functions whose body is known."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from codeintel.engine.equivalence.path_trees import (
    POISON,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    bare,
    constant,
)
from codeintel.engine.equivalence.python_paths.lowering import (
    CAUGHT,
    Control,
    Function,
    Lowering,
    loaded_names,
)
from codeintel.engine.equivalence.python_trees import text_of

NONE = constant(None)
_NEVER = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr)


def function(node: ast.Lambda, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `lambda x: ...`."""
    return made(node.args, [ast.Return(node.body)], state, then, low)


def made(
    given: ast.arguments, body: list[ast.stmt], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower a function that can be called at any time.

    The outer variables that it uses must keep their values.
    """
    names = parameters(given)
    inner = {n for each in body for n in _bound_in(each)} | set(names)
    used = {n for n in loaded_names(body) if n in state.names and n not in inner}
    later = loaded_names(body) & low.local - inner - state.names.keys()
    if later:
        raise UnsupportedError("a variable of a closure that has no value yet")
    for name in sorted(used):
        if name in low.rebound or name.startswith("%") or state.names[name] == POISON:
            raise UnsupportedError("a variable of a closure that changes")
    if any(isinstance(each, _NEVER) for top in body for each in ast.walk(top)):
        raise UnsupportedError("a function with decorators or special names")

    def rest(s: State) -> Tree:
        start = State(
            {
                **{n: s.names[n] for n in used},
                **{n: ("p", f"{s.count}.{place}", "") for place, n in enumerate(names)},
            },
            s.count + 1,
            {},
            {},
            s.fixed,
            version=s.count + 1,
        )
        local, low.local = low.local, low.local | inner
        try:
            tree = low.whole(body, start)
        finally:
            low.local = local
        signature = text_of(_without_names(given))
        return low.machine.keep(("fn", signature, tree), s, then)

    defaults = [*given.defaults, *(each for each in given.kw_defaults if each is not None)]
    if defaults:
        raise UnsupportedError("a function with defaults")
    return _kept(sorted(used), state, rest, low)


def _kept(names: Sequence[str], state: State, then: Then, low: Lowering) -> Tree:
    """Turn the collections that a function uses into objects."""
    if not names:
        return then(state)
    first, *rest = names
    return low.machine.keep(
        state.names[first], state, lambda v, s: _kept(rest, s.bind(first, v), then, low)
    )


def parameters(given: ast.arguments) -> list[str]:
    """Return the names of all parameters, in order."""
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    stars = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [each.arg for each in (*named, *stars)]


def _without_names(given: ast.arguments) -> ast.arguments:
    """Return how a function is called. Only names that callers can use remain."""
    blank = [ast.arg("_") for _ in (*given.posonlyargs, *given.args)]
    named = [ast.arg(each.arg) for each in given.kwonlyargs]
    star = ast.arg("_") if given.vararg else None
    return ast.arguments([], blank, star, named, [], ast.arg("_") if given.kwarg else None, [])


def _bound_in(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
    return found


def generator(_node: ast.GeneratorExp, _state: State, _then: WithValue, _low: Lowering) -> Tree:
    """Reject a generator that other code can iterate at any time."""
    raise UnsupportedError("a generator that is passed on")


def inlined(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Inline a call of a function of this program, or return None if the callee is unknown."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    value = state.names.get(name)
    nested = isinstance(value, tuple) and value[0] == "def"
    helper: Function | None = value[1] if nested else None  # type: ignore[index]
    if helper is None and name not in low.local and name not in state.names:
        helper = low.program.helpers.get(name)
    if helper is None:
        return None
    if name in low.calls:
        raise UnsupportedError("a function that calls itself")
    order = _order(node, helper)
    if order is None:
        if nested:
            raise UnsupportedError("a call that does not fit")
        return None
    return low.values(
        [*node.args, *(each.value for each in node.keywords)],
        state,
        lambda vs, s: _entered(name, helper, dict(zip(order, vs, strict=True)), s, then, low),
    )


def inlined_method(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Inline a call of a private method on the same instance, or return None."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=owner) as value, attr=name):
            helper = low.own.helpers.get(name)
        case _:
            return None
    if helper is None or state.names.get(owner) != low.myself or not is_plain(helper):
        return None
    if f".{name}" in low.calls:
        raise UnsupportedError("a method that calls itself")
    order = _order(ast.Call(node.func, [value, *node.args], node.keywords), helper)
    if order is None:
        return None
    return low.values(
        [value, *node.args, *(each.value for each in node.keywords)],
        state,
        lambda vs, s: _entered(f".{name}", helper, dict(zip(order, vs, strict=True)), s, then, low),
    )


def _order(node: ast.Call, helper: Function) -> list[str] | None:
    """Return the parameters in the order in which a call passes them, or None if the call does
    not fit."""
    given = helper.args
    named = [each.arg for each in (*given.posonlyargs, *given.args)]
    if len(node.args) > len(named):
        return None
    order = [*named[: len(node.args)], *(each.arg or "" for each in node.keywords)]
    every = [*named, *(each.arg for each in given.kwonlyargs)]
    fits = sorted(order) == sorted(every) and not given.vararg and not given.kwarg
    return order if fits and not given.defaults and not any(given.kw_defaults) else None


def _entered(
    name: str,
    helper: Function,
    given: dict[str, Term],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    if isinstance(helper, ast.AsyncFunctionDef) or not is_plain(helper):
        raise UnsupportedError("a function with decorators or special names")
    own = {n for each in helper.body for n in _bound_in(each)} | given.keys()
    own |= {
        e.name
        for t in helper.body
        for e in ast.walk(t)
        if isinstance(e, ast.ExceptHandler) and e.name
    }
    nested = name in state.names
    seen = loaded_names(helper.body) - own if nested else set()
    used = sorted(n for n in seen if n in state.names)
    if seen & low.local - state.names.keys():
        raise UnsupportedError("a variable of a closure that has no value yet")

    def enter(s: State) -> Tree:
        # An error inside leaves the outer variables as they are now.
        low.machine.note(s)
        outer = s.names
        around = {n: s.names[n] for n in (*used, CAUGHT) if n in s.names}
        inner = replace(s, names={**around, **given})
        local = low.local
        low.local = frozenset(own | set(used))
        low.calls.append(name)

        def back(value: Term, end: State) -> Tree:
            inside, low.local = low.local, local
            low.calls.pop()
            try:
                return low.machine.keep(value, replace(end, names=outer), then)
            finally:
                low.local = inside
                low.calls.append(name)

        try:
            return low.block(helper.body, inner, Control(back), lambda end: back(NONE, end))
        finally:
            low.local = local
            low.calls.pop()

    if any(state.names[n] == POISON for n in used):
        raise UnsupportedError("a variable of a closure that depends on an error")
    return _kept(used, state, enter, low)


def is_plain(node: Function) -> bool:
    """Return whether a call of this function does just what the body says."""
    if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
        return False
    for each in (n for top in node.body for n in ast.walk(top)):
        name = each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "")
        name = (each.arg or "") if isinstance(each, ast.keyword) else name
        if name.startswith("__"):
            return False  # a class mangles these names
    banned = (*_NEVER, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return not any(isinstance(each, banned) for top in node.body for each in ast.walk(top))


def given(
    node: ast.Call,
    state: State,
    then: Callable[[tuple[Term, ...], State], Tree],
    low: Lowering,
) -> Tree:
    """Lower the arguments of a call."""
    nodes = [
        *(each.value if isinstance(each, ast.Starred) else each for each in node.args),
        *(each.value for each in node.keywords),
    ]

    def marked(values: tuple[Term, ...], s: State) -> Tree:
        marks: list[Term] = []
        for each, value in zip([*node.args, *node.keywords], values, strict=True):
            if isinstance(each, ast.Starred):
                marks.append(("star", value))
            elif isinstance(each, ast.keyword):
                marks.append(("keyword", each.arg, value))
            else:
                marks.append(value)
        return then(tuple(marks), s)

    return _handed_on(nodes, state, marked, low)


def _handed_on(
    nodes: Sequence[ast.expr],
    state: State,
    then: Callable[[tuple[Term, ...], State], Tree],
    low: Lowering,
) -> Tree:
    if not nodes:
        return then((), state)
    first, *rest = nodes

    def further(value: Value, s: State) -> Tree:
        return _handed_on(rest, s, lambda vs, s2: then((bare(value), *vs), s2), low)

    if isinstance(first, ast.Compare) and not all(
        isinstance(each, ast.In | ast.NotIn | ast.Is | ast.IsNot) for each in first.ops
    ):
        # It may compare columns.
        return compared_as_is(first, state, further, low)
    return low.value(first, state, further)


def compared_as_is(node: ast.Compare, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower a comparison whose result, which can be of any type, is passed on."""
    names = tuple(type(each).__name__ for each in node.ops)
    if len(names) > 1:
        raise UnsupportedError("a chain of comparisons that is passed on")
    return low.values(
        [node.left, *node.comparators],
        state,
        lambda vs, s: low.machine.make("compare", (names, *vs), s, then),
    )
