"""Render finished trees as text, and loops that only compute values as terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codeintel.engine.equivalence.path_trees import (
    Built,
    Term,
    Tree,
    UnsupportedError,
    Value,
    kind_of,
)

_Key = tuple[int, str]


def text_of(tree: Tree) -> str:
    """Render a tree as text.

    Loop variables are numbered in the order of first use, and omitted if nothing depends on them.
    """
    return "".join(_Writer(live_in(tree)).write(tree, {}))


def phis(term: object) -> Iterator[_Key]:
    """Yield the loop variables in a term, in order."""
    if isinstance(term, tuple):
        if len(term) == 4 and term[0] == "phi":
            yield term[1], term[2]
            return
        if term and len(term) == 3 and term[0] == "fold":
            yield from _all_phis(term[1])
            return
        if term and term[0] == "fn":
            yield from _all_phis(term[-1])
        for each in term:
            yield from phis(each)


def _all_phis(tree: Tree) -> Iterator[_Key]:
    for term, _, _ in _uses(tree):
        yield from phis(term)


def _uses(tree: Tree) -> Iterator[tuple[Term, int, str]]:
    """Yield the terms of a tree in order, each with the loop and variable that it is assigned to.

    Terms of events, conditions and similar come with -1.
    """
    stack = [tree]
    while stack:
        node = stack.pop()
        match node[0]:
            case "event":
                yield node[2], -1, ""
                stack.append(node[3])
            case "branch" | "choice":
                yield node[1], -1, ""
                stack.extend((node[3], node[2]))
            case "loop":
                yield node[2], -1, ""
                for name, value in node[3]:
                    yield value, node[1], name
                stack.extend((node[5], node[4]))
            case "next":
                for name, value in node[2]:
                    yield value, node[1], name
            case "region":
                yield node[2], -1, ""
                stack.extend(reversed((*node[3], node[4])))
            case "end":
                stack.append(node[2])
            case "nested":
                yield node[1], -1, ""
                stack.extend(reversed(node[2]))
            case _:
                yield node[1:], -1, ""


def live_in(tree: Tree) -> set[_Key]:
    """Return the variables that something depends on."""
    depends: dict[_Key, set[_Key]] = {}
    live: set[_Key] = set()
    for term, number, name in _uses(tree):
        found = set(phis(term))
        if number < 0:
            live |= found
        else:
            depends.setdefault((number, name), set()).update(found)
    todo = list(live)
    while todo:
        for each in depends.get(todo.pop(), ()):
            if each not in live:
                live.add(each)
                todo.append(each)
    return live


class _Writer:
    def __init__(self, live: set[_Key]) -> None:
        self._live = live

    def write(self, tree: Tree, labels: dict[_Key, str]) -> Iterator[str]:
        while True:
            match tree[0]:
                case "event":
                    yield f"{tree[1]}{self._term(tree[2], labels)};"
                    tree = tree[3]
                case "end":
                    yield f"end {tree[1]};"
                    tree = tree[2]
                case "branch" | "choice":
                    yield f"if {self._term(tree[1], labels)}{{"
                    yield from self.write(tree[2], labels)
                    yield "}{"
                    tree = tree[3]
                case "region":
                    yield f"region {tree[1]}{self._term(tree[2], labels)}"
                    for each in tree[3]:
                        yield "{"
                        yield from self.write(each, labels)
                        yield "}"
                    tree = tree[4]
                case "nested":
                    yield f"{self._term(tree[1], labels)}"
                    for each in tree[2]:
                        yield "{"
                        yield from self.write(each, labels)
                        yield "}"
                    return
                case "loop":
                    labels = {**labels, **self._labels(tree)}
                    inits = {labels[tree[1], n]: v for n, v in tree[3] if (tree[1], n) in labels}
                    yield f"loop {tree[1]}{self._term(tree[2], labels)}"
                    yield from self._values(inits, labels)
                    yield "{"
                    yield from self.write(tree[4], labels)
                    yield "}"
                    tree = tree[5]
                case "next":
                    values = {labels[tree[1], n]: v for n, v in tree[2] if (tree[1], n) in labels}
                    yield f"next {tree[1]}"
                    yield from self._values(values, labels)
                    return
                case _:
                    yield self._term(tree, labels)
                    return

    def _values(self, values: dict[str, Term], labels: dict[_Key, str]) -> Iterator[str]:
        for label in sorted(values):
            yield f"[{label}={self._term(values[label], labels)}]"

    def _labels(self, loop: Tree) -> dict[_Key, str]:
        """Return names for the variables of a loop, ordered by use."""
        number = loop[1]
        mine = [name for name, _ in loop[3] if (number, name) in self._live]
        order: list[str] = []

        def note(term: object) -> None:
            for owner, name in phis(term):
                if owner == number and name in mine and name not in order:
                    order.append(name)

        uses = [*_uses(loop[4]), *_uses(loop[5])]
        for term, owner, _ in uses:
            if owner < 0:
                note(term)
        seen = 0
        while seen < len(order):
            name = order[seen]
            seen += 1
            for term, owner, other in uses:
                if owner == number and other == name:
                    note(term)
        rest = [name for name in mine if name not in order]
        values: dict[str, list[str]] = {name: [] for name in rest}
        for term, owner, name in uses:
            if owner == number and name in values:
                values[name].append(self._term(term, {}))
        inits = dict(loop[3])
        rest.sort(key=lambda name: (self._term(inits[name], {}), values[name]))
        return {(number, n): f"{number}.{i:03}" for i, n in enumerate([*order, *rest])}

    def _term(self, term: object, labels: dict[_Key, str]) -> str:
        if not isinstance(term, tuple):
            return repr(term)
        match term:
            case ("poison",):
                raise UnsupportedError("a value that depends on where an error was raised")
            case ("phi", int(number), str(name), _):
                return f"<{labels.get((number, name), '?')}>"
            case ("e" | "p", place, _):
                return f"<{term[0]}{place}>"
            case ("x", place, _):
                return f"<x{place}>"
            case ("op", *parts, _):
                return f"({','.join(self._term(each, labels) for each in parts)})"
            case ("fold", loop, _):
                return f"fold{{{''.join(self.write(loop, labels))}}}"
            case ("fn", *parts, tree):
                inside = "".join(self.write(tree, labels))
                return f"fn({','.join(self._term(each, labels) for each in parts)}){{{inside}}}"
        return f"({','.join(self._term(each, labels) for each in term)})"


def changes_before_next(tree: Tree, number: int) -> bool:
    """Return whether an iteration may have changed anything before the next one begins."""
    return True in _ways_to_next(tree, number)


def _ways_to_next(tree: Tree, number: int) -> set[bool]:
    """Return, for each way to the next iteration, whether it may have changed anything."""
    match tree:
        case ("next", int(other), _):
            return {False} if other == number else set()
        case ("event", str(operator), _, after):
            ways = _ways_to_next(after, number)
            return {True} if ways and operator[0] in "!~" else ways
        case ("branch" | "choice", _, if_so, if_not):
            return _ways_to_next(if_so, number) | _ways_to_next(if_not, number)
        case ("loop", int(inner), _, _, body, after):
            ways = _ways_to_next(body, number) | _ways_to_next(after, number)
            return {True} if ways and changes_before_next(body, inner) else ways
        case ("return" | "raise" | "never" | "raise unbound" | "assertion", *_):
            return set()
    return {True}  # regions, and anything unknown


def only_sets(tree: Tree, number: int) -> bool:
    """Return whether an iteration only asks what has no visible effect and assigns variables."""
    match tree:
        case ("next", other, _):
            return bool(other == number)
        case ("choice", _, if_so, if_not):
            return only_sets(if_so, number) and only_sets(if_not, number)
    return False


def folded(loop: tuple[Any, ...], name: str, head: Value) -> Value:
    """Return the value of a variable after the loop.

    Loops are numbered by depth, so that the term reads the same everywhere.

    :param loop: the loop, without the code after it.
    :param head: the variable at the loop's head.
    """
    _, number, over, inits, tree = loop
    phi = head.term if isinstance(head, Built) else head
    whole: Tree = ("loop", number, over, inits, tree, ("return", phi))
    live = live_in(whole)
    kept = tuple(each for each in inits if (number, each[0]) in live)
    whole = ("loop", number, over, kept, _without(tree, number, live), ("return", phi))
    copied = _copy(whole, number, name)
    if copied is not None and isinstance(head, Built):
        return Built(head.kind, copied, head.inside)
    depth = -1 - max(_depths(whole), default=0)
    term: Term = ("fold", _renumbered(whole, number, depth), kind_of(head))
    if isinstance(head, Built):
        return Built(head.kind, term, head.inside)
    return term


def _copy(whole: Tree, number: int, name: str) -> Term | None:
    """Return the content of a collection that is filled with exactly the elements of another
    one, or None."""
    _, _, over, inits, tree, _ = whole
    if tree[0] != "next" or len(inits) != 1 or len(tree[2]) != 1:
        return None
    (_, begun), (_, ended) = inits[0], tree[2][0]
    phi: Term = ("phi", number, name, "")
    if begun[2:] != (("empty",),) or ended[:2] != begun[:2]:
        return None
    place = str(number)
    match begun[1], ended[2], over:
        case ("list", ("with", filled, ("x", at, _)), ("for", source, *when)) if (
            filled == phi and at == place
        ):
            if source[0] == "built":
                return source[2] if source[1] == "list" else ("listed", source[2])
            return ("all", source, *when)
        case ("list", ("with", filled, ("x", at, _)), ("for", ("items", source), *when)) if (
            filled == phi and at == f"{place}.0"
        ):
            return ("keys", source[2]) if source[0] == "built" else ("all", source, *when)
        case (
            "dict",
            ("with", filled, ("x", key, _), ("x", value, _)),
            ("for", ("items", source), *when),
        ) if filled == phi and key == f"{place}.0" and value == f"{place}.1":
            return source[2] if source[0] == "built" else ("all", source, *when)
    return None


def _without(tree: Tree, number: int, live: set[tuple[int, str]]) -> Tree:
    if tree[0] == "next":
        return ("next", number, tuple(each for each in tree[2] if (number, each[0]) in live))
    asked, if_so, if_not = tree[1:]
    one, other = _without(if_so, number, live), _without(if_not, number, live)
    return one if one == other else ("choice", asked, one, other)


def _depths(term: object) -> list[int]:
    """Return the nesting depth of each loop within a term."""
    if not isinstance(term, tuple):
        return []
    found = [depth for each in term for depth in _depths(each)]
    if len(term) == 3 and term[0] == "fold":
        found.append(-term[1][1])
    return found


def _renumbered(term: Any, number: int, depth: int) -> Any:
    match term:
        case ("phi", int(other), name, kind) if other == number:
            return ("phi", depth, name, kind)
        case ("x", str(place), kind) if place.partition(".")[0] == str(number):
            _, dot, part = place.partition(".")
            return ("x", f"{depth}{dot}{part}", kind)
        case ("next" | "loop" as what, int(other), *rest) if other == number:
            return (what, depth, *(_renumbered(each, number, depth) for each in rest))
        case tuple():
            return tuple(_renumbered(each, number, depth) for each in term)
    return term


def simplified(tree: Tree, number: int) -> Tree:
    """Return an iteration in the one form that all its spellings share."""
    match tree:
        case ("branch" | "choice" as what, asked, if_so, if_not):
            yes, no = simplified(if_so, number), simplified(if_not, number)
            return _one_of_each(asked, yes, no) or (what, asked, yes, no)
    return tree


def _one_of_each(asked: Term, yes: Tree, no: Tree) -> Tree | None:
    """Recognize `if x not in xs: xs.append(x)` for values whose hash agrees with their equality."""
    match asked:
        case ("true", ("op", "in", element, "of", held, _)):
            pass
        case _:
            return None
    if yes[0] != "next" or no[0] != "next" or yes[1] != no[1]:
        return None
    found = []
    for (name, before), (other, after) in zip(yes[2], no[2], strict=True):
        if name == other and before == after:
            found.append((name, before))
        elif (
            name == other
            and before == ("built", "list", held)
            and after == ("built", "list", ("with", held, element))
        ):
            found.append((name, ("built", "list", ("once", held, element))))
        else:
            return None
    return ("next", yes[1], tuple(found))
