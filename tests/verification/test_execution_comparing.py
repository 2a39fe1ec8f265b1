"""The evaluation of the sandboxes' output, true or forged."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox.comparing import SILENT, compared
from codeintel.engine.sandbox.records import InterferenceError, Record, lines, recorded

PASSED, FAILED, OPEN = CheckStatus.PASSED, CheckStatus.FAILED, CheckStatus.NOT_APPLICABLE


def record(outcomes: dict[str, dict[int, Any]] | None = None, **more: Any) -> Record:
    """Return a run that loaded, and finished by default."""
    found = {"f": {0: ("value", "a"), 1: ("raised", "b")}} if outcomes is None else outcomes
    given_ = {"load": ("value", SILENT), "finished": True, "seconds": 0.1, **more}
    return Record(outcomes=found, sorts=dict.fromkeys(found, "function"), **given_)


@pytest.mark.parametrize(
    ("result", "status", "said"),
    [
        (record(), PASSED, "called 2 times with the same values (1 call raised an exception)"),
        (record({"f": {0: ("value", "x"), 1: ("raised", "b")}}), FAILED, "`f`"),
        (record({"f": {0: ("raised", "a"), 1: ("raised", "b")}}), FAILED, "`f`"),
        (record({"f": {0: ("time", ""), 1: ("raised", "b")}}), FAILED, "`f`"),
        (record({"f": {0: ("value", "a")}}), PASSED, "called 1 times"),  # no time for the other
        (record({}, left=["f"]), OPEN, "1 that could not be called"),
        (record(load=("raised", "-")), FAILED, "when it is loaded"),
        (record(load=("value", "+")), FAILED, "prints other output"),
        (record({}, load=None, finished=False), FAILED, "when it is loaded"),
        (record({}, finished=False, begun="f"), FAILED, "in `f`"),
        (record({}, finished=False, begun="f", killed=True, seconds=2.0), FAILED, "in `f`"),
        (record({}, finished=False, begun="f", killed=True, seconds=0.4), OPEN, "not enough time"),
    ],
)
def test_results(result: Record, status: CheckStatus, said: str) -> None:
    found = compared(record(), record(), result)
    assert found.status is status, found.text
    assert said in found.text


def test_chance_is_not_compared() -> None:
    one, other = record({"f": {0: ("value", "a")}}), record({"f": {0: ("value", "b")}})
    found = compared(one, other, record({"f": {0: ("value", "c")}}))
    assert found.status is OPEN
    assert "1 that differ from run to run" in found.text


def test_calls_that_only_raise_say_nothing() -> None:
    found = {"f": {0: ("raised", "a")}}
    assert compared(record(found), record(found), record(found)).status is OPEN


BAD = [
    b"nothing\n",
    b"[]\n",
    b'{"what": 5}\n',
    b'{"what": "end", "name": "a b"}\n',
    b'{"what": "end", "name": "%s"}\n' % (b"a" * 300),
    b'{"what": "loaded", "error": "Error: the text"}\n',
    b'{"what": "end", "outcomes": [[1]]}\n',
    b'{"what": "end", "target": ' + b"[" * 5000 + b"]" * 5000 + b"}\n",
    b'{"what": "begin"}\n' * 6000,
    b"\xff\n",
]


@pytest.mark.parametrize("output", BAD)
def test_what_the_harness_does_not_say(output: bytes) -> None:
    with pytest.raises(InterferenceError):
        lines(output)


@pytest.mark.parametrize(
    "said",
    [
        [{"what": "begin", "name": "f"}, {"what": "end", "name": "g"}],
        [{"what": "loaded"}, {"what": "loaded"}],
        [{"what": "begin", "name": "f"}, {"what": "end", "name": "f"}],
        [{"what": "something"}],
    ],
)
def test_what_does_not_fit_together(said: list[dict[str, Any]]) -> None:
    output = "".join(f"{json.dumps(each)}\n" for each in said).encode()
    with pytest.raises(InterferenceError):
        recorded(lines(output), None, 0.1, killed=False)


def test_the_last_line_may_be_cut_off() -> None:
    assert [each.what for each in lines(b'{"what":"begin","name":"f"}\n{"what":"e')] == ["begin"]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_anything_may_be_said(output: bytes) -> None:
    with suppress(InterferenceError):
        recorded(lines(output), None, 0.1, killed=False)
