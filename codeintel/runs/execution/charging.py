"""What a run costs, by how it ended."""

from __future__ import annotations

from codeintel.contracts.run_states import RunState
from codeintel.identity.credits.prices import Price


def cost(
    state: RunState,
    price: Price,
    *,
    has_result: bool,
    has_output: bool,
    is_mostly_sent: bool = False,
) -> int:
    """Credits that the work is worth.

    Whoever got the result pays the price, however the run ended, and so does who cancels when half
    of the longest answer was sent. Work cut short at a bound costs the least price, and so does a
    cancelled run of which something was sent. Failures are free.

    :param has_result: whether the `result` event was sent.
    :param has_output: whether any `output.delta`, `finding` or `result` was sent.
    :param is_mostly_sent: whether half of the longest answer that the engine may give was sent.
    """
    if has_result or state is RunState.COMPLETED:
        return price.full
    if state is RunState.CANCELLED and is_mostly_sent:
        return price.full
    if state is RunState.INCOMPLETE or (state is RunState.CANCELLED and has_output):
        return price.least
    return 0
