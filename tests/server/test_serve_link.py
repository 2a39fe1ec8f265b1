"""`codeintel serve` on a terminal prints a sign-in link only for the person at the terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from codeintel.server.prepare import is_at_hand
from codeintel.testing.server import COMMAND

SECONDS = 60


@contextmanager
def on_a_terminal(instance: Path, *arguments: str, folder: Path | None = None) -> Iterator[str]:
    """Return the output of `codeintel serve` on a terminal until it listens. It runs within the
    block, in `folder` if one is given."""
    master, terminal = os.openpty()
    process = subprocess.Popen(
        # Without `-P`, the test's own way to start the command would import from the folder.
        [COMMAND[0], "-P", *COMMAND[1:], "serve", "--port", "0", *arguments],
        env={**os.environ, "CODEINTEL_INSTANCE": str(instance)},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    try:
        yield _read(master)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
        os.close(master)


def _read(master: int) -> str:
    """Read to the last line of the welcome."""
    text, deadline = "", time.monotonic() + SECONDS
    while not re.search(r"codeintel analyze path/to/file.py\s", text):
        assert time.monotonic() < deadline, text
        if select.select([master], [], [], 1)[0]:
            text += os.read(master, 65_536).decode()
    return text


def test_the_link_signs_in_once_to_an_unlimited_account(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path) as text:
        [link] = re.findall(r"http://127\.0\.0\.1:\d+/signin/\S+", text)
        assert "sign in as operator@localhost." in text
        assert "accounts invite" not in text, "one recipe for one account"
        origin = link.partition("/signin/")[0]
        browser = requests.Session()
        for _ in range(10):
            assert browser.get(link, timeout=SECONDS).status_code == 200
        assert not browser.cookies
        assert browser.post(link, timeout=SECONDS).status_code == 403
        own = {"Origin": origin}
        assert browser.post(link, headers=own, timeout=SECONDS).status_code == 200
        assert browser.get(f"{origin}/account", timeout=SECONDS).status_code == 200
        made = browser.post(
            f"{origin}/api/account/api-keys",
            json={"name": "first", "scopes": ["account:read"]},
            headers=own,
            timeout=SECONDS,
        ).json()
        account = requests.get(
            f"{origin}/api/v1/account", headers={"x-api-key": made["token"]}, timeout=SECONDS
        ).json()["data"]
        assert (account["email"], account["unlimited"]) == ("operator@localhost", True)
        assert requests.post(link, headers=own, timeout=SECONDS).status_code == 410
    with on_a_terminal(tmp_path) as text:  # the next start makes a new link to the same account
        [again] = re.findall(r"http://127\.0\.0\.1:\d+/signin/\S+", text)
        assert again != link
        assert "operator@localhost" in requests.get(again, timeout=SECONDS).text


def test_where_others_can_connect_there_is_none(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path, "--host", "0.0.0.0") as text:
        assert "/signin/" not in text
        assert "codeintel accounts invite" in text


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.0.2.1", False),
        ("example.org", False),
    ],
)
def test_which_addresses_are_at_hand(host: str, expected: bool) -> None:
    assert is_at_hand(host) is expected


def test_code_in_the_current_folder_does_not_run(tmp_path: Path) -> None:
    folder, trace = tmp_path / "repository", tmp_path / "trace"
    folder.mkdir()
    for name in ("copy", "yaml", "codeintel_plugins", "sitecustomize", "gunicorn", "wsgi"):
        (folder / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write({name!r})\n")
    with on_a_terminal(tmp_path / "instance", folder=folder) as text:
        [link] = re.findall(r"http://127\.0\.0\.1:\d+/signin/\S+", text)
        origin = link.partition("/signin/")[0]
        requests.get(f"{origin}/api/v1/health", timeout=SECONDS).raise_for_status()
    assert not trace.exists(), trace.read_text()
