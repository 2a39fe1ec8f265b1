"""Find state that outlives a call and that only one of two programs has."""

from __future__ import annotations

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.source import Program, text_of, walk
from codeintel.engine.sandbox.javascript.tokens import function_around

_MUTATING = frozenset(
    [
        "add",
        "clear",
        "delete",
        "pop",
        "push",
        "set",
        "shift",
        "sort",
        "splice",
        "unshift",
        "fill",
        "reverse",
    ]
)


def changed_state(program: Program, names: set[str]) -> bool:
    """Return whether a changed variable of the module is changed while the program runs."""
    variables = {
        name for name in names if name in program.units and program.units[name].sort == "variable"
    }
    if not variables:
        return False
    return any(
        _root(each) in variables and function_around(each) is not None
        for unit in program.units.values()
        for node in unit.nodes
        for each in walk(node)
        if _changes(each)
    )


def _changes(node: Node) -> bool:
    if node.type in (
        "assignment_expression",
        "augmented_assignment_expression",
        "update_expression",
    ):
        return True
    if node.type == "unary_expression":
        return text_of(node.child_by_field_name("operator")) == "delete"
    if node.type != "call_expression":
        return False
    function = node.child_by_field_name("function")
    return (
        function is not None
        and function.type == "member_expression"
        and text_of(function.child_by_field_name("property")) in _MUTATING
    )


def _root(node: Node) -> str:
    """Return the variable that an expression changes, or changes a part of."""
    target: Node | None = node
    for field in ("left", "argument", "function"):
        target = node.child_by_field_name(field) or target
    while target is not None and target.type in ("member_expression", "subscript_expression"):
        target = target.child_by_field_name("object")
    return text_of(target) if target is not None and target.type == "identifier" else ""


def has_other_fields(before: Program, after: Program, names: set[str]) -> bool:
    """Return whether a class has other private fields, which only its methods can show."""

    def fields(program: Program) -> set[str]:
        return {
            text_of(each)
            for name in names
            if name in program.units
            for node in program.units[name].nodes
            for each in walk(node)
            if each.type == "private_property_identifier"
        }

    return fields(before) != fields(after)


_RUNNING = frozenset(
    {
        *("call_expression", "new_expression", "update_expression", "assignment_expression"),
        *("augmented_assignment_expression", "unary_expression", "await_expression", "yield"),
    }
)


def are_in_other_order(before: Program, after: Program, _names: set[str]) -> bool:
    """Return whether the statements of the module that run something are in another order."""

    def order(program: Program) -> list[str]:
        running = [
            (node.start_byte, name)
            for name, unit in program.units.items()
            if unit.sort in ("variable", "class", "module")
            for node in unit.nodes
            if any(each.type in _RUNNING and _runs_on_load(each, node) for each in walk(node))
        ]
        return [name for _, name in sorted(running)]

    one, other = order(before), order(after)
    both = set(one) & set(other)
    return [each for each in one if each in both] != [each for each in other if each in both]


def _runs_on_load(node: Node, statement: Node) -> bool:
    """Return whether something runs when the module is loaded, and not in a function of it."""
    owner = function_around(node)
    return owner is None or owner.start_byte < statement.start_byte
