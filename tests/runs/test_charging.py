"""The price of a run, by its outcome."""

from __future__ import annotations

import pytest

from codeintel.contracts.states import RunState
from codeintel.identity.ledger import Price
from codeintel.runs.run import cost

FULL, LEAST = 7, 3


@pytest.mark.parametrize(
    ("state", "nothing", "output", "result"),
    [
        (RunState.COMPLETED, FULL, FULL, FULL),
        (RunState.INCOMPLETE, LEAST, LEAST, FULL),
        (RunState.CANCELLED, 0, LEAST, FULL),
        (RunState.FAILED, 0, 0, FULL),
    ],
)
def test_cost(state: RunState, nothing: int, output: int, result: int) -> None:
    price = Price(FULL, LEAST)
    assert cost(state, price, has_result=False, has_output=False) == nothing
    assert cost(state, price, has_result=False, has_output=True) == output
    assert cost(state, price, has_result=True, has_output=True) == result
    assert cost(state, price, has_result=True, has_output=False) == result
