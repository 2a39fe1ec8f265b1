"""Whether functions still call what they called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codeintel.engine.equivalence.behaviour_heuristics.operations import Unit, masked
from codeintel.engine.equivalence.behaviour_heuristics.replaced import Known, absorbs, new_calls
from codeintel.engine.equivalence.behaviour_heuristics.words.reading import listed

_FREE = listed("""getattr setattr list dict set tuple str format keys bool len range iter super
    object type String toString valueOf intValue iterator collect into to_string
    clone stream then size length count __init__ Array Object hasOwnProperty indexOf
    concat call bind""")
"""What may be left out with nothing in its place: other code says the same."""
_PLAIN = listed("""append extend add insert push push_back put set get items update setdefault
    close acquire release split repr keys values join format enumerate zip map
    filter reduce sum max min any all isinstance hasattr getattr next iter int
    float abs sort reverse has_key isset array_key_exists assign copy startswith
    endswith forEach slice splice charAt substring substr equals each collect
    Sprintf sprintf apply""")
"""What a comprehension, a `with`, or other such code may stand for."""
_ASKING = listed("containsKey ContainsKey contains has hasOwnProperty has_key")
_CHANGING = listed("""clear popitem remove insert reverse discard delete destroy drop truncate reset
    shutdown terminate retainAll removeAll splice shift unshift setattr delattr""")


_CALLEE = re.compile(r"([\w$]+)\(")
_OPPOSITES = [
    each.split("/")
    for each in listed("""any/all some/every min/max ceil/floor startswith/endswith
        startsWith/endsWith lower/upper
        toLowerCase/toUpperCase lstrip/rstrip trimStart/trimEnd first/last push/pop lock/unlock
        encode/decode add/remove add/discard increment/decrement union/intersection
        isdisjoint/issubset issubset/issuperset start/stop open/close enable/disable show/hide
        shift/pop unshift/push head/tail before/after isBefore/isAfter find/findLast
        indexOf/lastIndexOf find/rfind index/rindex match/search match/fullmatch
        search/fullmatch""")
]


def changed_calls(one: Unit, other: Unit, known: Known) -> Iterator[str]:
    """Yield a sentence for calls that are gone with nothing that may stand for them, and for new
    ones that change what they are given."""
    gone = one.calls.keys() - other.calls.keys() - _FREE
    # A helper of its own whose name is gone was put in, or has another name.
    gone -= known.gone
    plain = gone & _PLAIN
    weighty = gone - _PLAIN - {"?"}
    if weighty:
        weighty -= other.names  # given to another function, as `map(f, xs)` is
    if len(other.equals) > len(one.equals):
        weighty -= _ASKING  # what is looked up may be compared with `null` instead
    fresh = len(new_calls(known))
    too_many = len(weighty) > fresh + (fresh > 0)  # one may do what two did
    if too_many or (plain and not weighty and not absorbs(one, other, known)):
        yield "something is not called any more"
    added = other.calls.keys() - one.calls.keys()
    if any(len({*pair} & gone) == len({*pair} & added) == 1 for pair in _OPPOSITES):
        yield "the opposite of something is called"
    if _fewer(one, other, known) and not absorbs(one, other, known):
        yield "something is called less often"
    changing = (other.calls.keys() - one.calls.keys()) & _CHANGING
    if changing and not (one.ways["del"] or gone):
        yield "something is called that changes what it is given"


def _fewer(one: Unit, other: Unit, known: Known) -> bool:
    """Whether of several calls that are statements one is gone."""
    left = {masked(leaf, known.common) for leaf in other.leaves}
    for leaf in one.leaves:
        callee = _CALLEE.search(leaf) if leaf[-1:] == ")" else None
        name = callee[1] if callee else ""
        fewer = name and 0 < other.calls[name] < one.calls[name] and name not in _FREE
        if fewer and masked(leaf, known.common) not in left:
            return True
    return False
