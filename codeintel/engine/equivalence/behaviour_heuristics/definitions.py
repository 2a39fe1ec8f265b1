"""Whether the functions and classes of the original are in the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.operations import MODULE, Program
from codeintel.engine.equivalence.behaviour_heuristics.words.reading import listed
from codeintel.engine.equivalence.behaviour_heuristics.words.units import short

_MAX_NAMED = 5
_WRITES_ITSELF = listed("dataclass define attrs NamedTuple namedtuple record Data value")
_CONVENTIONS = listed("""main init constructor new tostring repr str string hash hashcode equals eq
    compareto compare cmp partialcmp lt len iter next drop clone default deref fmt from into enter
    exit call getitem setitem delitem contains close dispose finalize del initialize tos inspect
    deinit hash copy toprimitive display serialize""")
"""Methods that each language has another name for, or need not have."""
_DUNDER = re.compile(r"__\w+__'*$")
_WITHOUT_TYPES = frozenset({"javascript", "lua", "ruby", "php", "bash", "python"})
_ONLY_CLASSES = frozenset({"java", "csharp", "scala", "kotlin"})
_ACCESS = re.compile(r"^(?:get|set|is|has)(?=.)")


def emptied(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence if the result does nothing, and the original does."""
    if before.size and not after.size:
        yield "The result has nothing but comments."


def missing_definitions(before: Program, after: Program) -> Iterator[str]:
    """Yield a sentence for functions that are gone. A private one may be that nobody calls, or that
    has another name wherever it was called."""
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
        yield f"Definitions of the original are not in the result: {_named(gone)}."


def _is_missed(name: str, before: Program, after: Program, new: set[str]) -> bool:
    """Whether what called a function is still there, and calls nothing new in its place."""
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
        yield f"What the original defines is not in the result: {_named(gone)}."


def _defined(program: Program) -> set[str]:
    return {short(name) for name in program.units} | program.classes.keys() | program.fields


def _itself(program: Program) -> bool:
    """Whether there is something that writes methods by itself."""
    return any(not _WRITES_ITSELF.isdisjoint(unit.names) for unit in program.units.values())


def _bare(name: str) -> str:
    """A name as it is in all conventions."""
    return name.replace("_", "").replace("$", "").rstrip("?!").lower()


def _named(names: list[str]) -> str:
    several = [f"`{name}`" for name in sorted(set(names))]
    more = f" and {len(several) - _MAX_NAMED} more" if len(several) > _MAX_NAMED else ""
    return ", ".join(several[:_MAX_NAMED]) + more
