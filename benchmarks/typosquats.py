"""How well the comparison of names tells imitations from honest names.

    python benchmarks/typosquats.py NAMES PAIRS [--train] [--seeds 1 2 3]

NAMES is a CSV of names by downloads (`ecosystem,rank,name`; npm and pypi): those of ranks 1 to
1,000 are in the package, and the others are its honest names. PAIRS is a CSV of imitations
(`ecosystem,name,target`). Prints what five folds of both find, each fold judged by a model of the
other four, and what they find where the names that PAIRS imitate are protected; false positives
where every second honest name is learnt from; Levenshtein distance 1 beside it; what the model of
the package finds among imitations that were reported in public, which nothing is trained on; and
the time for a name.

`--train` fits the model to all of both and writes it to the package first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec
from typosquat_parts import protecting, samples, training
from typosquat_parts.baseline import baseline
from typosquat_parts.figures import Found, Material, Share, folded, halved
from typosquat_parts.samples import RANKED, Pair, Popular

import codeintel.trust.names
from codeintel.trust.names import ProtectedNames, suspicion
from codeintel.trust.names.model import Model, model

NONE: Mapping[str, ProtectedNames] = MappingProxyType({})
_MODEL = Path(codeintel.trust.names.__file__).parent / "data" / "model.json"
SIZES = (0, 30, 100, 300, 1000, 3000)
_METHOD = (
    "Logistic regression with a quadratic penalty, shifted towards recall at the share of false"
    " positives (benchmarks/typosquats.py --train), on {pairs} known imitations,"
    " {made} made by machine at a twentieth of their weight, and {honest} names of ranks 1,001 to"
    " 5,000 of npm and PyPI."
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--train", action="store_true", help="and write the model")
    parser.add_argument("--seeds", type=int, nargs="+", default=(1, 2, 3), help="of the folds")
    options = parser.parse_args()
    popular, pairs = samples.read_popular(options.names), samples.read_pairs(options.pairs)
    honest = {each: samples.honest(each, popular.others[each]) for each in RANKED}
    draws = protecting.Draws.of(popular)
    material = Material(pairs, popular.others, honest, samples.made(popular), draws)
    if options.train:
        write(train(material))
    show_baseline(pairs, popular)
    for seed in options.seeds:
        found, found_protected = folded(material, seed)
        print(f"\nfive folds, seed {seed}")
        show_found(found, pairs, popular)
        print(" with what they imitate protected")
        show_found(found_protected, pairs, popular)
    print("\nhalves: false positives", *_shares(halved(material)))
    show_package(popular)
    show_sizes(popular)


def train(material: Material) -> Model:
    """The model of all that there is."""
    pairs, made = material.pairs, material.made
    every = [sample for each in RANKED for sample in material.honest[each]]
    fitted = training.fit([*map(samples.to_learn, pairs), *made, *every])
    method = _METHOD.format(pairs=len(pairs), made=len(made), honest=len(every))
    return fitted.model(material.draws.shifts(fitted), method)


def write(trained: Model) -> None:
    text = msgspec.json.format(msgspec.json.encode(trained), indent=2)
    _MODEL.write_bytes(text + b"\n")
    model.cache_clear()
    print(f"wrote {_MODEL}", file=sys.stderr)


def show_baseline(pairs: Sequence[Pair], popular: Popular) -> None:
    plain = baseline(pairs, popular)
    print("Levenshtein distance 1, the target known")
    show(pairs, plain.known, popular)
    print("  false positives", *_shares(plain.false_known))
    print("Levenshtein distance 1, among ranks 1 to 1,000")
    show(pairs, plain.listed, popular)
    print("  false positives", *_shares(plain.false))


def show_found(found: Found, pairs: Sequence[Pair], popular: Popular) -> None:
    show(pairs, found.pairs, popular)
    print("  the right target told", found.named)
    print("  false positives", *_shares(found.false))
    print("  missed", *(pair.name for pair, hit in zip(pairs, found.pairs, strict=True) if not hit))


def _shares(shares: Mapping[str, Share]) -> Iterator[str]:
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
    """What the model of the package does, through its public function."""
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
    """What the number of protected names, which are drawn from honest ones, changes in the mean of
    the draws: how many other honest names are suspicious, and how many reported imitations are
    whose targets are protected too."""
    print("\nby the number of protected names")
    for each in RANKED:
        names = popular.others[each]
        pairs = [pair for pair in samples.reported() if pair.registry == each]
        targets = [pair.target for pair in pairs]
        for size in SIZES:
            lists = protecting.drawn_lists(each, names, size)
            more = protecting.drawn_lists(each, names, size, targets)
            others = [(one, name) for one in lists for name in names[::10] if not one.has(name)]
            false = Share.of(is_suspicious(each, name, {each: one}) for one, name in others)
            found = Share.of(
                is_suspicious(each, pair.name, {each: one}) for one in more for pair in pairs
            )
            print(f"  {each}: {size}, false positives {false}, recall {found}")


def is_suspicious(
    ecosystem: str, name: str, protected: Mapping[str, ProtectedNames] = NONE
) -> bool:
    found = suspicion(ecosystem, name, protected.get(ecosystem))
    return found is not None and found.suspicious


if __name__ == "__main__":
    main()
