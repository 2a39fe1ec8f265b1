"""The state of keys on `/account/keys`, and the commands that the page shows."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from web_pages import Page

from codeintel.base.entitlements import Scope
from codeintel.identity.keys.records import KeyRecord, KeyStatus
from codeintel.web.keys import commands, key_row

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def record(**changed: Any) -> KeyRecord:
    values: dict[str, Any] = {
        "id": "key_1",
        "name": "x",
        "scopes": (Scope.API_V1,),
        "status": KeyStatus.ACTIVE,
        "preview": "ci_live_…abcd",
        "created_at": NOW - timedelta(days=100),
        "expires_at": NOW + timedelta(days=100),
        "last_used_at": None,
        "revoked_at": None,
    }
    return KeyRecord(**{**values, **changed})


@pytest.mark.parametrize(
    ("changed", "state", "note"),
    [
        ({}, "active", ""),
        ({"expires_at": NOW + timedelta(days=14, seconds=1)}, "active", ""),
        ({"expires_at": NOW + timedelta(days=14)}, "soon", "in 14 days"),
        ({"expires_at": NOW + timedelta(hours=47)}, "soon", "in 47 hours"),
        ({"expires_at": NOW + timedelta(minutes=59)}, "soon", "in 59 minutes"),
        ({"expires_at": NOW, "status": KeyStatus.EXPIRED}, "expired", ""),
        (
            {"revoked_at": NOW, "status": KeyStatus.REVOKED, "replaced_by": "key_2"},
            "revoked",
            "on Jun 1, 2026",
        ),
        (
            {"replaced_by": "key_2", "expires_at": NOW + timedelta(hours=1)},
            "replaced",
            "by ci_live_…zzzz; ends in 1 hour",
        ),
        (
            {"replaced_by": "key_2", "expires_at": NOW, "status": KeyStatus.EXPIRED},
            "expired",
            "by ci_live_…zzzz",
        ),
    ],
)
def test_states(changed: dict[str, Any], state: str, note: str) -> None:
    row = key_row(record(**changed), NOW, "ci_live_…zzzz" if "replaced_by" in changed else "")
    assert (row.state, row.note) == (state, note)
    assert row.can_rotate is (state in {"active", "soon"})
    assert row.is_active is (state in {"active", "soon", "replaced"})


@pytest.mark.parametrize(
    ("scopes", "paths"),
    [
        ([Scope.ANALYSIS_WRITE], ["/api/v1/analyze/stream"]),
        ([Scope.TRANSFORM_WRITE], ["/api/v1/transform/stream"]),
        ([Scope.SEARCH_READ], ["/api/v1/search"]),
        ([Scope.ACCOUNT_READ], ["/api/v1/account"]),
        ([Scope.WORKSPACE_WRITE], ["/api/v1/capabilities"]),
        (
            [Scope.API_V1],
            [
                "/api/v1/analyze/stream",
                "/api/v1/transform/stream",
                "/api/v1/search",
                "/api/v1/account",
            ],
        ),
    ],
)
def test_commands(scopes: list[Scope], paths: list[str]) -> None:
    made = commands("https://code.example/", "ci_live_x", scopes)
    found = []
    for place, each in enumerate(made):
        words = shlex.split(each.text)
        # The first one sets the key, and no other shows it.
        assert (words[:2] == ["export", "CODEINTEL_API_KEY=ci_live_x"]) is (place == 0)
        assert each.text.count("ci_live_x") == (place == 0)
        (address,) = [word for word in words if word.startswith("https:")]
        found.append(address.removeprefix("https://code.example").partition("?")[0])
        assert "Authorization: Bearer $CODEINTEL_API_KEY" in words
    assert found == paths


def test_the_documentation_shows_how_a_session_is_sent(app: Flask) -> None:
    page = Page(app.test_client().get("/docs/api/api-keys-revoke").text)
    (text,) = [
        each.text
        for each in page.root.all("code")
        if "-X DELETE" in each.text and "/api/account/api-keys/$KEY_ID" in each.text
    ]
    assert '-b "codeintel_session=$CODEINTEL_SESSION"' in text
    assert '-H "Sec-Fetch-Site: same-origin"' in text
    assert "CODEINTEL_API_KEY" not in text
    for name in ("create", "list", "revoke", "rotate"):
        answer = app.test_client().get(f"/docs/api/api-keys-{name}")
        assert "Session of a browser required" in answer.text
