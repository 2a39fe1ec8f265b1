"""Measure how well the comparison of names separates imitations from honest names.

    python benchmarks/typosquats.py NAMES PAIRS [--train] [--seeds 1 2 3]

NAMES is a CSV of names by downloads (`ecosystem,rank,name`, for npm and pypi). The names of ranks 1
to 1,000 are in the package, and the others are its honest names. PAIRS is a CSV of imitations
(`ecosystem,name,target`).

Prints five results: what five folds of both find, each fold judged by a model of the other four;
the same if the targets of PAIRS are protected; the false positives if the model learns from every
second honest name; the result of Levenshtein distance 1; and the publicly reported imitations that
the package's model finds, which are never used for training. Also prints the time per name.

`--train` fits the model to all of both and writes it to the package first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec
from typosquat_parts import protecting, samples, training
from typosquat_parts.figures import Material, folded, halved
from typosquat_parts.samples import RANKED
from typosquat_parts.shown import show_baseline, show_found, show_package, show_sizes, shown_shares

import codeintel.trust.names
from codeintel.trust.names.weighing import Model, model

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
    print("\nhalves: false positives", *shown_shares(halved(material)))
    show_package(popular)
    show_sizes(popular)


def train(material: Material) -> Model:
    """Fit the model to all pairs and names."""
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


if __name__ == "__main__":
    main()
