"""Differences as a unified diff."""

from __future__ import annotations

import random

import pytest

from codeintel.engine.equivalence import diffs
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.diffs import NO_NEWLINE, unified


def diff(before: str, after: str) -> str:
    return unified(Comparison(before=before, after=after, language="x", target="x"))


def applied(before: str, text: str) -> str:
    """Return the code after applying a patch by its line numbers."""
    old = before.split("\n")
    old = [f"{line}\n" for line in old[:-1]] + ([old[-1]] if old[-1] else [])
    new: list[str] = []
    at = 0
    for line in text.replace(f"\n{NO_NEWLINE}", "\0").replace("\n", "\n\1").split("\1")[2:]:
        for part in line.replace("\0", "\0\1").split("\1"):
            kind, rest = part[:1], part[1:].replace("\0", "")
            if kind == "@":
                start, _, count = part.split()[1][1:].partition(",")
                begin = int(start) - (count != "0")
                new += old[at:begin]
                at = begin
            elif kind in (" ", "-"):
                assert old[at] == rest
                new += [rest] if kind == " " else []
                at += 1
            elif kind == "+":
                new.append(rest)
    return "".join(new + old[at:])


@pytest.mark.parametrize("pairs", [0, diffs.MAX_PAIRS])
@pytest.mark.parametrize("seed", range(60))
def test_a_diff_makes_the_new_code_of_the_old(
    seed: int, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diffs, "MAX_PAIRS", pairs)
    chosen = random.Random(seed)
    lines = [
        chosen.choice(["a\n", "b\n", "c\rd\n", "@@ -1,2 +3 @@\n", "\n", "\x0c\n"])
        for _ in range(chosen.randrange(30))
    ]
    before = "".join(lines)
    for _ in range(3):
        place = chosen.randrange(len(lines) + 1)
        lines[place : place + chosen.randrange(2)] = [chosen.choice(["a\n", "z\n"])]
    after = "".join(lines)[: chosen.choice([-1, None])]
    assert applied(before, diff(before, after)) == after


def test_a_diff_shows_what_differs_with_three_lines_around_it() -> None:
    before = "".join(f"{number}\n" for number in range(20))
    after = before.replace("9\n", "nine\n", 1)
    hunk = "@@ -7,7 +7,7 @@\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n"
    assert diff(before, after) == f"--- a/code\n+++ b/code\n{hunk}"
    assert diff(before, before) == ""


def test_lines_that_repeat_are_not_paired_one_by_one() -> None:
    before = "".join(f"{number % 110}\n" for number in range(16_000))
    after = "".join(f"{number * 7 % 110}\n" for number in range(16_000))
    found = diff(before, after)
    assert found.count("\n@@ ") == 1
    assert applied(before, found) == after
