"""The examples of requests have the syntax of their language, for all operations."""

from __future__ import annotations

import json
import subprocess

import pytest
from flask import Flask
from servers import binary

from codeintel.web.reference.current import current_reference
from codeintel.web.reference.examples import SampleRequest, javascript, python

_CHECK = """
const vm = require("node:vm");
const codes = JSON.parse(require("node:fs").readFileSync(0));
const wrong = Object.entries(codes).flatMap(([name, code]) => {
  try { new vm.SourceTextModule(code); return []; } catch (error) { return [`${name}: ${error}`]; }
});
process.stdout.write(JSON.stringify(wrong));
"""


@pytest.fixture
def codes(app: Flask) -> dict[str, dict[str, str]]:
    """Return the examples of all operations by language and slug."""
    found: dict[str, dict[str, str]] = {}
    with app.test_request_context():
        for slug, operation in current_reference().operations.items():
            for each in operation.examples:
                found.setdefault(each.name, {})[slug] = each.code
    assert list(found) == ["curl", "python", "javascript"]
    return found


def test_python(codes: dict[str, dict[str, str]]) -> None:
    for slug, code in codes["python"].items():
        compile(code, slug, "exec")


def test_curl(codes: dict[str, dict[str, str]]) -> None:
    for slug, code in codes["curl"].items():
        checked = subprocess.run(["/bin/sh", "-n", "-c", code], capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, b""), slug


def test_javascript(codes: dict[str, dict[str, str]]) -> None:
    command = [binary("node"), "--no-warnings", "--experimental-vm-modules", "-e", _CHECK]

    def wrong(given: dict[str, str]) -> list[str]:
        done = subprocess.run(
            command, input=json.dumps(given), capture_output=True, text=True, check=True
        )
        found: list[str] = json.loads(done.stdout)
        return found

    assert wrong(codes["javascript"]) == []
    assert len(wrong({"broken": "const x = ;"})) == 1


def test_required_parameters_are_sent(codes: dict[str, dict[str, str]]) -> None:
    assert "/api/v1/search?q=redis" in codes["curl"]["search"]
    assert '"q": "redis"' in codes["python"]["search"]
    assert "?since=1" in codes["javascript"]["workspace-changes"]


def test_values_keep_their_meaning() -> None:
    body = {"code": 'it\'s "x" \\ \u2028 😀\n', "list": [True, None, {}], "no": False}
    request = SampleRequest("http://127.0.0.1", "POST", "/a", body=body, answer="nothing")
    sent = {}

    class Requests:
        @staticmethod
        def post(_address: str, **options: object) -> Requests:
            sent.update(options)
            return Requests()

        status_code = 200

        def raise_for_status(self) -> None:
            pass

    program = python(request).replace("import requests", "")
    exec(program, {"requests": Requests, "print": lambda *_: None})
    assert sent["json"] == body
    script = javascript(request).replace("await fetch", "fetch").replace("await ", "")
    fake = "const fetch = (_, { body }) => { console.log(body); return { ok: true }; };"
    done = subprocess.run(
        [binary("node"), "-e", fake + script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.split("\n")[0]) == body
