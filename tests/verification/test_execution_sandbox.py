"""The sandbox must be proved shut before anything runs in it."""

from __future__ import annotations

from pathlib import Path

import gevent
import pytest
from execution_samples import a_sandbox, outcome

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.records import SandboxUnavailableError
from codeintel.platform import sandbox
from codeintel.platform.sandbox import Sandbox, weakness

CODE = "def f(n: int): return n\n"


def test_without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "found", lambda: None)
    found = outcome(Sandbox(1), CODE)
    assert found.status is CheckStatus.NOT_APPLICABLE
    assert found.text == "sandbox_unavailable: bubblewrap is not installed."


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "No permissions to"),
        ("exit 0", "it did not start"),
        ("yes", "its probes could not run"),
        ('echo \'{"what":"finished"}\'', "its probes are incomplete"),
        ("sleep 60", "it did not start"),
    ],
)
def test_a_bubblewrap_that_does_not_do_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, said: str
) -> None:
    path = tmp_path / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "found", lambda: str(path))
    monkeypatch.setattr("codeintel.platform.sandbox._SECONDS", 1.0)
    found = outcome(Sandbox(1), CODE)
    assert found.status is CheckStatus.NOT_APPLICABLE
    assert found.text.startswith("sandbox_unavailable: ")
    assert said in found.text


def test_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "found", lambda: "/bin/true")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert weakness() == "no system call table for riscv64"


SIZE = str(bubblewrap._TEMPORARY_BYTES)
WEAKER = [
    (("--size", SIZE, "--tmpfs", "/tmp"), ("--bind", "/tmp", "/tmp"), "read a file outside"),
    (("--remount-ro", "/"), (), "write to the root"),
    (("--unshare-all",), ("--unshare-all", "--ro-bind", "/proc", "/proc"), "see processes"),
    (("--unshare-all",), ("--unshare-all", "--dev", "/dev"), "see the devices"),
    (("--unshare-all",), ("--unshare-all", "--ro-bind", "/etc", "/etc"), "read /etc/passwd"),
    (("--uid", "65534"), ("--uid", "0"), "be the administrator"),
]


@pytest.mark.parametrize(("old", "new", "said"), WEAKER)
def test_what_the_probes_find(
    monkeypatch: pytest.MonkeyPatch, old: tuple[str, ...], new: tuple[str, ...], said: str
) -> None:
    """Check that the probes detect each missing part of the command line."""
    a_sandbox()
    whole = bubblewrap.command

    def command(program: str, filter_descriptor: int, hash_seed: int) -> list[str]:
        words = whole(program, filter_descriptor, hash_seed)
        place = next(i for i in range(len(words)) if tuple(words[i : i + len(old)]) == old)
        return [*words[:place], *new, *words[place + len(old) :]]

    monkeypatch.setattr(bubblewrap, "command", command)
    assert weakness() == f"code in it can {said}"


def test_limits_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    a_sandbox()
    limits = {**sandbox._LIMITS, "memory": 8 * 1024**3, "file": 1024**3}
    monkeypatch.setattr(sandbox, "_LIMITS", limits)
    assert weakness() == "code in it can use much memory"


def test_filters_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    a_sandbox()
    allow_all = (0x7FFF_0000 << 32 | 0x06).to_bytes(8, "little")
    monkeypatch.setattr(sandbox.filters, "compiled", lambda *_, **__: allow_all)
    assert weakness() is not None


def test_it_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []
    monkeypatch.setattr(
        "codeintel.platform.sandbox.weakness", lambda: tried.append(1) or "it leaks"
    )
    box = Sandbox(1)
    for _ in range(3):
        with pytest.raises(SandboxUnavailableError, match="it leaks"):
            box.run("somebody", {"do": "probe"}, 1.0)
    assert len(tried) == 1


def test_other_greenlets_run_meanwhile_and_it_can_be_left() -> None:
    box = a_sandbox()
    job = {"do": "probe", "attempt": "spin"}
    running = gevent.spawn(box.run, "somebody", job, 30.0)
    for _turn in range(50):
        gevent.sleep(0.01)
    assert not running.dead, "the program still runs"
    running.kill(timeout=20.0)
    assert running.dead
    ended = box.run("somebody", job, 0.5)  # there is a free slot again
    assert ended.status is None


def test_what_is_said_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_OUTPUT_BYTES", 100_000)
    with sandbox.sealed(b"") as nothing:
        ended = sandbox.run(["/usr/bin/yes"], nothing, b"", 20.0)
    assert (ended.status, len(ended.output) <= 100_000) == (None, True)
    assert ended.seconds < 15
