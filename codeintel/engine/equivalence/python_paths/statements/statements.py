"""Statements: what they do to the variables, and where they go on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from codeintel.engine.equivalence.normal_form.text import text_of
from codeintel.engine.equivalence.path_trees.terms import (
    POISON,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    With,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.collections import collections, library
from codeintel.engine.equivalence.python_paths.expressions import methods
from codeintel.engine.equivalence.python_paths.kinds import UNCHANGING
from codeintel.engine.equivalence.python_paths.loops import counting, loops
from codeintel.engine.equivalence.python_paths.lowering import Control, Lowering
from codeintel.engine.equivalence.python_paths.statements import patterns
from codeintel.engine.equivalence.python_paths.values import operations

NONE = constant(None)
Leave = Callable[[State, Then], Tree]
"""Ends a region before something follows."""
_KEEPING = frozenset({"open", "io.open", "io.StringIO", "io.BytesIO", "gzip.open"})


def block(
    body: Sequence[ast.stmt], state: State, control: Control, then: Then, low: Lowering
) -> Tree:
    """Statements in a row."""
    if not body:
        return then(state)
    first, *rest = body
    joined = _closing(first, rest)
    if joined is not None:
        first, rest = joined
    return statement(first, state, control, lambda s: block(rest, s, control, then, low), low)


def _closing(first: ast.stmt, rest: list[ast.stmt]) -> tuple[ast.stmt, list[ast.stmt]] | None:
    """`f = open(x)` and `try: ... finally: f.close()` is `with open(x) as f: ...`."""
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
        ) if name == closed:
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


def statement(node: ast.stmt, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """One statement, and all that follows."""
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
            return store(target, held, state, then, low)
        case ast.Assign(
            targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)],
            value=ast.Tuple(elts=values) | ast.List(elts=values),
        ) if _are_names(targets, len(values)):
            return _side_by_side(targets, values, [], state, then, low)
        case ast.Assign(targets=[target], value=ast.expr() as value):
            return low.any(value, state, lambda v, s: store(target, v, s, then, low))
        case ast.Assign(targets=targets, value=value):
            return low.value(value, state, lambda v, s: _store_all(targets, v, s, then, low))
        case ast.AnnAssign(target=ast.Name(), value=None):
            return then(state)
        case ast.AnnAssign(
            target=ast.Name() | ast.Attribute() as target, value=ast.expr() as value
        ):
            return low.any(value, state, lambda v, s: store(target, v, s, then, low))
        case ast.AugAssign():
            return _added(node, state, then, low)
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
            return _try(node, state, control, then, low)
        case ast.With():
            return _with(node.items, node.body, state, control, then, low)
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
            return low.value(subject, state, lambda v, s: _cases(cases, v, s, control, then, low))
        case ast.FunctionDef():
            return _def(node, state, then, low)
    raise UnsupportedError(type(node).__name__)


def _is_held_dict(node: ast.expr, state: State, low: Lowering) -> bool:
    held = low.held(node, state)
    return held is not None and library.is_dict(held.kind)


def _cases(
    cases: list[ast.match_case],
    value: Term,
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    if not cases:
        return then(state)
    first, *rest = cases

    def fits(s: State) -> Tree:
        return block(first.body, s, control, then, low)

    def other(s: State) -> Tree:
        return _cases(rest, value, s, control, then, low)

    def guarded(s: State) -> Tree:
        if first.guard is None:
            return fits(s)
        return low.test(first.guard, s, fits, other)

    return patterns.matched(first.pattern, value, state, guarded, other, low)


def _are_names(targets: list[ast.expr], count: int) -> bool:
    """Whether so many targets are different names."""
    names = {each.id for each in targets if isinstance(each, ast.Name)}
    return len(names) == len(targets) == count


def _side_by_side(
    targets: list[ast.expr],
    values: list[ast.expr],
    done: list[Value],
    state: State,
    then: Then,
    low: Lowering,
) -> Tree:
    """`a, b = x, y`: all values come before the first name. A new collection may stay in the hands
    of its variable."""
    if values:
        first, *rest = values
        if isinstance(first, ast.Starred):
            raise UnsupportedError("a value with a star")
        return low.any(
            first, state, lambda v, s: _side_by_side(targets, rest, [*done, v], s, then, low)
        )

    def bind(left: list[tuple[ast.expr, Value]], s: State) -> Tree:
        if not left:
            return then(s)
        (target, value), *rest = left
        return store(target, value, s, lambda s2: bind(rest, s2), low)

    return bind(list(zip(targets, done, strict=True)), state)


def _assert(node: ast.Assert, state: State, then: Then, low: Lowering) -> Tree:
    """Python may be told to leave it out: nothing of it is known afterwards."""
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
        raise UnsupportedError("a function within a function")
    return then(state.bind(node.name, ("def", node)))


def store(target: ast.expr, value: Value, state: State, then: Then, low: Lowering) -> Tree:
    """Give a value to a target."""
    match target:
        case ast.Name(id=name):
            if name not in low.local and not name.startswith("%"):
                raise UnsupportedError("a name of the module that is bound")
            return then(state.bind(name, value))
        case ast.Tuple() | ast.List():
            return loops.bind_target(target, value, state, then, low)
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
                raise UnsupportedError("a collection that is handed on while it is changed")
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


def _store_all(
    targets: list[ast.expr], value: Term, state: State, then: Then, low: Lowering
) -> Tree:
    if not targets:
        return then(state)
    first, *rest = targets
    return store(first, value, state, lambda s: _store_all(rest, value, s, then, low), low)


def _added(node: ast.AugAssign, state: State, then: Then, low: Lowering) -> Tree:
    """`x += y`. It is `x = x + y` of what cannot be changed."""
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
            raise UnsupportedError("a collection that is handed on while it is changed")
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
            raise UnsupportedError("a collection that is handed on while it is changed")
        return collections.put(now, key, value, s, lambda b, s2: then(s2.bind(owner.id, b)), low)

    return low.value(index, state, read)


def _operated(
    operator: ast.operator, old: Term, new: Term, state: State, then: With, low: Lowering
) -> Tree:
    if kind_of(old) in UNCHANGING:
        return operations.calculated(operator, old, new, state, then, low)  # type: ignore[arg-type]
    name = f"in place {type(operator).__name__}"
    return low.machine.effect(name, (old, new), state, then)


def _for(node: ast.For, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    names = loops.carried([node.target, *node.body], state, low)

    def ended(s: State) -> Tree:
        return block(node.orelse, s, control, then, low)

    def one(element: Term, now: State, again: Then) -> Tree:
        inner = Control(control.returned, then, again)
        return loops.bind_target(
            node.target,
            element,
            now,
            lambda s: block(node.body, s, inner, again, low),
            low,
        )

    return low.go_through(node.iter, state, names, one, ended)


def _while(node: ast.While, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    names = loops.carried([node.test, *node.body], state, low)

    counted = counting.as_range(node, names, state, low)
    if counted is not None:
        return _for(counted, state, control, then, low)

    def out(s: State) -> Tree:
        return block(node.orelse, s, control, then, low)

    def one(now: State, again: Then) -> Tree:
        def further(end: State) -> Tree:
            # Where it is known that there is no further round, it is left at once.
            return out(end) if counting.is_over(node.test, end, low) else again(end)

        inner = Control(control.returned, then, further)
        return low.test(node.test, now, lambda s: block(node.body, s, inner, further, low), out)

    return low.machine.loop(("while",), state, names, one, lambda _s: ("never",), is_steady=True)


def _raise(node: ast.Raise, state: State, low: Lowering) -> Tree:
    if node.exc is None:
        return low.machine.fails(("raise again",), state)
    given = [node.exc] if node.cause is None else [node.exc, node.cause]
    return low.values(given, state, lambda vs, s: low.machine.fails(("raise", *vs), s))


def _leaving(control: Control, leave: Leave) -> Control:
    """Ways out of a region, each of which ends it."""

    def around(then: Then | None) -> Then | None:
        return None if then is None else (lambda s: leave(s, then))

    return Control(
        lambda v, s: leave(s, lambda s2: control.returned(v, s2)),
        around(control.broken),
        around(control.again),
    )


def _try(node: ast.Try, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    if node.finalbody:
        return _finally(node, state, control, then, low)

    def inside(within: State, leave: Leave) -> Tree:
        inner = _leaving(control, leave)
        # What follows in `else` is not guarded any more.
        return block(
            node.body,
            within,
            inner,
            lambda s: leave(s, lambda s2: block(node.orelse, s2, control, then, low)),
            low,
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
    if name is None:
        return ("nested", kind, (block(node.body, state, control, then, low),))

    def gone(s: State) -> State:
        return s.bind(name, POISON)

    ended = Control(
        control.returned,
        None if control.broken is None else (lambda s: control.broken(gone(s))),  # type: ignore[misc]
        None if control.again is None else (lambda s: control.again(gone(s))),  # type: ignore[misc]
    )
    bound = state.bind(name, error)
    return ("nested", kind, (block(node.body, bound, ended, lambda s: then(gone(s)), low),))


def _type_text(node: ast.expr, low: Lowering) -> str:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in low.local:
            raise UnsupportedError("a type of errors that is a variable")
        if not isinstance(each, ast.Name | ast.Attribute | ast.Tuple | ast.expr_context):
            raise UnsupportedError("a type of errors that is worked out")
    return text_of(node)


def _finally(node: ast.Try, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    inner_try = ast.Try(node.body, node.handlers, node.orelse, [])
    body = [inner_try] if node.handlers else [*node.body, *node.orelse]

    def inside(within: State, leave: Leave) -> Tree:
        def lastly(follow: Then) -> Then:
            return lambda s: leave(s, lambda s2: block(node.finalbody, s2, control, follow, low))

        inner = Control(
            lambda v, s: lastly(lambda s2: control.returned(v, s2))(s),
            None if control.broken is None else lastly(control.broken),
            None if control.again is None else lastly(control.again),
        )
        return block(body, within, inner, lastly(then), low)

    def aside(after: State) -> tuple[Tree, ...]:
        return (block(node.finalbody, after, control, lambda _s: ("handed on",), low),)

    return low.machine.region("finally", (), state, inside, aside)


def _with(
    items: list[ast.withitem],
    body: list[ast.stmt],
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    """Contexts. Those that may catch what is raised in them have another way to go on."""
    if not items:
        return block(body, state, control, then, low)
    first, *rest = items
    called = first.context_expr.func if isinstance(first.context_expr, ast.Call) else None
    keeps = isinstance(called, ast.Name) and called.id in _KEEPING and called.id not in low.local

    def entered(context: Term, s: State) -> Tree:
        def inside(within: State, leave: Leave) -> Tree:
            def left(end: State, follow: Then) -> Tree:
                # Leaving a context may change anything.
                return leave(end, lambda s2: follow(s2.changed()))

            inner = _leaving(control, left)

            def go(s2: State) -> Tree:
                return _with(
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


def start_names(names: Sequence[str], kinds: dict[str, str]) -> dict[str, Value]:
    """The parameters of a function when it begins."""
    return {name: ("p", str(place), kinds.get(name, "")) for place, name in enumerate(names)}
