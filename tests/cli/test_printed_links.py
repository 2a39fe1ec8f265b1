"""Every address of the service that a command prints can be opened."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from trust_upstreams import fake_upstreams

from codeintel.testing.server import COMMAND, LiveServer

CODE = """\
import os

from flask import Flask, request

app = Flask(__name__)


@app.get("/run")
def run():
    os.system("ls " + request.args["folder"])
    return "done"
"""
COMMANDS = (
    "accounts list",
    "accounts show operator@localhost",
    "accounts invite operator@localhost",
    "accounts create ann@example.org",
    "analyze project/app.py --model pro",
    "analyze project/app.py --format github",
    "audit",
    "config",
    "doctor",
    "jobs list",
    "keys create --name other",
    "keys list",
    "plugins",
    "push project --wait",
    "rules --search injection",
    "scan project --url {url}",
    "scan project --local",
    "search flask",
    "sources",
    "status project",
    "token operator@localhost",
    "transform project/old.py --to refactor",
    "trust pypi:kit",
    "trust names pypi djnago",
    "analyze project/app.py --key {narrow}",
)
STATUSES = {0, 1, 2, 3}
"""Some of the commands find something, or have no network."""
_ADDRESS = re.compile(r"https?://[^\s\"'<>`)\]|]+")
_CLOSED = "http://127.0.0.1:9"
TIMEOUT_SECONDS = 180


class Terminal:
    """Runs commands in a folder and collects the addresses that they print."""

    def __init__(self, server: LiveServer, folder: Path) -> None:
        self._server = server
        self._folder = folder
        self.key = ""
        self.url = server.url
        self.upstreams = ""
        self.printed: dict[str, str] = {}
        """Addresses, with the command that printed each first."""

    def run(self, command: str) -> str:
        """Run a command and return its standard output."""
        ended = subprocess.run(
            [COMMAND[0], "-P", *COMMAND[1:], *command.split()],
            cwd=self._folder,
            env={
                **os.environ,
                **self._server.settings,
                "CODEINTEL_INSTANCE": str(self._server.instance),
                "CODEINTEL_URL": self._server.url,
                "CODEINTEL_API_KEY": self.key,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )
        assert ended.returncode in STATUSES, f"{command}: {ended.stdout}{ended.stderr}"
        assert "Traceback" not in ended.stderr, f"{command}: {ended.stderr}"
        self.collect(command, ended.stdout + ended.stderr)
        return ended.stdout

    def collect(self, command: str, text: str) -> None:
        for address in _ADDRESS.findall(text):
            self.printed.setdefault(address.rstrip(".,;:"), command)


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """Provide a service whose lookups stay on this machine, after all commands."""
    folder = tmp_path_factory.mktemp("terminal")
    (folder / "project").mkdir()
    (folder / "project/app.py").write_text(CODE)
    (folder / "project/old.py").write_text("x = not a in b\n")
    with fake_upstreams() as upstreams:
        upstreams.add("kit")
        settings = {**upstreams.settings(), "HTTPS_PROXY": _CLOSED, "HTTP_PROXY": _CLOSED}
        with LiveServer(folder / "instance", NO_PROXY="127.0.0.1", **settings) as server:
            found = Terminal(server, folder)
            found.upstreams = upstreams.url
            found.collect("serve", server.output)
            found.key = found.run("keys create").strip()
            narrow = found.run("keys create --name narrow --scope search:read").strip()
            for command in COMMANDS:
                found.run(command.format(url=server.url, narrow=narrow))
            yield found


@pytest.fixture(scope="module")
def signed_in(terminal: Terminal) -> requests.Session:
    """Sign in with the link that `accounts invite` printed."""
    [link] = [
        address
        for address, command in terminal.printed.items()
        if command.startswith("accounts invite") and "/signin/" in address
    ]
    session = requests.Session()
    session.trust_env = False
    assert session.get(link, timeout=TIMEOUT_SECONDS).status_code == 200
    answer = session.post(
        link, data={"next": "/"}, headers={"Origin": origin(link)}, timeout=TIMEOUT_SECONDS
    )
    assert answer.status_code == 200
    return session


def origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def is_sign_in(address: str) -> bool:
    """Return whether this is the page that asks to sign in, or a sign-in link."""
    return urlsplit(address).path.startswith("/signin")


def test_every_address_of_the_service_can_be_opened(
    terminal: Terminal, signed_in: requests.Session
) -> None:
    own = {each: by for each, by in terminal.printed.items() if origin(each) == terminal.url}
    refused = {}
    for address, command in own.items():
        if is_sign_in(address):  # the fixture has used it
            continue
        headers = {}
        if urlsplit(address).path.startswith("/api/"):
            headers["Authorization"] = f"Bearer {terminal.key}"
        answer = signed_in.get(address, headers=headers, timeout=TIMEOUT_SECONDS)
        if answer.status_code >= 400 or is_sign_in(answer.url):
            refused[address] = f"{answer.status_code} by {command}"
    assert refused == {}
    commands = {command.split()[0] for command in own.values()}
    assert {"serve", "accounts", "analyze", "push"} <= commands


def test_no_other_address_on_this_machine_is_printed(terminal: Terminal) -> None:
    local = {
        address: command
        for address, command in terminal.printed.items()
        if urlsplit(address).hostname in {"localhost", "127.0.0.1", "0.0.0.0", "::1"}
        and origin(address) not in {terminal.url, terminal.upstreams}
    }
    assert {each: by for each, by in local.items() if by != "config"} == {}
