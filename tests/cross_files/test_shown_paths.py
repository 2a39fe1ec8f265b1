"""A step in another file is shown with the path of that file."""

from __future__ import annotations

import msgspec
import pytest

from codeintel.cli.render import FindingText
from codeintel.contracts import (
    AnalysisResult,
    Confidence,
    Finding,
    FlowStep,
    Range,
    Severity,
    StepKind,
)
from codeintel.engine.dataflow.project.quoting import function_of
from codeintel.engine.sarif import Artifact, sarif_log
from codeintel.web.findings.views import Context, finding_view
from codeintel.workspaces.proof.shapes import ReportedFinding

CODE = "def run(x):\n    os.system(x)\n"
FINDING = Finding(
    rule_id="taint-command",
    engine="taint",
    severity=Severity.CRITICAL,
    confidence=Confidence.HIGH,
    cwe="CWE-78",
    message="Command injection.",
    range=Range(2, 5, 2, 17),
    flow=(
        FlowStep(StepKind.SOURCE, Range(70, 3, 70, 9), "request data", "web/a b.py"),
        FlowStep(StepKind.SINK, Range(2, 15, 2, 16), "reaches a shell"),
    ),
)


def test_sarif_has_the_address_of_the_other_file() -> None:
    result = AnalysisResult(
        language="python", engine="", summary="", findings=(FINDING,), metrics={}, analyzers=()
    )
    (run,) = sarif_log(result, Artifact("lib/run.py", code=CODE))["runs"]
    (thread,) = run["results"][0]["codeFlows"][0]["threadFlows"]
    first, last = (each["location"]["physicalLocation"] for each in thread["locations"])
    assert first["artifactLocation"] == {"uri": "web/a%20b.py", "uriBaseId": "%SRCROOT%"}
    assert first["region"]["startLine"] == 70
    assert last["artifactLocation"]["uri"] == "lib/run.py"


def test_the_command_line_shows_path_and_line() -> None:
    raw = msgspec.json.decode(msgspec.json.encode(FINDING))
    plain = FindingText("lib/run.py").lines(raw)
    assert "via web/a b.py:70:3 request data" in plain
    assert "via lib/run.py:2:15 reaches a shell" in plain
    framed = FindingText("lib/run.py", code=CODE).lines(raw)
    assert "1. web/a b.py:70:3  request data" in framed
    assert "2. lib/run.py:2:15  reaches a shell" in framed


def test_paths_of_workspaces_are_shown_without_their_first_slash() -> None:
    raw = msgspec.json.decode(msgspec.json.encode(FINDING))
    raw["flow"][0]["path"] = "/web/a b.py"
    assert "via web/a b.py:70:3 request data" in FindingText("lib/run.py").lines(raw)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('sqlite3.connect("a").execute("select " + name)', "execute"),
        ("cursor.execute(query)", "cursor.execute"),
        ("$this->db->query($sql)", "$this->db->query"),
        ('f(")", g(x))', "f"),
        ("(a or b)(x)", ""),
        ('find("x").innerHTML', ""),
        ("name", ""),
    ],
)
def test_a_message_names_the_last_call(code: str, name: str) -> None:
    assert function_of(code) == name


def test_pages_link_the_other_file() -> None:
    reported = ReportedFinding(path="lib/run.py", finding=FINDING, fingerprint="", excerpt="")
    view = finding_view(reported, Context(link=lambda path, line: f"/{path}#{line}"))
    assert [(e.path, e.line, e.link) for e in view.steps] == [
        ("web/a b.py", 70, "/web/a b.py#70"),
        ("", 2, "/lib/run.py#2"),
    ]


def test_steps_of_this_file_stay_as_they_were_on_the_wire() -> None:
    assert FINDING.flow
    first, last = (msgspec.to_builtins(step) for step in FINDING.flow)
    assert first["path"] == "web/a b.py"
    assert "path" not in last
