"""The accepted credentials of every route, and the things that its address names."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from werkzeug.test import TestResponse

BODY = {"json": {"code": "x = 1", "transformation": "refactor", "language": "python"}}

PAGE, FORM, SIGNED_IN = "page", "form of anybody", "page of an account"

EXEMPT, PUBLIC, SESSION, RUN = "exempt", "public", "session", "that of the run's kind"

WORKSPACE = "workspace:write, which no other scope covers"
SCAN = "analysis:write, for an account's scan"
"""See `tests/runs/scans/test_scan_access.py`."""

# (method, path): what it takes; a new route without a row fails the test below.
ROUTES: dict[tuple[str, str], str] = {
    ("GET", "/"): PAGE,
    ("GET", "/docs"): PAGE,
    ("GET", "/docs/api/<slug>"): PAGE,
    ("GET", "/docs/errors"): PAGE,
    ("GET", "/docs/events"): PAGE,
    ("GET", "/docs/guides"): PAGE,
    ("GET", "/docs/guides/<path:name>"): PAGE,
    ("GET", "/docs/guides/images/<name>"): PAGE,
    ("GET", "/docs/objects"): PAGE,
    ("GET", "/docs/objects/<name>"): PAGE,
    ("GET", "/docs/search"): PAGE,
    ("GET", "/docs/rules"): PAGE,
    ("GET", "/docs/rules/<analyzer>/<path:rule_id>"): PAGE,
    ("GET", "/find"): PAGE,
    ("GET", "/find/results"): PAGE,
    ("GET", "/findings/titles"): PAGE,
    ("GET", "/search"): PAGE,
    ("GET", "/trust"): PAGE,
    ("GET", "/playground"): PAGE,
    ("GET", "/signin"): PAGE,
    ("GET", "/signin/<token>"): PAGE,
    ("GET", "/auth/login"): PAGE,
    ("GET", "/auth/callback/<provider>"): PAGE,
    ("GET", "/static/web/<path:filename>"): PAGE,
    ("POST", "/theme"): FORM,
    ("POST", "/signin/<token>"): FORM,
    ("POST", "/signout"): FORM,
    ("POST", "/signout/everywhere"): FORM,
    ("POST", "/auth/connect"): SIGNED_IN,
    ("GET", "/account"): SIGNED_IN,
    ("GET", "/account/keys"): SIGNED_IN,
    ("POST", "/account/keys"): SIGNED_IN,
    ("GET", "/account/keys/<key_id>/revoke"): SIGNED_IN,
    ("POST", "/account/keys/<key_id>/revoke"): SIGNED_IN,
    ("GET", "/account/keys/<key_id>/rotate"): SIGNED_IN,
    ("POST", "/account/keys/<key_id>/rotate"): SIGNED_IN,
    ("GET", "/account/activity"): SIGNED_IN,
    ("GET", "/account/data"): SIGNED_IN,
    ("POST", "/account/data/download"): SIGNED_IN,
    ("POST", "/account/data/delete"): SIGNED_IN,
    ("POST", "/account/sessions/<session_id>/end"): SIGNED_IN,
    ("POST", "/playground"): SIGNED_IN,
    ("POST", "/playground/token"): SIGNED_IN,
    ("GET", "/demo"): SIGNED_IN,
    ("POST", "/demo"): SIGNED_IN,
    ("POST", "/demo/remove"): SIGNED_IN,
    ("GET", "/runs"): SIGNED_IN,
    ("GET", "/runs/compare"): SIGNED_IN,
    ("GET", "/runs/<run_id>"): SIGNED_IN,
    ("GET", "/runs/<run_id>/json"): SIGNED_IN,
    ("GET", "/runs/<run_id>/sarif"): SIGNED_IN,
    ("GET", "/workspace"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/raw"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/archive.zip"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/history"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/diff"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/restore"): SIGNED_IN,
    ("POST", "/workspace/<workspace_id>/restore"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/delete"): SIGNED_IN,
    ("POST", "/workspace/<workspace_id>/delete"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/reports"): SIGNED_IN,
    ("POST", "/workspace/<workspace_id>/reports"): SIGNED_IN,
    ("GET", "/workspace/<workspace_id>/reports/<int(min=1,max=2147483647):revision>"): SIGNED_IN,
    (
        "GET",
        "/workspace/<workspace_id>/reports/<int(min=1,max=2147483647):revision>"
        "/<any(json,sarif,csv,html):form>",
    ): SIGNED_IN,
    ("GET", "/.well-known/openid-configuration"): PUBLIC,
    ("GET", "/.well-known/jwks.json"): PUBLIC,
    ("GET", "/api/v1/health"): EXEMPT,
    ("GET", "/api/v1/openapi.json"): PUBLIC,
    ("GET", "/api/v1/capabilities"): PUBLIC,
    ("GET", "/api/v1/search"): PUBLIC,
    ("GET", "/api/trust/network"): PUBLIC,
    ("GET", "/api/v1/account"): "account:read",
    ("POST", "/api/v1/analyze/stream"): "analysis:write",
    ("POST", "/api/v1/transform/stream"): "transform:write",
    ("GET", "/api/v1/runs/<run_id>"): RUN,
    ("GET", "/api/v1/runs/<run_id>/events"): RUN,
    ("POST", "/api/v1/runs/<run_id>/cancel"): RUN,
    ("POST", "/api/v1/scans"): SCAN,
    ("POST", "/api/v1/scans/<run_id>/contents"): SCAN,
    ("GET", "/api/v1/scans/<run_id>/stream"): SCAN,
    ("DELETE", "/api/v1/scans/<run_id>"): SCAN,
    ("POST", "/api/workspace/sync"): WORKSPACE,
    ("GET", "/api/workspace"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>"): WORKSPACE,
    ("DELETE", "/api/workspace/<workspace_id>"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/revisions"): WORKSPACE,
    ("POST", "/api/workspace/<workspace_id>/revisions"): WORKSPACE,
    ("POST", "/api/workspace/<workspace_id>/restore"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/files/<path:path>"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/changes"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/archive.zip"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/proof"): WORKSPACE,
    ("POST", "/api/workspace/<workspace_id>/proof"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/proof/events"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/reports"): WORKSPACE,
    ("GET", "/api/workspace/<workspace_id>/report"): WORKSPACE,
    ("GET", "/api/account/api-keys"): SESSION,
    ("POST", "/api/account/api-keys"): SESSION,
    ("DELETE", "/api/account/api-keys/<key_id>"): SESSION,
    ("POST", "/api/account/api-keys/<key_id>/rotate"): SESSION,
}

SCOPED = [
    (*route, scope)
    for route, scope in ROUTES.items()
    if ":" in scope and scope not in {WORKSPACE, SCAN}
]

UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}

OWN_ORIGIN = {"Origin": "http://localhost"}


def of_kind(*kinds: str) -> list[tuple[str, str]]:
    return [route for route, kind in ROUTES.items() if kind in kinds]


@dataclass(frozen=True)
class Things:
    """The ids of an account's things, for placeholders in addresses."""

    key_id: str
    run_id: str
    session_id: str
    workspace_id: str

    def address(self, path: str) -> str:
        found = {"provider": "nobody", "token": "nothing", "analyzer": "taint", **asdict(self)}
        found |= {"path:rule_id": "taint-sql", "path:filename": "site.css"}
        found |= {"path:path": "main.py", "int:revision": "1"}
        found |= {"int(min=1,max=2147483647):revision": "1", "any(json,sarif,csv,html):form": "csv"}
        found |= {"path:name": "quick-start", "slug": "health", "name": "Finding"}
        if path.startswith("/docs/guides/images/"):
            found |= {"name": "layers.svg"}
        return re.sub(r"<([^<>]+)>", lambda match: found[match[1]], path)


def code_of(answer: TestResponse) -> tuple[int, str]:
    """Return the status and the error code."""
    return answer.status_code, (answer.json or {}).get("error", {}).get("code", "")
