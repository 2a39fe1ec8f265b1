"""Build a function's tree from events, conditions and loops.

The code is followed in the order in which it runs. Each function here takes the rest of the program
as a continuation, which it calls once per way to get there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from codeintel.engine.equivalence.path_trees import (
    MAYBE,
    POISON,
    UNBOUND,
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    With,
    constant,
    kind_of,
    text,
)

MOST_STEPS = 20_000
"""The limit on events and conditions over all paths. Code with more has no tree."""
_LIKE = {"set": "list", "deque": "list", "counter": "dict", "defaultdict": "dict"}
"""Kinds of collections that collect the same values in the same way as other kinds."""
_FRACTIONS = frozenset({"int", "float", "number"})
"""Kinds whose sums are numbers again."""
Body = Callable[[State, Then], Tree]


class Machine:
    """Builds the tree of one function."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps
        self.effects = 0
        """The number of events that may have changed anything."""
        self._seen: list[list[Mapping[str, Value]]] = []
        self.tells = ""
        """The variable that holds the error being handled, if calls may ask for it."""

    def step(self) -> None:
        """Count a step.

        :raises UnsupportedError: after too many steps.
        """
        self._left -= 1
        if self._left < 0:
            raise UnsupportedError("too many paths")

    def note(self, state: State) -> None:
        """Count a step that may raise an error."""
        self.step()
        for region in state.regions:
            self._seen[region].append(state.names)

    def fails(self, tree: Tree, state: State) -> Tree:
        """Return a tree that raises an error here."""
        self.note(state)
        return tree

    def region(
        self,
        kind: str,
        head: Term,
        state: State,
        inside: Callable[[State, Callable[[State, Then], Tree]], Tree],
        aside: Callable[[State], tuple[Tree, ...]],
    ) -> Tree:
        """Build a region in which errors are caught, or seen before they propagate.

        :param inside: builds everything that follows. It receives the function that wraps each
            exit.
        :param aside: builds what happens after an error, given the variables at that point.
        """
        self.step()
        region, number = len(self._seen), state.count
        self._seen.append([])

        def leave(end: State, then: Then) -> Tree:
            rest = tuple(each for each in end.regions if each != region)
            return ("end", number, then(replace(end, regions=rest)))

        within = replace(state.next(), regions=(*state.regions, region))
        tree = inside(within, leave)
        names = dict(state.names)
        for seen in self._seen[region]:
            for name in seen.keys() | names.keys():
                if seen.get(name, UNBOUND) != names.get(name, UNBOUND):
                    names[name] = POISON
        after = replace(state.next().changed(), names=names)
        return ("region", kind, head, aside(after), tree)

    def read(self, operator: str, operands: Term, state: State, then: With, kind: str = "") -> Tree:
        """Add an event that changes nothing and has the same result until something changes."""
        key = (operator, *operands)
        known = state.reads.get(key)
        if known is not None:
            return then(known, state)
        self.note(state)
        result: Term = ("e", state.count, kind)
        after = replace(state, count=state.count + 1, reads={**state.reads, key: result})
        return ("event", operator, operands, then(result, after))

    def make(self, operator: str, operands: Term, state: State, then: With, kind: str = "") -> Tree:
        """Add an event that changes nothing and has a new result each time."""
        self.note(state)
        result: Term = ("e", state.count, kind)
        return ("event", operator, operands, then(result, state.next()))

    def effect(
        self, operator: str, operands: Term, state: State, then: With, kind: str = ""
    ) -> Tree:
        """Add an event that may change anything."""
        self.note(state)
        self.effects += 1
        if self.tells and state.names.get(self.tells, UNBOUND) != UNBOUND:
            operands = (*operands, ("handling", state.names[self.tells]))
        result: Term = ("e", state.count, kind)
        return ("event", f"!{operator}", operands, then(result, state.next().changed()))

    def keep(self, value: Value, state: State, then: With) -> Tree:
        """Make a value visible to other code.

        A collection becomes an object that others may change.
        """
        if not isinstance(value, Built):
            return then(value, state)
        return self.make("new", (value.kind, value.term), state, then, value.kind)

    def branch(self, asked: Term, state: State, yes: Then, no: Then, *, is_fixed: bool) -> Tree:
        """Build both ways that continue from a condition.

        :param is_fixed: whether asking cannot raise and always has the same answer.
        """
        known = state.fixed.get(asked, state.facts.get(asked))
        if known is not None:
            return yes(state) if known else no(state)
        self.note(state)
        if_so = yes(state.knowing(asked, True, is_fixed))
        if_not = no(state.knowing(asked, False, is_fixed))
        if is_fixed and if_so == if_not:
            return if_so
        return ("choice" if is_fixed else "branch", asked, if_so, if_not)

    def loop(
        self,
        head: Term,
        state: State,
        names: Sequence[str],
        body: Body,
        after: Then,
        *,
        is_steady: bool = False,
        total: Term | None = None,
        rounds: Term | None = None,
    ) -> Tree:
        """Build a loop.

        :param names: the variables that the body may change.
        :param body: builds one iteration. It receives what starts the next one.
        :param after: builds what follows once the iterable is exhausted.
        :param is_steady: whether advancing changes nothing by itself. If no iteration does either,
            earlier reads stay valid in the loop.
        :param total: the head, if the loop also always ends and advancing cannot raise. If no
            iteration has a visible effect, each variable gets its final value as a term.
        :param rounds: the number of iterations, if none changes anything or ends the loop. A
            variable that each iteration increments by 1 grows by this number.
        """
        kinds: dict[str, str] = {}
        insides: dict[str, str | None] = {}
        fixed: set[str] = set()
        is_quiet = False
        while True:
            self.note(state)
            number = state.count
            carried = [name for name in dict.fromkeys(names) if name not in fixed]
            inner = state.next() if is_quiet else state.next().changed()
            for name in carried:
                inner = inner.bind(name, _at_head(name, state, kinds, insides))
            ends: list[State] = []

            def again(
                end: State,
                number: int = number,
                carried: list[str] = carried,
                ends: list[State] = ends,
            ) -> Tree:
                ends.append(end)
                return ("next", number, tuple((n, _end(n, end)) for n in carried))

            tree = body(inner, again)
            shared = [n for n in carried if _is_shared(n, inner, ends)]
            if shared:
                return self._kept(shared, state, lambda s: self.loop(head, s, names, body, after))
            if not _settled(carried, state, inner, ends, kinds, insides, fixed):
                continue
            if is_steady and not is_quiet and not text.changes_before_next(tree, number):
                is_quiet = True
                continue
            inits = tuple((n, _log(state.names.get(n, UNBOUND))) for n in carried)
            tree = text.simplified(tree, number)
            if total is not None and text.only_sets(tree, number):
                loop = ("loop", number, total, inits, tree)
                done = state
                for name in carried:
                    done = done.bind(name, text.folded(loop, name, inner.names[name]))
                return after(_counted_out(carried, state, done, inner, ends, rounds))
            if not is_steady:
                self.note(inner)  # advancing may raise after some iterations
            last = _counted_out(carried, state, inner, inner, ends, rounds if is_quiet else None)
            return ("loop", number, head, inits, tree, after(last))

    def _kept(self, names: list[str], state: State, then: Then) -> Tree:
        """Turn collections that cannot be followed through a loop into objects before it."""
        if not names:
            return then(state)
        name, *rest = names
        return self.keep(
            state.names[name], state, lambda term, s: self._kept(rest, s.bind(name, term), then)
        )


def _at_head(
    name: str, state: State, kinds: dict[str, str], insides: dict[str, str | None]
) -> Value:
    """Return the value of a variable where the loop's next iteration begins."""
    before = state.names.get(name, UNBOUND)
    if isinstance(before, Built):
        inside = insides.get(name, before.inside)
        return Built(before.kind, ("phi", state.count, name, ""), inside)
    kind = MAYBE if before == UNBOUND else kinds.get(name, kind_of(before))
    return ("phi", state.count, name, kind)


def _counted_out(
    names: list[str],
    before: State,
    after: State,
    inner: State,
    ends: list[State],
    rounds: Term | None,
) -> State:
    """Return the state after a loop.

    Variables that each iteration increments by 1 have counted the iterations.
    """
    if rounds is None:
        return after
    for name in names:
        begun, head = before.names.get(name, UNBOUND), inner.names[name]
        if kind_of(begun) != "int" or not isinstance(head, tuple):
            continue
        further: Term = ("op", "Add", head, constant(1), "int")
        if all(end.names.get(name) == further for end in ends):
            whole: Value = ("op", "Add", begun, rounds, "int")
            after = after.bind(name, rounds if begun == constant(0) else whole)
    return after


def _end(name: str, end: State) -> Term:
    return _log(end.names.get(name, UNBOUND))


def _log(value: Value) -> Term:
    """Return a value as a loop carries it.

    Collections that receive the same values are equal here, because later operations tell them
    apart.
    """
    if isinstance(value, Built):
        return ("built", _LIKE.get(value.kind.partition(" ")[0], value.kind), value.term)
    return value


def _is_shared(name: str, inner: State, ends: list[State]) -> bool:
    """Return whether code outside the variable can see a collection in the loop."""
    head = inner.names[name]
    if not isinstance(head, Built):
        return False
    values = [end.names.get(name) for end in ends]
    return any(not isinstance(v, Built) or v.kind != head.kind for v in values)


def _settled(
    carried: list[str],
    before: State,
    inner: State,
    ends: list[State],
    kinds: dict[str, str],
    insides: dict[str, str | None],
    fixed: set[str],
) -> bool:
    """Return whether the assumptions at the loop's head also hold at the end of each iteration.

    Weaken those that do not.
    """
    settled = True
    for name in carried:
        head = inner.names[name]
        values = [end.names.get(name, UNBOUND) for end in ends]
        begun = before.names.get(name, UNBOUND)
        is_constant = isinstance(begun, tuple) and begun[0] == "c"
        stays = is_constant and all(value == begun for value in values)
        if stays or all(value == head for value in values):
            fixed.add(name)
            settled = False
        elif isinstance(head, Built):
            inside = {v.inside for v in values if isinstance(v, Built)} | {head.inside}
            known = inside - {None}
            if head.inside is None:
                # An empty collection reveals no kind, so try the one that an iteration adds.
                known = known - {""} or known
            new = known.pop() if len(known) == 1 else "" if known else None
            if new != head.inside:
                insides[name], settled = new, False
        elif kind_of(head) not in {"", MAYBE} and any(
            kind_of(value) != kind_of(head) for value in values
        ):
            found = {kind_of(value) for value in values} | {kind_of(head)}
            kinds[name], settled = "number" if found <= _FRACTIONS else "", False
    return settled


def has_effects(tree: Tree, marks: str = "!") -> bool:
    """Return whether a tree contains an event that may change anything.

    :param marks: the first characters of such events. `~` marks events that only write.
    """
    if tree and tree[0] == "event" and tree[1][0] in marks:
        return True
    return any(isinstance(each, tuple) and has_effects(each, marks) for each in tree)
