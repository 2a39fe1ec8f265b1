"""`codeintel scan --url`: the same findings as on this machine, and a service that ends early."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scan_runs import HARMLESS, RISKY, Ended, ended, project, scan, started

from codeintel.testing.server import LiveServer

SCRIPT = "document.body.innerHTML = location.hash;\neval(location.search);\n"
TOKEN = "token = 'ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a'\n"
LONG = HARMLESS + "x = 1\n" * 20_000 + RISKY


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("instance")) as live:
        yield live


@pytest.fixture(scope="module")
def key(server: LiveServer) -> str:
    return server.make_key()


def by_service(root: Path, server: LiveServer, key: str, *arguments: str) -> Ended:
    environment = {"CODEINTEL_URL": server.url, "CODEINTEL_API_KEY": key}
    return scan(root, *arguments, environment=environment)


def comparable(seen: Ended) -> dict[str, Any]:
    """Return the report without the parts that differ between the two ways to scan."""
    document = dict(seen.document)
    document["summary"] = {
        name: value for name, value in document["summary"].items() if name != "cached"
    }
    document["notes"] = [note for note in document["notes"] if "/runs/" not in note]
    return document


def test_both_ways_find_the_same(tmp_path: Path, server: LiveServer, key: str) -> None:
    root = project(
        tmp_path, a_py=RISKY, b_py=HARMLESS, copy_py=RISKY, long_py=LONG, secret_py=TOKEN
    )
    (root / "page.js").write_text(SCRIPT)
    (root / "latin.py").write_bytes(b"# \xe9\n" + RISKY.encode())
    (root / "new\nline.py").write_text(RISKY)
    (root / "binary.py").write_bytes(b"\0")
    here = scan(root)
    there = by_service(root, server, key)
    assert here.status == there.status == 1, there.err
    assert there.out, there.err
    assert comparable(there)["summary"] == comparable(here)["summary"]
    assert comparable(there) == comparable(here)
    assert len(here.document["findings"]) > 7
    again = by_service(root, server, key)
    assert again.document["summary"]["cached"] == again.document["summary"]["files"]
    assert comparable(again) == comparable(here)


def test_statuses_are_the_same(tmp_path: Path, server: LiveServer, key: str) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    assert by_service(root, server, key).status == 0
    (root / "b.py").write_bytes(b"\0")
    assert by_service(root, server, key).status == 3
    assert by_service(root, server, key, "--local").status == 3
    assert by_service(root, server, key, "-").status == 0  # no names


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"CODEINTEL_URL": "http://127.0.0.1:9"}, "No API key"),
        ({"CODEINTEL_URL": "http://127.0.0.1:9", "CODEINTEL_API_KEY": "ci_x"}, "cannot be reached"),
        ({"CODEINTEL_URL": "nonsense", "CODEINTEL_API_KEY": "ci_x"}, "Check --url"),
    ],
)
def test_services_that_cannot_be_used(
    tmp_path: Path, environment: dict[str, str], message: str
) -> None:
    seen = scan(project(tmp_path, a_py=HARMLESS), environment=environment)
    assert (seen.status, seen.out) == (2, "")
    assert message in seen.err


def test_an_account_without_credits(tmp_path: Path, server: LiveServer) -> None:
    key = server.make_key("poor@example.org", "--credits", "1")
    seen = by_service(project(tmp_path, a_py=HARMLESS), server, key)
    assert (seen.status, seen.out) == (2, "")
    assert "credits" in seen.err


def test_a_service_that_ends_in_the_middle(tmp_path: Path) -> None:
    files = {f"m{number:02}_py": f"{RISKY}x = {number}\n" for number in range(60)}
    root = project(tmp_path, **files)
    (tmp_path / "instance").mkdir()
    with LiveServer(tmp_path / "instance", CODEINTEL_ANALYSIS_PROCESSES="1") as live:
        key = live.make_key()
        environment = {"CODEINTEL_URL": live.url, "CODEINTEL_API_KEY": key}
        process = started(
            root, "-o", "json", "--fail-on=none", environment=environment, stdin=subprocess.DEVNULL
        )
        try:
            while not running(live, key):
                assert process.poll() is None
        finally:
            live.kill_all()
        seen = ended(process)
    assert seen.status in (2, 3), seen.err
    assert "Traceback" not in seen.err
    if seen.status == 3:  # after the first results
        assert "did not finish the scan" in seen.document["unchecked"][0]["reason"]


def running(live: LiveServer, key: str) -> bool:
    """Return whether the service is scanning."""
    return live.account(key)["credits"]["held"] > 0
