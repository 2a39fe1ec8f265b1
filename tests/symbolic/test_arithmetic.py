"""The limits of a result hold for all results."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from codeintel.engine.dataflow.tree import Span, parse
from codeintel.engine.symbolic.expressions.arithmetic import compute
from codeintel.engine.symbolic.find import HANDLERS
from codeintel.engine.symbolic.machine import Frame, Machine
from codeintel.engine.symbolic.reading.file import read_file
from codeintel.engine.symbolic.syntax import Binary, CType, Number, Var
from codeintel.engine.symbolic.values.polynomials import Poly, symbol
from codeintel.engine.symbolic.values.state import State
from codeintel.engine.symbolic.values.types import operate

HERE = Span(0, 1)
OPERATIONS = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]


def machine() -> Machine:
    """Return a machine that executes a function which has a number `n`."""
    source = read_file(parse("void f(int n) {}", "c"), "c")
    assert source is not None
    made = Machine(source, time.monotonic() + 60, HANDLERS)
    made.limit = 10_000
    made.frames = [Frame(source.functions["f"], "f/", types={"n": CType("int")})]
    return made


def limits(op: str, least: int, most: int, amount: int) -> tuple[int | None, int | None]:
    """Return the limits of `n op amount` where `n` is from `least` to `most`."""
    state = State()
    executing = machine()
    number = executing.fresh(state, "n", low=least, high=most)
    expr = Binary(HERE, op, Var(HERE, "n"), Number(HERE, amount))
    found = compute(executing, state, expr, number, Poly(amount))
    assert isinstance(found, Poly)
    return state.lower(found), state.upper(found)


@given(
    st.sampled_from(OPERATIONS),
    st.integers(-300, 300),
    st.integers(0, 300),
    st.integers(-20, 300),
    st.data(),
)
def test_limits_hold(op: str, least: int, size: int, amount: int, data: st.DataObject) -> None:
    low, high = limits(op, least, least + size, amount)
    number = data.draw(st.integers(least, least + size))
    result = operate(op, number, amount)
    if result is not None:
        assert low is None or low <= result
        assert high is None or result <= high


@pytest.mark.parametrize(
    ("op", "least", "most", "amount", "wanted"),
    [
        ("+", 0, 9, 5, (5, 14)),
        ("-", 0, 9, 5, (-5, 4)),
        ("*", 0, 9, 4, (0, 36)),
        ("/", 0, 99, 10, (0, 9)),
        ("%", 0, 99, 10, (0, 9)),
        ("%", -99, 99, 10, (-9, 9)),
        ("&", -99, 99, 15, (0, 15)),
        ("|", 0, 8, 3, (0, 15)),
        (">>", 0, 255, 4, (0, 15)),
        ("<<", 0, 15, 4, (0, 240)),
    ],
)
def test_limits_are_as_narrow_as_can_be_told(
    op: str, least: int, most: int, amount: int, wanted: tuple[int, int]
) -> None:
    assert limits(op, least, most, amount) == wanted


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("amount", [0, -1, 64, 10**9, 2**64])
def test_great_amounts_cost_nothing(op: str, amount: int) -> None:
    limits(op, 0, 10, amount)


def test_a_remainder_is_less_than_what_was_divided_by() -> None:
    state = State()
    executing = machine()
    number = executing.fresh(state, "n", low=0)
    executing.fresh(state, "m", low=1, high=10)
    expr = Binary(HERE, "%", Var(HERE, "n"), Var(HERE, "m"))
    found = compute(executing, state, expr, number, symbol("m"))
    assert isinstance(found, Poly)
    assert (state.lower(found), state.upper(found)) == (0, 9)
