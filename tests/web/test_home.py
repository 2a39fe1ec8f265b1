"""The start page: what it shows is what the engines really say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support import User
from web_pages import Page, assert_sound

from codeintel.base.confinement.state import Extent
from codeintel.base.timestamps import from_milliseconds
from codeintel.platform.health import Checks, HealthCheck, HealthReport, Status
from codeintel.web.home import (
    ANALYSIS,
    TRANSFORMATION,
    AnalysisSample,
    Step,
    annotated,
    health_words,
)


def result(client: FlaskClient, user: User, path: str, body: dict[str, Any]) -> Any:
    """Return the result of a run."""
    answer = client.post(f"/api/v1/{path}/stream", json=body, headers=user.headers)
    assert answer.status_code == 200
    events = [
        json.loads(line.removeprefix("data: "))
        for line in answer.text.splitlines()
        if line.startswith("data: ")
    ]
    (found,) = [event["result"] for event in events if event["type"] == "result"]
    return found


def test_the_finding_is_a_real_one(client: FlaskClient, user: User) -> None:
    body = {"code": ANALYSIS.code, "language": "python", "model": "pro"}
    (finding,) = result(client, user, "analyze", body)["findings"]
    assert (
        AnalysisSample(
            code=ANALYSIS.code,
            rule=finding["ruleId"],
            severity=finding["severity"],
            weakness=finding["cwe"],
            message=finding["message"],
            remedy=finding["remedy"],
            flow=tuple(
                Step(
                    step["kind"],
                    step["range"]["startLine"],
                    step["range"]["startColumn"],
                    step["range"]["endColumn"],
                    step["message"],
                )
                for step in finding["flow"]
            ),
        )
        == ANALYSIS
    )
    assert all(s["range"]["startLine"] == s["range"]["endLine"] for s in finding["flow"])


def test_the_change_and_its_checks_are_real_ones(client: FlaskClient, user: User) -> None:
    body = {
        "code": TRANSFORMATION.code,
        "language": "python",
        "transformation": TRANSFORMATION.kind,
    }
    found = result(client, user, "transform", body)
    assert found["verified"]
    assert tuple(found["diff"].splitlines()[3:]) == TRANSFORMATION.diff
    passed = tuple(
        (each["level"], each["name"], each["evidence"])
        for each in found["checks"]
        if each["status"] == "passed"
    )
    assert passed == TRANSFORMATION.checks
    assert {each["status"] for each in found["checks"]} <= {"passed", "not_applicable"}


def test_the_page_shows_both(client: FlaskClient) -> None:
    page = Page(client.get("/").text)
    assert_sound(page)
    marked = [each.text for each in page.root.all("mark")]
    assert marked == ["owner", 'request.args["owner"]', "query", "query"]
    shown = page.root.one("main").text
    for text in (ANALYSIS.message, ANALYSIS.remedy, *(check[2] for check in TRANSFORMATION.checks)):
        assert text.replace("`", "") in shown
    for line in TRANSFORMATION.diff:
        assert line in page.text
    (link,) = page.root.one(class_="found").all("a")
    assert client.get(link["href"]).status_code == 200


def test_every_command_can_be_copied(client: FlaskClient) -> None:
    page = Page(client.get("/", base_url="http://127.0.0.1:8765").text)
    buttons = page.root.all("button", class_="copy")
    commands = {each["data-copy"]: page.root.one(id=each["data-copy"]).text for each in buttons}
    assert commands["start-serve"] == "pip install -e . && codeintel serve"
    assert '"http://127.0.0.1:8765/api/v1/analyze/stream"' in commands["start-curl"]
    # Without a script nothing could be copied.
    assert all("hidden" in each.attributes for each in buttons)


def test_the_command_with_curl_is_understood(client: FlaskClient, user: User) -> None:
    page = Page(client.get("/").text)
    command = page.root.one(id="start-curl").text
    body = json.loads(command[command.index("{") : command.rindex("}") + 1])
    assert result(client, user, "analyze", body)["findings"]


def test_lines_without_a_common_indentation_keep_their_pieces_together() -> None:
    lines = annotated(ANALYSIS)
    code = ANALYSIS.code.splitlines()
    for line in lines:
        assert "    " + "".join(text for text, _ in line.pieces) == code[line.number - 1]
    assert [line.number for line in lines] == [7, 8, 9]
    assert lines[0].notes == (("source", "request data"), ("step", "assigned to owner"))


@pytest.mark.parametrize(
    ("checks", "status", "words"),
    [
        ((HealthCheck.OK, HealthCheck.NOT_CONFIGURED), Status.HEALTHY, ["up", "not configured"]),
        ((HealthCheck.OK, HealthCheck.ERROR), Status.DEGRADED, ["up", "down"]),
        ((HealthCheck.ERROR, HealthCheck.OK), Status.UNHEALTHY, ["down", "up"]),
    ],
)
def test_health_in_words(
    checks: tuple[HealthCheck, HealthCheck], status: Status, words: list[str]
) -> None:
    told = health_words(
        HealthReport(status, "1.2.3", from_milliseconds(0), 7200, Checks(*checks, Extent.OK))
    )
    assert told.status == status
    assert [value for _, _, value in told.facts] == [*words, "2 hours", "1.2.3"]


def test_the_health_on_the_page_is_that_of_now(client: FlaskClient) -> None:
    page = Page(client.get("/").text)
    health = page.root.one(**{"data-health": "/api/v1/health"})
    told = {
        each["data-health-of"]: each.text
        for each in health.all()
        if "data-health-of" in each.attributes
    }
    report = client.get("/api/v1/health").json
    assert report is not None
    assert told["status"] == health["data-state"] == report["data"]["status"]
    assert told["version"] == report["data"]["version"]
    assert told.keys() == {"status", "database", "redis", "uptime", "version"}
