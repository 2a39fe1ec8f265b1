"""What a docstring says: a summary from the name, and what signature and body tell."""

from __future__ import annotations

import ast
from typing import NamedTuple

from codeintel_plugins.transformations.python.document.definitions import Definition, Function
from codeintel_plugins.transformations.python.document.facts import Facts
from codeintel_plugins.transformations.python.document.parameters import Entry, parameters
from codeintel_plugins.transformations.python.document.special import SPECIAL
from codeintel_plugins.transformations.python.document.subjects import attributes, class_summary
from codeintel_plugins.transformations.python.document.words import (
    ACTIONS,
    JOINING,
    SPELLED_OUT,
    STATES,
    VERBS,
    capital,
    text,
    words,
)


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VAGUE = _listed("result results res ret retval output out value data tmp temp rv obj ans")


class Description(NamedTuple):
    """A docstring before it has a style. `returns` or `yields` is at most one entry without a
    name."""

    summary: str
    parameters: tuple[Entry, ...] = ()
    attributes: tuple[Entry, ...] = ()
    returns: Entry | None = None
    yields: Entry | None = None
    raises: tuple[Entry, ...] = ()


def describe(definition: Definition, facts: Facts) -> Description:
    """Describe a definition."""
    node = definition.node
    if isinstance(node, ast.ClassDef):
        return Description(class_summary(definition), attributes=attributes(definition))
    taken = parameters(definition)
    raises = tuple(Entry(each.name, "", False, each.when) for each in facts.raises)
    special = SPECIAL.get(node.name) if definition.owner is not None else None
    if definition.is_property:
        return Description(_noun(node.name), raises=raises)
    summary = special or _summary(node, taken, facts)
    if special is not None:
        return Description(summary, taken if node.name in _TAKING else (), raises=raises)
    given = Entry("", facts.type, False, _given(node, facts))
    return Description(
        summary,
        taken,
        returns=given if facts.gives == "something" else None,
        yields=given if facts.gives == "items" else None,
        raises=raises,
    )


_TAKING = frozenset({"__init__", "__new__", "__call__", "__init_subclass__", "__post_init__"})


def _summary(node: Function, taken: tuple[Entry, ...], facts: Facts) -> str:
    """One sentence in the imperative, in the words of the name."""
    first, *rest = words(node.name)
    first = SPELLED_OUT.get(first, first)
    if first in STATES:
        return f"Return {_whether(first, rest, taken)}."
    if first == "to" and rest:
        return f"Convert to {text(rest)}."
    if first == "from" and rest:
        return f"Create from {text(rest)}."
    if first == "on" and rest:
        return f"Handle {text(rest)}."
    if first == "as" and rest:
        return f"Return as {text(rest)}."
    if first in VERBS:
        return (
            f"{capital(first)} {text(rest)}."
            if rest
            else f"{capital(first)}{_objects(first, taken)}."
        )
    name = text([first, *rest])
    if rest and rest[-1] in ACTIONS:
        return f"Perform {name}."
    if node.name == "main":
        return "Run the program."
    if facts.gives == "something":
        return f"Return {name}{_given_what(taken)}."
    return f"Yield {name}." if facts.gives == "items" else f"Run ``{node.name}``."


def _whether(first: str, rest: list[str], taken: tuple[Entry, ...]) -> str:
    """`whether it is empty`, of `is_empty`."""
    required = [entry.name for entry in taken if not entry.optional]
    subject = f"``{required[0]}``" if len(required) == 1 else "it"
    return " ".join(["whether", subject, text([first, *rest])])


def _objects(verb: str, taken: tuple[Entry, ...]) -> str:
    """What a lone verb is about: its one argument."""
    required = [entry.name for entry in taken if not entry.optional]
    if len(required) == 1:
        name = required[0].lstrip("*")
        return f" the {text(words(name))}" if len(name) > 2 else f" ``{name}``"
    if verb in JOINING and len(required) == 2:
        return f" ``{required[0]}`` and ``{required[1]}``"
    return _given_what(taken)


def _given_what(taken: tuple[Entry, ...]) -> str:
    required = [f"``{entry.name}``" for entry in taken if not entry.optional]
    if not required or len(required) > 3:
        return ""
    *others, last = required
    return f", given {', '.join(others)} and {last}" if others else f", given {last}"


def _noun(name: str) -> str:
    """The phrase for a property."""
    first, *rest = words(name)
    if first in STATES:
        return f"{capital(_whether(first, rest, ()))}."
    if first == "get" and rest:
        first, *rest = rest
    return f"The {text([first, *rest])}."


def _given(node: Function, facts: Facts) -> str:
    """The sentence about what is returned or yielded."""
    first = words(node.name)[0]
    if facts.type == "bool":
        return "True if so, otherwise False." if first in STATES else "True or False."
    if facts.gives == "items":
        return "The items, one after the other."
    if facts.variable in ("self", "cls"):
        return "The instance itself." if facts.variable == "self" else "The class itself."
    name = facts.variable.strip("_")
    if len(name) > 2 and name not in _VAGUE:
        return f"The {text(words(name))}."
    return "The result."
