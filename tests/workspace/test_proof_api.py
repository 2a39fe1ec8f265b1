"""The proof loop in the API."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from proof_work import JAVASCRIPT, PYTHON, push, work_off
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts.workspaces.records import LeftOutFile
from codeintel.workspaces.records import WorkspaceRecord

FILES = {"/app/run.py": PYTHON, "/web/show.js": JAVASCRIPT, "/=cmd.py": PYTHON}


@pytest.fixture
def owner(services: Services) -> User:
    return make_user(services, "owner@example.org", scopes=("workspace:write",))


@pytest.fixture
def session(services: Services, owner: User) -> WorkspaceRecord:
    return push(services, owner, FILES, trust_dependencies=True)


@pytest.fixture
def path(session: WorkspaceRecord) -> str:
    return f"/api/workspace/{session.id}"


def test_the_status_and_a_request(
    client: FlaskClient, services: Services, owner: User, session: WorkspaceRecord, path: str
) -> None:
    told = client.get(f"{path}/proof", headers=owner.headers)
    assert told.json == {"status": "queued", "revision": 1, "reportId": told.json["reportId"]}
    asked = client.post(
        f"{path}/proof", headers=owner.headers, json={"trustDependencies": False, "more": 1}
    )
    assert asked.status_code == 202
    assert asked.json == {**told.json, "ignoredFields": ["more"]}
    found = services.workspaces.find(owner.account.id, session.id)
    assert not found.trust_dependencies
    work_off(services)
    told = client.get(f"{path}/proof?revision=1", headers=owner.headers)
    assert told.json["status"] == "failed"
    assert {"reportId", "reason", "startedAt", "finishedAt"} <= set(told.json)
    again = client.post(f"{path}/proof", headers=owner.headers)
    assert (again.status_code, again.json["status"]) == (202, "queued")
    served = {"wsgi.input_terminated": True}  # as servers set it for every request
    again = client.post(f"{path}/proof", headers=owner.headers, environ_overrides=served)
    assert (again.status_code, again.json["status"]) == (202, "queued")
    for query in ("revision=2", "revision=9007199254740992"):
        answer = client.get(f"{path}/proof?{query}", headers=owner.headers)
        assert answer.status_code == 404
    assert client.get(f"{path}/proof?revision=0", headers=owner.headers).status_code == 400


def test_the_events_end_with_the_last_state(
    client: FlaskClient, services: Services, owner: User, path: str
) -> None:
    work_off(services)
    answer = client.get(f"{path}/proof/events", headers=owner.headers)
    assert answer.mimetype == "text/event-stream"
    lines = answer.text.splitlines()
    assert lines[:2] == ["id: 1", "event: proof"]
    assert json.loads(lines[2].removeprefix("data: "))["status"] == "failed"


def test_reports_and_their_files(
    client: FlaskClient, services: Services, owner: User, session: WorkspaceRecord, path: str
) -> None:
    def ask(more: str) -> Any:
        return client.get(f"{path}/{more}", headers=owner.headers)

    assert ask("report").json["error"]["code"] == "not_found"
    assert ask("reports").json == {"sessionId": session.id, "reports": []}
    work_off(services)
    report = ask("report").json
    assert ask("reports").json["reports"] == [report["summary"]]
    assert ask("report?revision=1").json == report
    assert ask("report?revision=2").status_code == 404
    assert ask("report?format=exe").status_code == 400
    sarif = ask("report?format=sarif")
    assert sarif.mimetype == "application/sarif+json"
    assert len(sarif.json["runs"][0]["results"]) == len(report["findings"])
    rows = list(csv.reader(io.StringIO(ask("report?format=csv").text)))
    assert len(rows) == len(report["findings"]) + 1
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    page = ask("report?format=html")
    assert page.mimetype == "text/html"
    assert "sandbox" in page.headers["Content-Security-Policy"]
    for answer, form in ((sarif, "sarif"), (page, "html"), (ask("report?format=csv"), "csv")):
        named = f"attachment; filename=report-{session.id}-1.{form}"
        assert answer.headers["Content-Disposition"] == named
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_skipped_report_says_why_and_has_no_more(client: FlaskClient, services: Services) -> None:
    poor = make_user(services, "poor@example.org", credits_=0, scopes=("workspace:write",))
    session = push(services, poor, FILES)
    work_off(services)
    path = f"/api/workspace/{session.id}/report"
    report = client.get(path, headers=poor.headers).json
    assert report["summary"]["status"] == "skipped"
    assert "costs 2 credits" in report["summary"]["reason"]
    assert report["findings"] == []
    for form in ("sarif", "csv", "html"):
        answer = client.get(f"{path}?format={form}", headers=poor.headers)
        assert answer.status_code == 200, form


def test_manifests_and_files_with_secrets(
    client: FlaskClient, services: Services, owner: User
) -> None:
    files = {"/requirements.txt": "flask==3.0.0\n", "/.env": "KEY=abc\n", "/a.py": "x = 1\n"}
    session = push(services, owner, files, skipped=(LeftOutFile("/logo.png", "binary"),))
    work_off(services)
    report = client.get(f"/api/workspace/{session.id}/report", headers=owner.headers).json
    (manifest,) = report["manifests"]
    assert (manifest["path"], manifest["ecosystem"]) == ("/requirements.txt", "pypi")
    assert [each["name"] for each in manifest["dependencies"]] == ["flask"]
    assert report["trustAsked"] is False
    assert report["secrets"] == [{"path": "/.env", "reason": "dotenv"}]
    assert "(1 with secrets)" in report["summary"]["reason"]
