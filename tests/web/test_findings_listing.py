"""Findings on pages: frames, fixes as diffs, paths, filters, groups and what is folded away."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from codeintel.base.errors import ServiceError
from codeintel.contracts import Confidence, Edit, Finding, Fix, FlowStep, Range, Severity, StepKind
from codeintel.contracts.findings import Applicability, Category
from codeintel.engine.sarif.excerpts import shown_lines
from codeintel.web.findings.frames import MOST_CHARACTERS, NO_CODE, Code, fix_lines, frame
from codeintel.web.findings.listing import (
    PAGE_FINDINGS,
    FindingsPage,
    FindingsQuery,
    findings_page,
    findings_query,
)
from codeintel.web.findings.views import Context, finding_view
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

LINES = (
    "def find(request):",
    "    owner = request.args['owner']",
    "    query = 'SELECT ' + owner",
    "    db.execute(query)",
    "    return None",
    "",
)
CODE = Code(LINES)
CONTEXT = Context({("taint", "sql"): "SQL injection."}, lambda _path: CODE, lambda p, n: f"{p}#{n}")


def made(
    line: int = 4,
    severity: Severity = Severity.HIGH,
    confidence: Confidence = Confidence.HIGH,
    path: str = "/app.py",
    **more: Any,
) -> ReportedFinding:
    facts: dict[str, Any] = {
        "rule_id": "sql",
        "engine": "taint",
        "cwe": "CWE-89",
        "message": "`owner` reaches `execute()`.",
        "range": Range(line, 5, line, 22),
        "category": Category.SECURITY,
    }
    comparison = more.pop("comparison", BaselineState.SAME)
    return ReportedFinding(
        path=path,
        finding=Finding(severity=severity, confidence=confidence, **{**facts, **more}),
        fingerprint="0",
        excerpt="db.execute(query)",
        comparison=comparison,
    )


def rows(page: FindingsPage, part: str = "groups") -> list[tuple[str, int]]:
    """Return path and line of the findings in order."""
    groups = getattr(page, part)
    return [(r.path, r.finding.range.start_line) for group in groups for r in group.rows]


def test_a_frame_marks_the_line_and_its_place() -> None:
    shown = frame(CODE, Range(4, 5, 4, 22))
    assert [line.number for line in shown] == [2, 3, 4, 5, 6]
    (marked,) = [line for line in shown if line.is_marked]
    assert (marked.before, marked.marked, marked.after) == ("    ", "db.execute(query)", "")
    assert frame(CODE, Range(7, 1, 7, 2)) == frame(NO_CODE, Range(1, 1, 1, 2)) == ()


@pytest.mark.parametrize(
    ("range_", "marked"),
    [
        (Range(1, 1, 2, 1), [1]),  # the end is exclusive
        (Range(1, 1, 3, 5), [1, 2, 3]),
        (Range(1, 90, 1, 99), [1]),  # behind the end of the line
        (Range(3, 5, 3, 5), [3]),
    ],
)
def test_frames_of_odd_places(range_: Range, marked: list[int]) -> None:
    shown = frame(CODE, range_)
    assert [line.number for line in shown if line.is_marked] == marked
    for line in shown:
        assert line.before + line.marked + line.after == LINES[line.number - 1]


def test_long_lines_are_cut_around_the_place() -> None:
    text = "x" * 5_000 + "evil()" + "y" * 5_000
    (line,) = frame(Code((text,)), Range(1, 5_001, 1, 5_007))
    assert line.marked == "evil()"
    assert len(line.before + line.marked + line.after) < MOST_CHARACTERS + 10


def test_a_fix_is_a_diff() -> None:
    edits = (
        Edit(Range(3, 13, 3, 30), "'SELECT ?'"),
        Edit(Range(4, 16, 4, 21), "query, [owner]"),
    )
    assert fix_lines(CODE, edits)[1:] == (
        ("kept", "     owner = request.args['owner']"),
        ("removed", "-    query = 'SELECT ' + owner"),
        ("removed", "-    db.execute(query)"),
        ("added", "+    query = 'SELECT ?'"),
        ("added", "+    db.execute(query, [owner])"),
        ("kept", "     return None"),
    )
    without = fix_lines(NO_CODE, edits)
    assert [line for kind, line in without if kind == "added"] == ["+'SELECT ?'", "+query, [owner]"]
    assert fix_lines(CODE, ()) == ()


def test_secrets_stay_out_of_frames_and_fixes() -> None:
    text = "a = 1\nkey = 'correct horse'\nb = 2\n"
    secret = made(2, category=Category.SECRETS, range=Range(2, 7, 2, 22)).finding
    lines, masked = shown_lines(text, [secret])
    code = Code(lines, masked)
    assert masked == {2}
    shown = "".join(f"{x.before}{x.marked}{x.after}" for x in frame(code, Range(3, 1, 3, 2)))
    assert "horse" not in shown
    assert "b = 2" in shown
    assert fix_lines(code, (Edit(Range(2, 7, 2, 22), "env()"),))[0][0] == "place"
    view = finding_view(made(2, category=Category.SECRETS), Context(code=lambda _: code))
    assert (view.frame, view.excerpt) == ((), "db.execute(query)")


def test_the_path_of_a_value_has_its_code() -> None:
    flow = (
        FlowStep(StepKind.SOURCE, Range(2, 13, 2, 34), "`owner` comes from `request.args`"),
        FlowStep(StepKind.SINK, Range(4, 5, 4, 22), "it reaches `execute()`"),
    )
    fix = Fix("Bind it", Applicability.SAFE, ())
    view = finding_view(made(flow=flow, fix=fix), CONTEXT)
    assert view.title == "SQL injection"
    assert [(s.title, s.line, s.code, s.link) for s in view.steps] == [
        ("Source", 2, "owner = request.args['owner']", "/app.py#2"),
        ("Sink", 4, "db.execute(query)", "/app.py#4"),
    ]
    assert view.fix is not None
    assert view.fix.title == "Keeps the behavior"
    gone = finding_view(made(flow=flow, comparison=BaselineState.FIXED), CONTEXT)
    assert (gone.link, gone.frame, gone.steps[0].link) == ("", (), "")


def test_the_worst_come_first_by_rule_or_by_file() -> None:
    found = [
        made(9, Severity.LOW, path="/b.py"),
        made(3, Severity.MEDIUM, rule_id="xss", path="/b.py"),
        made(2, Severity.CRITICAL, rule_id="exec"),
        made(5, Severity.HIGH),
    ]
    page = findings_page(found, FindingsQuery(), CONTEXT)
    assert rows(page) == [("/app.py", 2), ("/app.py", 5), ("/b.py", 9), ("/b.py", 3)]
    assert [(group.title, group.count) for group in page.groups] == [
        ("exec", 1),
        ("SQL injection", 2),
        ("xss", 1),
    ]
    by_file = findings_page(found, findings_query(MultiDict({"group": "file"})), CONTEXT)
    assert rows(by_file) == [("/app.py", 2), ("/app.py", 5), ("/b.py", 3), ("/b.py", 9)]
    assert [group.title for group in by_file.groups] == ["/app.py", "/b.py"]


def test_low_confidence_is_folded_away_and_counted() -> None:
    found = [made(1, Severity.CRITICAL, Confidence.LOW), made(2, Severity.INFO), made(3)]
    page = findings_page(found, FindingsQuery(), CONTEXT)
    assert rows(page) == [("/app.py", 3), ("/app.py", 2)]
    assert rows(page, "folded") == [("/app.py", 1)]
    assert (page.total, page.unsure) == (3, 1)
    asked = findings_page(found, FindingsQuery(confidence=Confidence.LOW), CONTEXT)
    assert (rows(asked), asked.folded) == ([("/app.py", 1)], ())


def test_no_finding_is_lost_between_pages() -> None:
    unsure = [made(n, confidence=Confidence.LOW) for n in range(1, 31)]
    found = [made(n + 100) for n in range(2 * PAGE_FINDINGS)] + unsure
    first = findings_page(found, FindingsQuery(), CONTEXT)
    assert (first.pages, first.unsure, first.folded) == (3, 30, ())
    pages = [findings_page(found, FindingsQuery(page=n), CONTEXT) for n in (1, 2, 3)]
    seen = [row for page in pages for part in ("groups", "folded") for row in rows(page, part)]
    assert len(set(seen)) == len(found)
    assert not first.opens_all


def test_filters_count_what_they_leave() -> None:
    found = [
        made(1, Severity.HIGH),
        made(2, Severity.LOW, category=Category.UNUSED),
        made(3, Severity.LOW, rule_id="xss"),
    ]
    page = findings_page(found, FindingsQuery(severity=Severity.LOW), CONTEXT)
    assert (page.total, page.query.is_filtered) == (2, True)
    assert [(o.value, o.count) for o in page.severities] == [("high", 1), ("low", 2)]
    options = {each.name: each.options for each in page.filters}
    assert [(o.value, o.count) for o in options["category"]] == [
        ("security", 1),
        ("unused code", 1),
    ]
    assert [(o.title, o.count) for o in options["rule"]] == [("SQL injection (sql)", 1), ("xss", 1)]
    assert "confidence" not in options  # all have the same


def test_a_former_id_of_a_rule_selects_its_findings() -> None:
    found = [made(1, rule_id="new-id", formerly=("old-id",)), made(2)]
    page = findings_page(found, FindingsQuery(rule="taint/old-id"), CONTEXT)
    assert rows(page) == [("/app.py", 1)]
    (rule,) = (each for each in page.filters if each.name == "rule")
    assert rule.chosen == "taint/new-id"


def test_addresses_of_other_filters() -> None:
    query = findings_query(MultiDict({"severity": "low", "rule": "a/b", "page": "3", "path": ""}))
    assert query.parameters() == {"severity": "low", "rule": "a/b"}
    assert query.parameters(page=2)["page"] == 2
    assert query.parameters(severity="", rule="") == {}
    assert query.parameters(confidence="low")["confidence"] == "low"
    with pytest.raises(ServiceError):
        findings_query(MultiDict({"confidence": "some"}))
