"""What an analysis costs."""

from __future__ import annotations

import pytest

from codeintel.contracts import Model
from codeintel.credits.prices import analysis_price


@pytest.mark.parametrize(
    ("model", "characters", "full"),
    [
        (Model.FLASH, 1, 1),
        (Model.FLASH, 20_000, 1),
        (Model.FLASH, 20_001, 2),
        (Model.PRO, 1, 2),
        (Model.PRO, 20_000, 2),
        (Model.PRO, 20_001, 3),
        (Model.PRO, 100_000, 3),
    ],
)
def test_prices(model: Model, characters: int, full: int) -> None:
    assert analysis_price(model, characters) == (full, 1)
