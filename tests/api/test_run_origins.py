"""The source and the counts of findings in the row of a run."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from support import User

from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow

BAD = "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"
CODE = {"code": BAD, "language": "py"}


def row(app: Flask) -> Any:
    """Return the only run."""
    with app.app_context(), db.engine.connect() as connection:
        return connection.execute(select(RunRow.__table__)).one()


@pytest.mark.parametrize(
    ("headers", "source", "file"),
    [
        ({}, "api", None),
        ({"User-Agent": "codeintel/0.1.0"}, "cli", None),
        ({"X-Codeintel-Source": "editor"}, "editor", None),
        ({"X-Codeintel-Source": "nonsense"}, "api", None),
        ({"X-Codeintel-File": quote("src/grüße 1.py")}, "api", "src/grüße 1.py"),
        ({"X-Codeintel-File": "%00a%0Ab%FF"}, "api", "a b"),
        ({"X-Codeintel-File": "a" * 300}, "api", "a" * 255),
    ],
)
def test_the_source_and_the_file(
    app: Flask,
    client: FlaskClient,
    user: User,
    headers: dict[str, str],
    source: str,
    file: str | None,
) -> None:
    answer = client.post("/api/v1/analyze/stream", json=CODE, headers={**user.headers, **headers})
    assert answer.status_code == 200
    assert "run.completed" in answer.text
    found = row(app)
    assert (found.source, found.file, found.language) == (source, file, "python")
    assert sum(json.loads(found.severities).values()) > 0
    assert BAD not in "".join(map(str, found))


@pytest.mark.parametrize(
    ("sent", "stored"), [(f"wsp_{'a' * 24}", f"wsp_{'a' * 24}"), ("wsp_1", None), ("", None)]
)
def test_the_workspace_that_the_editor_sends(
    app: Flask, client: FlaskClient, user: User, sent: str, stored: str | None
) -> None:
    headers = {**user.headers, "X-Codeintel-Workspace": sent}
    assert "run.completed" in client.post(
        "/api/v1/analyze/stream", json=CODE, headers=headers
    ).get_data(as_text=True)
    assert row(app).workspace_id == stored


def test_a_transformation_has_no_severities(app: Flask, client: FlaskClient, user: User) -> None:
    body = {"code": "x = not a in b\n", "transformation": "refactor", "language": "python"}
    answer = client.post("/api/v1/transform/stream", json=body, headers=user.headers)
    assert "run.completed" in answer.text
    found = row(app)
    assert (found.source, found.language, found.severities) == ("api", "python", None)
