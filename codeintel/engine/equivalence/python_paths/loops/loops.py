"""Going through values: loops, and the loops within comprehensions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from dataclasses import replace

from codeintel.engine.equivalence.normal_form.purity import may_move_inside
from codeintel.engine.equivalence.normal_form.values.maps import ENDING
from codeintel.engine.equivalence.path_trees.machine import has_effects
from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.kinds import (
    base_of,
    element_kind,
    is_steady_kind,
    parts_of,
    value_kind,
)
from codeintel.engine.equivalence.python_paths.loops import pairing
from codeintel.engine.equivalence.python_paths.lowering import (
    Lowering,
    Round,
    loaded_names,
    stored_names,
)
from codeintel.engine.equivalence.python_paths.values import operations, regexes


def carried(nodes: Sequence[ast.AST], state: State, low: Lowering) -> list[str]:
    """The variables that code may change if it is run in a loop."""
    nodes = _with_functions(nodes, state)
    held = {n for n in loaded_names(nodes) if isinstance(state.names.get(n), Built)}
    stored = {n for n in stored_names(nodes) if n in low.local or n in state.names}
    return sorted(held | stored)


def _with_functions(nodes: Sequence[ast.AST], state: State) -> list[ast.AST]:
    """Code, and that of the functions within this one that it may call."""
    found, seen = list(nodes), set[str]()
    while True:
        new = loaded_names(found) - seen
        seen |= new
        values = [state.names.get(name) for name in sorted(new)]
        bodies = [v[1] for v in values if isinstance(v, tuple) and v[0] == "def"]
        if not bodies:
            return found
        found.extend(bodies)


def go_through(
    node: ast.expr, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Go through what an expression gives."""
    node = low.resolved(node)
    match node:
        case ast.GeneratorExp(elt=element, generators=over):
            inner = [*names, *(n for n in carried([node], state, low) if n not in names)]
            check_scope(node)
            back = outside(over, state)
            return generators(
                over,
                state,
                inner,
                lambda s, again: low.value(element, s, lambda v, s2: each(v, back(s2), again)),
                after,
                low,
            )
        case ast.Call(func=function, args=[_, _, *_] as args, keywords=keywords) if (
            low.is_builtin(function, "zip")
            and (paired := _zip(args, keywords, state, names, each, after, low)) is not None
        ):
            return paired
        case ast.Call(func=function, args=args, keywords=[]) if not any(
            isinstance(arg, ast.Starred) for arg in args
        ):
            for name, special in _SPECIAL.items():
                if low.is_builtin(function, name):
                    found = special(args, state, names, each, after, low)
                    if found is not None:
                        return found
            match function:
                case ast.Attribute(value=owner, attr="items" | "keys" | "values" as part):
                    held = low.held(owner, state)
                    if held is not None and not args and _name(owner) not in names:
                        return _held(held, part, state, names, each, after, low)
                    if not args and held is None:
                        return low.value(
                            owner,
                            state,
                            lambda v, s: _dict_part(v, part, s, names, each, after, low),
                        )
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if not any(
            isinstance(e, ast.Starred) for e in elements
        ):
            return low.values(
                elements, state, lambda vs, s: _several(vs, s, names, each, after, low)
            )
    found = regexes.asked(node, low)
    if found is not None:
        method, pattern, kind, text = found

        def search(where: Term, s: State) -> Tree:
            if kind_of(where) != "str":
                raise _NotFollowedError
            return _matches(method, pattern, kind, where, s, names, each, after, low)

        try:
            return low.value(text, state, search)
        except _NotFollowedError:
            pass
    held = low.held(node, state)
    if held is not None and _name(node) not in names:
        return _held(held, "keys", state, names, each, after, low)
    return low.any(node, state, lambda v, s: _value(v, s, names, each, after, low))


class _NotFollowedError(Exception):
    """What is searched may be no text, or a group need not be there."""


def _matches(
    method: str,
    pattern: Term,
    kind: str,
    text: Term,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Go through all matches of a pattern, or what `findall` gives of them."""
    match: Term = ("x", f"{state.count}", kind)
    head: Term = ("for", ("matches", pattern, text))
    element = regexes.element(method, match)
    if element is None:
        raise _NotFollowedError

    def one(s: State, again: Then) -> Tree:
        return each(element, s, again)

    return low.machine.loop(head, state, names, one, after, is_steady=True, total=head)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _value(
    value: Value, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    if isinstance(value, Built):
        return _held(value, "keys", state, names, each, after, low)
    term = value
    if kind_of(term).startswith("dict"):
        kind = value_kind(kind_of(term))
        return _through(term, "keys", state, names, each, after, low, kind)
    return _plain(term, state, names, each, after, low)


def _held(
    held: Built, part: str, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Go through a collection that nobody else knows."""
    if held.term[0] == "keyed" and part == "keys":
        return _plain(("built", "list", held.term[1]), state, names, each, after, low)
    if held.kind in {"list", "set", "deque"}:
        kind = "set" if held.kind == "set" else "list"
        return _plain(("built", kind, held.term), state, names, each, after, low, held.inside or "")
    term = ("built", "dict", held.term)
    return _through(term, part, state, names, each, after, low, held.inside or "")


_FEW = 3
"""Elements that are gone through one after the other, without a loop."""


def _several(
    values: tuple[Term, ...],
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Go through values that stand there."""
    if len(values) > _FEW:
        return _plain(("tuple", *values), state, names, each, after, low)

    def go(place: int, s: State) -> Tree:
        low.machine.step()
        if place == len(values):
            return after(s)
        return each(values[place], s, lambda s2: go(place + 1, s2))

    return go(0, state)


def _plain(
    term: Term,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
    kind: str = "",
) -> Tree:
    kind = kind or element_kind(kind_of(term))
    if term[0] == "op" and term[1] == "range":
        kind = "int"
    element: Term = ("x", f"{state.count}", kind)
    steady, total = _sureness(term, ("for", term), state)
    return low.machine.loop(
        ("for", term),
        state,
        names,
        lambda s, again: each(element, s, again),
        after,
        is_steady=steady,
        total=total,
        rounds=_length(term, state) if steady else None,
    )


def _length(term: Term, state: State) -> Term | None:
    """How often a loop goes round that is not left."""
    if term[0] == "built":
        return operations.size(Built(term[1], term[2]), state)
    return operations.size(term, state)


def _sureness(term: Term, head: Term, state: State) -> tuple[bool, Term | None]:
    """Whether going through a value changes nothing, and the head of a loop that surely ends: it
    says when a value that others may change was as it was gone through."""
    if term[0] in {"built", "tuple"} or term[:2] == ("op", "range") or kind_of(term) == "str":
        return True, head
    if term[:2] == ("op", "frozen"):
        return True, head
    if base_of(kind_of(term)) in {"list", "set", "dict", "frozenset"}:
        return True, (*head, state.version)
    return False, None


def _dict_part(
    value: Term, part: str, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    if kind_of(value).startswith("dict"):
        kind = value_kind(kind_of(value))
        return _through(value, part, state, names, each, after, low, kind)
    return low.machine.make(
        "call method",
        (value, part),
        state,
        lambda v, s: _plain(v, s, names, each, after, low),
    )


def _through(
    term: Term,
    part: str,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
    kind: str,
) -> Tree:
    """Go through a dict: by keys, by values or by both."""
    key = ("x", f"{state.count}.0", element_kind(kind_of(term)))
    value = ("x", f"{state.count}.1", kind)
    element = {"keys": key, "values": value, "items": ("tuple", key, value)}[part]
    owner = term
    read = ("held item", "dict", term[2], key) if term[0] == "built" else ("item", owner, key)

    def one(state: State, again: Then) -> Tree:
        # What is a key has been hashed.
        reads = {**state.reads, read: value, ("hash", key): constant(None)}
        known = replace(state, reads=reads)
        return each(element, known, again)

    head: Term = ("for", ("items", term))
    steady, total = _sureness(term, head, state)
    return low.machine.loop(head, state, names, one, after, is_steady=steady, total=total)


def _enumerate(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    if not 1 <= len(args) <= 2:
        return None
    start = args[1] if len(args) == 2 else ast.Constant(0)
    if not isinstance(start, ast.Constant) or type(start.value) is not int:
        return None
    counter = low.hidden()
    return _counted(counter, constant(start.value), args[0], state, names, each, after, low)


def _counted(
    counter: str,
    start: Term,
    source: ast.expr,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    def one(element: Term, now: State, again: Then) -> Tree:
        number = now.names[counter]

        def further(end: State) -> Tree:
            return again(end.bind(counter, _one_more(end.names[counter])))

        return each(("tuple", number, element), now, further)

    begun = state.bind(counter, start)
    return low.go_through(source, begun, [*names, counter], one, lambda s: after(s.unbind(counter)))


def _one_more(number: object) -> Term:
    return ("op", "Add", number, constant(1), "int")


def _map(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    if len(args) != 2 or low.context.facts.words & ENDING:
        return None
    function, source = args
    if not _is_steady(function, low):
        return None
    return low.go_through(
        source,
        state,
        [*names, *(n for n in carried([function], state, low) if n not in names)],
        lambda v, s, again: applied(function, v, s, lambda r, s2: each(r, s2, again), low),
        after,
    )


def _filter(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    if len(args) != 2 or low.context.facts.words & ENDING:
        return None
    function, source = args

    def one(element: Term, now: State, again: Then) -> Tree:
        def kept(s: State) -> Tree:
            return each(element, s, again)

        if isinstance(function, ast.Constant) and function.value is None:
            return low.truth(element, now, kept, again)
        if isinstance(function, ast.Lambda):
            name = low.hidden()
            inside, bound = _opened(function, element, name, now)
            return low.test(
                inside, bound, lambda s: kept(s.unbind(name)), lambda s: again(s.unbind(name))
            )
        return applied(function, element, now, lambda r, s: low.truth(r, s, kept, again), low)

    is_none = isinstance(function, ast.Constant) and function.value is None
    if not is_none and not _is_steady(function, low):
        return None
    inner = [*names, *(n for n in carried([function], state, low) if n not in names)]
    return low.go_through(source, state, inner, one, after)


def _is_steady(node: ast.expr, low: Lowering) -> bool:
    """Whether it is the same function each time it is called: one written here, or one that is
    bound once."""
    if isinstance(node, ast.Lambda):
        given = node.args
        plain = len(given.args) == 1 and not given.posonlyargs and not given.kwonlyargs
        return plain and not (given.defaults or given.vararg or given.kwarg)
    if isinstance(node, ast.Name) and node.id not in low.local:
        known = node.id in low.program.bound or low.context.means_builtin(node.id)
        return known or "." in node.id
    match node:
        case ast.Attribute(value=ast.Name() as owner):
            return low.is_builtin(owner, "str")
    return False


def _opened(function: ast.Lambda, element: Term, name: str, state: State) -> tuple[ast.expr, State]:
    old = function.args.args[0].arg
    inside = _Renaming({old: name}).visit(copy.deepcopy(function.body))
    return inside, state.bind(name, element)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_Lambda(self, _node: ast.Lambda) -> ast.AST:
        raise UnsupportedError("a function within a function")


def applied(
    function: ast.expr,
    element: Term,
    state: State,
    then: Callable[[Term, State], Tree],
    low: Lowering,
) -> Tree:
    """What a function gives of an element."""
    name = low.hidden()
    if isinstance(function, ast.Lambda):
        inside, bound = _opened(function, element, name, state)
        return low.value(inside, bound, lambda v, s: then(v, s.unbind(name)))
    argument = ast.Name(name, ast.Load())
    call: ast.expr = ast.Call(function, [argument], [])
    match function:
        case ast.Attribute(value=ast.Name(id="str"), attr=attribute) if kind_of(element) == "str":
            call = ast.Call(ast.Attribute(argument, attribute, ast.Load()), [], [])
    return low.value(call, state.bind(name, element), lambda v, s: then(v, s.unbind(name)))


def _range(
    args: list[ast.expr], state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree | None:
    """`range(len(x))` of a list goes through its places, and reading the item is the element, as
    long as nothing is done that could change the list."""
    match args:
        case [ast.Call(func=function, args=[ast.Name() as source], keywords=[])]:
            if not low.is_builtin(function, "len") or low.held(source, state) is not None:
                return None
        case _:
            return None
    value = state.names.get(source.id)
    if not isinstance(value, tuple) or source.id in names:
        return None
    if kind_of(value).partition("<")[0] not in {"list", "str"}:
        return None

    def one(element: Term, now: State, again: Then) -> Tree:
        number, item = element[1], element[2]
        reads = {**now.reads, ("item", value, number): item}
        for each_other in others:
            there = pairing.element(each_other, number, state)
            reads["item", each_other, number] = there
        return each(number, replace(now, reads=reads), again)

    others = pairing.partners(value, state)
    counter = low.hidden()
    return _unchanging(
        state,
        after,
        lambda end: _counted(counter, constant(0), source, state, names, one, end, low),
    )


def _unchanging(state: State, after: Then, build: Callable[[Then], Tree]) -> Tree | None:
    """A loop in which nothing is done that could change what it goes through; else None."""
    folded: list[bool] = []

    def ended(s: State) -> Tree:
        folded.append(s.count == state.count)
        return after(s)

    tree = build(ended)
    if folded and folded[-1]:
        return tree
    inner = tree
    while inner[0] == "event":
        inner = inner[3]
    return tree if inner[0] == "loop" and not has_effects(inner[4]) else None


def _zip(
    args: list[ast.expr],
    keywords: list[ast.keyword],
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree | None:
    """`zip` of lists goes through the first, and through the others by its places. It ends where
    another ends first, unless all are known to be equally long."""
    found = pairing.lists(args, names, state, low)
    strict = [each.value for each in keywords if each.arg == "strict"]
    known = all(isinstance(value, ast.Constant) for value in strict)
    if not found or len(strict) != len(keywords) or not known:
        return None
    first, *others = found
    unsure = [other for other in others if not pairing.equally_long(first, other, state)]
    if unsure and any(value.value for value in strict):  # type: ignore[attr-defined]
        return None

    def one(element: Term, now: State, again: Then) -> Tree:
        number, item = element[1], element[2]
        rest = [pairing.element(other, number, state) for other in others]

        def go(left: list[Term], s: State) -> Tree:
            if not left:
                return each(("tuple", item, *rest), s, again)
            size = operations.size(left[0], state)
            asked: Term = ("<", number, size)
            return low.machine.branch(asked, s, lambda s2: go(left[1:], s2), ended, is_fixed=True)

        return go(unsure, now)

    def ended(s: State) -> Tree:
        return after(s.unbind(counter))

    counter = low.hidden()
    return _unchanging(
        state,
        after,
        lambda end: _counted(counter, constant(0), args[0], state, names, one, end, low),
    )


_SPECIAL = {"enumerate": _enumerate, "map": _map, "filter": _filter, "range": _range}


def check_scope(node: ast.GeneratorExp) -> None:
    """A generator makes another error of an end of iteration, and has a frame of its own."""
    if not may_move_inside(node):
        raise UnsupportedError("a generator that ends an iteration, or asks for its frame")


def _targets(over: list[ast.comprehension]) -> set[str]:
    return {n for each in over for n in stored_names([each.target])}


def outside(over: list[ast.comprehension], state: State) -> Callable[[State], State]:
    """What makes of a state within a comprehension one of the function around, whose variables
    those of the comprehension may hide."""
    targets = _targets(over)
    outer = {name: state.names.get(name) for name in targets}

    def back(now: State) -> State:
        kept = {k: v for k, v in now.names.items() if k not in targets}
        kept.update({k: v for k, v in outer.items() if v is not None})
        return replace(now, names=kept)

    return back


def generators(
    over: list[ast.comprehension],
    state: State,
    names: list[str],
    inside: Callable[[State, Then], Tree],
    after: Then,
    low: Lowering,
) -> Tree:
    """The loops of a comprehension. Their variables are not those of the function around."""
    targets = _targets(over)
    restored = outside(over, state)

    def go(place: int, now: State, again: Then) -> Tree:
        one = over[place]
        if one.is_async:
            raise UnsupportedError("an asynchronous comprehension")

        def round_(element: Term, s: State, further: Then) -> Tree:
            def checked(s2: State) -> Tree:
                return filtered(list(one.ifs), s2)

            def filtered(left: list[ast.expr], s2: State) -> Tree:
                if left:
                    return low.test(left[0], s2, lambda s3: filtered(left[1:], s3), further)
                if place + 1 < len(over):
                    return go(place + 1, s2, further)
                return inside(s2, further)

            return bind_target(one.target, element, s, checked, low)

        return low.go_through(one.iter, now, [n for n in names if n not in targets], round_, again)

    return go(0, state, lambda s: after(restored(s)))


def bind_target(target: ast.expr, value: Value, state: State, then: Then, low: Lowering) -> Tree:
    """Give a value to a name, or take it apart for several."""
    match target:
        case ast.Name(id=name):
            return then(state.bind(name, value))
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            if any(isinstance(each, ast.Starred) for each in parts):
                raise UnsupportedError("a target with a star")
            if isinstance(value, Built) and value.kind != "list":
                return low.machine.keep(
                    value, state, lambda v, s: bind_target(target, v, s, then, low)
                )
            return _taken_apart(parts, value, state, then, low)
    return low.store(target, value, state, then)


def _taken_apart(
    targets: list[ast.expr], value: Value, state: State, then: Then, low: Lowering
) -> Tree:
    """As many values as there are targets; another number raises."""
    count = len(targets)
    known: Sequence[Term | None] = []
    if isinstance(value, Built):
        if operations.known_size(value, state) == count:
            known = [operations.part(value, place, state) for place in range(count)]
    elif base_of(kind_of(value)) == "tuple" and len(parts_of(kind_of(value))) == count:
        known = [operations.element(value, place) for place in range(count)]
    elif value[0] == "tuple" and len(value) - 1 == count:
        known = value[1:]
    if len(known) == count and all(each is not None for each in known):
        return _parts(list(zip(targets, known, strict=True)), state, then, low)  # type: ignore[arg-type]

    def unpacked(given: Term, s: State) -> Tree:
        pairs: list[tuple[ast.expr, Term]] = [
            (each, ("part", given, place)) for place, each in enumerate(targets)
        ]
        return _parts(pairs, s, then, low)

    if isinstance(value, Built) and is_steady_kind(value.inside or ""):
        kind = value.inside

        def cut(_: Term, s: State) -> Tree:
            pairs: list[tuple[ast.expr, Term]] = [
                (each, ("op", "at", value.term, place, kind)) for place, each in enumerate(targets)
            ]
            return _parts(pairs, s, then, low)

        return low.machine.read("unpack", (("built", "list", value.term), count), state, cut)
    return low.machine.keep(
        value, state, lambda v, s: low.machine.make("unpack", (v, count), s, unpacked)
    )


def _parts(pairs: list[tuple[ast.expr, Term]], state: State, then: Then, low: Lowering) -> Tree:
    if not pairs:
        return then(state)
    (target, value), *rest = pairs
    return bind_target(target, value, state, lambda s: _parts(rest, s, then, low), low)
