"""Lower one function to a path tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths.source import Names, walk
from codeintel.engine.equivalence.path_trees import (
    MAYBE,
    POISON,
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    With,
    WithValue,
    kind_of,
)
from codeintel.engine.equivalence.path_trees.machine import Machine

UNDEFINED: Term = ("c", "undefined", "undefined")
NULL: Term = ("c", "null", "null")
TRUE: Term = ("c", "boolean", "true")
FALSE: Term = ("c", "boolean", "false")
PRIMITIVE = frozenset({"string", "number", "boolean", "undefined", "null"})
EMPTY: Term = ("empty",)
_NAMES = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"}
)


def string(value: str) -> Term:
    """Return a string constant."""
    return ("c", "string", repr(value))


def number(value: float) -> Term:
    """Return a number constant."""
    return ("c", "number", repr(float(value)))


_FALSY = frozenset(
    {UNDEFINED, NULL, FALSE, string(""), number(0), number(-0.0), ("c", "bigint", "0")}
)


@dataclass(frozen=True, slots=True)
class Control:
    """The continuations of a path that leaves a block early."""

    returned: With
    broken: Then | None = None
    again: Then | None = None


@dataclass(slots=True)
class Program:
    """The facts known about a program.

    :param helpers: functions of the module that no other code can call, by variable.
    :param constants: module variables that never change, with their literals.
    """

    names: Names
    helpers: Mapping[str, Node] = field(default_factory=dict)
    constants: Mapping[str, Node] = field(default_factory=dict)
    top: frozenset[str] = frozenset()


class Lowering:
    """Lower the expressions and statements of one function."""

    def __init__(
        self,
        program: Program,
        evaluate: Callable[..., Tree],
        ask: Callable[..., Tree],
        run: Callable[..., Tree],
    ) -> None:
        self.program = program
        self.names = program.names
        self.machine = Machine()
        self.calls: list[str] = []
        self._hidden = 0
        self._evaluate, self._ask, self._run = evaluate, ask, run

    def hidden(self) -> str:
        """Return the name of a new variable that the code itself does not have."""
        self._hidden += 1
        return f"%{self._hidden}"

    def any(self, node: Node, state: State, then: WithValue) -> Tree:
        """Lower an expression.

        The continuation may receive an array or object that nothing else refers to.
        """
        self.machine.step()
        return self._evaluate(node, state, then, self)

    def value(self, node: Node, state: State, then: With) -> Tree:
        """Lower an expression whose value other code can see."""
        return self.any(node, state, lambda v, s: self.machine.keep(v, s, then))

    def values(
        self,
        nodes: Sequence[Node],
        state: State,
        then: Callable[[tuple[Term, ...], State], Tree],
    ) -> Tree:
        """Lower expressions in order."""
        if not nodes:
            return then((), state)
        first, *rest = nodes
        return self.value(
            first,
            state,
            lambda v, s: self.values(rest, s, lambda vs, end: then((v, *vs), end)),
        )

    def test(self, node: Node, state: State, yes: Then, no: Then) -> Tree:
        """Branch on whether an expression is true."""
        self.machine.step()
        return self._ask(node, state, yes, no, self)

    def block(self, nodes: Sequence[Node], state: State, control: Control, then: Then) -> Tree:
        """Lower a sequence of statements."""
        return self._run(nodes, state, control, then, self)

    def held(self, node: Node, state: State) -> tuple[str, Built] | None:
        """Return the array or object that only this variable refers to, with the variable's
        name, or None."""
        if node.type != "identifier":
            return None
        name = self.names.of(node)
        value = state.names.get(name)
        return (name, value) if isinstance(value, Built) else None

    def read_name(self, name: str, state: State, then: With) -> Tree:
        """Read a variable of the function."""
        value = state.names[name]
        if value == POISON:
            raise UnsupportedError("a variable that depends on where an error was raised")
        if isinstance(value, Built):
            return self.machine.keep(value, state, lambda v, s: then(v, s.bind(name, v)))
        if kind_of(value) == MAYBE or value[0] == "def":
            raise UnsupportedError("a variable that may have no value yet")
        return then(value, state)

    def truth(self, value: Value, state: State, yes: Then, no: Then) -> Tree:
        """Branch on whether a value is true. The same value always gives the same answer."""
        if isinstance(value, Built) or value[0] == "fn":
            return yes(state)
        if value[0] == "c":
            return no(state) if value in _FALSY else yes(state)
        return self.machine.branch(("true", value), state, yes, no, is_fixed=True)

    def same(self, a: Term, b: Term, state: State, yes: Then, no: Then) -> Tree:
        """Branch on `a === b`."""
        if a[0] == b[0] == "c":
            numbers = a[1] == b[1] == "number" and float(a[2]) == float(b[2])
            return yes(state) if a == b or numbers else no(state)
        if a[0] == "c":
            a, b = b, a
        return self.machine.branch(("===", a, b), state, yes, no, is_fixed=True)

    def nullish(self, value: Term, state: State, yes: Then, no: Then) -> Tree:
        """Branch on `a == null`."""
        return self.same(value, NULL, state, yes, lambda s: self.same(value, UNDEFINED, s, yes, no))

    def _with_functions(self, nodes: Sequence[Node], state: State) -> list[Node]:
        """Return the code with the bodies of local functions that it may call."""
        found, seen, place = list(nodes), set[str](), 0
        while place < len(found):
            for each in walk(found[place]):
                name = self.names.of(each) if each.type == "identifier" else ""
                value = state.names.get(name)
                if name not in seen and isinstance(value, tuple) and value[0] == "def":
                    found.append(value[1])
                seen.add(name)
            place += 1
        return found

    def carried(self, nodes: Sequence[Node], state: State) -> list[str]:
        """Return the variables that code can change when it runs in a loop, sorted."""
        found: set[str] = set()
        for top in self._with_functions(nodes, state):
            for each in walk(top):
                if each.type not in _NAMES:
                    continue
                name = self.names.of(each)
                held = isinstance(state.names.get(name), Built)
                if name in state.names and (
                    held or name in self.names.assigned or _is_var(self, name)
                ):
                    found.add(name)
        return sorted(found)


def _is_var(low: Lowering, name: str) -> bool:
    return low.names.kinds.get(name) == "var"
