"""A tree as text: equal texts for equal trees, whatever the variables were called."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.equivalence.path_trees.terms import Term, Tree, UnsupportedError

_Key = tuple[int, str]


def text_of(tree: Tree) -> str:
    """The text. Variables that loops carry are numbered in the order in which they are first used;
    those that nothing depends on are left out."""
    return "".join(_Writer(live_in(tree)).write(tree, {}))


def phis(term: object) -> Iterator[_Key]:
    """The loops' variables in a term, in order."""
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
    """The terms of a tree in order; with the loop and the variable that one is the value of, or
    with -1 for what is used in an event, a condition or the like."""
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
    """The variables on which something depends."""
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
        """Names for what a loop carries, by the order of use."""
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
