"""Find differences between two programs that examples cannot settle, regardless of the branches
that they cover.

Each is a class of mistakes that branch coverage does not see. Both programs take the same branches,
and only rare values or the order or history of calls tell them apart. If a rewrite differs in one
of these ways, running it proves nothing. The list holds the classes seen so far, and others may
exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from .changes import last_name
from .shared import shared_arguments

Nodes = Iterable[ast.AST]
_KEEPS_RESULTS = frozenset(("cache", "lru_cache", "cached_property", "cachedmethod", "memoize"))
_FRONT, _BACK, _SMALLEST = "front", "back", "smallest"
_TAKES = {"popleft": _FRONT, "heappop": _SMALLEST, "heappushpop": _SMALLEST, "popitem": _BACK}


def settled_by_nothing(one: Nodes, other: Nodes) -> str:
    """Return the name of an unsettled difference between two programs, or an empty string."""
    one, other = list(one), list(other)
    for what, of in _DIFFERENCES.items():
        if set(of(one)) != set(of(other)):
            return what
    return "keywords" if _has_other_keywords(one, other) else ""


def has_other_none_tests(one: Nodes, other: Nodes) -> bool:
    """Return whether tests for None differ.

    They differ if only one program compares with None, or if a function compares a variable with
    None and also tests whether it is empty. Both programs must then see an empty value other than
    None.
    """
    one, other = list(one), list(other)
    return _compares_none(one) != _compares_none(other) or any(
        map(_mixes_none_and_empty, (*one, *other))
    )


def _kept_results(nodes: Nodes) -> Iterator[str]:
    """Yield the decorators and functions that return the same object to several callers.

    A caller that changes it affects the next one.
    """
    for name in _names(nodes):
        if name in _KEEPS_RESULTS:
            yield name


def _ends(nodes: Nodes) -> Iterator[str]:
    """Yield the ends from which values are taken: first in first out, last in first out, or by
    size."""
    for call in _calls(nodes):
        name = last_name(call.func)
        last = [each.value for each in call.keywords if each.arg == "last"]
        if name == "popitem" and (last or call.args):
            given = (last or call.args)[0]
            ends = {"False": _FRONT, "True": _BACK}
            yield ends.get(ast.unparse(given), ast.unparse(given))
        elif name in _TAKES:
            yield _TAKES[name]
        elif name == "pop" and isinstance(call.func, ast.Attribute) and not call.keywords:
            at = call.args[0] if len(call.args) == 1 else None
            if not call.args or _number(at) == -1:
                yield _BACK
            elif _number(at) == 0:
                yield _FRONT


def _has_other_keywords(one: Nodes, other: Nodes) -> bool:
    """Return whether a function that both programs call gets different keywords, such as
    `rounding`."""
    first, second = _keywords(one), _keywords(other)
    return any(first[name] != second[name] for name in first.keys() & second.keys())


def _keywords(nodes: Nodes) -> dict[str, set[frozenset[str | None]]]:
    """Return the called functions with the keywords they get."""
    found: dict[str, set[frozenset[str | None]]] = {}
    for call in _calls(nodes):
        found.setdefault(last_name(call.func), set()).add(
            frozenset(each.arg for each in call.keywords)
        )
    return found


def _handlers(nodes: Nodes) -> Iterator[tuple[str, bool, bool]]:
    """Yield the caught exceptions, each with whether its `try` is in a loop and whether it contains
    one.

    An exception ends either the loop or one iteration.
    """
    for node in nodes:
        yield from _handlers_in(node, is_in_loop=False)


def _handlers_in(node: ast.AST, *, is_in_loop: bool) -> Iterator[tuple[str, bool, bool]]:
    caught: list[str] = []
    if isinstance(node, ast.Try):
        caught = [ast.unparse(each.type) if each.type else "" for each in node.handlers]
    elif isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and last_name(call.func) == "suppress":
                caught += map(ast.unparse, call.args)
    has_loop = any(isinstance(each, _LOOPS) for each in ast.walk(node))
    for each in caught:
        yield each, is_in_loop, has_loop
    is_loop = isinstance(node, _LOOPS)
    for child in ast.iter_child_nodes(node):
        yield from _handlers_in(child, is_in_loop=is_in_loop or is_loop)


_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def _mixes_none_and_empty(node: ast.AST) -> bool:
    """Return whether a variable is compared with None and also tested for emptiness.

    Empty values other than None may be rare.
    """
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
    """Yield the names that a condition tests directly."""
    if isinstance(test, ast.BoolOp):
        for each in test.values:
            yield from _tested(each)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _tested(test.operand)
    elif isinstance(test, ast.Name | ast.Attribute):
        yield ast.unparse(test)


def _compares_none(nodes: Nodes) -> bool:
    """Return whether anything is compared with None.

    A test for emptiness in its place differs for zero and for empty values.
    """
    return any(is_none_test(each) for node in nodes for each in ast.walk(node))


def is_none_test(node: ast.AST) -> bool:
    """Return whether a node is a comparison with None on the right."""
    return isinstance(node, ast.Compare) and _is_none(node.comparators[0])


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _other_none_tests(nodes: Nodes) -> Iterator[str]:
    """Yield other forms of tests for None, in which calls cannot be seen to meet empty values."""
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.MatchSingleton) and each.value is None:
                yield "case None"
            elif isinstance(each, ast.Compare) and _is_none(each.left):
                yield "None on the left"
            elif isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn):
                values = getattr(each.comparators[0], "elts", ())
                yield from ("in" for value in values if _is_none(value))


def _defaults(nodes: Nodes) -> Iterator[str]:
    """Yield `value or default`: a value can be empty for several reasons, and only one is meant."""
    for node in nodes:
        conditions = {id(each) for top in ast.walk(node) for each in _conditions(top)}
        for each in ast.walk(node):
            if not isinstance(each, ast.BoolOp) or isinstance(each.op, ast.And):
                continue
            if id(each) in conditions:
                continue
            *tested, default = each.values
            is_default = not isinstance(default, ast.Compare | ast.BoolOp | ast.UnaryOp)
            if is_default and any(isinstance(test, _HOLDERS) for test in tested):
                yield "or"


def _equalities(nodes: Nodes) -> Iterator[str]:
    """Yield what is compared with `==` after a computation, such as `set(a) == set(b)`.

    Values that are equal in one form and not in another are rare among examples.
    """
    for each in _each(nodes):
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Eq | ast.NotEq):
            sides = [each.left, *each.comparators]
            is_constant = any(isinstance(side, ast.Constant) for side in sides)
            is_built = all(
                isinstance(side, ast.Call) and last_name(side.func) in _BUILT for side in sides
            )
            if is_built and not is_constant:
                yield " ".join(sorted(map(ast.dump, sides)))


_BUILT = frozenset(
    ("set", "frozenset", "sorted", "dict", "list", "tuple", "Counter", "sum", "len", "max", "min")
)


def _types_tested(nodes: Nodes) -> Iterator[str]:
    """Yield the types that a program tests for. Values of a type that is not named are rare."""
    for each in _each(nodes):
        if isinstance(each, ast.Call) and last_name(each.func) == "isinstance":
            named = (last_name(name) for arg in each.args[1:] for name in ast.walk(arg))
            yield from filter(None, named)
        elif isinstance(each, ast.MatchClass):
            yield last_name(each.cls)


def _truths(nodes: Nodes) -> Iterator[str]:
    """Yield tests for the object True or False. 1 and 0 are equal to them and rarely met."""
    nodes = list(nodes)
    known = {
        each.arg
        for each in _each(nodes)
        if isinstance(each, ast.arg) and last_name(each.annotation) == "bool"
    }
    for each in _each(nodes):
        if isinstance(each, ast.MatchSingleton) and each.value is not None:
            yield "case"
        elif isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Is | ast.IsNot):
            sides = [each.left, *each.comparators]
            has_truth = any(isinstance(getattr(side, "value", None), bool) for side in sides)
            if has_truth and not any(last_name(side) in known for side in sides):
                yield "is"


def _read_often(nodes: Nodes) -> Iterator[str]:
    """Yield parameters without an annotation that a function iterates over more than once.

    An iterator is empty the second time, and only some callers pass one.
    """
    for node in nodes:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        free = {each.arg for each in node.args.args if each.annotation is None}
        read = [name for each in ast.walk(node) for name in _iterated(each) if name in free]
        kept = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and _is_set(each)}
        yield from (name for name in free - kept if read.count(name) > 1)


def _is_set(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _iterated(node: ast.AST) -> Iterator[str]:
    """Yield the variables that a node iterates over."""
    sources: list[ast.expr] = []
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        sources = [node.iter]
    elif isinstance(node, ast.Call) and last_name(node.func) in _CONSUMERS:
        sources = node.args
    elif isinstance(node, ast.Starred):
        sources = [node.value]
    yield from (each.id for each in sources if isinstance(each, ast.Name))


_CONSUMERS = frozenset(
    [
        *("all", "any", "Counter", "deque", "dict", "enumerate", "extend", "filter", "frozenset"),
        *("join", "list", "map", "max", "min", "next", "set", "sorted", "sum", "tuple", "zip"),
    ]
)


def _formats(nodes: Nodes) -> Iterator[str]:
    """Yield `text % value`, which takes a tuple apart, unless the value is known to be none."""
    nodes = list(nodes)
    plain = {
        each.arg
        for each in _each(nodes)
        if isinstance(each, ast.arg) and last_name(each.annotation) in _PLAIN
    }
    for each in _each(nodes):
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mod):
            text = each.left.value if isinstance(each.left, ast.Constant) else None
            is_text = isinstance(text, str) and re.search("%[^d%]*[sra]", text) is not None
            value = each.right
            is_plain = last_name(value) in plain or isinstance(
                value, ast.Constant | ast.Tuple | ast.Dict | ast.JoinedStr
            )
            is_made = isinstance(value, ast.Call) and last_name(value.func) in _PLAIN | {"len"}
            if is_text and not (is_plain or is_made):
                yield "%"


_PLAIN = frozenset(("int", "float", "str", "bool"))


def _each(nodes: Nodes) -> Iterator[ast.AST]:
    for node in nodes:
        yield from ast.walk(node)


def _conditions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions of a node with their operands. Only their truth matters."""
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = list(node.ifs)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        tests = [node.operand]
    elif isinstance(node, ast.Call) and last_name(node.func) == "bool":
        tests = list(node.args)
    else:
        return
    for test in tests:
        yield test
        if isinstance(test, ast.BoolOp):
            yield from (each for each in ast.walk(test) if isinstance(each, ast.BoolOp))


_HOLDERS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def _names(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Name | ast.Attribute):
                yield last_name(each)


def _calls(nodes: Nodes) -> Iterator[ast.Call]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                yield each


def _number(node: ast.AST | None) -> object:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -1 if _number(node.operand) == 1 else None
    return node.value if isinstance(node, ast.Constant) else None


_DIFFERENCES: dict[str, Callable[[Nodes], Iterator[object]]] = {
    "kept_results": _kept_results,
    "queue_ends": _ends,
    "caught_exceptions": _handlers,
    "defaults_by_or": _defaults,
    "none_tests": _other_none_tests,
    "equalities": _equalities,
    "tested_types": _types_tested,
    "truth_tests": _truths,
    "second_reading": _read_often,
    "shared_arguments": shared_arguments,
    "formatting": _formats,
}
