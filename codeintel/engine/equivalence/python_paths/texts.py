"""Lower strings: the results of their methods, and matches of constant patterns."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from functools import lru_cache
from re import (  # type: ignore[attr-defined] # the standard library's own, not in the stubs
    _constants as codes,
    _parser as parser,
)
from typing import Any

from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

TRUE, FALSE = constant(True), constant(False)
EMPTY: Term = ("empty",)
_BARE = {
    **dict.fromkeys(
        ("capitalize", "casefold", "lower", "lstrip", "rstrip", "strip", "swapcase", "title"),
        "str",
    ),
    "upper": "str",
    **dict.fromkeys(
        (
            *("isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower"),
            *("isnumeric", "isspace", "istitle", "isupper"),
        ),
        "bool",
    ),
}
"""Methods that cannot raise without arguments, with the kind of their result."""
_WITH_TEXTS = {
    **dict.fromkeys(("lstrip", "rstrip", "strip"), ("str", 1)),
    **dict.fromkeys(("count", "find", "rfind"), ("int", 1)),
    "replace": ("str", 2),
}
"""Methods that cannot raise with this number of strings as arguments."""


def method(
    owner: Term, name: str, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower a method of a string that cannot raise, or return None for others."""
    plain = _PLACED.get((name, len(given)))
    if plain is not None and all(_is_word(each) for each in given[:1]):
        return plain(owner, given, state, then, low)
    if name in {"split", "splitlines"}:
        return _listed(owner, name, given, state, then)
    if not given and name in _BARE:
        return _given(owner, name, given, _BARE[name], state, then, low)
    kind, count = _WITH_TEXTS.get(name, ("", 0))
    if kind and len(given) == count and all(kind_of(each) == "str" for each in given):
        return _given(owner, name, given, kind, state, then, low)
    if name in {"startswith", "endswith"} and len(given) == 1 and _are_texts(given[0]):
        return _given(owner, name, given, "bool", state, then, low)
    return None


def _given(
    owner: Term,
    name: str,
    given: tuple[Term, ...],
    kind: str,
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    term: Term = ("op", "method", owner, name, *given, kind)
    if kind == "bool":
        return low.truth(term, state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
    return then(term, state)


def _are_texts(term: Term) -> bool:
    several = term[1:] if term[0] == "tuple" else (term,)
    return all(kind_of(each) == "str" for each in several)


def _is_word(term: Term) -> bool:
    """Return whether a term is a constant, nonempty string."""
    return term[:2] == ("c", "str") and term[2] not in {"''", '""'}


def length(text: Term) -> int:
    """Return the length of a constant string."""
    return len(ast.literal_eval(text[2]))


def contains(owner: Term, word: Term, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether one string contains another."""
    return low.truth(("op", "in", word, owner, "bool"), state, yes, no)


def _removed(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering, name: str
) -> Tree:
    """Lower `x.removesuffix("y")` as `x[:-1] if x.endswith("y") else x`."""
    asked: Term = ("op", "method", owner, name, given[0], "bool")
    size, none = length(given[0]), constant(None)
    ends = (none, constant(-size)) if name == "endswith" else (constant(size), none)
    cut: Term = ("op", "item", owner, ("slice", *ends, none), "str")
    return low.truth(asked, state, lambda s: then(cut, s), lambda s: then(owner, s))


def _without_prefix(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    return _removed(owner, given, state, then, low, "startswith")


def _without_suffix(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    return _removed(owner, given, state, then, low, "endswith")


def _ends(owner: Term, word: Term, last: str = "") -> tuple[Term, Term]:
    """Return the strings before and after the first or last occurrence of a word."""
    return (
        ("op", f"before{last}", owner, word, "str"),
        ("op", f"after{last}", owner, word, "str"),
    )


def _partition(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    before, after = _ends(owner, given[0])
    return contains(
        owner,
        given[0],
        state,
        lambda s: then(("tuple", before, given[0], after), s),
        lambda s: then(("tuple", owner, constant(""), constant("")), s),
        low,
    )


def _partition_last(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    before, after = _ends(owner, given[0], " last")
    return contains(
        owner,
        given[0],
        state,
        lambda s: then(("tuple", before, given[0], after), s),
        lambda s: then(("tuple", constant(""), constant(""), owner), s),
        low,
    )


def _find(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower `find`, which is -1 if the word is missing. See `sliced`."""
    return contains(
        owner,
        given[0],
        state,
        lambda s: then(("op", "find", owner, given[0], "int"), s),
        lambda s: then(constant(-1), s),
        low,
    )


def sliced(owner: Term, index: Term) -> Term:
    """Slice a string. A slice up to the position of a word is the string before it."""
    _, low, high, step = index
    match (low, high, step):
        case (("c", _, "0" | "None"), ("op", "find", text, word, _), ("c", _, "None" | "1")) if (
            text == owner
        ):
            return _ends(owner, word)[0]
        case (
            ("op", "Add", ("op", "find", text, word, _), ("c", "int", size), _),
            ("c", _, "None"),
            ("c", _, "None" | "1"),
        ) if text == owner and int(size) == length(word):
            return _ends(owner, word)[1]
    return ("op", "item", owner, index, "str")


def is_sure_slice(index: Term) -> bool:
    """Return whether slicing a string or a list cannot raise."""
    whole = all(kind_of(each) in {"int", "NoneType"} for each in index[1:])
    return whole and index[3][0] == "c" and index[3][2] != "0"


def _split_once(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    return _parted(owner, given, state, then, low, "")


def _split_last(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    return _parted(owner, given, state, then, low, " last")


def _parted(
    owner: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering, last: str
) -> Tree | None:
    """Lower `x.split("y", 1)`: two parts if the string contains the word, otherwise the whole
    string."""
    if given[1] != constant(1):
        return _listed(owner, "split", given, state, then) if not last else None
    before, after = _ends(owner, given[0], last)
    return contains(
        owner,
        given[0],
        state,
        lambda s: then(_list_of(before, after), s),
        lambda s: then(_list_of(owner), s),
        low,
    )


def _list_of(*elements: Term) -> Built:
    term = EMPTY
    for each in elements:
        term = ("with", term, each)
    return Built("list", term, "str")


def _listed(
    owner: Term, name: str, given: tuple[Term, ...], state: State, then: WithValue
) -> Tree | None:
    if any(each[0] == "keyword" for each in given):
        return None
    if name == "split" and given and not (_is_word(given[0]) or given[0] == constant(None)):
        return None
    counts = given[1:] if name == "split" else given
    if len(counts) > 1 or not all(each[0] == "c" and each[1] in {"int", "bool"} for each in counts):
        return None
    return then(Built("list", (name, owner, *given), "str"), state)


_Known = Callable[[Term, tuple[Term, ...], State, WithValue, Lowering], Tree | None]
_PLACED: dict[tuple[str, int], _Known] = {
    ("removeprefix", 1): _without_prefix,
    ("removesuffix", 1): _without_suffix,
    ("partition", 1): _partition,
    ("rpartition", 1): _partition_last,
    ("find", 1): _find,
    ("split", 2): _split_once,
    ("rsplit", 2): _split_last,
}
"""Methods that other operations express, by name and number of arguments.

The first argument is a constant.
"""


_LONGEST = 500
METHODS = frozenset({"findall", "finditer"})
MATCH = "match "
"""The prefix of the kind of a match, followed by its number of groups and those that always take
part."""
_REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})


def is_pattern(node: ast.expr | None) -> bool:
    """Return whether a node is `re.compile` of a constant, valid pattern."""
    match node:
        case ast.Call(func=ast.Name(id="re.compile"), args=[pattern, *flags], keywords=[]):
            return len(flags) < 2 and _groups(pattern, flags[0] if flags else None) is not None
    return False


def is_only_asked(name: str, module: ast.Module) -> bool:
    """Return whether a pattern of the module is only used to iterate over its matches."""
    nodes = list(ast.walk(module))
    calls = sum(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == name
        and each.func.attr in METHODS
        and len(each.args) == 1
        and not each.keywords
        for each in nodes
    )
    loads = (isinstance(e, ast.Name) and isinstance(e.ctx, ast.Load) for e in nodes)
    mentions = sum(load and e.id == name for load, e in zip(loads, nodes, strict=True))  # type: ignore[attr-defined]
    return calls == mentions


def asked(node: ast.expr, low: Lowering) -> tuple[str, Term, str, ast.expr] | None:
    """Return the method, pattern, match kind and string of a search for all matches, or None."""
    match node:
        case ast.Call(func=ast.Name(id=called), args=[pattern, text, *flags], keywords=keywords):
            method = called.removeprefix("re.")
            if not low.is_imported(node.func, f"re.{method}") or method not in METHODS:
                return None
            flags = [*flags, *(each.value for each in keywords if each.arg == "flags")]
            if len(flags) > 1 or any(each.arg != "flags" for each in keywords):
                return None
        case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr=method), args=[text]):
            known = low.resolved(name)
            if node.keywords or method not in METHODS or not is_pattern(known):
                return None
            pattern, *flags = known.args  # type: ignore[attr-defined]
        case _:
            return None
    groups = _groups(pattern, flags[0] if flags else None)
    if groups is None:
        return None
    number, value, sure = groups
    kind = f"{MATCH}{number} {' '.join(map(str, sorted(sure)))}"
    return method, ("pattern", pattern.value, value), kind, text  # type: ignore[attr-defined]


def element(method: str, match: Term) -> Term | None:
    """Return the element that iterating over the matches yields, or None if it is unknown."""
    if method == "finditer":
        return match
    groups = int(kind_of(match).split()[1])
    return None if groups > 1 else group(match, groups)


def group(match: Term, number: int) -> Term | None:
    """Return a group that takes part in every match, or None."""
    sure = kind_of(match).removeprefix(MATCH).split()[1:]
    return ("op", "group", match, number, "str") if str(number) in sure else None


def is_match(value: Term) -> bool:
    """Return whether a value is a match of a known pattern."""
    return kind_of(value).startswith(MATCH)


def _groups(pattern: ast.expr, flags: ast.expr | None) -> tuple[int, int, frozenset[int]] | None:
    """Return the number of groups, the flags, and the groups that take part in every match, or
    None."""
    number = 0 if flags is None else _flags(flags)
    if number is None or not isinstance(pattern, ast.Constant):
        return None
    if not isinstance(pattern.value, str) or len(pattern.value) > _LONGEST:
        return None
    return _parsed(pattern.value, number)


def _flags(node: ast.expr) -> int | None:
    match node:
        case ast.Name(id=name) if name.startswith("re.") and name[3:].isupper():
            flag = getattr(re, name[3:], None)
            return flag.value if isinstance(flag, re.RegexFlag) else None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            one, other = _flags(left), _flags(right)
            return None if one is None or other is None else one | other
        case ast.Constant(value=0):
            return 0
    return None


@lru_cache(256)
def _parsed(pattern: str, flags: int) -> tuple[int, int, frozenset[int]] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compiled = re.compile(pattern, flags & ~re.DEBUG)
            tree = parser.parse(pattern, flags & ~re.DEBUG)
        except (re.error, Warning, OverflowError, RecursionError, ValueError):
            return None
    return (compiled.groups, flags, frozenset(_sure(tree) | {0})) if not flags & re.DEBUG else None


def _sure(tree: Any) -> set[int]:
    """Return the groups that take part whenever this part of a pattern matches."""
    found: set[int] = set()
    for code, given in tree:
        if code is codes.SUBPATTERN:
            number, _, _, inner = given
            found |= _sure(inner) | ({number} if number is not None else set())
        elif code in _REPEATS and given[0] > 0:
            found |= _sure(given[2])
        elif code is codes.BRANCH:
            found |= set.intersection(*(_sure(each) for each in given[1]))
        elif code is codes.ATOMIC_GROUP:
            found |= _sure(given)
        elif code is codes.ASSERT:
            found |= _sure(given[1])
    return found
