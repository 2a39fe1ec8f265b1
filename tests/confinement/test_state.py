"""Kernels with fewer confinement features: messages, and refusals."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import MakeApp

from codeintel.base.confinement import kernel
from codeintel.base.confinement.jobs import Confinement, readable
from codeintel.base.confinement.state import AUTO, OFF, REQUIRED, Extent, UnconfinedError, state
from codeintel.platform.config import SettingError, load_settings

Kernel = Callable[[int, bool], None]


@pytest.fixture
def kernel_with(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Make the kernel say that it has a version of Landlock, and seccomp or not."""

    def fake(abi: int, has_seccomp: bool) -> None:
        monkeypatch.setattr(kernel, "landlock_version", lambda: abi)
        monkeypatch.setattr(kernel, "has_seccomp", lambda: has_seccomp)
        monkeypatch.setattr(kernel, "machine", lambda: "x86_64")

    return fake


@pytest.mark.parametrize(
    ("abi", "has_seccomp", "extent", "words"),
    [
        (7, True, Extent.OK, ()),
        (6, True, Extent.OK, ()),
        (5, True, Extent.PARTIAL, ("signals",)),
        (2, True, Extent.PARTIAL, ("signals", "empty files")),
        (0, True, Extent.PARTIAL, ("read and write the files", "signals")),
        (7, False, Extent.PARTIAL, ("network",)),
        (0, False, Extent.UNAVAILABLE, ("read and write the files", "network")),
    ],
)
def test_what_a_kernel_can_do(
    kernel_with: Kernel, abi: int, has_seccomp: bool, extent: Extent, words: tuple[str, ...]
) -> None:
    kernel_with(abi, has_seccomp)
    found = state(AUTO)
    assert found.extent is extent
    assert bool(found.missing) == bool(words)
    for word in words:
        assert any(word in missing for missing in found.missing), word
    assert state(OFF).extent is Extent.OFF


@pytest.mark.parametrize(("abi", "has_seccomp"), [(5, True), (0, True), (7, False), (0, False)])
def test_required_refuses_to_start(
    kernel_with: Kernel, make_app: MakeApp, abi: int, has_seccomp: bool
) -> None:
    kernel_with(abi, has_seccomp)
    with pytest.raises(SettingError, match="CODEINTEL_CONFINEMENT is required, but") as refused:
        make_app({"CODEINTEL_CONFINEMENT": REQUIRED})
    assert "set CODEINTEL_CONFINEMENT=auto" in str(refused.value)
    make_app({"CODEINTEL_CONFINEMENT": AUTO})


def test_required_starts_where_all_is_there(kernel_with: Kernel, make_app: MakeApp) -> None:
    kernel_with(6, True)
    make_app({"CODEINTEL_CONFINEMENT": REQUIRED})


@pytest.mark.parametrize(
    ("abi", "mode", "said"),
    [(7, AUTO, "ok"), (3, AUTO, "partial"), (0, AUTO, "partial"), (7, OFF, "off")],
)
def test_the_health_says_it_and_is_no_worse_for_it(
    kernel_with: Kernel, make_app: MakeApp, abi: int, mode: str, said: str
) -> None:
    kernel_with(abi, True)
    data = (
        make_app({"CODEINTEL_CONFINEMENT": mode}).test_client().get("/api/v1/health").json["data"]
    )
    assert data["checks"]["confinement"] == said
    assert data["status"] == "healthy"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("CODEINTEL_CONFINEMENT", "strict", "must be one of auto, required, off"),
        ("CODEINTEL_CONFINEMENT_READ", "models", "`models` is not absolute"),
        ("CODEINTEL_CONFINEMENT_READ", "/srv,/", "must not name /,"),
        ("CODEINTEL_CONFINEMENT_READ", "{instance}", "must not name"),
        ("CODEINTEL_CONFINEMENT_READ", "{instance}/key_pepper", "must not name"),
    ],
)
def test_wrong_settings(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(SettingError) as refused:
        load_settings(
            {"CODEINTEL_INSTANCE": tmp_path, name: value.format(instance=tmp_path.resolve())}, {}
        )
    assert name in str(refused.value)
    assert words in str(refused.value)


def test_folders_below_the_instance_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    named = {"CODEINTEL_CONFINEMENT_READ": f"{tmp_path / 'models'},/srv/tools"}
    loaded = load_settings({"CODEINTEL_INSTANCE": tmp_path, **named}, {})
    assert loaded.settings.confinement_read == (str(tmp_path / "models"), "/srv/tools")


def test_no_place_holds_the_instance_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = tmp_path / "app/instance"
    (instance / "plugins").mkdir(parents=True)
    for each in (tmp_path, tmp_path / "app", instance, Path("/")):
        monkeypatch.syspath_prepend(str(each))
    paths = [os.path.realpath(path) for path, _ in readable(instance)]
    secret = str(instance / "key_pepper")
    assert not [path for path in paths if secret.startswith(path.rstrip("/") + "/")]
    assert str(instance / "plugins") in paths


@pytest.mark.skipif(kernel.landlock_version() < 1, reason="this kernel has no Landlock")
@pytest.mark.parametrize("abi", range(1, kernel.landlock_version() + 1))
def test_each_version_of_landlock(tmp_path: Path, abi: int) -> None:
    """Check each version in a process that ends, because confinement cannot be lifted."""
    (tmp_path / "own").mkdir()
    secret = tmp_path / "secret"
    secret.write_text("secret")
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        said = b"it failed"
        try:
            kernel.give_up_new_privileges()
            kernel.restrict([(str(tmp_path / "own"), kernel.WRITE), ("/no", 4)], abi)
            (tmp_path / "own/file").write_text("mine")
            secret.read_text()
        except PermissionError as error:
            said = os.path.basename(error.filename).encode()  # noqa: PTH119
        finally:
            os.write(write_end, said)
            os._exit(0)
    os.waitpid(pid, 0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as answer:
        assert answer.read() == b"secret"
    assert (tmp_path / "own/file").read_text() == "mine"


def test_processes_refuse_too(kernel_with: Kernel) -> None:
    """Check that the process that forks them queries the kernel again."""
    kernel_with(7, False)
    with pytest.raises(UnconfinedError, match="network"):
        Confinement((), REQUIRED)
