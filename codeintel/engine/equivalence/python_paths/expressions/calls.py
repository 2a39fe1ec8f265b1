"""Calls: those of which something is known, and all others."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.purity import PURE_METHODS
from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Tree,
    WithValue,
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
from codeintel.engine.equivalence.python_paths.expressions import (
    arguments,
    builtins,
    closures,
    methods,
    sums,
)
from codeintel.engine.equivalence.python_paths.kinds import base_of, parts_of
from codeintel.engine.equivalence.python_paths.lowering import Lowering
from codeintel.engine.equivalence.python_paths.values import operations, regexes, texts

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
            found = builtins.called(name, node, state, then, low)
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
    known = operations.operated(function, given, state, then, low)
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
