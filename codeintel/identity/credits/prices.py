"""What operations cost, in whole credits."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.contracts import Model

LONG_CODE_CHARACTERS = 20_000
LONG_CODE_SURCHARGE = 1
ANALYSIS = {Model.FLASH: 1, Model.PRO: 2}
ANALYSIS_LEAST = 1
TRANSFORMATION = {Model.FLASH: 2, Model.PRO: 3}
TRANSFORMATION_LEAST = 2
TRANSFORMATION_MOST = 5
REPOSITORY = ((50, 2), (200, 3), (1_000, 4))
"""Up to so many files a repository analysis costs so much."""
REPOSITORY_MOST = 5


class Price(NamedTuple):
    """`full` for finished work and reserved at the start; `least` for work cut short."""

    full: int
    least: int


def analysis_price(model: Model, characters: int) -> Price:
    """The price of an analysis: by model, and one more above 20,000 characters."""
    surcharge = LONG_CODE_SURCHARGE if characters > LONG_CODE_CHARACTERS else 0
    return Price(ANALYSIS[model] + surcharge, ANALYSIS_LEAST)


def transformation_price(model: Model, characters: int, surcharge: int) -> Price:
    """The price of a transformation: by model, the kind's surcharge, and one more above 20,000
    characters; at most 5."""
    long = LONG_CODE_SURCHARGE if characters > LONG_CODE_CHARACTERS else 0
    full = TRANSFORMATION[model] + surcharge + long
    return Price(min(full, TRANSFORMATION_MOST), TRANSFORMATION_LEAST)


def repository_price(files: int) -> int:
    """The price of a repository analysis, by the number of files that are analysed. Where there is
    nothing to analyse it costs nothing."""
    if files < 1:
        return 0
    return next((price for most, price in REPOSITORY if files <= most), REPOSITORY_MOST)
