"""Find members of classes and objects whose use differs between two programs.

Calls do not show these differences: arguments are no instances of the program's classes, no
subclass outside the program replaces a method, and no iterable but arrays is given for arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths.source import accessors
from codeintel.engine.sandbox.javascript.places import parameters_of
from codeintel.engine.sandbox.javascript.source import Program, text_of, walk

_NAMES = frozenset(
    {
        *("property_identifier", "private_property_identifier"),
        *("shorthand_property_identifier_pattern",),
    }
)


def use_accessors_otherwise(before: Program, after: Program, names: set[str]) -> bool:
    """Return whether the changed units use such an accessor more or less often, or elsewhere."""
    acting = {*accessors(before.root), *accessors(after.root)}
    one, other = (_used(program, names, acting) for program in (before, after))
    return one != other


def _used(program: Program, names: Iterable[str], acting: set[str]) -> list[str]:
    units = [program.units[name] for name in sorted(names) if name in program.units]
    return [
        text_of(each)
        for unit in units
        for node in unit.nodes
        for each in walk(node)
        if each.type in _NAMES and text_of(each) in acting
    ]


def call_methods_otherwise(before: Program, after: Program, names: set[str]) -> bool:
    """Return whether only one program calls some public method on the instance.

    A subclass may replace the method.
    """
    one, other = (_own_calls(program, names) for program in (before, after))
    return one.keys() != other.keys()


def _own_calls(program: Program, names: Iterable[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name in names:
        unit = program.units.get(name)
        owner, _, member = name.partition(".")
        for node in unit.nodes if unit is not None and member else ():
            for each in walk(node):
                function = each.child_by_field_name("function")
                if each.type != "call_expression" or function is None:
                    continue
                called, place = (function.child_by_field_name(e) for e in ("property", "object"))
                method = text_of(called)
                is_own = place is not None and place.type == "this"
                if is_own and f"{owner}.{method}" in program.units and method[0] not in "_#":
                    found[f"{name}: {method}"] += 1
    return found


def measure_iterables(before: Program, after: Program, names: set[str]) -> bool:
    """Return whether the result reads the length or elements of a parameter that the original only
    iterates over, and that may be a string or a set."""
    for name in names & before.units.keys() & after.units.keys():
        one, other = before.units[name].function, after.units[name].function
        if one is None or other is None:
            continue
        for parameter in _plain_parameters(one) & _plain_parameters(other):
            is_iterated = _is_iterated(one, parameter) and not _measures(one, parameter)
            if is_iterated and _measures(other, parameter):
                return True
    return False


def _plain_parameters(function: Node) -> set[str]:
    return {text_of(each) for each in parameters_of(function) if each.type == "identifier"}


def _is_iterated(function: Node, name: str) -> bool:
    for each in walk(function):
        source = None
        if each.type == "spread_element":
            source = each.named_children[0]
        elif each.type == "for_in_statement":
            source = each.child_by_field_name("right")
        elif each.type == "variable_declarator":
            pattern = each.child_by_field_name("name")
            is_list = pattern is not None and pattern.type == "array_pattern"
            source = each.child_by_field_name("value") if is_list else None
        if source is not None and text_of(source) == name:
            return True
    return False


def _measures(function: Node, name: str) -> bool:
    """Return whether a function reads the length or an element of a variable, or calls one of its
    methods."""
    return any(
        each.type in ("member_expression", "subscript_expression")
        and text_of(each.child_by_field_name("object")) == name
        and (
            each.type == "subscript_expression"
            or text_of(each.child_by_field_name("property")) in ("length", "at", "indexOf")
        )
        for each in walk(function)
    )
