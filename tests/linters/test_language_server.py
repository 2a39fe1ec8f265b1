from __future__ import annotations

import sys

import pytest
from codeintel_plugins.linters.oxlint.process import LanguageServer
from codeintel_plugins.toolkit.processes import ToolFailed, ToolTookTooLong

ANSWER = """
import json, sys
def say(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"X-Other: 1\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
def hear():
    size = int(sys.stdin.buffer.readline().split(b":")[1])
    sys.stdin.buffer.readline()
    return json.loads(sys.stdin.buffer.read(size))
"""
TALK = """
while True:
    message = hear()
    if message["method"] == "told":
        say(method="heard", params=message["params"])
    elif message["method"] == "no":
        say(id=message["id"], error={"code": 1})
    else:
        say(id=message["id"], method="workspace/configuration")
        say(id=message["id"], result=message["params"] * 2)
"""


def server(script: str, seconds: float = 20) -> LanguageServer:
    return LanguageServer([sys.executable, "-c", ANSWER + script], environment={}, seconds=seconds)


def test_a_talk() -> None:
    with server(TALK) as talk:
        assert talk.request("double", "é" * 100_000) == "é" * 200_000
        talk.notify("told", [1])
        assert talk.wait_for("heard") == [1]
        assert talk.request("double", 4) == 8
        with pytest.raises(ToolFailed, match="rejected"):
            talk.request("no", None)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("", "ended"),
        ("hear(); sys.stdout.write('x' * 2000); sys.stdout.flush(); hear()", "protocol"),
        ("hear(); sys.stdout.write('Some: 1\\r\\n\\r\\n'); sys.stdout.flush(); hear()", "protocol"),
        ("hear(); say(a='x' * 10_000_000); hear()", "too much"),
        ("hear(); print('Content-Length: 1\\r\\n\\r\\n1', flush=True); hear()", "protocol"),
    ],
)
def test_what_is_no_language_server(script: str, error: str) -> None:
    with server(script) as talk, pytest.raises(ToolFailed, match=error):
        talk.request("double", 1)


def test_silence_ends() -> None:
    with server("hear(); hear()", seconds=0.2) as talk, pytest.raises(ToolTookTooLong):
        talk.request("double", 1)
