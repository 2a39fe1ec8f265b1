"""Describe in language-neutral terms what functions do, and pair the functions of two programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields

from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import listed

Operation = tuple[str, ...]
"""An operator and its operands, such as `("<", "a", "b")`."""
Atom = tuple[str, bool]
"""A condition without connectives, and whether it must hold."""
Logic = tuple[str, tuple[Atom, ...]]
_MAX_TEXT = 120
_SPACE = re.compile(r"\s+")
_NAME = re.compile(r"""'[^']*'|[^\W\d][\w$]*""")
_KEPT = frozenset(
    {
        *("return", "raise", "yield", "each", "assert", "in", "not", "and", "or", "new", "await"),
        *(
            "True",
            "False",
            "None",
            "true",
            "false",
            "null",
            "nil",
            "undefined",
            "continue",
            "break",
        ),
    }
)
MODULE = ""
"""The name for code outside of all functions."""


@dataclass(slots=True)
class Unit:
    """The operations of one function and of the functions defined in it.

    :param orders: comparisons by size, as `("<", less, more)` after negation is removed.
    :param swappable: operations whose operands have an order that matters.
    :param values: `True`, `None`, `0`, `1` and similar values that are assigned or returned.
    :param arguments: such values that are passed to a call: callee, position, value.
    :param ways: other constructs, such as a comprehension or an f-string.
    :param leaves: conditional actions with their conditions.
    """

    line: int = 1
    private: bool = False
    parameters: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    used: Counter[str] = field(default_factory=Counter)
    orders: Counter[Operation] = field(default_factory=Counter)
    equals: Counter[Operation] = field(default_factory=Counter)
    members: Counter[Operation] = field(default_factory=Counter)
    logic: Counter[Logic] = field(default_factory=Counter)
    arithmetic: Counter[str] = field(default_factory=Counter)
    swappable: Counter[Operation] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    arguments: Counter[Operation] = field(default_factory=Counter)
    raised: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    assigned: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    defaults: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, list[frozenset[Atom]]] = field(default_factory=dict)
    sequences: set[Operation] = field(default_factory=set)

    def merge(self, other: Unit) -> None:
        """Add the operations of another unit to this one."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if each.name in ("parameters", "line", "private", "defaults"):
                continue
            if each.name == "leaves":
                for leaf, paths in other.leaves.items():
                    self.leaves.setdefault(leaf, []).extend(paths)
            else:
                mine.update(theirs)  # a set, a dictionary, or a counter, which adds up


@dataclass(slots=True)
class Program:
    """The units by name, such as `Order.total`, with the class names and the program's size in
    tokens or statements.

    :param constants: names in modules and classes that are bound to a literal, with the literal.
    :param fields: other names that the program defines, which can stand for a function.
    """

    units: dict[str, Unit] = field(default_factory=lambda: {MODULE: Unit()})
    classes: dict[str, int] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    size: int = 0


def weak(text: str) -> str:
    """Mark a condition as an alternative: it need not hold if another one does."""
    return f"|{text.lstrip('|')}"


def plain(text: str) -> str:
    """Return code on one line without spaces, with single quotes and bounded length."""
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT // 2] + text[-_MAX_TEXT // 2 :]
    return _SPACE.sub("", text).replace('"', "'").replace("this.", "self.")


def masked(text: str, common: Container[str]) -> str:
    """Mask the names that only one side knows."""

    def same(match: re.Match[str]) -> str:
        name = match[0]
        return name if name in common or name in _KEPT or name[0] == "'" else "_"

    return _NAME.sub(same, text)


def logic_of(connective: str, atoms: Iterable[Atom]) -> Logic:
    """Normalize `a and b` and `not (not a or not b)` to one form, in which the first atom by
    name always holds."""
    several = tuple(sorted(set(atoms)))
    if several and not several[0][1]:
        connective = "or" if connective == "and" else "and"
        several = tuple((text, not holds) for text, holds in several)
    return connective, several


def ordered(sign: str, left: str, right: str) -> tuple[Operation, bool]:
    """Return a comparison by size as one with `<`, and whether it must hold."""
    if sign in ("<", ">="):
        return ("<", left, right), sign == "<"
    return ("<", right, left), sign == ">"


def equal(left: str, right: str) -> Operation:
    """Return a symmetric comparison with its operands sorted."""
    return ("==", *sorted((left, right)))


def pairs(before: Program, after: Program) -> Iterator[tuple[str, Unit, Unit]]:
    """Yield each function that both programs have, merged with the helpers that only one side
    knows.

    Such helpers may have been extracted or inlined. Helpers that no shared function leads to are
    merged into the module.
    """
    gone, new = _only(before, after), _only(after, before)
    sides = ((before, gone, set[str]()), (after, new, set[str]()))
    for name in before.units:
        if name != MODULE and name in after.units:
            one, other = (_with(side[0], name, side[1], side[2]) for side in sides)
            yield name, one, other
    rest = []
    for program, only, reached in sides:
        unit = _with(program, MODULE, only, reached)
        rest.append(_merged(unit, [program.units[name] for name in sorted(only - reached)]))
    yield MODULE, rest[0], rest[1]


def _only(one: Program, other: Program) -> set[str]:
    return one.units.keys() - other.units.keys()


def _with(program: Program, name: str, only: set[str], reached: set[str]) -> Unit:
    """Merge a unit with the unmatched units that it leads to, and add these to `reached`."""
    by_name: dict[str, list[str]] = {}
    for each in only:
        by_name.setdefault(short(each), []).append(each)
    found: list[str] = []
    waiting = [program.units[name]]
    while waiting:
        unit = waiting.pop()
        for word in sorted(by_name.keys() & unit.names):
            for each in by_name.pop(word):
                found.append(each)
                waiting.append(program.units[each])
    reached.update(found)
    return _merged(program.units[name], [program.units[each] for each in found])


def _merged(unit: Unit, others: list[Unit]) -> Unit:
    if not others:
        return unit
    whole = deepcopy(unit)
    for each in others:
        whole.merge(each)
    return whole


def united(program: Program) -> Unit:
    """Merge the whole program into one unit."""
    return _merged(Unit(), list(program.units.values()))


def shorts(program: Program) -> set[str]:
    """Return the names of all functions without their classes."""
    return {short(name) for name in program.units}


def short(name: str) -> str:
    """Return the name of a function without its class."""
    return name.rpartition(".")[2].rstrip("'")


_MAX_NAMED = 5
_WRITES_ITSELF = listed("dataclass define attrs NamedTuple namedtuple record Data value")
_CONVENTIONS = listed("""main init constructor new tostring repr str string hash hashcode equals eq
    compareto compare cmp partialcmp lt len iter next drop clone default deref fmt from into enter
    exit call getitem setitem delitem contains close dispose finalize del initialize tos inspect
    deinit hash copy toprimitive display serialize""")
"""Methods that each language names differently or does not need."""
_DUNDER = re.compile(r"__\w+__'*$")
_WITHOUT_TYPES = frozenset({"javascript", "lua", "ruby", "php", "bash", "python"})
_ONLY_CLASSES = frozenset({"java", "csharp", "scala", "kotlin"})
_ACCESS = re.compile(r"^(?:get|set|is|has)(?=.)")


def emptied(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence if the original does something and the result does nothing."""
    if before.size and not after.size:
        yield "The result consists of comments only."


def missing_definitions(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence for missing functions.

    A private function may vanish if nothing calls it or if its callers use a new name.
    """
    defined = _defined(after)
    new = {short(name) for name in after.units} - {short(name) for name in before.units}
    gone = []
    for name, unit in before.units.items():
        last = short(name)
        if name == MODULE or last in defined or (_DUNDER.search(name) and _itself(after)):
            continue
        if not unit.private or _is_missed(last, before, after, new):
            gone.append(last)
    gone += [name for name in before.classes if name not in defined]
    if gone:
        yield f"The result lacks definitions of the original: {_named(gone)}."


def _is_missed(name: str, before: Program, after: Program, new: set[str]) -> bool:
    """Return whether a caller of the function is still there and names nothing new instead."""
    for where, unit in before.units.items():
        other = after.units.get(where)
        calls = name in unit.names and short(where) != name
        if calls and other is not None and not other.names & new:
            return True
    return False


def not_converted(before: Program, after: Program, source: str, target: str) -> Iterator[str]:
    """Yield a sentence for names that the result in another language does not define."""
    defined = {_bare(name) for name in _defined(after)}
    defined |= {_ACCESS.sub("", name) for name in defined}
    gone = [
        short(name)
        for name in before.units
        if name != MODULE
        and not _DUNDER.search(name)
        and _bare(short(name)) not in _CONVENTIONS
        and not {_bare(short(name)), _ACCESS.sub("", _bare(short(name)))} & defined
        and short(name) not in before.classes
    ]
    for name in before.classes:
        methods = [each for each in before.units if each.startswith(f"{name}.")]
        loose = source in _ONLY_CLASSES and all(
            _bare(short(each)) in defined | _CONVENTIONS for each in methods
        )
        if _bare(name) not in defined and not loose and (methods or target not in _WITHOUT_TYPES):
            gone.append(name)
    if gone:
        yield f"The result lacks definitions of the original: {_named(gone)}."


def _defined(program: Program) -> set[str]:
    return {short(name) for name in program.units} | program.classes.keys() | program.fields


def _itself(program: Program) -> bool:
    """Return whether the program uses something that generates methods, such as `dataclass`."""
    return any(not _WRITES_ITSELF.isdisjoint(unit.names) for unit in program.units.values())


def _bare(name: str) -> str:
    """Return a name without the marks of naming conventions, in lowercase."""
    return name.replace("_", "").replace("$", "").rstrip("?!").lower()


def _named(names: list[str]) -> str:
    several = [f"`{name}`" for name in sorted(set(names))]
    more = f" and {len(several) - _MAX_NAMED} more" if len(several) > _MAX_NAMED else ""
    return ", ".join(several[:_MAX_NAMED]) + more
