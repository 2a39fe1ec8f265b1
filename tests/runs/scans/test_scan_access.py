"""The scopes that the endpoints of scans need."""

from __future__ import annotations

import secrets

import pytest
from scan_accounts import Scanning

from codeintel.identity.audit import OPERATOR


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "", {"files": [{"path": "a", "sha256": "0" * 64, "size": 1, "language": None}]}),
        ("POST", "/{}/contents", {"contents": ["x"]}),
        ("GET", "/{}/stream", None),
        ("DELETE", "/{}", None),
    ],
)
def test_only_keys_for_analyses_scan(
    scanning: Scanning, method: str, path: str, body: object
) -> None:
    for scope, is_allowed in {
        "analysis:write": True,
        "api:v1": True,
        "workspace:write": False,
        "transform:write": False,
    }.items():
        run_id = scanning.request({"a": "x"}).json["data"]["runId"]
        key = f"{secrets.token_hex(8)}@example.org"
        token = scanning.services.keys.create(scanning.account_id, key, [scope])[1]
        headers = {"Authorization": f"Bearer {token}"}
        address = f"/api/v1/scans{path.format(run_id)}"
        answer = scanning.client.open(address, method=method, headers=headers, json=body)
        if is_allowed:
            assert answer.status_code in {200, 201, 204}, answer.text
            answer.close()
        else:
            assert answer.json["error"]["code"] == "insufficient_scope"
        scanning.ask("DELETE", f"/scans/{run_id}")


def test_a_deleted_account_has_no_scans(scanning: Scanning) -> None:
    other = Scanning(scanning.app)
    other.ready({"a.py": "x = 1\n"})
    scanning.services.personal_data.delete(other.account_id, OPERATOR)
    assert other.rows() == (0, 0, 0)
