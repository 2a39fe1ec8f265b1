"""Events, conditions and loops, from which a function's tree is put together.

The code is gone through in the order in which it runs. Each function here takes what comes
afterwards as a continuation, which is called once for each way to get there.
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
"""Events and conditions over all paths; code with more has no tree."""
_LIKE = {"set": "list", "deque": "list", "counter": "dict", "defaultdict": "dict"}
"""Kinds of collections that get the same values in the same way as others do."""
_FRACTIONS = frozenset({"int", "float", "number"})
"""Whoever adds these gets one of them."""
Body = Callable[[State, Then], Tree]


class Machine:
    """Puts one function's tree together."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self._left = steps
        self.effects = 0
        """How many events were put in after which anything may be something else."""
        self._seen: list[list[Mapping[str, Value]]] = []
        self.tells = ""
        """The variable that stands for the error that is being handled, if calls may ask for it."""

    def step(self) -> None:
        """Count a step.

        :raises UnsupportedError: after too many.
        """
        self._left -= 1
        if self._left < 0:
            raise UnsupportedError("too many paths")

    def note(self, state: State) -> None:
        """Count a step at which an error may be raised."""
        self.step()
        for region in state.regions:
            self._seen[region].append(state.names)

    def fails(self, tree: Tree, state: State) -> Tree:
        """An error that is raised here and nowhere else."""
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
        """What is done where errors are caught, or seen before they are handed on.

        :param inside: all that follows; it is handed what to put around each way out.
        :param aside: what happens after an error, with what the variables are then.
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
        """An event that changes nothing and gives the same until something changes."""
        key = (operator, *operands)
        known = state.reads.get(key)
        if known is not None:
            return then(known, state)
        self.note(state)
        result: Term = ("e", state.count, kind)
        after = replace(state, count=state.count + 1, reads={**state.reads, key: result})
        return ("event", operator, operands, then(result, after))

    def make(self, operator: str, operands: Term, state: State, then: With, kind: str = "") -> Tree:
        """An event that changes nothing and gives something new each time."""
        self.note(state)
        result: Term = ("e", state.count, kind)
        return ("event", operator, operands, then(result, state.next()))

    def effect(
        self, operator: str, operands: Term, state: State, then: With, kind: str = ""
    ) -> Tree:
        """An event after which anything may be something else."""
        self.note(state)
        self.effects += 1
        if self.tells and state.names.get(self.tells, UNBOUND) != UNBOUND:
            operands = (*operands, ("handling", state.names[self.tells]))
        result: Term = ("e", state.count, kind)
        return ("event", f"!{operator}", operands, then(result, state.next().changed()))

    def keep(self, value: Value, state: State, then: With) -> Tree:
        """A value as others get to see it: a collection becomes an object that they may change."""
        if not isinstance(value, Built):
            return then(value, state)
        return self.make("new", (value.kind, value.term), state, then, value.kind)

    def branch(self, asked: Term, state: State, yes: Then, no: Then, *, is_fixed: bool) -> Tree:
        """Both ways that go on from a condition.

        :param is_fixed: whether asking can neither raise nor give another answer later.
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
        """A loop.

        :param names: the variables that its body may change.
        :param body: one round; it is handed what begins the next one.
        :param after: what follows once there is nothing left to go through.
        :param is_steady: whether going on to the next round changes nothing by itself. Where no
            round does, either, what was read before the loop still holds in it.
        :param total: the head where, besides, it surely ends and going on cannot raise. Where no
            round does anything that could be seen, each variable gets what the loop makes of it.
        :param rounds: how many rounds there are, if none of them changes anything and none ends
            the loop: what one of them adds 1 to is as much more afterwards.
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
                self.note(inner)  # going on may raise after some rounds
            last = _counted_out(carried, state, inner, inner, ends, rounds if is_quiet else None)
            return ("loop", number, head, inits, tree, after(last))

    def _kept(self, names: list[str], state: State, then: Then) -> Tree:
        """Collections that cannot be followed through a loop become objects before it."""
        if not names:
            return then(state)
        name, *rest = names
        return self.keep(
            state.names[name], state, lambda term, s: self._kept(rest, s.bind(name, term), then)
        )


def _at_head(
    name: str, state: State, kinds: dict[str, str], insides: dict[str, str | None]
) -> Value:
    """A variable where the loop's next round begins."""
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
    """After a loop: variables to which each round adds 1 have counted the rounds."""
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
    """A value as a loop carries it. Collections that get the same
    values are one: what is done with them later tells them apart."""
    if isinstance(value, Built):
        return ("built", _LIKE.get(value.kind.partition(" ")[0], value.kind), value.term)
    return value


def _is_shared(name: str, inner: State, ends: list[State]) -> bool:
    """Whether a collection has got out of its variable's hands in the loop."""
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
    """Whether what was taken to hold at the loop's head also holds at the end of each round."""
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
                # What it holds is known once something is in it: one kind is tried.
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
    """Whether a tree holds an event after which anything may be something else.

    :param marks: the first characters of such events; `~` is that of those that only write.
    """
    if tree and tree[0] == "event" and tree[1][0] in marks:
        return True
    return any(isinstance(each, tuple) and has_effects(each, marks) for each in tree)
