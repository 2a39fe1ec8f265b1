"""Whether the numbers are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.words.reading import Vocabulary

_CUTTING = frozenset({"removesuffix", "removeprefix"})
_TRIVIAL = frozenset({"0", "1", "-1", "0.0", "1.0", "-1.0"})


def changed_numbers(before: Vocabulary, after: Vocabulary, exact: bool) -> Iterator[str]:
    """Yield a sentence for each kind of fault: numbers may be written once instead of often, but
    none may vanish or appear, or take the place of another."""
    old, new = _weighty(before.numbers, exact), _weighty(after.numbers, exact)
    gone, added = old.keys() - new.keys(), new.keys() - old.keys()
    # Parts of a sum or product may be given names, or take the place of such names.
    split = {number for number in gone if _is_made_of(before.parts.get(number), new)}
    joined = {number for number in added if _is_made_of(after.parts.get(number), old)}
    gone -= split.union(*(after.parts[number] for number in joined))
    gone -= _lengths(before, after)
    added -= joined.union(*(before.parts[number] for number in split))
    if gone:
        yield f"{_said(gone, 'of the original', 'missing')}{_line(before, gone)}."
    if added:
        yield f"{_said(added, 'of the result', 'new')}{_line(after, added)}."
    if not gone and not added:
        more = [number for number in old if new[number] > old[number]]
        less = [number for number in old if new[number] < old[number]]
        if more and less:
            yield f"A number has taken the place of another{_line(after, set(more))}."


def _lengths(before: Vocabulary, after: Vocabulary) -> set[str]:
    """Numbers that a call now takes from a text: `x[:-3]` may be `x.removesuffix(".py")`."""
    known = {name.rpartition(".")[2] for name in before.names}
    now = {name.rpartition(".")[2] for name in after.names}
    if not (_CUTTING & now) - known:
        return set()
    lengths = {sum(map(len, text)) for text in after.texts}
    return {sign + str(length) for length in lengths for sign in ("", "-")}


def _weighty(numbers: Counter[str], exact: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for number, times in numbers.items():
        if number not in _TRIVIAL:
            found[number if exact else number.removesuffix(".0")] += times
    return found


def _is_made_of(parts: frozenset[str] | None, numbers: Counter[str]) -> bool:
    return parts is not None and parts - _TRIVIAL <= numbers.keys()


def _said(numbers: set[str], of: str, what: str) -> str:
    several = len(numbers) > 1
    return f"{len(numbers)} numbers {of} are {what}" if several else f"A number {of} is {what}"


def _line(where: Vocabulary, numbers: set[str]) -> str:
    lines = [where.lines[each] for each in numbers if each in where.lines]
    return f" (line {min(lines)})" if lines else ""
