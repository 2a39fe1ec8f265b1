"""Find loops and recursion that never end."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.library import library
from codeintel.engine.symbolic.program import EXIT, Function, Loop, Node, successors
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Conditional,
    CType,
    Expr,
    Lambda,
    Number,
    Step,
    Var,
    changed_names,
    parts_of,
    root_name,
    stripped,
    walk,
)
from codeintel.engine.symbolic.values.types import Types

_AWAY = {"<": -1, "<=": -1, ">": 1, ">=": 1}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_PLAIN = ("Var", "Number", "Binary", "Unary", "Cast", "SizeOf")
_READING = (*_PLAIN, "Subscript", "Deref", "Field")
_HARMLESS = frozenset({"printf", "puts", "putchar", "fprintf", "fputs", "strlen", "strcmp"})
_MAX_PATHS = 200
Types_ = dict[str, CType | None]


def unending_loops(function: Function, types: Types) -> Iterator[Span]:
    """Yield the conditions of loops that never end.

    These are loops whose condition nothing in them makes false and that nothing leaves, loops with
    a path back to the head that changes nothing the condition depends on, and loops that count an
    unsigned number down below zero.
    """
    declared: Types_ = {each.name: each.type for each in function.parameters}
    declared |= {n.name: n.type for n in function.nodes if n.kind == "declare"}
    seen = _seen_elsewhere(function)
    for head, node in enumerate(function.nodes):
        loop = node.loop
        test = function.nodes[node.next] if node.next >= 0 else None
        if loop is None or test is None or test.kind != "test" or test.expr is None:
            continue
        names = _names(test.expr, _PLAIN)
        if not names or not all(_is_own(declared.get(name)) for name in names) or names & seen:
            continue
        away = _moves_away(test.expr, loop) and not _is_left(function, head, node.next, loop)
        if (
            away
            or _never_false(test.expr, loop, declared, types)
            or _turns_in_place(function, head, test, loop, seen)
        ):
            yield test.span


def calls_itself(function: Function, types: Types) -> Span | None:
    """Return where a function calls itself, if every path through it does.

    In C++, a call with objects may mean another function of the same name, so it does not count.
    """
    if types.language == "cpp" and not all(
        types.is_scalar(each.type._replace(reference=False)) for each in function.parameters
    ):
        return None
    calls = {
        number: each.span
        for number, node in enumerate(function.nodes)
        for each in _always_evaluated(node.expr)
        if isinstance(each, Call) and each.object is None and each.name == function.name
        and len(each.args) == len(function.parameters)
    }  # fmt: skip
    if not function.name or not calls:
        return None
    pending, seen = [function.entry], set()
    while pending:
        number = pending.pop()
        if number == EXIT or _exits(function.nodes[number]):
            return None
        if number not in seen and number not in calls:
            seen.add(number)
            pending.extend(successors(function.nodes, number))
    return min(calls.values())


def _always_evaluated(expr: Expr | None) -> Iterator[Expr]:
    """Yield the parts of an expression that are always evaluated."""
    pending = [expr] if expr is not None else []
    while pending:
        each = pending.pop()
        yield each
        if isinstance(each, Conditional):
            pending.append(each.condition)
        elif isinstance(each, Binary) and each.op in ("&&", "||"):
            pending.append(each.left)
        else:
            pending.extend(parts_of(each))


def _names(test: Expr, plain: tuple[str, ...]) -> frozenset[str]:
    """Return the variables of a condition, or none if it has other parts than `plain` ones."""
    parts = list(walk(test))
    if any(type(part).__name__ not in plain for part in parts):
        return frozenset()
    return frozenset(part.name for part in parts if isinstance(part, Var))


def _is_own(type_: CType | None) -> bool:
    return type_ is not None and not type_.reference and not type_.volatile and not type_.dims


def _seen_elsewhere(function: Function) -> frozenset[str]:
    """Return the variables that something other than an assignment may change."""
    found: set[str] = set()
    for node in function.nodes:
        if node.static:
            found.add(node.name)
        for each in walk(node.expr) if node.expr is not None else ():
            if isinstance(each, AddressOf):
                found.add(root_name(each.value))
            elif isinstance(each, Lambda):
                found.update(each.names)
            elif isinstance(each, Binary) and each.op == ">>":
                found.add(root_name(each.right))
    return frozenset(found)


# Paths back to the head


def _turns_in_place(
    function: Function, head: int, test: Node, loop: Loop, seen: frozenset[str]
) -> bool:
    """Return whether some path back to the head leaves unchanged everything that its conditions
    read. An execution that takes this path once takes it forever.
    """
    pending: list[tuple[int, tuple[Node, ...]]] = [(test.next, (test,))]
    count = 0
    while pending and count < _MAX_PATHS:
        number, path = pending.pop()
        count += 1
        if number == head:
            if _is_fixed(path, seen):
                return True
            continue
        if not head <= number <= loop.last or any(node is function.nodes[number] for node in path):
            continue
        node = function.nodes[number]
        if node.kind in ("do", "declare", "test", "join", "leave", "switch"):
            pending.extend((target, (*path, node)) for target in successors(function.nodes, number))
    return False


def _is_fixed(path: tuple[Node, ...], seen: frozenset[str]) -> bool:
    exprs = [node.expr for node in path if node.expr is not None]
    declared = {node.name for node in path if node.kind == "declare"}
    looked: set[str] = set()
    for node in path:
        if node.kind in ("test", "switch"):
            if node.expr is None:
                return False
            names = _names(node.expr, _READING)
            if not names and not isinstance(node.expr, Number):
                return False
            looked |= names
    for top in exprs:
        for each in walk(top):
            if isinstance(each, Call) and each.name not in _HARMLESS:
                return False
            if isinstance(each, Assign | Step) and not isinstance(each.target, Var):
                return False
    changed = changed_names(exprs) | declared | seen
    return not looked & changed


def _is_left(function: Function, head: int, test: int, loop: Loop) -> bool:
    """Return whether a loop has an exit other than its condition."""
    for number in range(head, loop.last + 1):
        node = function.nodes[number]
        if node.kind in ("return", "throw") or _exits(node):
            return True
        targets = successors(function.nodes, number)
        if number == test:
            targets = [node.next]
        if any(not head <= target <= loop.last for target in targets):
            return True
    return False


def _exits(node: Node) -> bool:
    return any(
        isinstance(each, Call) and each.name in library() and library()[each.name].exits
        for each in walk(node.expr)
        if node.expr is not None
    )


# Directions


def _relation(test: Expr) -> tuple[str, str, Expr] | None:
    """Return the variable, the operator and the limit of a condition that is one comparison."""
    if not isinstance(test, Binary) or test.op not in _AWAY:
        return None
    left, right = stripped(test.left), stripped(test.right)
    if isinstance(left, Var):
        return left.name, test.op, right
    if isinstance(right, Var):
        return right.name, _SWAPPED[test.op], left
    return None


def _moves_away(test: Expr, loop: Loop) -> bool:
    """Return whether the variable only moves away from a limit that does not change."""
    found = _relation(test)
    if found is None or _names(found[2], _PLAIN) & loop.changed:
        return False
    return loop.stepped.get(found[0]) == _AWAY[found[1]]


def _never_false(test: Expr, loop: Loop, declared: Types_, types: Types) -> bool:
    """Return whether an unsigned number counts down below zero."""
    found = _relation(test)
    if found is None or found[1] != ">=" or not isinstance(found[2], Number):
        return False
    type_ = declared.get(found[0])
    return found[2].value == 0 and types.is_unsigned(type_) and loop.stepped.get(found[0]) == -1
