"""The baseline file: its entries, their survival of changes, and its updates."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from scan_samples import SECRET, file_result, finding, summary

from codeintel.cli.scan.policy import (
    Baseline,
    ProjectConfig,
    ProjectError,
    Terms,
    judge,
    read_baseline,
    update_baseline,
)
from codeintel.cli.scan.policy.baseline import Entry, Update
from codeintel.cli.scan.report import PolicyReport, State
from codeintel.contracts import Category, Range
from codeintel.contracts.scans.records import FileResult

TODAY = date(2026, 11, 27)
TERMS = Terms(TODAY, "Old code.", "team")
TEXT = "import x\nvalue = eval(name, other)\nexec(name)\n"
FORMATTED = "import x\n\n\nvalue = eval(\n    name,\n    other,\n)\nexec( name )\n"


def result_of(path: str, text: str) -> FileResult:
    """Return the result of a file with `eval` and `exec`, wherever they are."""
    lines = text.split("\n")
    found = []
    for name in ("eval", "exec"):
        for at, line in enumerate(lines, 1):
            if f"{name}(" in line:
                last = next(each for each in range(at, len(lines) + 1) if ")" in lines[each - 1])
                place = Range(at, line.index(name) + 1, last, lines[last - 1].index(")") + 2)
                found.append(finding(f"python/{name}", range=place))
    return file_result(path, text, *found)


def report_on(
    texts: Mapping[str, str],
    entries: list[Entry],
    today: date = TODAY,
    unscanned: Collection[str] = (),
) -> PolicyReport:
    results = [result_of(path, text) for path, text in texts.items()]
    known = Baseline(
        "known.jsonl", entries, texts.get, texts, today, lambda path: path in unscanned
    )
    return judge(
        results,
        None,
        summary(*results),
        ProjectConfig(),
        [known] if entries else [],
        source=texts.get,
        today=today,
    )


def updated(texts: Mapping[str, str], entries: list[Entry], terms: Terms = TERMS) -> Update:
    report = report_on(texts, entries)
    return update_baseline(
        entries, report.findings, texts.get, texts, terms, lambda path: path == "z.py"
    )


@pytest.fixture
def entries(tmp_path: Path) -> list[Entry]:
    """Return the entries of a baseline of `TEXT`, written and read back."""
    path = tmp_path / "known.jsonl"
    path.write_text(updated({"a.py": TEXT}, []).text)
    return read_baseline(path)


def test_known_findings_do_not_fail(entries: list[Entry]) -> None:
    report = report_on({"a.py": TEXT}, entries)
    assert [each.state for each in report.findings] == [State.KNOWN, State.KNOWN]
    assert (report.exit_status, report.fixed) == (0, 0)
    assert report.findings[0].reason == "Old code."
    assert report.compared_with == "known.jsonl"
    assert report_on({"a.py": TEXT}, []).exit_status == 1


# The files after a change, with the numbers of new and of fixed findings.
CHANGES = [
    ({"a.py": f"# first\n\n{TEXT}"}, 0, 0),
    ({"a.py": FORMATTED}, 0, 0),
    ({"b/renamed.py": TEXT}, 0, 0),
    ({"b/renamed.py": FORMATTED}, 0, 0),
    ({"a.py": f"{TEXT}exec(again)\n"}, 1, 0),
    ({"a.py": "import x\nexec(name)\n"}, 0, 1),
    ({"a.py": "import x\nvalue = eval(quite, different)\nexec(name)\n"}, 1, 1),
    ({"a.py": TEXT, "copy.py": TEXT}, 2, 0),
]


@pytest.mark.parametrize(("texts", "new", "fixed"), CHANGES)
def test_changes(texts: dict[str, str], new: int, fixed: int, entries: list[Entry]) -> None:
    report = report_on(texts, entries)
    assert (len(report.new), report.fixed) == (new, fixed)


def test_entries_of_files_that_were_not_scanned_match_in_no_other_file(
    entries: list[Entry],
) -> None:
    copy = report_on({"copy.py": TEXT}, entries, unscanned=["a.py"])
    assert (len(copy.new), copy.fixed) == (2, 0)
    renamed = report_on({"renamed.py": TEXT}, entries)
    assert (len(renamed.new), renamed.fixed) == (0, 0)


ONE = "value = eval(name)\n"
THREE = "eval(a)\nexec(b)\neval(c)\n"


@pytest.mark.parametrize(
    ("before", "path", "after", "new", "unused"),
    [
        (ONE, "new.py", ONE, 1, 1),  # a new file with the same line, or a renamed one
        (ONE, "b/a.py", ONE, 0, 0),
        (ONE, "b/a.py", "eval(  name)\n", 1, 1),
        (THREE, "b.py", "eval(a)\nexec(b)\n", 0, 1),
        (THREE, "b.py", "eval(a)\nexec(other)\n", 2, 3),
    ],
)
def test_entries_of_deleted_files_match_in_renamed_files_only(
    before: str, path: str, after: str, new: int, unused: int
) -> None:
    entries = [
        msgspec.json.decode(line, type=Entry)
        for line in updated({"a.py": before}, []).text.splitlines()
    ]
    report = report_on({path: after}, entries)
    assert len(report.new) == new
    told = "1 entry matches" if unused == 1 else f"{unused} entries match"
    assert (f"known.jsonl: {told} no finding." in " ".join(report.notes)) is (unused > 0)


def test_entries_of_two_deleted_files_match_in_different_files() -> None:
    text = updated({"a.py": TEXT, "b.py": TEXT}, []).text
    entries = [msgspec.json.decode(line, type=Entry) for line in text.splitlines()]
    assert not report_on({"c.py": TEXT, "d.py": TEXT}, entries).new
    assert len(report_on({"c.py": TEXT, "d.py": TEXT, "e.py": TEXT}, entries).new) == 2


def test_entries_of_partly_analyzed_files_keep_their_reasons(entries: list[Entry]) -> None:
    report = report_on({"a.py": TEXT}, entries)
    update = update_baseline(
        entries,
        report.findings[:1],
        {"a.py": TEXT}.get,
        [],
        Terms(date(2027, 1, 1)),
        lambda path: path == "a.py",
    )
    assert (update.kept, update.added, update.removed) == (2, 0, 0)
    assert update.text.count("Old code.") == 2


def test_entries_are_lines_in_order(entries: list[Entry]) -> None:
    update = updated({"b.py": TEXT, "a.py": TEXT}, entries)
    lines = update.text.splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 4
    assert lines[0].startswith('{"path":"a.py","rule":"python/eval","id":"')
    assert lines[0].endswith('"added":"2026-11-27","reason":"Old code.","owner":"team"}')
    assert (update.kept, update.added, update.removed) == (2, 2, 0)


def test_updates_keep_reasons_and_drop_fixed_entries(entries: list[Entry]) -> None:
    later = Terms(date(2027, 1, 1), "Another reason.")
    update = updated({"a.py": FORMATTED.replace("exec", "run")}, entries, later)
    assert (update.kept, update.added, update.removed) == (1, 0, 1)
    assert '"added":"2026-11-27","reason":"Old code."' in update.text
    elsewhere = Entry(path="z.py", rule="r", id="0" * 20)
    assert '"path":"z.py"' in updated({"a.py": TEXT}, [*entries, elsewhere]).text
    gone = Entry(path="gone.py", rule="r", id="0" * 20)
    assert '"path":"gone.py"' not in updated({"a.py": TEXT}, [*entries, gone]).text


def test_entries_expire(entries: list[Entry]) -> None:
    [first, second] = entries
    limited = [Entry(path=first.path, rule=first.rule, id=first.id, until=TODAY), second]
    assert report_on({"a.py": TEXT}, limited).exit_status == 0
    report = report_on({"a.py": TEXT}, limited, date(2026, 11, 28))
    assert report.exit_status == 1
    assert "known.jsonl: 1 entry expired: python/eval in a.py." in report.notes


def test_unused_entries_are_told(entries: list[Entry]) -> None:
    report = report_on({"a.py": "import x\n"}, entries)
    assert report.notes == (
        "known.jsonl: 2 entries match no finding. Run `codeintel baseline` to remove them.",
    )


def test_merged_files_are_read(tmp_path: Path, entries: list[Entry]) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(path.read_text() * 2 + "\n")
    assert read_baseline(path) == entries
    path.write_text(f"<<<<<<< HEAD\n{path.read_text()}")
    with pytest.raises(ProjectError, match=r"known.jsonl:1: .*Is a merge unfinished\?"):
        read_baseline(path)
    path.write_text('{"path":"a"}\n')
    with pytest.raises(ProjectError, match=r"known.jsonl:1: .*`rule`"):
        read_baseline(path)
    path.write_text('{"path":' + "[" * 100_000)
    with pytest.raises(ProjectError, match=r"known.jsonl:1: "):
        read_baseline(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ProjectError, match=r"known\.jsonl is no regular file"):
        read_baseline(path)
    with pytest.raises(ProjectError, match="Write it with `codeintel baseline`"):
        read_baseline(tmp_path / "missing.jsonl")


def test_secrets_leave_no_digest_of_their_line() -> None:
    text = f'key = "{SECRET}"\n'
    secret = finding(line=1, category=Category.SECRETS, range=Range(1, 8, 1, 8 + len(SECRET)))
    result = file_result("a.py", text, secret)
    report = judge([result], None, summary(result), ProjectConfig(), source=lambda _path: text)
    update = update_baseline(
        [], report.findings, lambda _path: text, ["a.py"], Terms(TODAY), lambda _path: True
    )
    assert "shape" not in update.text
    assert report.findings[0].finding.suppression is UNSET


def test_suppressed_findings_get_no_entry() -> None:
    report = report_on({"a.py": TEXT}, [])
    judged = [
        each if at else type(each)(found=each.found, state=State.SUPPRESSED)
        for at, each in enumerate(report.findings)
    ]
    update = update_baseline(
        [], judged, lambda _path: TEXT, ["a.py"], Terms(TODAY), lambda _path: True
    )
    assert update.added == len(report.findings) - 1
