"""Check that functions still compare, compute, return, raise and call the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from codeintel.engine.equivalence.behaviour_heuristics.calls import (
    Known,
    absorbs,
    changed_calls,
    changed_conditions,
    permuted,
    resolved,
)
from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    MODULE,
    Operation,
    Program,
    Unit,
    masked,
    pairs,
    short,
    shorts,
    united,
)

_NEW_SIGNS = {
    # Each operator with the operators and calls that it can replace.
    "*": {"**", "pow", "prod", "repeat"},
    "**": {"*", "pow", "sqrt"},
    "+": {"+1", "extend", "append", "sum", "join", "concat", "format", "push", "update", "add"},
    "-": {"-1", "difference", "negate", "-x", "subtract"},
    "+1": {"+"},
    "-1": {"-"},
    "-x": {"-", "neg", "reverse"},
    "/": {"join", "joinpath", "div", "truediv"},
    "%": {"divmod", "mod", "fmod", "&"},
    "//": {"divmod", "floordiv", ">>"},
    "|": {"update", "union", "copy", "dict", "bitor"},
    "&": {"intersection", "%"},
    "^": {"symmetric_difference"},
    "<<": {"*", "**"},
    ">>": {"//", "/"},
}
_SWAPPED = frozenset({"+", "-", "*", "/", "%", "//", "**", "<<", ">>", "&", "|", "^"})
_EMPTY = frozenset({"[]", "{}", "()", "''", "set()", "list()", "dict()"})
_NOTHING = frozenset({"None", "null", "nil", "undefined"})
_CONSTANTS = frozenset({"True", "False", "true", "false", "0", "1", *_NOTHING})
_Check = Callable[[Unit, Unit, Known], Iterator[str]]


def changed_constants(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence for each named constant whose value changed."""
    for name in sorted(before.constants.keys() & after.constants.keys()):
        if before.constants[name] != after.constants[name]:
            yield f"The value of `{name}` changed."


def changed_operations(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence for each operation that a function gained or lost."""
    old, new = shorts(before), shorts(after)
    words = {name for unit in after.units.values() for name in unit.names}
    for name, one, other in pairs(before, after):
        common = (one.names | {"self"}) & (other.names | {"self"})
        helpers = (new | after.classes.keys()) - old
        known = Known(one, other, before, after, old - new, helpers, words, common)
        faults = _faults(known)
        if name != MODULE:
            for fault in faults:
                yield f"In `{short(name)}`, {fault} (line {other.line})."
        elif faults:  # a function's work can move to module level, such as into a table
            whole = known._replace(one=united(before), other=united(after))
            common = (whole.one.names | {"self"}) & (whole.other.names | {"self"})
            everywhere = _faults(whole._replace(common=common))
            yield from (f"Outside functions, {each}." for each in faults if each in everywhere)


def _faults(known: Known) -> list[str]:
    return [fault for check in _CHECKS for fault in check(known.one, known.other, known)]


def _parameters(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    for name in sorted(one.parameters & other.parameters):
        if not one.used[name] > 0 >= other.used[name]:
            continue
        yield f"`{name}` is no longer used"
    for name in sorted(one.defaults.keys() & other.defaults.keys()):
        old = resolved(one.defaults[name], known.before, known.one)
        new = resolved(other.defaults[name], known.after, known.other)
        if old != new and not (old in _EMPTY and new in _NOTHING):
            yield f"the default of `{name}` changed"


def _comparisons(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    for what, old, new in (
        ("comparison by size", one.orders, other.orders),
        ("comparison", one.equals, other.equals),
        ("test for membership", one.members, other.members),
    ):
        mine = {_mask(each, known) for each in old}
        theirs = {_mask(each, known) for each in new}
        gone, added = mine - theirs, theirs - mine
        if any(permuted(each, mine) for each in added if each[0] == "<"):
            yield f"a {what} is reversed"
            continue
        rough = {_rough(each, known.before, one) for each in old if _mask(each, known) in gone}
        extra = {_rough(each, known.after, other) for each in new if _mask(each, known) in added}
        # The count does not matter, because a variable may have been inlined.
        news = [each for each in extra if each not in rough and not _may_be_new(each, one)]
        if what == "test for membership" and (one.equals or one.ways["Try"] or one.calls["get"]):
            news = []
        if news:
            yield f"a {what} is new"
        elif any(each not in extra for each in rough) and not absorbs(one, other, known):
            yield f"a {what} is missing"


def _may_be_new(operation: Operation, one: Unit) -> bool:
    """Return whether a new comparison can replace code that was not a comparison."""
    if "'__main__'" in operation:
        return True
    nothing = not _NOTHING.isdisjoint(operation)
    defaults = not (_EMPTY | _NOTHING).isdisjoint(one.defaults.values())
    return nothing and (defaults or one.calls["get"] + one.ways["Try"] > 0)


def _mask(operation: Operation, known: Known) -> Operation:
    sign, *parts = operation
    several = [masked(each, known.common) for each in parts]
    return (sign, *(sorted(several) if sign == "==" else several))


def _rough(operation: Operation, program: Program, unit: Unit) -> Operation:
    """Reduce a comparison to its operator and the constants in it."""
    sign, *parts = operation
    several = [resolved(each, program, unit) for each in parts]
    plain = [each if _is_literal(each) else "_" for each in several]
    return (sign, *(sorted(plain) if sign == "==" else plain))


def _is_literal(text: str) -> bool:
    return (
        text[:1] in "'-.0123456789"
        or text in ("True", "False", "true", "false")
        or (text in _NOTHING)
    )


def _arithmetic(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    old, new = one.arithmetic, other.arithmetic
    had = {sign for sign in old if old[sign]} | set(one.calls)
    added = [sign for sign in new if sign not in old and had.isdisjoint(_NEW_SIGNS.get(sign, ()))]
    if any(sign != "+" or not _is_text(one, other) for sign in added):
        yield "a computation is new"
        return
    more = [sign for sign in _SWAPPED if new[sign] > old[sign]]
    less = {sign for sign in _SWAPPED if new[sign] < old[sign]}
    if any(less - _NEW_SIGNS.get(sign, set()) for sign in more):
        yield "one arithmetic operator replaced another"
    elif any(sign not in new for sign in old) and not absorbs(one, other, known):
        yield "a computation is missing"
    mine = Counter(_mask(each, known) for each in one.swappable.elements())
    theirs = Counter(_mask(each, known) for each in other.swappable.elements())
    gone = mine - theirs
    if any(permuted(each, gone) for each in theirs - mine):
        yield "arguments or operands are in another order"


def _is_text(one: Unit, other: Unit) -> bool:
    """Return whether a new sum can be a string that was previously joined in another way."""
    return one.ways["JoinedStr"] > other.ways["JoinedStr"] or one.ways["Starred"] > 0


def _values(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    old, new = one.values, other.values
    added = {value for value in new if value not in old}
    if one.ways["falls"] or "undefined" in old or (not old and not one.ways["returns"]):
        added -= _NOTHING
    if added:
        yield "a new value is returned or assigned"
        return
    more = [value for value in old if new[value] > old[value] and value not in _NOTHING]
    less = [value for value in old if new[value] < old[value] and value not in _NOTHING]
    if more and less:
        yield "one value replaced another"
    if _returns_less(one, other, known) and not absorbs(one, other, known):
        yield "a return value is missing"
    numbers = [value for value in less if value not in new and value[-1:].isdigit()]
    if numbers and not absorbs(one, other, known):
        yield "a value is no longer returned or assigned"
    given = {each[:2]: each for each in one.arguments if each not in other.arguments}
    if any(each[:2] in given for each in other.arguments if each not in one.arguments):
        yield "another value is passed to a function"


def _returns_less(one: Unit, other: Unit, known: Known) -> bool:
    """Return whether a returned value vanished without a replacement."""
    if other.ways["given"] - other.values["None"] >= one.ways["given"] - one.values["None"]:
        return False
    kept = {masked(leaf, known.common) for leaf in other.leaves}
    return any(
        leaf.startswith("return ")
        and leaf.removeprefix("return ") not in _CONSTANTS
        and masked(leaf, known.common) not in kept
        for leaf in one.leaves
    )


def _exceptions(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    old, new = _named(one.raised), _named(other.raised)
    if new - old:
        yield "a new exception is raised"
    elif old - new - ({"NotImplementedError"} if "abstractmethod" in known.words else set()):
        yield "an exception is no longer raised"
    old, new = _named(one.caught), _named(other.caught)
    free = _OLD_PYTHON | (_LOOKUPS if absorbs(one, other, known) else set())
    if new - old or old - new - free:
        yield "other exceptions are caught"


_OLD_PYTHON = frozenset({"ImportError", "ModuleNotFoundError", "NameError"})
_LOOKUPS = frozenset({"KeyError", "AttributeError", "IndexError", "StopIteration"})
_ALIASES = {"IOError": "OSError", "EnvironmentError": "OSError", "WindowsError": "OSError"}


def _named(names: Counter[str]) -> set[str]:
    """Return the exception types, without variables that are raised again."""
    return {_ALIASES.get(name, name) for name in names if name[:1].isupper() or name == "timeout"}


_CHECKS: tuple[_Check, ...] = (
    *(_parameters, _comparisons, _arithmetic, _values, _exceptions, changed_conditions),
    changed_calls,
)
