"""Builtins: what they give, and what they only look at."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.collections import collections, sorting
from codeintel.engine.equivalence.python_paths.expressions import arguments, gathered, methods, sums
from codeintel.engine.equivalence.python_paths.kinds import (
    UNCHANGING,
    base_of,
    element_kind,
    is_steady_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import arithmetic, operations

TRUE, FALSE = constant(True), constant(False)
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


def called(name: str, node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """A call of a builtin; None for what is not followed."""
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
        return sums.plain(args[0], state, then, low)
    if name == "sum" and args and not any(isinstance(each, ast.Starred) for each in args):
        added = sums.from_start(node, state, then, low)
        if added is not None:
            return added
    if name == "next" and len(args) == 2 and isinstance(args[0], ast.GeneratorExp):
        return gathered.first(args[0], args[1], state, then, low)
    if name == "len" and len(args) == 1 and not node.keywords:
        return gathered.length(args[0], state, then, low)
    if name == "str" and len(args) == 1 and not node.keywords:
        return low.value(
            args[0],
            state,
            lambda v, s: operations.written(v, 115, constant(""), s, then, low),
        )
    is_gathered = len(args) == 1 and isinstance(args[0], ast.GeneratorExp | ast.ListComp)
    if name in {"tuple", "frozenset", "min", "max", "dict"} and is_gathered:
        return gathered.of_all(name, node, state, then, low)
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
