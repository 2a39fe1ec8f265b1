"""A finding as lines of text."""

from __future__ import annotations

from typing import Any

import pytest

from codeintel.cli.render import FindingText

PLACE = {"startLine": 3, "startColumn": 7, "endLine": 3, "endColumn": 9}
FINDING: dict[str, Any] = {
    "ruleId": "S608",
    "severity": "high",
    "cwe": "CWE-89",
    "message": "Joined.",
    "range": PLACE,
}
LINE = "a.py:3:7  high      S608 CWE-89  Joined."


def lines(width: int | None = None, **more: Any) -> list[str]:
    return FindingText("a.py", width=width).lines({**FINDING, **more}).splitlines()


def test_the_weakness() -> None:
    assert lines() == [LINE]
    assert lines(cwe=None) == ["a.py:3:7  high      S608  Joined."]


def test_the_way_of_a_value() -> None:
    flow = [
        {"kind": "source", "range": {"startLine": 1, "startColumn": 2}, "message": "typed"},
        {"kind": "sink", "range": PLACE, "message": "run"},
    ]
    assert lines(flow=flow) == [LINE, "    via a.py:1:2 typed", "    via a.py:3:7 run"]


def test_the_remedy_stands_with_the_first_that_it_is_for() -> None:
    text = FindingText("a.py")
    shown = [text.lines({**FINDING, "remedy": remedy}) for remedy in ("Bind.", "Bind.", "Stop.")]
    assert shown == [f"{LINE}\n    fix: Bind.\n", f"{LINE}\n", f"{LINE}\n    fix: Stop.\n"]


def test_the_comment_that_asks_to_ignore_it() -> None:
    assert lines(suppression={"comment": "nosec", "line": 3}) == [f"{LINE}  [nosec on line 3]"]


@pytest.mark.parametrize("value", [None, 1, "text", {}, {"comment": "nosec"}, {"line": 3}, [1]])
def test_what_is_no_suppression(value: Any) -> None:
    assert lines(suppression=value) == [LINE]


def test_lines_below_go_on_in_the_next_one() -> None:
    remedy = "Hand the values over as parameters of the query and leave joining to the driver."
    assert lines(60, remedy=remedy)[1:] == [
        "    fix: Hand the values over as parameters of the query and",
        "        leave joining to the driver.",
    ]
    assert lines(20, remedy=remedy)[1:] == [f"    fix: {remedy}"]


def test_nothing_acts_on_the_terminal() -> None:
    evil = "\x1b]0;title\x07\n\u202efake:1:1"
    shown = FindingText("a.py").lines(
        {
            **dict.fromkeys(("ruleId", "severity", "cwe", "message", "remedy"), evil),
            "flow": [{"message": evil}],
            "suppression": {"comment": evil, "line": 1},
        }
    )
    assert not set("\x1b\x07\u202e") & set(shown)
    assert len(shown.splitlines()) == 3


@pytest.mark.parametrize("value", [None, 1, "text", [1], {"a": 1}, True])
def test_values_of_another_shape_do_no_harm(value: Any) -> None:
    for name in ("ruleId", "cwe", "message", "range", "flow", "remedy", "suppression"):
        assert lines(**{name: value})[0].startswith("a.py:")
