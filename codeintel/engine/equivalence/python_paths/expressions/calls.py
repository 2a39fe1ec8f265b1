"""Lower calls of builtins and of other functions."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.purity import PURE_METHODS
from codeintel.engine.equivalence.path_trees import (
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
from codeintel.engine.equivalence.python_paths import bounds, operations, texts
from codeintel.engine.equivalence.python_paths.expressions import (
    closures,
    collections,
    gathered,
    library,
    methods,
    tables,
)
from codeintel.engine.equivalence.python_paths.kinds import (
    UNCHANGING,
    base_of,
    element_kind,
    is_steady_kind,
    parts_of,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

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
"""Builtins that neither change nor consume their arguments, with the kind of their result."""
_MAKING = frozenset({"dict", "zip", "enumerate", "map", "filter", "iter", "reversed", "bytearray"})


def of_builtin(
    name: str, node: ast.Call, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower a call of a builtin, or return None if it is not supported."""
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
        return gathered.plain(args[0], state, then, low)
    if name == "sum" and args and not any(isinstance(each, ast.Starred) for each in args):
        added = gathered.from_start(node, state, then, low)
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
        return closures.given(node, state, lambda vs, s: _open(vs, s, then, low), low)
    if name == "range":
        return closures.given(node, state, lambda vs, s: _range(vs, s, then, low), low)
    if name in _LOOKING:
        kind = _LOOKING[name]

        def look(given: tuple[Term, ...], s: State) -> Tree:
            get = low.machine.read if kind in UNCHANGING else low.machine.make
            return get(name, given, s, then, kind)

        return closures.given(node, state, look, low)
    if name == "frozenset" and len(args) == 1 and not node.keywords:
        return low.value(args[0], state, lambda v, s: _frozen(v, s, then, low))
    if name in {"min", "max", "sum", "tuple", "frozenset"} | _MAKING:
        return closures.given(node, state, lambda vs, s: low.machine.make(name, vs, s, then), low)
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
    both: Term = ("tuple", bounds.quotient(a, b), bounds.rest(a, b))
    return bounds.divisible("FloorDiv", b, state, lambda s: then(both, s), low)


def _is_text_mode(node: ast.Call) -> bool:
    """Return whether a file is opened as text."""
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
    """Lower `max(a, b)` as b if a < b, else a, and `min(a, b)` as b if b < a, else a."""
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
            raise UnsupportedError("a shared list")
        ordered = collections.in_order(value, node.keywords, s, low)
        if ordered is not None:
            return then(ordered, s)
        call = ast.Call(node.func, [], node.keywords)
        return closures.given(call, s, lambda vs, s2: methods.sort(value, vs, s2, then, low), low)

    return collections.extended(into, node.args[0], state, sort, low)


TRUE, FALSE, NONE = constant(True), constant(False), constant(None)
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
    """Lower a call."""
    low.machine.step()
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    starred = starred or any(each.arg is None for each in node.keywords)
    for known in (library.made, tables.placed, collections.first):
        found = known(node, state, then, low)
        if found is not None:
            return found
    if not starred and isinstance(node.func, ast.Name):
        name = node.func.id
        if low.is_builtin(node.func, name):
            found = of_builtin(name, node, state, then, low)
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
            looked_up = tables.got(table, node.args, state, then, low)
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

        return closures.given(node, s, go, low)

    if isinstance(node.func, ast.Attribute):
        return low.value(node.func.value, state, with_method)

    def with_function(function: Term, s: State) -> Tree:
        return closures.given(node, s, lambda given, s2: apply(function, given, s2, then, low), low)

    return low.value(node.func, state, with_function)


def apply(
    function: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Call an unknown function, or one of a few known functions."""
    known = operations.operated(function, given, state, then, low)
    if known is not None:
        return known
    kind = kind_of(function)
    given_back = parts_of(kind)[0] if base_of(kind) == "calls" else ""
    if function[0] == "g":
        given_back = gathered.ADDED.get(function[1], "")
    return low.machine.effect("call", (function, *given), state, then, given_back)


def method(
    owner: Term, name: str, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Call a method.

    The methods of strings are known. Other methods with names that only strings have are assumed to
    change nothing.
    """
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
    if texts.is_match(owner) and name == "group" and len(given) < 2:
        number = given[0] if given else constant(0)
        found = None
        if number[:2] == ("c", "int"):
            found = texts.group(owner, int(number[2]))
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
    """Branch on a bool result, so that it becomes True on one way and False on the other."""
    if kind != "bool":
        return then
    return lambda v, s: low.truth(v, s, lambda s2: then(TRUE, s2), lambda s2: then(FALSE, s2))
