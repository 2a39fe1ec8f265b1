"""The document in the repository: it equals the served one, and only breaks promises of the last
release that the change log names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from contract_changes import breaking_changes, undeclared
from flask.testing import FlaskClient
from openapi_spec_validator import OpenAPIV31SpecValidator

from codeintel.cli import main

ROOT = Path(__file__).parents[2]
PUBLISHED, RELEASED = ROOT / "docs/openapi.json", ROOT / "docs/openapi.released.json"
RENEW = 'CODEINTEL_INSTANCE="$(mktemp -d)" codeintel openapi > docs/openapi.json'
HELP = (
    "These changes break clients of the last release. Undo them, or name each operation, such as "
    "`GET /api/v1/account`, under `### Breaking` in the first section of CHANGELOG.md."
)


@pytest.fixture(scope="module")
def published() -> Any:
    return json.loads(PUBLISHED.read_text())


@pytest.mark.e2e
def test_it_is_what_the_command_prints(tmp_path: Path) -> None:
    printed = CliRunner(env={"CODEINTEL_INSTANCE": str(tmp_path)}).invoke(main, ["openapi"])
    assert printed.exit_code == 0, printed.output
    # Not compared by pytest, which would take minutes to show how they differ.
    is_same = printed.stdout == PUBLISHED.read_text()
    assert is_same, f"The document is not what is served any more. Renew it: {RENEW}"


def test_it_is_what_is_served(client: FlaskClient, published: Any) -> None:
    is_same = client.get("/api/v1/openapi.json").get_json() == published
    assert is_same, f"The document is not what is served any more. Renew it: {RENEW}"


def test_it_is_valid(published: Any) -> None:
    OpenAPIV31SpecValidator(published).validate()


def test_links_lead_to_operations_and_fill_their_paths(published: Any) -> None:
    """Check links, which no validator checks."""
    operations = [each for item in published["paths"].values() for each in item.values()]
    by_id = {each["operationId"]: each for each in operations}
    links = [
        link
        for each in operations
        for response in each["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert len(links) > 30
    for link in links:
        parameters = by_id[link["operationId"]]["parameters"]
        known = {each["name"] for each in parameters}
        needed = {each["name"] for each in parameters if each["in"] == "path"}
        assert needed <= link["parameters"].keys() <= known, link


def test_nothing_breaks_that_the_change_log_does_not_name(published: Any) -> None:
    changes = breaking_changes(json.loads(RELEASED.read_text()), published)
    found = undeclared(changes, (ROOT / "CHANGELOG.md").read_text())
    told = "\n".join(f"{each.operation}: {each.what}" for each in found)
    assert not found, f"{HELP}\n{told}"
