"""The output formats, each read back by another project's reader."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import jsonschema
import junitparser
import msgspec
import pytest
from sarif_schema import assert_valid
from scan_samples import FIX, FLOW, SECRET, TEXT, file_result, finding, sample, summary

from codeintel.cli.scan.formats import (
    Format,
    Output,
    parse_output,
    render,
    sarif_file as sarif,
    write,
)
from codeintel.cli.scan.formats.text import render as render_text
from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.report import PolicyReport, State
from codeintel.contracts import Range, Severity
from codeintel.contracts.scans.records import ExcludedFile, ScanVerdict

SCHEMAS = Path(__file__).parent / "schemas"
GAP = "taint timed out."


def test_all_formats_tell_the_gaps() -> None:
    for format_ in Format:
        assert GAP in render(sample(), format_), format_


def test_no_format_shows_a_secret() -> None:
    for format_ in Format:
        assert SECRET not in render(sample(), format_), format_


def test_no_format_needs_findings() -> None:
    result = file_result("a.py", TEXT)
    report = judge([result], None, summary(result), ProjectConfig())
    assert report.verdict is ScanVerdict.PASSED
    for format_ in Format:
        assert render(report, format_).strip(), format_


def test_json_has_everything() -> None:
    told = json.loads(render(sample(), Format.JSON))
    assert (told["verdict"], told["exitStatus"], told["failOn"]) == ("failed", 1, "high")
    assert [each["state"] for each in told["findings"]] == ["new", "suppressed", "new"]
    assert told["unchecked"] == [{"path": "slow.py", "reason": GAP, "cause": "time"}]
    assert told["states"] == {"new": 2, "known": 0, "suppressed": 1}


def test_text_groups_findings_by_file() -> None:
    lines = render(sample(), Format.TEXT).splitlines()
    assert lines[0].startswith("a.py:2:1  high")
    assert any(">  2 | eval(name)" in line or "> 2 | eval(name)" in line for line in lines)
    assert "  Path:" in lines
    assert any(line.startswith("  -eval(name)") for line in lines)
    assert lines[-1] == "Failed: 2 findings of severity high or worse. 1 check could not run."
    assert "1 finding suppressed." in lines
    assert "Not checked: slow.py: taint timed out." in lines


def test_reasons_of_left_out_files_are_counted() -> None:
    result = file_result("a.py", TEXT)
    left_out = tuple(
        ExcludedFile(path=f"{at}.x", reason="generated" if at else "vendored") for at in range(3)
    )
    report = judge([result], None, summary(result, left_out=left_out), ProjectConfig())
    assert "3 files left out: 2 generated; 1 vendored." in render(report, Format.TEXT)
    assert report.verdict is ScanVerdict.PASSED


def test_sarif_is_valid() -> None:
    log = json.loads(render(sample(), Format.SARIF))
    assert_valid(log)
    [run] = log["runs"]
    by_rule = {each["ruleId"]: each for each in run["results"]}
    assert by_rule["python/exec"]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "Run by hand."}
    ]
    assert by_rule["python/eval"]["suppressions"] == []
    [told] = run["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == f"Not checked: {GAP}"
    uris = [each["location"]["uri"] for each in run["artifacts"]]
    assert uris == ["a.py", "b%20c.py"]


def test_sarif_keeps_the_limits_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 4)
    monkeypatch.setattr(sarif, "MAX_RUNS", 3)
    severities = [Severity.CRITICAL, *[Severity.LOW] * 13]
    results = [
        file_result(f"{at:02}.py", TEXT, finding(f"rule-{at}", severity=each))
        for at, each in enumerate(severities[::-1])
    ]
    report = judge(results, None, summary(*results), ProjectConfig())
    log = json.loads(render(report, Format.SARIF))
    assert_valid(log)
    assert [len(run["results"]) for run in log["runs"]] == [4, 4, 4]
    assert len({run["automationDetails"]["id"] for run in log["runs"]}) == 3
    rules = [each["ruleId"] for run in log["runs"] for each in run["results"]]
    assert "rule-13" in rules
    [told] = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"].startswith("2 findings of least severity left out")


def test_sarif_keeps_the_size_of_uploads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_PACKED_BYTES", 4_000)
    results = [file_result(f"{at}.py", TEXT, finding(f"rule-{at}")) for at in range(300)]
    report = judge(results, None, summary(*results), ProjectConfig())
    log = json.loads(render(report, Format.SARIF))
    [run] = log["runs"]
    assert 0 < len(run["results"]) < 300
    assert "left out" in json.dumps(run["invocations"])


def test_sarif_tells_new_from_known() -> None:
    log = json.loads(render(compared(), Format.SARIF))
    assert_valid(log)
    states = {each["ruleId"]: each["baselineState"] for each in log["runs"][0]["results"]}
    assert states == {"python/eval": "unchanged", "python/exec": "new"}


class Everything:
    """Known findings: those of one rule."""

    name = "commit 1a2b3c4"

    def reasons(self, findings: Any) -> dict[int, str]:
        """Return the findings of `python/eval`."""
        return {at: "" for at, each in enumerate(findings) if each.finding.rule_id == "python/eval"}

    def fixed(self, counts: Any) -> int:
        """Return an invented number."""
        return 3 if callable(counts) else 0

    def notes(self) -> list[str]:
        """Return nothing."""
        return []


def compared() -> PolicyReport:
    """Return a report with a known and a new finding."""
    result = file_result("a.py", TEXT, finding(), finding("python/exec"))
    return judge([result], None, summary(result), ProjectConfig(), [Everything()])


def test_comparisons_are_told() -> None:
    report = compared()
    assert [each.state for each in report.findings] == [State.KNOWN, State.NEW]
    text = render(report, Format.TEXT)
    assert "Compared with commit 1a2b3c4: 1 known. 3 fixed." in text
    assert "Failed: 1 new finding of severity high or worse." in text


def test_github_annotations_are_commands() -> None:
    lines = render(sample(), Format.GITHUB).splitlines()
    assert lines[0] == f"::warning file=slow.py,title=Not checked::{GAP}"
    assert lines[1].startswith("::error file=")
    assert lines[-1].startswith("::error title=codeintel scan::Failed:")
    assert sum(line.startswith("::error file") for line in lines) == 2
    assert not any("python/exec" in line for line in lines)


def test_github_annotations_cannot_be_injected() -> None:
    hostile = finding(message="a\n::error::b%0A::set-output name=x::1")
    result = file_result("x,line=1::y.py", TEXT, hostile)
    report = judge([result], None, summary(result), ProjectConfig())
    commands = [
        line for line in render(report, Format.GITHUB).splitlines() if line.startswith("::")
    ]
    assert len(commands) == 2
    assert commands[0].startswith("::error file=x%2Cline=1%3A%3Ay.py,line=2")


def test_gitlab_reports_have_unique_fingerprints() -> None:
    issues = json.loads(render(sample(), Format.GITLAB))
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(issues)
    assert len({each["fingerprint"] for each in issues}) == len(issues) == 3
    assert issues[0]["check_name"] == "codeintel/not-checked"
    again = json.loads(render(sample(), Format.GITLAB))
    assert again == issues


def test_rdjson_has_suggestions() -> None:
    told = json.loads(render(sample(), Format.RDJSON))
    schema = json.loads((SCHEMAS / "rdjson.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(told)
    [fixed] = [each for each in told["diagnostics"] if "suggestions" in each]
    assert fixed["suggestions"] == [
        {
            "range": {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 5}},
            "text": "literal_eval",
        }
    ]


def test_rdjson_counts_bytes() -> None:
    text = "é = eval(name)\n"
    marked = finding(line=1, fix=FIX)
    result = file_result("a.py", text, marked)
    report = judge([result], None, summary(result), ProjectConfig(), source=lambda _path: text)
    [told] = json.loads(render(report, Format.RDJSON))["diagnostics"]
    assert told["location"]["range"]["end"] == {"line": 1, "column": 12}


@pytest.mark.e2e
@pytest.mark.parametrize("format_", [Format.GITLAB, Format.RDJSON])
def test_check_jsonschema_accepts(format_: Format, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(render(sample(), format_))
    name = "gitlab-code-quality.json" if format_ is Format.GITLAB else "rdjson.json"
    check_jsonschema("--schemafile", str(SCHEMAS / name), str(path))
    path.write_text(path.read_text().replace('"location"', '"place"'))
    with pytest.raises(AssertionError, match="location"):
        check_jsonschema("--schemafile", str(SCHEMAS / name), str(path))


def check_jsonschema(*arguments: str) -> None:
    """Run the program. Fail if it finds an error."""
    command = [sys.executable, "-m", "check_jsonschema", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_junit_is_read_back() -> None:
    root = junitparser.JUnitXml.fromstring(render(sample(), Format.JUNIT).encode())
    assert (root.tests, root.failures, root.errors, root.skipped) == (5, 3, 1, 1)
    names = [suite.name for suite in root]
    assert names == ["codeintel", "a.py", "b c.py"]
    [first, *_] = [case for suite in root for case in suite if case.classname == "a.py"]
    assert first.name == "python/eval at 2:1"
    assert isinstance(first.result[0], junitparser.Failure)


def test_junit_allows_only_characters_of_xml() -> None:
    result = file_result("a\x00\x1b\ud800.py", TEXT, finding(message="\x07<b>&\ufffe"))
    report = judge([result], None, summary(result), ProjectConfig())
    root = junitparser.JUnitXml.fromstring(render(report, Format.JUNIT).encode())
    assert [suite.name for suite in root][1] == "a\ufffd\ufffd\ufffd.py"


class Reader(HTMLParser):
    """Collects elements and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.labels: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect an element."""
        self.tags.append(tag)
        given = dict(attrs)
        self.addresses += [str(given[key]) for key in ("src", "href", "action") if key in given]
        self.ids += [str(given[key]) for key in ("id",) if key in given]
        self.labels += [str(given[key]) for key in ("aria-labelledby",) if key in given]
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Check that elements are closed in order."""
        assert self.open.pop() == tag


def test_html_is_one_file() -> None:
    page = render(sample(), Format.HTML)
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    assert {each for each in reader.addresses if "cwe.mitre.org" not in each} == set()
    assert "link" not in reader.tags
    assert reader.tags.count("article") == 3
    assert set(reader.labels) <= set(reader.ids)
    assert len(reader.ids) == len(set(reader.ids))
    assert "default-src &#39;none&#39;" in page
    assert not re.search(r"https?://(?!cwe\.mitre\.org)", page)


def test_html_escapes_what_it_shows() -> None:
    hostile = "<script>alert(1)</script>"
    result = file_result(
        f"{hostile}.py", f"{hostile}\n{hostile}\n", finding(message=hostile, remedy=hostile)
    )
    report = judge(
        [result], None, summary(result), ProjectConfig(), source=lambda _path: f"{hostile}\n" * 2
    )
    page = render(report, Format.HTML)
    assert hostile not in page
    assert page.count("<script>") == 1


def test_html_shows_paths() -> None:
    page = render(sample(), Format.HTML)
    assert "Path of the value (2 steps)" in page
    assert FLOW[0].message.replace("`", "") in page.replace("`", "")
    assert "<mark>eval(name)</mark>" in page


def test_html_quotes_reasons_as_they_are() -> None:
    result = file_result("a.py", TEXT, finding())
    file = parse('[[suppress]]\nrule = "*"\nreason = "Found when Ann began."\n')
    config = ProjectConfig(file=file)
    report = judge([result], None, summary(result), config, source=lambda _path: TEXT)
    assert ": Found when Ann began. Fingerprint" in render(report, Format.HTML)


def test_html_marks_the_finding_after_tabs() -> None:
    text = "def f(name):\n\t\teval(name)\t# \x1b[1m\n"
    result = file_result("a.py", text, finding(range=Range(2, 3, 2, 13)))
    report = judge([result], None, summary(result), ProjectConfig(), source=lambda _path: text)
    page = render(report, Format.HTML)
    assert "        <mark>eval(name)</mark>    # \\x1b[1m" in page


def test_html_shows_steps_in_other_files() -> None:
    source, sink = FLOW
    elsewhere = msgspec.structs.replace(source, path="input.py")
    result = file_result("a.py", TEXT, finding(flow=(elsewhere, sink)))
    texts = {"a.py": TEXT, "input.py": "other = input()\n"}
    report = judge([result], None, summary(result), ProjectConfig(), source=texts.get)
    page = render(report, Format.HTML)
    assert "input.py:1:1" in page
    assert "<code>other = input()</code>" in page
    assert "via input.py:1:1" in render_text(report, frames=False)
    log = json.loads(render(report, Format.SARIF))
    assert_valid(log)
    assert '"input.py"' in json.dumps(log["runs"][0]["results"][0]["codeFlows"])


def test_several_outputs(tmp_path: Path) -> None:
    shown: list[str] = []
    outputs = [parse_output(f"sarif={tmp_path / 'a.sarif'}"), parse_output("github")]
    written = write(sample(), outputs, shown.append)
    assert written == [tmp_path / "a.sarif"]
    assert json.loads((tmp_path / "a.sarif").read_text())["version"] == "2.1.0"
    assert len(shown) == 1
    assert parse_output("JSON=-") == Output(Format.JSON)
    with pytest.raises(click.BadParameter, match='Did you mean "sarif"'):
        parse_output("sarf=x")
