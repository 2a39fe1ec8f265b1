"""Find out how two programs differ, and which operations examples can distinguish.

Two programs that take the same branches for the same values may still differ for rare values.
Examples are a quotient of large numbers, a string with unusual letters, or a shared copy. So calls
only prove a rewrite if all operations that one program alone uses are in a list of known
operations. These build, read, order or count collections and strings. Any other new operation may
be right, but running it proves nothing.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .beyond import has_other_none_tests, settled_by_nothing
from .changes import (
    functions,
    last_name,
    loose,
    reaching,
    rewritten,
    words_of,
)
from .comparisons import (
    can_be_watched,
    compare_otherwise,
    constants_in,
)
from .sensitive import Operation, differing, exchanged

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def uses(nodes: Iterable[ast.AST]) -> Iterator[bool]:
    """Yield, for each call of `zip_longest`, whether calls can reveal what it meets.

    It must be in a function, have two sides, and use a constant fill value.
    """
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call) and last_name(each.func) == "zip_longest":
                has_two = len(each.args) == 2
                is_starred = any(isinstance(side, ast.Starred) for side in each.args)
                named = [keyword.arg for keyword in each.keywords]
                is_constant = all(isinstance(word.value, ast.Constant) for word in each.keywords)
                is_plain = (
                    has_two and not is_starred and is_constant and named in ([], ["fillvalue"])
                )
                yield is_plain and isinstance(node, _FUNCTIONS)


def filled(call: ast.Call) -> ast.expr:
    """Return the constant fill value."""
    return call.keywords[0].value if call.keywords else ast.Constant(None)


Nodes = Iterable[ast.AST]
_BUILDING = """append extend add list tuple set frozenset dict deque defaultdict Counter fromkeys
    OrderedDict items keys values get setdefault pop popleft popitem move_to_end discard copy
    remove difference difference_update intersection union issubset issuperset isdisjoint"""
_GOING_THROUGH = """range enumerate zip pairwise reversed reverse iter next map filter filterfalse
    chain from_iterable accumulate groupby any all bool len zip_longest"""
_ORDER = """sorted sort min max sum itemgetter attrgetter nsmallest nlargest bisect bisect_left
    bisect_right divmod add sub mul"""
_TEXTS = """join format str split partition find startswith endswith removeprefix removesuffix
    compile finditer findall group isspace isupper islower"""
"""`str` is here because a string can be built in other ways, such as with an f-string."""
_CONTEXTS = "open close suppress contextmanager"
"""The exceptions that these catch are compared separately."""
_CALLS = frozenset(" ".join((_BUILDING, _GOING_THROUGH, _ORDER, _TEXTS, _CONTEXTS)).split())
_AFFIXES = "startswith endswith removeprefix removesuffix strip lstrip rstrip"
_PLACES = "split rsplit splitlines partition rpartition find rfind index"
_WITH_TEXTS = frozenset(f"{_AFFIXES} {_PLACES}".split())
_NUMBERS = frozenset(("Decimal", "Fraction", "int", "float", "complex"))
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_STATEMENTS = (ast.Global, ast.Nonlocal, ast.Assert)
_SIGNS = {
    "truediv": "Div",
    "matmul": "MatMult",
    "lshift": "LShift",
    "rshift": "RShift",
    "and_": "BitAnd",
    "xor": "BitXor",
    "invert": "Invert",
}
"""Functions of the module `operator`, with the operator that each stands for."""
_REPLACING = frozenset(("replace", "sub", "translate"))


def unknown_operation(one: Nodes, other: Nodes) -> str:
    """Return the name of an operation that only one program uses and examples do not settle, or
    an empty string."""
    one, other = list(one), list(other)
    own, bound = set(_defined((*one, *other))), set(_bound((*one, *other)))
    only = set(_operations(one, own, bound)) ^ set(_operations(other, own, bound))
    if only:
        return min(only)[0]
    texts = _texts_given(one), _texts_given(other)
    changed = [
        name for name in texts[0].keys() & texts[1].keys() if texts[0][name] != texts[1][name]
    ]
    if changed:
        return min(changed)
    if compare_otherwise(one, other) and not (can_be_watched(one) and can_be_watched(other)):
        return "nan_comparisons"
    sides = list(uses(one)), list(uses(other))
    if sides[0] != sides[1] and not all(sides[0] + sides[1]):
        return "zip_longest"
    replaced = list(_replaced(one)), list(_replaced(other))
    if replaced[0] != replaced[1] and max(map(len, replaced)) > 1:
        return "replacements"
    if set(_recursive(one)) != set(_recursive(other)):
        return "recursion"
    return "generator" if _generators(one, other) else ""


def _operations(nodes: Nodes, own: set[str], bound: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the operations that examples do not settle, each with a detail that distinguishes
    operations of the same name.

    :param own: the functions of the programs, which are compared separately.
    :param bound: variables. They may hold functions, but methods of the same name are others.
    """
    for each in _walk(nodes):
        if isinstance(each, ast.Call):
            name = last_name(each.func)
            is_variable = isinstance(each.func, ast.Name) and name in bound
            if name in _NUMBERS and each.args:
                yield name, _kind(each.args[0])
            elif _sign(each.func, own | bound):
                continue  # its name is visited separately
            elif not (is_variable or name in _CALLS or name in own):
                yield name or "call", ""
        elif isinstance(each, ast.Name | ast.Attribute):
            if _sign(each, own | bound):
                yield _sign(each, own | bound), ""
        elif isinstance(each, ast.BinOp | ast.AugAssign):
            is_chain = isinstance(each, ast.BinOp) and isinstance(each.left, ast.BinOp)
            is_merge = isinstance(each.op, ast.BitOr) and not is_chain
            if not (is_merge or isinstance(each.op, _OPERATORS)):
                yield type(each.op).__name__, ""
        elif isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.Invert):
            yield "Invert", ""
        elif isinstance(each, ast.MatchClass):
            yield "isinstance", ""
        elif isinstance(each, ast.Raise) and isinstance(each.exc, ast.Name):
            if each.exc.id not in own | bound:
                yield each.exc.id, ""
        elif isinstance(each, ast.Dict) and each.keys.count(None) > 2:
            yield "dict_display", ""
        elif isinstance(each, _STATEMENTS):
            yield type(each).__name__, ""


def _sign(node: ast.expr, own: set[str]) -> str:
    """Return the operator that a function of the module `operator` stands for, or an empty string.

    :param own: names of the program, whose values may have methods of the same names.
    """
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    is_plain = isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )
    return _SIGNS.get(last_name(node), "") if is_plain and not names & own else ""


def _texts_given(nodes: Nodes) -> dict[str, set[str]]:
    """Return the string methods with their constant arguments.

    `split()` and `split(" ")` agree on most strings.
    """
    nodes = list(nodes)
    found: dict[str, set[str]] = {}
    bounded = {id(call) for each in _walk(nodes) for call in _bounded(each)}
    for each in _walk(nodes):
        if isinstance(each, ast.Call) and last_name(each.func) in _WITH_TEXTS:
            given = each.args[:1] if id(each) in bounded else each.args
            constants = [ast.dump(arg) for arg in given if isinstance(arg, ast.Constant)]
            found.setdefault(last_name(each.func), set()).add(" ".join(constants))
    return found


def _bounded(node: ast.AST) -> Iterator[ast.Call]:
    """Yield calls like `x.split(a, 1)[0]`, where the limit does not affect the parts before it."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call)):
        return
    call, index = node.value, node.slice
    if last_name(call.func) == "split" and len(call.args) == 2 and not call.keywords:
        most = call.args[1]
        if isinstance(most, ast.Constant) and isinstance(index, ast.Constant):
            is_whole = type(most.value) is int and type(index.value) is int
            if is_whole and 0 <= index.value < most.value:  # type: ignore[operator]
                yield call


def _kind(node: ast.expr) -> str:
    """Return roughly what a number is converted from."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return f"constant_{type(node.value).__name__}" if isinstance(node, ast.Constant) else ""


def _replaced(nodes: Nodes) -> Iterator[str]:
    """Yield string replacements in order. Each can match what an earlier one inserted."""
    calls = [
        each
        for each in _walk(nodes)
        if isinstance(each, ast.Call) and last_name(each.func) in _REPLACING
    ]
    # In a chain of calls, the innermost one is the first.
    for call in sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0)):
        yield ", ".join(map(ast.dump, call.args))


def _recursive(nodes: Nodes) -> Iterator[str]:
    """Yield the functions that call themselves. The depth of recursion is limited."""
    for node in _walk(nodes):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
            if any(last_name(call.func) == node.name for call in calls):
                yield node.name


def _generators(one: Nodes, other: Nodes) -> set[str]:
    """Return the functions that are generators in one program only, which start to run later."""
    first, second = _yielding(one), _yielding(other)
    return {name for name in first.keys() & second.keys() if first[name] != second[name]}


def _yielding(nodes: Nodes) -> dict[str, list[bool]]:
    """Return, by name, whether the functions and nested functions are generators."""
    found: dict[str, list[bool]] = {}
    for node in _walk(nodes):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.setdefault(node.name, []).append(_is_generator(node))
    return {name: sorted(each) for name, each in found.items()}


def _is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function itself yields, not just a nested function."""
    stack: list[ast.AST] = [*function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _SCOPES):
            stack += ast.iter_child_nodes(node)
    return False


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def _defined(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield each.name


def _bound(nodes: Nodes) -> Iterator[str]:
    """Yield variables and parameters, which may hold functions."""
    for each in _walk(nodes):
        if isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def _walk(nodes: Nodes) -> Iterator[ast.AST]:
    """Yield all nodes except annotations."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params"):
                continue
            values = value if isinstance(value, list) else [value]
            stack += [each for each in values if isinstance(each, ast.AST)]


_Pair = tuple[list[ast.AST], list[ast.AST]]


class Differences(NamedTuple):
    """The differences that a comparison must consider.

    :param unsettled: the name of a difference that calls do not settle, or an empty string.
    :param operations: the methods whose use differs. Odd values must be tried on them.
    :param nones: whether tests for None must be distinguished from tests for emptiness.
    :param numbers: whether numbers differ.
    :param fractions: whether comparisons differ and may meet `nan`.
    :param members: whether the constant collections after `in` differ.
    :param lengths: whether only one program fills up the shorter of two sides.
    :param rewritten: the functions that are missing or different in the other program.
    """

    unsettled: str = ""
    operations: frozenset[Operation] = frozenset()
    nones: bool = False
    numbers: bool = False
    fractions: bool = False
    members: bool = False
    lengths: bool = False
    rewritten: frozenset[str] = frozenset()


NOTHING = Differences()


def differences(
    tree: ast.Module, other: ast.Module, here: frozenset[str], there: frozenset[str]
) -> Differences:
    """Compare the functions of `here` and `there` by name, each with its callees and the module's
    statements that it uses.

    Functions that only one program has are compared at their callers. Those without a caller are
    compared together.
    """
    pairs = list(_pairs(tree, other, here, there))
    unsettled = next(filter(None, (_unsettled(*pair) for pair in pairs)), "")
    return Differences(
        unsettled,
        frozenset[Operation]().union(*(differing(*pair) for pair in pairs)),
        any(has_other_none_tests(*pair) for pair in pairs),
        any(_numbers(one) != _numbers(two) for one, two in pairs),
        any(compare_otherwise(*pair) for pair in pairs),
        any(_members(one) != _members(two) for one, two in pairs),
        any(len(list(uses(one))) != len(list(uses(two))) for one, two in pairs),
        rewritten(tree, other),
    )


def _unsettled(one: list[ast.AST], two: list[ast.AST]) -> str:
    return exchanged(one, two) or settled_by_nothing(one, two) or unknown_operation(one, two)


def _pairs(
    tree: ast.Module, other: ast.Module, here: frozenset[str], there: frozenset[str]
) -> Iterator[_Pair]:
    one, two = _Side(tree), _Side(other)
    both = sorted(here & there)
    for name in both:
        yield one.nodes({name}), two.nodes({name})
    rest = here - one.reached(both), there - two.reached(both)
    if rest[0] or rest[1] or not both:
        yield one.nodes(rest[0]), two.nodes(rest[1])


class _Side:
    """A side of the comparison: one of the programs."""

    def __init__(self, tree: ast.Module) -> None:
        self._units = functions(tree)
        self._reaching = reaching(tree)
        self._loose = list(loose(tree))

    def reached(self, names: list[str]) -> frozenset[str]:
        """Return the functions that the named functions call, and these themselves."""
        return frozenset[str]().union(*(self._reaching.get(name, ()) for name in names))

    def nodes(self, names: frozenset[str] | set[str]) -> list[ast.AST]:
        """Return functions with their callees and with the constants and compiled expressions of
        the module that they use, directly or through others."""
        called = self.reached(sorted(names)) & self._units.keys()
        used: list[ast.AST] = []
        while True:
            words = set().union(*(words_of(self._units[name]) for name in called))
            words |= set().union(*map(words_of, used))
            words |= {name.partition(".")[0] for name in called if "." in name}
            more = [node for bound, node in self._loose if bound & words and node not in used]
            new = self.reached(sorted(words & self._units.keys())) - called
            if not more and not new:
                return [*(self._units[name] for name in sorted(called)), *used]
            used += more
            called |= new & self._units.keys()


def _numbers(nodes: list[ast.AST]) -> Counter[int]:
    """Count the integers in some nodes."""
    return Counter(
        each.value
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and type(each.value) is int
    )


def _members(nodes: list[ast.AST]) -> Counter[frozenset[int | str]]:
    """Count the constant collections after `in`."""
    return Counter(
        frozenset(constants_in(each.comparators[0]))
        for node in nodes
        for each in ast.walk(node)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn)
    )
