"""Hold the state that all parts of lowering one function share."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from codeintel.engine.equivalence.normal_form.context import Context
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
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.path_trees.machine import Machine
from codeintel.engine.equivalence.python_paths.kinds import UNCHANGING, Own, base_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
CAUGHT = "%caught"
"""The variable of the error being handled, which a bare `raise` raises again."""
_ASKING = frozenset({"exc_info", "exception", "format_exc", "last_exc", "print_exc"})
"""Words of programs that may ask which error is being handled."""
Evaluate = Callable[[Any, State, WithValue, "Lowering"], Tree]
Round = Callable[[Term, State, Then], Tree]
"""One iteration of a loop, given an element and the continuation that starts the next iteration."""
NONE = constant(None)


@dataclass(frozen=True, slots=True)
class Control:
    """The continuations of a path that leaves a block early."""

    returned: With
    broken: Then | None = None
    again: Then | None = None


@dataclass(slots=True)
class Program:
    """The facts known about a program.

    :param helpers: private functions whose calls are inlined.
    :param constants: names that the module binds once, to a value that never changes.
    :param bound: names that the module binds exactly once, or that the language defines.
    :param rebound: names of the module that are bound more than once.
    """

    context: Context
    helpers: Mapping[str, Function] = field(default_factory=dict)
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    rebound: frozenset[str] = frozenset()
    owners: Mapping[str, Own] = field(default_factory=dict)
    """The facts known about the program's classes."""
    acting: frozenset[str] = frozenset()
    """Attributes whose reading can change something, because the program computes them."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The functions that lower each part. They all need each other."""

    expressions: Mapping[type[ast.AST], Evaluate]
    test: Callable[..., Tree]
    store: Callable[..., Tree]
    block: Callable[..., Tree]
    go_through: Callable[..., Tree]


class Lowering:
    """Lowers the expressions, conditions and statements of one function."""

    def __init__(
        self,
        program: Program,
        local: frozenset[str],
        handlers: Handlers,
        rebound: frozenset[str] = frozenset(),
    ) -> None:
        self.program = program
        self.machine = Machine()
        if program.context.facts.words & _ASKING:
            self.machine.tells = CAUGHT
        self.local = local
        self.rebound = rebound
        """Names that closures must not capture, because they are rebound."""
        self.calls: list[str] = []
        self.own = Own()
        """The facts about the class of this method. Its instance is `myself`."""
        self.myself: Term = ("nobody",)
        self._hidden = 0
        self._handlers = handlers

    def hidden(self) -> str:
        """Return the name of a new variable that the code itself does not have."""
        self._hidden += 1
        return f"%{self._hidden}"

    def resolved(self, node: ast.expr) -> ast.expr:
        """Return the constant that the module binds to a name, or the expression itself."""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.program.constants.get(node.id, node)
        return node

    @property
    def context(self) -> Context:
        return self.program.context

    @property
    def plain(self) -> bool:
        """Whether comparisons return a bool and have no side effect."""
        return self.program.context.facts.plain

    def any(self, node: ast.expr, state: State, then: WithValue) -> Tree:
        """Lower an expression.

        The continuation may receive a collection that nothing else refers to.
        """
        evaluate = self._handlers.expressions.get(type(node))
        if evaluate is None:
            raise UnsupportedError(type(node).__name__)
        return evaluate(node, state, then, self)

    def value(self, node: ast.expr, state: State, then: With) -> Tree:
        """Lower an expression whose value other code can see."""
        return self.any(node, state, lambda v, s: self.machine.keep(v, s, then))

    def values(
        self,
        nodes: Sequence[ast.expr],
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

    def test(self, node: ast.expr, state: State, yes: Then, no: Then) -> Tree:
        """Branch on whether an expression is true."""
        return self._handlers.test(node, state, yes, no, self)

    def store(self, target: ast.expr, value: Value, state: State, then: Then) -> Tree:
        """Assign a value to a target."""
        return self._handlers.store(target, value, state, then, self)

    def block(self, body: Sequence[ast.stmt], state: State, control: Control, then: Then) -> Tree:
        """Lower a sequence of statements."""
        return self._handlers.block(body, state, control, then, self)

    def whole(self, body: Sequence[ast.stmt], state: State) -> Tree:
        """Lower a function's body."""

        def returned(value: Term, _end: State) -> Tree:
            return ("return", value)

        return self.block(body, state, Control(returned), lambda end: returned(NONE, end))

    def go_through(
        self, node: ast.expr, state: State, names: list[str], each: Round, after: Then
    ) -> Tree:
        """Iterate over the elements of an expression."""
        return self._handlers.go_through(node, state, names, each, after, self)

    def held(self, node: ast.expr, state: State) -> Built | None:
        """Return the collection that only this name refers to, or None."""
        if isinstance(node, ast.Name) and node.id in self.local:
            value = state.names.get(node.id)
            return value if isinstance(value, Built) else None
        return None

    def read_name(self, name: str, state: State, then: With) -> Tree:
        """Read a variable of the function."""
        value = state.names.get(name)
        if value == POISON:
            raise UnsupportedError("a variable that depends on where an error was raised")
        if value is None or value == UNBOUND:
            return self.machine.fails(("raise unbound",), state)
        if isinstance(value, Built):
            return self.machine.keep(value, state, lambda v, s: then(v, s.bind(name, v)))
        if value[0] == "def":
            raise UnsupportedError("a nested function that is passed on")
        if kind_of(value) == MAYBE:
            plain = (*value[:-1], "")
            return self.machine.read(
                "bound", (plain,), state, lambda _, s: then(plain, s.bind(name, plain))
            )
        return then(value, state)

    def read_attribute(self, owner: Term, name: str, state: State, then: With) -> Tree:
        """Read an attribute. The kind of an attribute of the class may be known."""
        if name in self.program.acting:
            return self.machine.effect("attr", (owner, name), state, then)
        kind = self.own.kinds.get(name, "") if owner == self.myself else ""
        return self.machine.read("attr", (owner, name), state, then, kind)

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Return whether a node names one of these builtins."""
        if isinstance(node, ast.Name) and node.id in self.local:
            return False
        return self.context.is_builtin(node, *names)

    def is_imported(self, node: ast.AST, *names: str) -> bool:
        """Return whether a node names one of these standard library functions."""
        if not isinstance(node, ast.Name) or node.id not in names or node.id in self.local:
            return False
        return node.id.rpartition(".")[2] not in self.context.facts.replaced

    def truth(self, value: Value, state: State, yes: Then, no: Then) -> Tree:
        """Branch on whether a value is true."""
        if isinstance(value, Built):
            if value.term == ("empty",):
                return no(state)
            if value.term[0] == "with":
                return yes(state)
            asked: Term = ("filled", value.term)
            return self.machine.branch(asked, state, yes, no, is_fixed=True)
        if value[0] == "c":
            falsy = value[2] in {"0", "False", "None", "''", "b''", "0.0", "-0.0", "0j"}
            return no(state) if falsy else yes(state)
        if value[0] == "tuple":
            return yes(state) if len(value) > 1 else no(state)
        if value[0] == "fn":
            return yes(state)
        match value:
            case ("op", "len", str(kind), term, "int"):
                return self.truth(Built(kind, term), state, yes, no)
            case ("op", "len", tuple() as text, "int") if kind_of(text) == "str":
                return self.truth(text, state, yes, no)
        if base_of(kind_of(value)) in {"list", "dict", "set"}:
            value = ("op", "len", value, state.version, "int")
        is_fixed = kind_of(value) in UNCHANGING
        return self.machine.branch(("true", value), state, yes, no, is_fixed=is_fixed)


def stored_names(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that code binds or whose collections it changes, outside nested
    functions."""
    found: set[str] = set()
    stack: list[ast.AST] = list(nodes)
    while stack:
        node = stack.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
                continue
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                found.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                found.add(name)
        stack.extend(ast.iter_child_nodes(node))
    return found


def loaded_names(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the names that code mentions."""
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
