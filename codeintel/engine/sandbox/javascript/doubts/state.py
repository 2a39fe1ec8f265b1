"""Find state that outlives a call and that only one of two programs has."""

from __future__ import annotations

from collections.abc import Iterator

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
_PRIMITIVE = ("number", "string", "true", "false", "null")
_PATTERNS = ("_pattern", "array", "object")
_NAMES = ("identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier")
_INNER = ("member_expression", "subscript_expression", "parenthesized_expression")


def changed_state(program: Program, names: set[str]) -> bool:
    """Return whether a changed variable of the module is changed while the program runs."""
    variables = {
        name for name in names if name in program.units and program.units[name].sort == "variable"
    }
    if not variables:
        return False
    objects = {each for each in variables if not _is_number_or_text(program, each)}
    return any(
        (variables & set(_roots(each)) if _changes(each) else objects & set(_given_away(each)))
        and function_around(each) is not None
        for unit in program.units.values()
        for node in unit.nodes
        for each in walk(node)
    )


def _is_number_or_text(program: Program, name: str) -> bool:
    """Return whether a variable is a constant that no code can change."""
    declared = program.units[name].nodes[0]
    value, outer = declared.child_by_field_name("value"), declared.parent
    is_constant = outer is not None and text_of(outer.children[0]) == "const"
    return is_constant and value is not None and value.type in _PRIMITIVE


def _changes(node: Node) -> bool:
    if node.type in (
        "assignment_expression",
        "augmented_assignment_expression",
        "update_expression",
    ):
        return True
    if node.type == "for_in_statement":
        return node.child_by_field_name("kind") is None
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


def _roots(node: Node) -> Iterator[str]:
    """Yield the variables that an expression or loop changes, or changes parts of."""
    target: Node | None = node
    for field in ("left", "argument", "function"):
        target = node.child_by_field_name(field) or target
    if target is not None and target.type.endswith(_PATTERNS):
        # Also those that the pattern only reads.
        yield from (text_of(each) for each in walk(target) if each.type in _NAMES)
    while target is not None and target.type in _INNER:
        target = target.child_by_field_name("object") or target.named_children[0]
    if target is not None and target.type == "identifier":
        yield text_of(target)
    yield from _given_away(node)


def _given_away(node: Node) -> Iterator[str]:
    """Yield the variables that other code may change through a node: arguments and aliases."""
    found: list[Node | None] = []
    if node.type in ("call_expression", "new_expression"):
        given = node.child_by_field_name("arguments")
        found = list(given.named_children) if given is not None else []
    elif node.type == "variable_declarator":
        found = [node.child_by_field_name("value")]
    elif node.type == "assignment_expression":
        found = [node.child_by_field_name("right")]
    for each in found:
        if each is not None and each.type == "identifier":
            yield text_of(each)


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
