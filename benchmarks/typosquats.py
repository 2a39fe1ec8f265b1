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
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import msgspec
from typosquat_parts import protecting, samples, training
from typosquat_parts.figures import Known, Share, baseline, folded, halved
from typosquat_parts.samples import RANKED, Pair, Popular, Sample

import codeintel.trust.names
from codeintel.trust.names import ProtectedNames, suspicion
from codeintel.trust.names.model import OTHER, Model, model

NONE: Mapping[str, ProtectedNames] = MappingProxyType({})
_MODEL = Path(codeintel.trust.names.__file__).parent / "data" / "model.json"
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
    made = samples.made(popular)
    known = Known.of(pairs, popular)
    if options.train:
        write(train(pairs, honest, made, known.draws))
    show_baseline(pairs, popular)
    for seed in options.seeds:
        result = folded(pairs, honest, made, known, seed)
        print(f"\nfive folds, seed {seed}")
        show(pairs, result.found, popular)
        show_false(result.false)
        print(" with what they imitate protected")
        show(pairs, result.found_protected, popular)
        show_false(result.false_protected)
    missed = [pair.name for pair, found in zip(pairs, result.found, strict=True) if not found]
    print("  missed", *missed)
    halves = halved(pairs, honest, made)
    print("\nhalves: false positives", *(f"{each} {share}" for each, share in halves.items()))
    show_package(popular)


def train(
    pairs: Sequence[Pair],
    honest: dict[str, list[Sample]],
    made: Sequence[Sample],
    draws: protecting.Draws,
) -> Model:
    """The model of all that there is."""
    every = [sample for each in RANKED for sample in honest[each]]
    fitted = training.fit([*map(samples.to_learn, pairs), *made, *every])
    strictest = max(fitted.thresholds.values())
    limits = {**fitted.thresholds, OTHER: strictest}
    return Model(
        trained=datetime.now(UTC).date().isoformat(),
        method=_METHOD.format(pairs=len(pairs), made=len(made), honest=len(every)),
        false_positives=training.FALSE_POSITIVES,
        threshold=0.5,
        protected=draws.shifts(fitted),
        intercepts={each: -round(limit, 3) for each, limit in sorted(limits.items())},
        coefficients={name: value for name, value in fitted.coefficients.items() if value},
    )


def write(trained: Model) -> None:
    text = msgspec.json.format(msgspec.json.encode(trained), indent=2)
    _MODEL.write_bytes(text + b"\n")
    model.cache_clear()
    print(f"wrote {_MODEL}", file=sys.stderr)


def show_baseline(pairs: Sequence[Pair], popular: Popular) -> None:
    plain = baseline(pairs, popular)
    print("Levenshtein distance 1, the target known")
    show(pairs, plain.known, popular)
    print("Levenshtein distance 1, among ranks 1 to 1,000")
    show(pairs, plain.listed, popular)
    show_false(plain.false)


def show_false(false: dict[str, Share]) -> None:
    print("  false positives", *(f"{each} {share}" for each, share in false.items()))


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


def is_suspicious(
    ecosystem: str, name: str, protected: Mapping[str, ProtectedNames] = NONE
) -> bool:
    found = suspicion(ecosystem, name, protected.get(ecosystem))
    return found is not None and found.suspicious


if __name__ == "__main__":
    main()
