"""Differences between two programs that examples cannot settle, however many branches they take.

Each is a class of slips that branch coverage does not see: both programs take the same branches,
and only rare values, or the order or the history of calls, tell them apart. Where a rewrite differs
in one of these ways, running it proves nothing. The classes are those that were seen to slip
through; others may.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

Nodes = Iterable[ast.AST]
_KEEPS_RESULTS = frozenset(("cache", "lru_cache", "cached_property", "cachedmethod", "memoize"))
_FRONT, _BACK, _SMALLEST = "front", "back", "smallest"
_TAKES = {"popleft": _FRONT, "heappop": _SMALLEST, "heappushpop": _SMALLEST, "popitem": _BACK}


def settled_by_nothing(one: Nodes, other: Nodes) -> bool:
    """Whether the functions of two programs differ in one of these ways."""
    one, other = list(one), list(other)
    return (
        any(set(of(one)) != set(of(other)) for of in _DIFFERENCES)
        or _has_other_keywords(one, other)
        or any(map(_mixes_none_and_empty, (*one, *other)))
    )


def _kept_results(nodes: Nodes) -> Iterator[str]:
    """Decorators and functions that give the same object to several callers: who changes it
    changes what the next one gets."""
    for name in _names(nodes):
        if name in _KEEPS_RESULTS:
            yield name


def _ends(nodes: Nodes) -> Iterator[str]:
    """The ends from which values are taken: first in first out, last in first out, or by size."""
    for call in _calls(nodes):
        name = _name(call.func)
        if name in _TAKES:
            yield _TAKES[name]
        elif name == "pop" and isinstance(call.func, ast.Attribute) and not call.keywords:
            at = call.args[0] if len(call.args) == 1 else None
            if not call.args or _number(at) == -1:
                yield _BACK
            elif _number(at) == 0:
                yield _FRONT


def _has_other_keywords(one: Nodes, other: Nodes) -> bool:
    """Whether a function that both call is given other keywords, such as `rounding`."""
    first, second = _keywords(one), _keywords(other)
    return any(first[name] != second[name] for name in first.keys() & second.keys())


def _keywords(nodes: Nodes) -> dict[str, set[frozenset[str | None]]]:
    """The functions that are called, with the keywords that they are given."""
    found: dict[str, set[frozenset[str | None]]] = {}
    for call in _calls(nodes):
        found.setdefault(_name(call.func), set()).add(frozenset(each.arg for each in call.keywords))
    return found


def _handlers(nodes: Nodes) -> Iterator[tuple[str, bool, bool]]:
    """What is caught, whether within a loop, and whether around one: an exception ends what stands
    in its `try`, the loop or one turn of it."""
    for node in nodes:
        yield from _handlers_in(node, is_in_loop=False)


def _handlers_in(node: ast.AST, *, is_in_loop: bool) -> Iterator[tuple[str, bool, bool]]:
    caught: list[str] = []
    if isinstance(node, ast.Try):
        caught = [ast.unparse(each.type) if each.type else "" for each in node.handlers]
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and _name(call.func) == "suppress":
                caught += map(ast.unparse, call.args)
    has_loop = any(isinstance(each, _LOOPS) for each in ast.walk(node))
    for each in caught:
        yield each, is_in_loop, has_loop
    is_loop = isinstance(node, _LOOPS)
    for child in ast.iter_child_nodes(node):
        yield from _handlers_in(child, is_in_loop=is_in_loop or is_loop)


_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _mixes_none_and_empty(node: ast.AST) -> bool:
    """Whether a variable is compared with None and also tested for being empty or zero: what is
    empty and not None may come rarely."""
    compared, tested = set(), set()
    for each in ast.walk(node):
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Is | ast.IsNot):
            if isinstance(each.left, ast.Name | ast.Attribute):
                compared.add(ast.unparse(each.left))
        elif isinstance(each, ast.If | ast.While | ast.IfExp):
            tested |= set(_tested(each.test))
        elif isinstance(each, ast.comprehension):
            tested |= {name for test in each.ifs for name in _tested(test)}
    return bool(compared & tested)


def _tested(test: ast.expr) -> Iterator[str]:
    """What a condition tests by itself."""
    if isinstance(test, ast.BoolOp):
        for each in test.values:
            yield from _tested(each)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _tested(test.operand)
    elif isinstance(test, ast.Name | ast.Attribute):
        yield ast.unparse(test)


def _none_tests(nodes: Nodes) -> Iterator[str]:
    """Comparisons with None, in one text: a test for emptiness in their place differs for zero and
    for what is empty."""
    count = sum(
        isinstance(each, ast.Compare)
        and isinstance(each.comparators[0], ast.Constant)
        and each.comparators[0].value is None
        for node in nodes
        for each in ast.walk(node)
    )
    if count:
        yield "None"


def _names(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Name | ast.Attribute):
                yield _name(each)


def _calls(nodes: Nodes) -> Iterator[ast.Call]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                yield each


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _number(node: ast.AST | None) -> object:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -1 if _number(node.operand) == 1 else None
    return node.value if isinstance(node, ast.Constant) else None


_DIFFERENCES: tuple[Callable[[Nodes], Iterator[object]], ...] = (
    _kept_results,
    _ends,
    _handlers,
    _none_tests,
)
