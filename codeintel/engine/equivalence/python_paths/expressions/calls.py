"""Calls: those that only look, those that go through something, and all others."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.purity import PURE_METHODS
from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    bare,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.collections import (
    collections,
    dispatch,
    library,
    sorting,
    tables,
)
from codeintel.engine.equivalence.python_paths.expressions import arguments, closures, methods, sums
from codeintel.engine.equivalence.python_paths.kinds import (
    UNCHANGING,
    base_of,
    element_kind,
    is_steady_kind,
    parts_of,
)
from codeintel.engine.equivalence.python_paths.loops import loops
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import (
    arithmetic,
    operations,
    operators,
    regexes,
    texts,
    types,
)

TRUE, FALSE, NONE = constant(True), constant(False), constant(None)
_LOOKING = {
    **dict.fromkeys(("isinstance", "issubclass", "callable", "hasattr"), "bool"),
    **dict.fromkeys(("len", "ord", "hash", "id"), "int"),
    **dict.fromkeys(("repr", "ascii", "chr", "hex", "oct", "bin", "format"), "str"),
    **dict.fromkeys(("abs", "divmod", "round", "pow", "type", "getattr", "slice"), ""),
    "int": "int",
    "float": "float",
    "bytes": "",
    "complex": "",
    "range": "",
}
"""Builtins that neither change their arguments nor use them up, with what they give."""
_MAKING = frozenset({"dict", "zip", "enumerate", "map", "filter", "iter", "reversed", "bytearray"})
_OF_TEXT = {
    **dict.fromkeys(
        (
            *("capitalize", "casefold", "center", "expandtabs", "format", "ljust", "lower"),
            *("lstrip", "removeprefix", "removesuffix", "replace", "rjust", "rstrip", "strip"),
            *("swapcase", "title", "translate", "upper", "zfill"),
        ),
        "str",
    ),
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), "int"),
    **dict.fromkeys(
        (
            *("startswith", "endswith", "isalnum", "isalpha", "isdecimal", "isdigit", "islower"),
            *("isidentifier", "isnumeric", "isspace", "istitle", "isupper", "isascii"),
        ),
        "bool",
    ),
    **dict.fromkeys(("split", "rsplit", "splitlines"), "list<str>"),
    **dict.fromkeys(("partition", "rpartition", "encode"), ""),
}


def called(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree:
    """A call."""
    low.machine.step()
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    starred = starred or any(each.arg is None for each in node.keywords)
    for known in (library.made, tables.placed, sorting.first):
        found = known(node, state, then, low)
        if found is not None:
            return found
    if not starred and isinstance(node.func, ast.Name):
        name = node.func.id
        if low.is_builtin(node.func, name):
            found = _builtin(name, node, state, then, low)
            if found is not None:
                return found
        inlined = closures.inlined(node, state, then, low)
        if inlined is not None:
            return inlined
    if not starred and isinstance(node.func, ast.Attribute):
        inlined = closures.inlined_method(node, state, then, low)
        if inlined is not None:
            return inlined
        table = low.resolved(node.func.value)
        if isinstance(table, ast.Dict) and node.func.attr == "get" and not node.keywords:
            looked_up = dispatch.got(table, node.args, state, then, low)
            if looked_up is not None:
                return looked_up
        found = methods.of_collection(node, node.func, state, then, low)
        if found is not None:
            return found
        if node.func.attr == "join" and len(node.args) == 1 and not node.keywords:
            owner = node.func.value
            if isinstance(owner, ast.Constant) and isinstance(owner.value, str):
                separator = constant(owner.value)
                return collections.texts_joined(separator, node.args[0], state, then, low)
    return _other(node, state, then, low)


def _other(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree:
    def with_method(owner: Term, s: State) -> Tree:
        name = node.func.attr  # type: ignore[attr-defined]

        def go(given: tuple[Term, ...], s2: State) -> Tree:
            return method(owner, name, given, s2, then, low)

        return arguments.given(node, s, go, low)

    if isinstance(node.func, ast.Attribute):
        return low.value(node.func.value, state, with_method)

    def with_function(function: Term, s: State) -> Tree:
        return arguments.given(
            node, s, lambda given, s2: apply(function, given, s2, then, low), low
        )

    return low.value(node.func, state, with_function)


def apply(
    function: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Call something that is nobody knows what, or one of a few functions that are known."""
    known = operators.applied(function, given, state, then, low)
    if known is not None:
        return known
    kind = kind_of(function)
    given_back = parts_of(kind)[0] if base_of(kind) == "calls" else ""
    if function[0] == "g":
        given_back = sums.ADDED.get(function[1], "")
    return low.machine.effect("call", (function, *given), state, then, given_back)


def method(
    owner: Term, name: str, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Call a method. What texts do is known; of others that have names as only they have, too,
    that they change nothing."""
    kind = kind_of(owner)
    operands = (owner, name, *given)
    if kind == "str":
        known = texts.method(owner, name, given, state, then, low)
        if known is not None:
            return known
    if kind == "str" and name in _OF_TEXT:
        made = _OF_TEXT[name]
        if made in {"str", "int", "bool"}:
            return low.machine.read("method", operands, state, _decided(made, then, low), made)
        return low.machine.make("method", operands, state, then, made)
    if regexes.is_match(owner) and name == "group" and len(given) < 2:
        number = given[0] if given else constant(0)
        found = None
        if number[:2] == ("c", "int"):
            found = regexes.group(owner, int(number[2]))
        if found is not None:
            return then(found, state)
    facts = low.context.facts
    is_own = name in facts.bound_in_classes or name in facts.replaced
    if name in PURE_METHODS and not is_own and name != "join":
        return low.machine.make("method", operands, state, then)
    by_place = len(given) in {1, 2} and not any(g[0] == "keyword" for g in given)
    if kind.startswith("dict") and name == "get" and by_place:
        default = given[1] if len(given) == 2 else NONE
        return library.has(
            owner,
            given[0],
            state,
            lambda s: operations.item(owner, given[0], s, then, low),
            lambda s: then(default, s),
            low,
        )
    return low.machine.effect("call method", operands, state, then)


def _decided(kind: str, then: WithValue, low: Lowering) -> WithValue:
    """A bool as what it is: one way for True and one for False."""
    if kind != "bool":
        return then
    return lambda v, s: low.truth(v, s, lambda s2: then(TRUE, s2), lambda s2: then(FALSE, s2))


def _builtin(
    name: str, node: ast.Call, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    args = node.args
    if name in {"any", "all", "bool", "isinstance", "issubclass", "callable", "hasattr"}:
        if name in {"any", "all", "bool"} and (node.keywords or len(args) != 1):
            return None
        return low.test(node, state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
    if name in {"list", "set"} and not node.keywords:
        if not args:
            return then(Built(name, collections.EMPTY), state)
        if len(args) == 1:
            held = Built(name, collections.EMPTY)
            return collections.extended(held, args[0], state, then, low)
    if name == "sorted" and args:
        return _sorted(node, state, then, low)
    if name == "sum" and len(args) == 1 and not node.keywords:
        return _sum(args[0], state, then, low)
    if name == "sum" and args and not any(isinstance(each, ast.Starred) for each in args):
        added = sums.from_start(node, state, then, low)
        if added is not None:
            return added
    if name == "next" and len(args) == 2 and isinstance(args[0], ast.GeneratorExp):
        return _first(args[0], args[1], state, then, low)
    if name == "len" and len(args) == 1 and not node.keywords:
        return _len(args[0], state, then, low)
    if name == "str" and len(args) == 1 and not node.keywords:
        return low.value(
            args[0],
            state,
            lambda v, s: operations.written(v, -1, constant(""), s, then, low),
        )
    is_gathered = len(args) == 1 and isinstance(args[0], ast.GeneratorExp | ast.ListComp)
    if name in {"tuple", "frozenset", "min", "max", "dict"} and is_gathered:
        return _of_all(name, node, state, then, low)
    if name in {"min", "max"} and len(args) == 2 and not node.keywords and low.plain:
        return low.values(args, state, lambda vs, s: _larger(name, vs[0], vs[1], s, then, low))
    if name == "divmod" and len(args) == 2 and not node.keywords:
        return low.values(args, state, lambda vs, s: _divided(vs[0], vs[1], s, then, low))
    if name == "open" and _is_text_mode(node):
        return arguments.given(node, state, lambda vs, s: _open(vs, s, then, low), low)
    if name == "range":
        return arguments.given(node, state, lambda vs, s: _range(vs, s, then, low), low)
    if name in _LOOKING:
        kind = _LOOKING[name]

        def look(given: tuple[Term, ...], s: State) -> Tree:
            get = low.machine.read if kind in UNCHANGING else low.machine.make
            return get(name, given, s, then, kind)

        return arguments.given(node, state, look, low)
    if name == "frozenset" and len(args) == 1 and not node.keywords:
        return low.value(args[0], state, lambda v, s: _frozen(v, s, then, low))
    if name in {"min", "max", "sum", "tuple", "frozenset"} | _MAKING:
        return arguments.given(node, state, lambda vs, s: low.machine.make(name, vs, s, then), low)
    return None


def _frozen(source: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    kind = kind_of(source)
    inside = element_kind(kind)
    if base_of(kind) in {"list", "set", "dict"} and is_steady_kind(inside):
        return then(("op", "frozen", source, state.version, f"frozenset<{inside}>"), state)
    return low.machine.make("frozenset", (source,), state, then)


def _divided(a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    if kind_of(a) != "int" or kind_of(b) != "int":
        return low.machine.make("divmod", (a, b), state, then)
    both: Term = ("tuple", arithmetic.quotient(a, b), arithmetic.rest(a, b))
    return arithmetic.divisible("FloorDiv", b, state, lambda s: then(both, s), low)


def _is_text_mode(node: ast.Call) -> bool:
    """Whether a file is opened to read lines of text."""
    modes = [*node.args[1:2], *(each.value for each in node.keywords if each.arg == "mode")]
    return all(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and "b" not in each.value
        for each in modes
    )


def _open(given: tuple[Term, ...], state: State, then: WithValue, low: Lowering) -> Tree:
    operands = (("g", "open"), *given)
    return low.machine.effect("call", operands, state, then, operations.TEXT_FILE)


def _range(given: tuple[Term, ...], state: State, then: WithValue, low: Lowering) -> Tree:
    if all(kind_of(each) == "int" for each in given) and 1 <= len(given) <= 2:
        parts = given if len(given) == 2 else (constant(0), *given)
        return then(("op", "range", *parts, "range"), state)
    return low.machine.make("range", given, state, then)


def _larger(name: str, a: Term, b: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """`max(a, b)` is b if a < b, else a; `min(a, b)` is b if b < a, else a."""
    names = ("%a", "%b")
    begun = state.bind("%a", a).bind("%b", b)

    def done(value: Term) -> Then:
        return lambda s: then(value, s.unbind(*names))

    one, two = (ast.Name(each, ast.Load()) for each in names)
    pair = (one, two) if name == "max" else (two, one)
    asked = ast.Compare(pair[0], [ast.Lt()], [pair[1]])
    return low.test(asked, begun, done(b), done(a))


def _sorted(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    if len(node.args) != 1:
        return None
    into = Built("list", collections.EMPTY)

    def sort(value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a list that others know")
        ordered = sorting.in_order(value, node.keywords, s, low)
        if ordered is not None:
            return then(ordered, s)
        call = ast.Call(node.func, [], node.keywords)
        return arguments.given(call, s, lambda vs, s2: methods.sort(value, vs, s2, then, low), low)

    return collections.extended(into, node.args[0], state, sort, low)


def _sum(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """A sum; of whole numbers it is what a loop adds up. Of others it need not be: floats are
    added with less error than by `+`."""
    total = low.hidden()
    names = [total, *loops.carried([source], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        old = bare(now.names[total])
        if element == FALSE:
            return again(now)
        if element == TRUE:
            element = constant(1)
        if kind_of(element) != "int":
            raise _NotWholeError
        return operations.calculated(
            ast.Add(),
            old,
            element,
            now,
            lambda v, s: again(s.bind(total, v)),
            low,
        )

    try:
        return low.go_through(
            source,
            state.bind(total, constant(0)),
            names,
            one,
            lambda s: then(s.names[total], s.unbind(total)),
        )
    except _NotWholeError:
        pass
    if isinstance(source, ast.GeneratorExp | ast.ListComp):
        call = ast.Call(ast.Name("sum"), [source], [])
        gathered = _of_all("sum", call, state, then, low)
        if gathered is not None:
            return gathered
    held = low.held(source, state)
    if held is not None and held.kind in {"list", "deque"}:
        # The same values in the same order, whatever holds them.
        return low.machine.make("sum", (("built", "list", held.term),), state, then)
    return low.value(source, state, lambda v, s: low.machine.make("sum", (v,), s, then))


class _NotWholeError(Exception):
    """The elements need not be whole numbers."""


def _of_all(name: str, node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """A builtin that takes all that a comprehension gives. A generator's elements are used one by
    one, which can be told from a list's if making them changes something."""
    source = node.args[0]
    if not isinstance(source, ast.GeneratorExp | ast.ListComp):
        return None
    is_lazy = isinstance(source, ast.GeneratorExp)
    if isinstance(source, ast.GeneratorExp):
        loops.check_scope(source)
    eager = name == "tuple" or not is_lazy
    effects = low.machine.effects
    # Only to see whether there are effects in it.
    collections.gathered(
        "list", source.elt, source.generators, state, lambda _b, _s: ("probe",), low
    )
    tag = name if eager or low.machine.effects == effects else f"{name} one by one"

    def done(value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a list that others know")
        call = ast.Call(node.func, [], node.keywords)
        return arguments.given(
            call,
            s,
            lambda vs, s2: low.machine.make(tag, (("built", "list", value.term), *vs), s2, then),
            low,
        )

    return collections.gathered("list", source.elt, source.generators, state, done, low)


def _first(
    source: ast.GeneratorExp, default: ast.expr, state: State, then: WithValue, low: Lowering
) -> Tree:
    """`next((x for ...), default)`. What the generator goes through first is looked at before the
    default, so nothing may happen while that is evaluated."""

    def search(otherwise: Term, begun: State) -> Tree:
        if begun.count != state.count:
            raise UnsupportedError("a default that is evaluated first")
        names = loops.carried([source], begun, low)

        def found(element: Term, now: State, _again: Then) -> Tree:
            return then(element, now)

        return low.go_through(source, begun, names, found, lambda s: then(otherwise, s))

    return low.value(default, state, search)


def _len(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    held = low.held(source, state)
    if held is not None:
        return then(operations.size(held, state) or NONE, state)
    if isinstance(source, ast.ListComp):
        counter = low.hidden()
        names = [counter, *loops.carried([source], state, low)]

        def one(now: State, again: Then) -> Tree:
            def count(_: Value, s: State) -> Tree:
                return operations.calculated(
                    ast.Add(),
                    s.names[counter],  # type: ignore[arg-type]
                    constant(1),
                    s,
                    lambda v, s2: again(s2.bind(counter, v)),
                    low,
                )

            return low.value(source.elt, now, count)

        return loops.generators(
            source.generators,
            state.bind(counter, constant(0)),
            names,
            one,
            lambda s: then(s.names[counter], s.unbind(counter)),
            low,
        )

    def done(value: Value, s: State) -> Tree:
        known = operations.size(value, s)
        if known is not None:
            return then(known, s)
        return low.machine.read("len", (bare(value),), s, then, "int")

    return low.any(source, state, done)


def searched(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """A call that only answers yes or no."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if not low.is_builtin(node.func, name):
        return None
    if name == "bool" and len(node.args) == 1:
        return low.test(node.args[0], state, yes, no)
    if name in {"any", "all"} and len(node.args) == 1:
        return _any(name, node.args[0], state, yes, no, low)
    if name == "isinstance" and len(node.args) == 2:
        return _instance(node, state, yes, no, low)
    if name in {"issubclass", "callable", "hasattr"}:
        return arguments.given(
            node,
            state,
            lambda vs, s: low.machine.read(
                name, vs, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
            ),
            low,
        )
    return None


def _instance(node: ast.Call, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """`isinstance(x, (A, B))` is one question: B is looked up even if x is an A."""

    def ask(given: tuple[Term, ...], s: State) -> Tree:
        known = types.asked(given[0], given[1], s, yes, no, low)
        if known is not None:
            return known
        return low.machine.read(
            "isinstance", given, s, lambda v, s2: low.truth(v, s2, yes, no), "bool"
        )

    return arguments.given(node, state, ask, low)


def _any(name: str, source: ast.expr, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    names = loops.carried([source], state, low)
    after = no if name == "any" else yes
    if isinstance(source, ast.GeneratorExp):
        loops.check_scope(source)
        back = loops.outside(source.generators, state)

        def found(now: State) -> Tree:
            return (yes if name == "any" else no)(back(now))

        def one(now: State, again: Then) -> Tree:
            if name == "any":
                return low.test(source.elt, now, found, again)
            return low.test(source.elt, now, again, found)

        return loops.generators(source.generators, state, names, one, after, low)

    def each(element: Term, now: State, again: Then) -> Tree:
        if name == "any":
            return low.truth(element, now, yes, again)
        return low.truth(element, now, again, no)

    return low.go_through(source, state, names, each, after)
