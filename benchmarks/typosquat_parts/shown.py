"""Print the results."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from codeintel.trust.names import ProtectedNames, suspicion
from typosquat_parts import protecting, samples
from typosquat_parts.baseline import baseline
from typosquat_parts.figures import Found, Share
from typosquat_parts.samples import RANKED, Pair, Popular

_SIZES = (0, 30, 100, 300, 1000, 3000)
_NONE: Mapping[str, ProtectedNames] = MappingProxyType({})


def show_baseline(pairs: Sequence[Pair], popular: Popular) -> None:
    plain = baseline(pairs, popular)
    print("Levenshtein distance 1, the target known")
    show(pairs, plain.known, popular)
    print("  false positives", *shown_shares(plain.false_known))
    print("Levenshtein distance 1, among ranks 1 to 1,000")
    show(pairs, plain.listed, popular)
    print("  false positives", *shown_shares(plain.false))


def show_found(found: Found, pairs: Sequence[Pair], popular: Popular) -> None:
    show(pairs, found.pairs, popular)
    print("  the right target told", found.named)
    print("  false positives", *shown_shares(found.false))
    print("  missed", *(pair.name for pair, hit in zip(pairs, found.pairs, strict=True) if not hit))


def shown_shares(shares: Mapping[str, Share]) -> Iterator[str]:
    return (f"{each} {share}" for each, share in shares.items())


def show(pairs: Sequence[Pair], found: Sequence[bool], popular: Popular) -> None:
    """The recall by ecosystem, and of the pairs whose target is among the names that are known."""

    listed = [samples.is_listed(pair, popular) for pair in pairs]
    seen = list(zip(pairs, listed, found, strict=True))

    def row(registry: str | None) -> str:
        own = [one for one in seen if registry in (None, one[0].registry)]
        every, known = Share.of(hit for *_, hit in own), Share.of(hit for _, has, hit in own if has)
        return f"recall {every}, with the target in the list {known}"

    print(f"  {row(None)}")
    for each in dict.fromkeys(pair.registry for pair in pairs):
        print(f"    {each}: {row(each)}")


def show_package(popular: Popular) -> None:
    """Print the results of the package's model, through its public function."""
    pairs = samples.reported()
    found = [is_suspicious(pair.registry, pair.name) for pair in pairs]
    print("\nreported in public, never trained on")
    show(pairs, found, popular)
    print("  missed", *(pair.name for pair, hit in zip(pairs, found, strict=True) if not hit))
    lists = protecting.protecting(pairs)
    print(" with what they imitate protected")
    show(pairs, [is_suspicious(one.registry, one.name, lists) for one in pairs], popular)
    for each in RANKED:
        start = time.perf_counter()
        false = Share.of(is_suspicious(each, name) for name in popular.others[each])
        took = (time.perf_counter() - start) / len(popular.others[each])
        print(f"{each}: {took * 1e6:.0f} µs for a name, false positives {false}")


def show_sizes(popular: Popular) -> None:
    """Print how the number of protected names changes the results, as means of several draws.

    The names are drawn from honest names. The results are the share of other honest names that are
    suspicious, and the share of reported imitations found if their targets are protected, too.
    """
    print("\nby the number of protected names")
    for each in RANKED:
        names = popular.others[each]
        pairs = [pair for pair in samples.reported() if pair.registry == each]
        targets = [pair.target for pair in pairs]
        for size in _SIZES:
            lists = protecting.drawn_lists(each, names, size)
            more = protecting.drawn_lists(each, names, size, targets)
            others = [(one, name) for one in lists for name in names[::10] if not one.has(name)]
            false = Share.of(is_suspicious(each, name, {each: one}) for one, name in others)
            found = Share.of(
                is_suspicious(each, pair.name, {each: one}) for one in more for pair in pairs
            )
            print(f"  {each}: {size}, false positives {false}, recall {found}")


def is_suspicious(
    ecosystem: str, name: str, protected: Mapping[str, ProtectedNames] = _NONE
) -> bool:
    found = suspicion(ecosystem, name, protected.get(ecosystem))
    return found is not None and found.suspicious
