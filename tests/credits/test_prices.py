"""The price of an analysis."""

from __future__ import annotations

import pytest

from codeintel.contracts import Model
from codeintel.identity.ledger import analysis_price, repository_price


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


@pytest.mark.parametrize(
    ("files", "price"),
    [(0, 0), (1, 2), (50, 2), (51, 3), (200, 3), (201, 4), (1_000, 4), (1_001, 5), (2_000, 5)],
)
def test_prices_of_repositories(files: int, price: int) -> None:
    assert repository_price(files) == price
