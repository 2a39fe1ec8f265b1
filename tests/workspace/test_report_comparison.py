"""Comparing reports: what is new, what is fixed, and what is the same."""

from __future__ import annotations

from collections import Counter

import msgspec
from hypothesis import HealthCheck, given, settings, strategies as st
from msgspec import UNSET
from report_samples import finding, findings, result, results

from codeintel.contracts import Category, Range, Severity
from codeintel.engine.sarif.excerpts import MASK, MOST_CHARACTERS
from codeintel.workspaces.proof.comparison import compared, reported
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

CODE = "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"


def of(code: str, *found: object, path: str = "/a.py") -> tuple[ReportedFinding, ...]:
    return reported({path: result(*found)}, {path: code})  # type: ignore[arg-type]


few = st.lists(
    st.builds(
        lambda path, mark, line: ReportedFinding(
            path=path, finding=finding(line), fingerprint=mark, excerpt=""
        ),
        st.sampled_from(["/a", "/b"]),
        st.sampled_from("xyz"),
        st.integers(1, 3),
    ),
    max_size=12,
)


@UNHURRIED
@given(few, few)
def test_counts_add_up(now: list[ReportedFinding], before: list[ReportedFinding]) -> None:
    marked, fixed = compared(now, before)
    told = Counter(each.comparison for each in marked)
    assert told[BaselineState.NEW] + told[BaselineState.SAME] == len(now)
    assert len(fixed) + told[BaselineState.SAME] == len(before)
    assert {each.comparison for each in fixed} <= {BaselineState.FIXED}
    # What is new is not among what is fixed: else it would be the same.
    keys = [
        {(each.path, each.fingerprint) for each in some}
        for some in ([each for each in marked if each.comparison is BaselineState.NEW], fixed)
    ]
    assert not keys[0] & keys[1]
    assert [msgspec.structs.replace(each, comparison=UNSET) for each in marked] == now
    back, gone = compared(before, now)
    assert Counter(each.comparison for each in back)[BaselineState.NEW] == len(fixed)
    assert len(gone) == told[BaselineState.NEW]


@UNHURRIED
@given(few)
def test_nothing_has_changed_against_itself(now: list[ReportedFinding]) -> None:
    marked, fixed = compared(now, now)
    assert all(each.comparison is BaselineState.SAME for each in marked)
    assert fixed == ()


@UNHURRIED
@given(few)
def test_a_first_report_tells_nothing(now: list[ReportedFinding]) -> None:
    assert compared(now, None) == (tuple(now), ())


def test_findings_are_the_same_where_the_code_around_them_moves() -> None:
    before = of(CODE, finding(5))
    moved = of("# new\n\n" + CODE.replace("    return", "\treturn"), finding(7))
    (same,), fixed = compared(moved, before)
    assert (same.comparison, fixed) == (BaselineState.SAME, ())
    changed = of(CODE.replace("data)\n", "more)\n"), finding(5))
    (new,), (gone,) = compared(changed, before)
    assert (new.comparison, gone.comparison) == (BaselineState.NEW, BaselineState.FIXED)


def test_a_renamed_file_is_fixed_and_new() -> None:
    (new,), (fixed,) = compared(of(CODE, finding(5), path="/b.py"), of(CODE, finding(5)))
    assert (new.path, new.comparison) == ("/b.py", BaselineState.NEW)
    assert (fixed.path, fixed.comparison) == ("/a.py", BaselineState.FIXED)
    assert new.fingerprint == fixed.fingerprint


def test_of_several_of_a_kind_as_many_are_fixed_as_are_gone() -> None:
    twice = "eval(x)\n" * 3
    before = of(twice, finding(1), finding(2), finding(3))
    marked, fixed = compared(of("eval(x)\n", finding(1)), before)
    assert [each.comparison for each in marked] == [BaselineState.SAME]
    assert [each.finding.range.start_line for each in fixed] == [2, 3]


def test_what_was_not_analysed_is_not_fixed() -> None:
    before = of(CODE, finding(5))
    assert compared((), before, lambda each: each.path == "/a.py") == ((), ())
    assert len(compared((), before)[1]) == 1


def test_they_are_sorted_by_path_and_place() -> None:
    found = findings()
    places = [(each.path, each.finding.range.start_line) for each in found]
    assert places == sorted(places)
    assert len(found) == sum(len(each.findings) for each in results().values())
    assert {each.comparison for each in found} == {UNSET}
    assert all(len(each.fingerprint) == 64 for each in found)


def test_excerpts_show_the_first_line() -> None:
    excerpts = {(each.path, each.finding.range.start_line): each.excerpt for each in findings()}
    assert excerpts["/src/shop/cart.py", 5] == "return pickle.loads(data)"
    (long,) = of("x = " + "1" * 500 + "\n", finding(1))
    assert len(long.excerpt) == MOST_CHARACTERS
    (behind,) = of("x", finding(99))
    assert behind.excerpt == "x"
    (gone,) = reported({"/a": result(finding(3))}, {})
    assert gone.excerpt == ""


def secret(line: int, begin: int, end: int, last: int = 0) -> object:
    place = Range(line, begin, last or line, end)
    return finding(line, category=Category.SECRETS, cwe=None, range=place)


def test_excerpts_tell_no_secret() -> None:
    assert "correct horse" not in "".join(each.excerpt for each in findings())
    both = of("key = 'hunter2-hunter2'\n", finding(1, Severity.INFO), secret(1, 8, 15))
    assert {each.excerpt for each in both} == {f"key = '{MASK}'"}
    bare = of("password: hunter2 # mine\n", secret(1, 11, 18))
    assert bare[0].excerpt == f"password: {MASK} # mine"
    lines = of("-----BEGIN KEY-----\nabcdef\n-----END\n", secret(1, 1, 9, 3), finding(2))
    assert "abcdef" not in "".join(each.excerpt for each in lines)
    weakness = of(
        "login('admin', 'hunter2')\n", finding(1, cwe="CWE-259", range=Range(1, 8, 1, 12))
    )
    assert "hunter2" not in weakness[0].excerpt


@UNHURRIED
@given(st.text(max_size=80), st.lists(st.builds(Range, *(st.integers(1, 9) for _ in range(4)))))
def test_any_place_of_any_text_has_an_excerpt(text: str, places: list[Range]) -> None:
    found = of(text, *(finding(range=each, category=Category.SECRETS) for each in places))
    assert len(found) == len(places)
    assert all(len(each.excerpt) <= MOST_CHARACTERS for each in found)
