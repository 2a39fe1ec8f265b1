"""Pairs of findings in two versions of a repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import pytest
from scan_samples import finding, scan_findings

from codeintel.cli.scan.policy import edits, matching as matchings
from codeintel.cli.scan.policy.matching import Matching
from codeintel.cli.scan.policy.texts import Lines, Texts
from codeintel.contracts import Range
from codeintel.contracts.scans.records import ScanFinding

BLOCK = "def f(name):\n    total = name + 1\n    eval(name, total)\n    return total\n"


def found_in(texts: Mapping[str, str]) -> list[ScanFinding]:
    """Return a finding for each line with `eval`."""
    found: list[ScanFinding] = []
    for path, text in texts.items():
        lines = text.split("\n")
        places = [at for at, line in enumerate(lines, 1) if "eval(" in line]
        found += scan_findings(
            path,
            text,
            *(finding(range=Range(at, 1, at, len(lines[at - 1]) + 1)) for at in places),
        )
    return found


def matching(
    new: Mapping[str, str],
    old: Mapping[str, str],
    found: tuple[Sequence[ScanFinding], Sequence[ScanFinding]] | None = None,
) -> Matching:
    now, before = found or (found_in(new), found_in(old))
    return Matching(now, before, Texts(new.get), Texts(old.get), paths=old, now=new)


def test_equal_findings_are_found_by_their_code_without_comparing_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = "".join(f"eval(value_{at})\n" for at in range(300))
    new = "".join(f"eval(value_{at})\nx = {at}\n" for at in reversed(range(300)))
    monkeypatch.setattr(matchings, "MAX_PAIRS", 2_000)
    assert len(matching({"b": new}, {"a": old}).pairs) + 20 >= 300
    assert len(matching({"a": f"x = 1\n{old}"}, {"a": old}).pairs) == 300


def test_findings_beyond_the_limit_of_pairs_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = {"a": BLOCK.replace("total", "summed")}
    assert len(matching(edited, {"a": BLOCK}).pairs) == 1
    monkeypatch.setattr(matchings, "MAX_PAIRS", 0)
    assert not matching(edited, {"a": BLOCK}).pairs


def test_very_long_files_are_matched_by_fingerprints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MAX_CELLS", 3)
    long = Lines("a\nb\nc\nd\n")
    assert edits.are_comparable(Lines("a\nB\nc\nd\n"), long)
    assert not edits.are_comparable(Lines("A\nb\nc\nD\n"), long)
    assert len(matching({"a": f"x = 1\n{BLOCK}y = 1\n"}, {"a": f"z\n{BLOCK}z\n"}).pairs) == 1


# The former files, the new ones, and the lines of new findings by path.
CASES: list[tuple[dict[str, str], dict[str, str], set[tuple[str, int]]]] = [
    ({"a": BLOCK}, {"a": f"x = 1\n{BLOCK}"}, set()),
    ({"a": BLOCK}, {"b": BLOCK}, set()),
    ({"a": BLOCK}, {"b": f"x = 1\n{BLOCK}"}, set()),
    ({"a": BLOCK}, {"a": BLOCK, "b": BLOCK}, {("b", 3)}),
    ({"a": BLOCK}, {"a": f"eval(name, total)\n{BLOCK}"}, {("a", 1)}),
    ({"a": BLOCK}, {"a": BLOCK.replace("total", "summed")}, set()),
    ({"a": BLOCK}, {"a": BLOCK.replace("    ", "\t").replace("(name, ", "( name,")}, set()),
    ({"a": "x = 1\n", "b": BLOCK}, {"a": f"x = 1\n{BLOCK}", "b": "y = 2\n"}, set()),
    (
        {"a": "x = 1\n", "b": BLOCK},
        {"a": "import os\neval(os.name, 3)\nprint(os)\n", "b": "y = 2\n"},
        {("a", 2)},
    ),
    (
        {"a": f"eval(one)\n\n\n{BLOCK}"},
        {"a": f"{BLOCK}\n\nwhile waiting:\n    eval(quite, another)\n    sleep()\n"},
        {("a", 8)},
    ),
]


COPY = BLOCK.replace("def f", "def g").replace("total", "other")
FIXED = BLOCK.replace("eval(", "ast.literal_eval(").replace("ast.literal_eval", "literal")
SAFE = BLOCK.replace("    eval(name, total)\n", "    run(name, total)\n")
# A finding is fixed, and another one of the same kind is added.
FIXES: list[tuple[dict[str, str], dict[str, str], set[tuple[str, int]]]] = [
    ({"a": BLOCK}, {"a": f"{FIXED}\n\n{COPY}"}, {("a", 9)}),
    ({"a": BLOCK}, {"a": f"{COPY}\n\n{FIXED}"}, {("a", 3)}),
    ({"a": BLOCK}, {"a": f"{SAFE}\n\n{COPY}"}, {("a", 9)}),
    ({"a": BLOCK}, {"a": FIXED, "b": COPY}, {("b", 3)}),
    ({"a": BLOCK}, {"a": FIXED, "b": BLOCK}, {("b", 3)}),
    ({"a": BLOCK}, {"a": FIXED, "b": BLOCK.replace("eval(name", "eval(other")}, {("b", 3)}),
    (
        {"a": BLOCK},
        {
            "a": BLOCK.replace("    eval(name, total)\n", "")
            + "\n\n"
            + COPY.replace("eval(name", "eval(who")
        },
        {("a", 8)},
    ),
    (
        {"a": BLOCK},
        {
            "a": BLOCK.replace(
                "eval(name, total)", "safe_eval(name, total)\n    eval(other, name)"
            ).replace("safe_eval", "safe_run")
        },
        {("a", 4)},
    ),
    ({"a": BLOCK, "b": "x = 1\n"}, {"a": FIXED, "b": f"x = 1\n{BLOCK}"}, {("b", 4)}),
    ({"a": BLOCK, "b": BLOCK}, {"a": BLOCK, "b": FIXED, "c": COPY}, {("c", 3)}),
]


@pytest.mark.parametrize(("old", "new", "wanted"), [*CASES, *FIXES])
def test_new_findings(
    old: dict[str, str], new: dict[str, str], wanted: set[tuple[str, int]]
) -> None:
    now = found_in(new)
    pairs = matching(new, old).pairs
    places = {
        (each.path, each.finding.range.start_line) for at, each in enumerate(now) if at not in pairs
    }
    assert places == wanted


def test_values_that_reach_one_line_differ_by_fingerprint() -> None:
    [each] = found_in({"a": BLOCK})
    first, second, third = (msgspec.structs.replace(each, fingerprint=mark * 64) for mark in "123")
    found = matching({"a": BLOCK}, {"a": BLOCK}, ([first, second, third], [third, second]))
    assert found.pairs == {1: 1, 2: 0}
    assert not found.unmatched()


def test_unreadable_files_match_by_fingerprint() -> None:
    now = found_in({"a": BLOCK})
    before = found_in({"a": f"\n{BLOCK}"})
    assert Matching(now, before, Texts({}.get), Texts({}.get), paths=["a"], now=["a"]).pairs == {
        0: 0
    }


def test_rules_are_not_mixed() -> None:
    [each] = found_in({"a": BLOCK})
    other = msgspec.structs.replace(
        each, finding=msgspec.structs.replace(each.finding, rule_id="python/other")
    )
    found = matching({"a": BLOCK}, {"a": BLOCK}, ([each], [other]))
    assert not found.pairs
    assert found.unmatched() == [other]
    renamed = msgspec.structs.replace(
        each,
        finding=msgspec.structs.replace(
            each.finding, rule_id="python/new", formerly=(each.finding.rule_id,)
        ),
    )
    assert matching({"a": BLOCK}, {"a": BLOCK}, ([renamed], [each])).pairs == {0: 0}
