"""Attacks from a compromised worker process: none work, and with confinement off, all do."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import gevent
import pytest

sys.path.append(str(Path(__file__).parent.parent / "workers"))

from attacks_dropin import ATTACKS
from worker_helpers import SECONDS, Workers, children, eventually, working

from codeintel.base.confinement.state import Extent, state
from codeintel.contracts import AnalyzerStatus

pytestmark = [
    pytest.mark.skipif(state().extent is not Extent.OK, reason="this kernel cannot confine all"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="its calls are x86-64's"),
]

SUCCEED_WITHOUT = {
    "read the pepper",
    "read the pepper by a symbolic link",
    "write to the database",
    "open the database to all",
    "write a plugin",
    "list the instance folder",
    "write elsewhere",
    "list the processes",
    "read the server's command",
    "signal the server",
    "signal another job",
    "slow the server",
    "connect by TCP",
    "send by UDP",
    "connect to an abstract socket",
    "connect to a socket in a folder",
    "list the jobs",
    "list another job's files",
    "read another job's file",
    "start a shell",
    "start Python",
    "fork",
    "memory without a limit",
}
"""Attacks that work on every kernel, for every user and in containers, if nothing is confined."""


class Scene:
    """An instance folder with secrets, open ports, and another job in progress."""

    def __init__(self, folder: Path, mode: str, stack: ExitStack) -> None:
        instance = folder / "instance"
        (instance / "plugins").mkdir(parents=True)
        (instance / "plugins/attacks.py").symlink_to(Path(__file__).with_name("attacks_dropin.py"))
        self.secret = instance / "key_pepper"
        self.database = instance / "codeintel.db"
        doomed = instance / "doomed.db"
        for file in (self.secret, self.database, doomed):
            file.write_text("seen-by-nobody")
        self.before = self.database.stat()
        tcp, udp = (
            stack.enter_context(socket.socket(socket.AF_INET, kind))
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)
        )
        abstract, door = (
            stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) for _ in range(2)
        )
        name = f"codeintel-{secrets.token_hex(4)}"
        places = {tcp: ("127.0.0.1", 0), udp: ("127.0.0.1", 0), abstract: f"\0{name}"}
        for each, place in {**places, door: str(folder / "door")}.items():
            each.bind(place)
        for each in (tcp, abstract, door):
            each.listen()
        config = {"CODEINTEL_CONFINEMENT": mode}
        self.workers: Workers = stack.enter_context(working(instance, config=config))
        with gevent.Timeout(SECONDS):
            self._waiting = self.workers.start("waits")
            pid, sibling_folder = json.loads(next(self._waiting).output.message)  # type: ignore[union-attr]
        stack.callback(self._waiting.close)  # type: ignore[attr-defined]
        self._word = ctypes.create_string_buffer(b"a secret")
        self.instance = instance
        self.given = json.dumps(
            {
                "instance": str(instance),
                "secret": str(self.secret),
                "database": str(self.database),
                "doomed": str(doomed),
                "plugin": str(instance / "plugins/evil.py"),
                "elsewhere": str(folder / "elsewhere"),
                "server": os.getpid(),
                "address": ctypes.addressof(self._word),
                "sibling": pid,
                "sibling_folder": sibling_folder,
                "tcp": tcp.getsockname(),
                "udp": udp.getsockname(),
                "abstract": name,
                "door": str(folder / "door"),
            }
        )

    def succeeded(self, analyzer: str) -> set[str]:
        """Return the names of the attacks that worked."""
        said = self.workers.one(analyzer, self.given)
        assert said.status is AnalyzerStatus.COMPLETED, said
        tried = {note.split(": ")[1] for note in said.notes}
        assert tried >= set(ATTACKS)
        return {note.removeprefix("yes: ") for note in said.notes if note.startswith("yes: ")}


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    with ExitStack() as stack:
        yield Scene(tmp_path, request.param, stack)


@pytest.mark.parametrize("scene", ["auto"], indirect=True)
def test_nothing_gets_out(scene: Scene) -> None:
    assert scene.succeeded("attacks") == {"work"}
    # A process that may start a program may also fork. Not even Python is among its programs.
    assert scene.succeeded("attacks_with_a_program") == {"work", "its own program", "fork"}
    assert scene.secret.read_text() == scene.database.read_text() == "seen-by-nobody"
    after = scene.database.stat()
    assert (after.st_mode, after.st_mtime_ns) == (scene.before.st_mode, scene.before.st_mtime_ns)
    kept = {"plugins", "key_pepper", "codeintel.db", "doomed.db"}
    assert {each.name for each in scene.instance.iterdir()} == kept
    assert not (scene.instance / "plugins/evil.py").exists()


@pytest.mark.parametrize("scene", ["off"], indirect=True)
def test_without_confinement_the_attacks_work(scene: Scene) -> None:
    assert scene.succeeded("attacks") >= SUCCEED_WITHOUT | {"work"}


@pytest.mark.parametrize("scene", ["auto"], indirect=True)
@pytest.mark.alone
def test_a_fork_bomb_is_stopped_and_hurts_no_other_job(scene: Scene) -> None:
    said = scene.workers.one("bomb")
    assert said.notes == ["begins"] or said.status is not AnalyzerStatus.COMPLETED
    assert said.status is AnalyzerStatus.FAILED, "killed before its time was over"
    (sibling, *others) = children(scene.workers.zygote)
    assert sibling == json.loads(scene.given)["sibling"]
    assert not others or eventually(lambda: len(children(scene.workers.zygote)) == 1)
