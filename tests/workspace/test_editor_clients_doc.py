"""docs/editor-clients.md: its transcript is what happens, and its limits are the real ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

import msgspec
from flask import Flask
from proof_work import work_off
from support import make_user
from werkzeug.test import TestResponse

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.contracts.workspaces.paths import BRIDGE_PATH, REASONS
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_PATH_BYTES,
    MAX_TOTAL_BYTES,
    ProofState,
)
from codeintel.workspaces.records import Bridge
from codeintel.workspaces.requests import SyncBody

TEXT = (Path(__file__).parents[2] / "docs" / "editor-clients.md").read_text()
ORIGIN = "http://127.0.0.1:8000"
KEY = re.compile(r"ci_live_[0-9A-Za-z]+")
MADE_UP = re.compile(
    r"(?P<id>\b(?:wsp|rep|job)_[0-9a-f]{24}\b)"
    r"|(?P<moment>\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"
    r"|(?P<clock>\b\d\d:\d\d UTC\b)"
    r"|(?P<request>\b[0-9a-f]{16}\b)"
)
"""What is another one each time."""


class Exchange(NamedTuple):
    """A request and its answer, as the document has them."""

    method: str
    path: str
    headers: dict[str, str]
    body: str
    status: str
    answer_headers: dict[str, str]
    answer: str


def exchanges(text: str) -> Iterator[Exchange]:
    """Yield all exchanges, in order."""
    blocks = re.findall(r"^```http\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for asked, answered in zip(blocks[::2], blocks[1::2], strict=True):
        line, headers, body = parts(asked)
        status, answer_headers, answer = parts(answered)
        method, path, version = line.split(" ")
        assert version == "HTTP/1.1"
        yield Exchange(method, path, headers, body, status, answer_headers, answer)


def parts(block: str) -> tuple[str, dict[str, str], str]:
    """Return first line, headers and body."""
    head, _, body = block.partition("\n\n")
    line, *rest = head.rstrip("\n").split("\n")
    return line, dict(each.split(": ", 1) for each in rest), body.removesuffix("\n")


class Play:
    """Sends the requests of the document to an application."""

    def __init__(self, app: Flask) -> None:
        self._services = app.extensions["codeintel"]
        user = make_user(self._services, scopes=("workspace:write",))
        self._token = user.token
        self._client = app.test_client()
        self.known: dict[str, str] = {}
        """Made-up values of the document, and their actual values."""

    def send(self, exchange: Exchange) -> TestResponse:
        """Return the real answer."""
        if exchange.path.endswith("/proof/events"):
            work_off(self._services)
        headers = {name: KEY.sub(self._token, value) for name, value in exchange.headers.items()}
        return self._client.open(
            self.here(exchange.path),
            base_url=ORIGIN,
            method=exchange.method,
            headers=headers,
            data=self.here(exchange.body) or None,
        )

    def here(self, text: str) -> str:
        """Return the text with the values of this run."""
        return MADE_UP.sub(lambda found: self.known.get(found[0], found[0]), text)

    def same(self, told: str, real: str) -> bool:
        """Return whether two texts only differ in made-up values, always in the same way."""
        if MADE_UP.sub(kind, told) != MADE_UP.sub(kind, real):
            return False
        pairs = zip(MADE_UP.finditer(told), MADE_UP.finditer(real), strict=True)
        return all(
            found["id"] is None or self.known.setdefault(found[0], other[0]) == other[0]
            for found, other in pairs
        )


def kind(found: re.Match[str]) -> str:
    return f"<{found.lastgroup}>"


def plain(body: str) -> str:
    """Return a body for comparison: JSON without its layout, and without digest and size of the
    bridge file, which has times in it."""
    if not body.startswith(("{", "[")):
        return body
    document = json.loads(body)
    for entry in document.get("files", ()):
        if isinstance(entry, dict) and entry["path"] == BRIDGE_PATH:
            entry |= {"sha256": "", "size": 0}
    return json.dumps(document, ensure_ascii=False)


def test_the_transcript_is_what_happens(app: Flask) -> None:
    play = Play(app)
    seen = set()
    for exchange in exchanges(TEXT):
        response = play.send(exchange)
        name = f"{exchange.method} {exchange.path}"
        status = HTTPStatus(response.status_code)
        assert exchange.status == f"HTTP/1.1 {status.value} {status.phrase}", name
        for header, value in exchange.answer_headers.items():
            assert play.same(value, response.headers[header]), f"{name}: {header}"
        real = plain(response.get_data(as_text=True).removesuffix("\n"))
        assert play.same(plain(exchange.answer), real), f"{name}:\n{real}"
        seen.add(f"{exchange.method} {exchange.path.partition('?')[0].split('/')[-1]}")
    assert len(seen) >= 12
    assert len(set(play.known.values())) == len(play.known)


def told(heading: str) -> str:
    """Return a section of the document."""
    found: str = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert found, heading
    return found


def test_every_field_is_described() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(SyncBody)}
    assert set(re.findall(r"^\| `(\w+)` \|", told("Push"), re.MULTILINE)) == fields
    bridge = {field.encode_name for field in msgspec.structs.fields(Bridge)}
    assert set(re.findall(r"`(\w+)`", told("The bridge file"))) >= bridge


def test_limits_are_the_real_ones() -> None:
    mib = 1024 * 1024
    assert f"{MAX_FILES:,} files" in TEXT
    assert f"{MAX_FILE_BYTES // mib} MiB a file" in TEXT
    assert f"{MAX_TOTAL_BYTES // mib} MiB" in TEXT
    assert f"{MAX_PATH_BYTES:,} bytes" in TEXT
    assert set(re.findall(r"`([a-z-]+)`", told("Paths"))) >= REASONS
    assert {f"`{state}`" for state in ProofState} <= set(re.findall(r"`\w+`", told("Proof")))
    assert Scope.WORKSPACE_WRITE in TEXT


def test_codes_exist() -> None:
    codes = re.findall(r"^\| (\d{3}) `(\w+)` \|", TEXT, re.MULTILINE)
    assert len(codes) >= 8
    assert all(ErrorCode(code).status == int(status) for status, code in codes)


def test_every_path_exists(app: Flask) -> None:
    rules = {re.sub(r"<[^>]+>", "{}", rule.rule) for rule in app.url_map.iter_rules()}
    paths = re.findall(r"`(?:GET|POST|DELETE) (/[^`?]+)[^`]*`", TEXT)
    assert paths
    assert {re.sub(r"\{\w+\}", "{}", path) for path in paths} <= rules
