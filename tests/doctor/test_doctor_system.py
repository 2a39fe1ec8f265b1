"""`codeintel doctor`: the machine."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from doctor_scenes import Scene
from flask import Flask
from sqlalchemy import text
from support import make_user

from codeintel.base.confinement import kernel
from codeintel.engine.sandbox import bubblewrap
from codeintel.operations.doctor import files, system
from codeintel.platform.db import db
from codeintel.platform.sandbox import weakness
from codeintel.server import gunicorn


class Usage(NamedTuple):
    """The result of `shutil.disk_usage`."""

    total: int
    used: int
    free: int


def test_this_machine(scene: Scene) -> None:
    found = scene.look(system.look_at_system)
    assert found.status(system.PYTHON) == "ok"
    assert found.status(system.PACKAGES) in {"ok", "skipped"}


def test_an_old_python() -> None:
    assert system._python((3, 10), has_sound_patterns=True).status == "error"


def test_a_python_whose_regular_expressions_have_a_bug() -> None:
    found = system._python((3, 11), has_sound_patterns=False)
    assert (found.status, "3.11.5" in found.fix) == ("warning", True)
    assert system.has_sound_patterns()


@pytest.mark.parametrize(
    ("soft", "hard", "status", "fix"),
    [
        (1_024, 1_048_576, "warning", "ulimit"),
        (1_024, resource.RLIM_INFINITY, "warning", "ulimit"),
        (1_024, 1_024, "warning", "limits.conf"),
        (2_200, 2_200, "ok", ""),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, "ok", ""),
    ],
)
def test_descriptors(soft: int, hard: int, status: str, fix: str) -> None:
    found = system.descriptors(soft, hard, clients=2_000)
    assert found.status == status
    assert fix in found.fix


def test_descriptors_for_as_many_clients_as_a_worker_takes(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gunicorn.worker_connections == system.CLIENTS
    few = gunicorn.worker_connections + system.MARGIN - 1
    monkeypatch.setattr(resource, "getrlimit", lambda _: (few, few))
    assert scene.look(system.look_at_system).bad == {system.DESCRIPTORS: "warning"}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (few + 1, few + 1))
    assert not scene.look(system.look_at_system).bad


@pytest.mark.parametrize(
    ("requirements", "statuses"),
    [
        (["click>=8", "flask"], []),
        (["click>=900"], ["error"]),
        (["not-there-at-all", "click<1"], ["error", "error"]),
        (["not-there-at-all; extra == 'test'"], []),
        (["not-there-at-all; python_version < '3'"], []),
        (None, ["skipped"]),
    ],
)
def test_packages(requirements: Sequence[str] | None, statuses: list[str]) -> None:
    assert [str(each.status) for each in system.unfit(requirements)] == statuses


@pytest.mark.parametrize(
    ("mode", "abi", "status"),
    [
        ("auto", 7, "ok"),
        ("required", 7, "ok"),
        ("auto", 3, "warning"),
        ("required", 3, "error"),
        ("off", 7, "warning"),
    ],
)
def test_how_far_worker_processes_are_confined(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, mode: str, abi: int, status: str
) -> None:
    monkeypatch.setattr(kernel, "landlock_version", lambda: abi)
    monkeypatch.setattr(kernel, "has_seccomp", lambda: True)
    monkeypatch.setattr(kernel, "machine", lambda: "x86_64")
    scene.environ = {"CODEINTEL_CONFINEMENT": mode}
    found = scene.look(system.look_at_confinement)
    assert found.status(system.CONFINEMENT) == status
    assert ("signals" in found[system.CONFINEMENT].found) is (abi == 3)
    assert bool(found[system.CONFINEMENT].fix) is (status != "ok")


def test_the_sandbox_is_off(scene: Scene) -> None:
    assert scene.look(system.look_at_sandbox).status(system.SANDBOX) == "skipped"


@pytest.mark.parametrize(
    ("said", "status", "fix"),
    [
        ("shut", "ok", ""),
        ("bubblewrap is not installed", "error", "Install"),
        ("bwrap: No permissions to create new namespace", "error", "user namespaces"),
        ("", "error", "user namespaces"),
        (None, "error", "user namespaces"),
    ],
)
def test_what_the_sandbox_says(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, said: str | None, status: str, fix: str
) -> None:
    def run(command: list[str], **more: Any) -> Any:
        if said is None:
            raise subprocess.TimeoutExpired(command, more["timeout"])
        return subprocess.CompletedProcess(command, 0, said, "")

    monkeypatch.setattr(system.subprocess, "run", run)
    monkeypatch.setattr(system, "_sysctl", lambda _: "")
    scene.environ = {"CODEINTEL_EXECUTION": "bubblewrap"}
    found = scene.look(system.look_at_sandbox)
    assert found.status(system.SANDBOX) == status
    assert fix in found[system.SANDBOX].fix


@pytest.mark.parametrize(
    ("node", "told"), [(None, "only Python is run"), ("/usr/bin/node", "JavaScript is run too")]
)
def test_what_the_sandbox_says_about_node(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, node: str | None, told: str
) -> None:
    monkeypatch.setattr(
        system.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "shut", "")
    )
    monkeypatch.setattr(bubblewrap, "found_node", lambda: node)
    scene.environ = {"CODEINTEL_EXECUTION": "bubblewrap"}
    assert told in scene.look(system.look_at_sandbox)[system.SANDBOX].found


def test_a_kernel_that_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_sysctl", lambda name: "0" if "max_user" in name else "")
    assert "user.max_user_namespaces is 0" in system._advice("no permissions")


@pytest.mark.skipif(bubblewrap.found() is None, reason="bubblewrap is not installed")
def test_the_sandbox_itself(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.environ = {"CODEINTEL_EXECUTION": "bubblewrap"}
    monkeypatch.setattr(system, "SANDBOX_SECONDS", 60.0)
    (found,) = scene.look(system.look_at_sandbox, seconds=60)
    reason = weakness()  # the kernel may forbid it
    assert found.status == ("ok" if reason is None else "error")
    assert (reason or "isolates code") in found.found
    assert bool(found.fix) is (reason is not None)


@pytest.mark.parametrize(
    ("free", "status"),
    [(100 * 1024**3, "ok"), (500 * 1024**2, "warning"), (10 * 1024**2, "error")],
)
def test_room(scene: Scene, monkeypatch: pytest.MonkeyPatch, free: int, status: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(200 * 1024**3, 0, free))
    assert scene.look(files.look_at_disk).status(files.SPACE) == status


def test_a_folder_that_is_not_there_yet(scene: Scene) -> None:
    scene.folder = scene.folder / "a" / "b"
    assert scene.look(files.look_at_disk).status(files.SPACE) in {"ok", "warning"}
    assert not scene.folder.exists()


def test_a_database_elsewhere(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Check that the database's disk counts, not that of the instance folder."""
    there = tmp_path / "elsewhere"
    there.mkdir()
    scene.environ = {"DATABASE_URL": f"sqlite:///{there}/codeintel.db"}
    monkeypatch.setattr(
        shutil, "disk_usage", lambda folder: Usage(2**40, 0, 9 if folder == there else 2**39)
    )
    monkeypatch.setattr(files, "_kind_of", lambda folder, _: "nfs4" if folder == there else "ext4")
    found = scene.look(files.look_at_disk)
    assert found.bad == {files.SPACE: "error", files.SYSTEM: "error"}
    assert str(there) in found[files.SPACE].found


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("/srv/code", "nfs4"), ("/srv2", "ext4"), ("/srv/a b", "tmpfs"), ("/", "ext4")],
)
def test_file_systems(folder: str, kind: str) -> None:
    mounts = "/dev/a / ext4 rw 0 0\nh:/x /srv nfs4 rw 0 0\nt /srv/a\\040b tmpfs rw 0 0\nshort\n"
    assert files._kind_of(Path(folder), mounts) == kind


@pytest.mark.parametrize(
    ("days", "free", "status"), [(1, 1, "skipped"), (100, 100 * 1024**3, "ok"), (100, 9, "warning")]
)
def test_growth(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, days: int, free: int, status: str
) -> None:
    def grow_old(app: Flask) -> None:
        make_user(app.extensions["codeintel"])
        with db.engine.connect().execution_options(write=True) as connection:
            past = f"UPDATE accounts SET created_ms = created_ms - {days * 86_400_000}"
            connection.execute(text(past))
            connection.commit()

    scene.filled(grow_old)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(200 * 1024**3, 0, free))
    found = scene.look(files.look_at_disk)
    assert found.status(files.GROWTH) == status
    assert found[files.GROWTH].found.startswith("The file and its write-ahead log have ")
