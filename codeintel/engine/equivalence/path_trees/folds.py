"""Loops that only work something out: what they leave in a variable is a term like any other.

Such a loop can stand anywhere, be there twice, or be left out where nobody needs its variable.
"""

from __future__ import annotations

from typing import Any

from codeintel.engine.equivalence.path_trees import text
from codeintel.engine.equivalence.path_trees.terms import Built, Term, Tree, Value, kind_of


def changes_before_next(tree: Tree, number: int) -> bool:
    """Whether a round may have changed anything when the next one of the loop begins."""
    return True in _ways_to_next(tree, number)


def _ways_to_next(tree: Tree, number: int) -> set[bool]:
    """For each way to the next round, whether something may have been changed on it."""
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
    return {True}  # regions, and what else there may be


def only_sets(tree: Tree, number: int) -> bool:
    """Whether a round does nothing but to ask what nobody notices, and to set variables."""
    match tree:
        case ("next", other, _):
            return bool(other == number)
        case ("choice", _, if_so, if_not):
            return only_sets(if_so, number) and only_sets(if_not, number)
    return False


def folded(loop: tuple[Any, ...], name: str, head: Value) -> Value:
    """What the loop leaves in a variable. The numbers in it are those of its own depth, so that it
    reads the same wherever it stands.

    :param loop: that loop, without what follows.
    :param head: the variable at the loop's head.
    """
    _, number, over, inits, tree = loop
    phi = head.term if isinstance(head, Built) else head
    whole: Tree = ("loop", number, over, inits, tree, ("return", phi))
    live = text.live_in(whole)
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
    """What a collection holds that is filled with all of another, and with nothing else."""
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
    """How deep the loops within nest, for each of them."""
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
    """A round in the form that all ways to write it share."""
    match tree:
        case ("branch" | "choice" as what, asked, if_so, if_not):
            yes, no = simplified(if_so, number), simplified(if_not, number)
            return _one_of_each(asked, yes, no) or (what, asked, yes, no)
    return tree


def _one_of_each(asked: Term, yes: Tree, no: Tree) -> Tree | None:
    """`if x not in xs: xs.append(x)` of values that are hashed as they are compared."""
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
