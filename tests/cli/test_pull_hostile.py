"""A service that means harm: `codeintel pull` writes nothing outside of its folder, nothing that
was not listed, and nothing that can be executed."""

from __future__ import annotations

import errno
import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings, strategies as st
from scripted_workspaces import SESSION, ScriptedService, as_json, entry, scripted_service

from codeintel.cli import main
from codeintel.client.workspaces.disk import Blocked, Disk

KEY = "ci_live_secretsecretsecret"
LISTED = f"GET /api/workspace/{SESSION}"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as made:
        yield made


def pull(service: ScriptedService, into: Path) -> Result:
    environment = {"CODEINTEL_API_KEY": KEY, "CODEINTEL_URL": service.url}
    arguments = ["pull", "--session", SESSION, "--into", str(into)]
    return CliRunner(env=environment).invoke(main, arguments)


def everything(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "path",
    [
        "/../evil",
        "/a/../../evil",
        "/./evil",
        "evil",
        "//evil",
        "/a//evil",
        "/a/",
        "/",
        "",
        "/..\\evil",
        "C:\\evil",
        "/a:b",
        "/nul\0",
        "/line\nbreak",
        "/.git/hooks/post-checkout",
        "/sub/.GIT/config",
        "/git~1/config",
        "/.git./config",
        "/.g\u200cit/config",
        "/.codeintel/workspace.json",
        "/.CodeIntel/.gitignore",
        "/" + "x" * 300,
        "/" + "x/" * 600 + "x",
        "/\ud800",
    ],
)
def test_paths_that_lead_elsewhere(service: ScriptedService, tmp_path: Path, path: str) -> None:
    service.files = {"/good": b"x"}
    service.listing = [entry("/good", b"x"), entry(path, b"evil")]
    result = pull(service, tmp_path / "into")
    assert result.exit_code == 2
    assert everything(tmp_path) == set()
    assert "\0" not in result.output


@pytest.mark.parametrize("pair", [("/a", "/A"), ("/a", "/a/b"), ("/\u00e9", "/\u00c9")])
def test_paths_that_collide(
    service: ScriptedService, tmp_path: Path, pair: tuple[str, str]
) -> None:
    service.files = dict.fromkeys(pair, b"x")
    assert pull(service, tmp_path / "into").exit_code == 2
    assert everything(tmp_path) == set()


WRONG: list[dict[str, Any]] = [
    {"sha256": "0" * 64},
    {"sha256": "../../evil"},
    {"size": 3},
    {"size": -1},
    {"size": 5 * 1024 * 1024},
    {"size": "4"},
]


@pytest.mark.parametrize("many", [0, 20])
@pytest.mark.parametrize("wrong", WRONG)
def test_contents_are_proven_before_anything_is_written(
    service: ScriptedService, tmp_path: Path, wrong: dict[str, Any], many: int
) -> None:
    service.files = {f"/{number}": f"{number}".encode() for number in range(many)}
    service.files |= {"/a": b"text", "/b": b"evil"}
    service.listing = [entry(path, data) for path, data in service.files.items()]
    service.listing[-1] |= wrong
    assert pull(service, tmp_path / "into").exit_code == 2
    assert everything(tmp_path) == set()


def test_huge_answers_end(service: ScriptedService, tmp_path: Path) -> None:
    service.on[f"{LISTED}/files/a"] = lambda _: (200, {}, b"x" * 4_000_000)
    service.files = {"/a": b"x"}
    assert pull(service, tmp_path / "a").exit_code == 2
    service.on[LISTED] = lambda _: (200, {}, b" " * (33 * 1024 * 1024))
    assert pull(service, tmp_path / "b").exit_code == 2
    service.on.clear()
    service.listing = [entry(f"/{number}", b"x") for number in range(2_001)]
    assert pull(service, tmp_path / "c").exit_code == 2
    service.listing = [entry(f"/{number}", b"x", size=1024 * 1024) for number in range(21)]
    assert pull(service, tmp_path / "d").exit_code == 2
    assert everything(tmp_path) == set()


def bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(60):
            archive.writestr(f"{number}", b"\0" * 4_000_000)
    return packed.getvalue()


def bomb_without_brakes(method: int) -> bytes:
    """Return a bomb in a format that the library unpacks completely before it returns a part."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("0", b"\0" * 40_000_000)
    return packed.getvalue()


def cut() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0", b"0" * 1000)
    data = bytearray(packed.getvalue())
    data[40:44] = b"\xff\xff\xff\xff"
    return bytes(data)


@pytest.mark.parametrize(
    ("archive", "words"),
    [
        (b"", "an invalid archive"),
        (b"PK", "an invalid archive"),
        (b"PK\x05\x06" + b"\xff" * 18, "an invalid archive"),
        (cut(), "an invalid archive"),
        (bomb(), "exceeds the size limit"),
        (bomb_without_brakes(zipfile.ZIP_BZIP2), "an invalid archive"),
        (bomb_without_brakes(zipfile.ZIP_LZMA), "an invalid archive"),
    ],
    ids=range(7),
)
def test_broken_archives(
    service: ScriptedService, tmp_path: Path, archive: bytes, words: str
) -> None:
    service.files = {f"/{number}": f"{number}".encode() for number in range(30)}
    service.on[f"{LISTED}/archive.zip"] = lambda _: (200, {}, archive)
    result = pull(service, tmp_path / "into")
    assert result.exit_code == 2
    assert f"{words}. Nothing was written" in result.stderr
    assert everything(tmp_path) == set()


def test_names_in_an_archive_count_for_nothing(service: ScriptedService, tmp_path: Path) -> None:
    service.files = {f"/{number}": f"{number}".encode() for number in range(30)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(30):
            info = zipfile.ZipInfo(f"../../evil{number}")
            info.external_attr = 0o100777 << 16
            archive.writestr(info, str(number))
    service.on[f"{LISTED}/archive.zip"] = lambda _: (200, {}, packed.getvalue())
    assert pull(service, tmp_path / "into").exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"into"}
    files = [tmp_path / "into" / str(number) for number in range(30)]
    assert all(path.read_text() == path.name for path in files)
    assert not any(path.stat().st_mode & 0o111 for path in files)


def test_a_redirect_takes_the_key_nowhere(service: ScriptedService, tmp_path: Path) -> None:
    with scripted_service() as other:
        service.on[LISTED] = lambda _: (302, {"Location": f"{other.url}/x"}, b"")
        assert pull(service, tmp_path / "into").exit_code == 2
    assert other.requests == []


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"session": None},
        {"revision": {"number": 0}},
        {"session": {"sessionId": "../.."}},
        {"files": {}},
        {"files": [{"path": "/a"}]},
        {"proofLoop": {"status": "wonderful"}},
    ],
)
def test_answers_of_another_shape(service: ScriptedService, tmp_path: Path, document: Any) -> None:
    whole = {**service.snapshot(), **document} if document else document
    service.on[LISTED] = lambda _: as_json(whole)
    result = pull(service, tmp_path / "into")
    assert result.exit_code == 2
    assert "did not answer like codeintel" in result.stderr
    assert everything(tmp_path) == set()


def test_what_the_service_says_is_printable(service: ScriptedService, tmp_path: Path) -> None:
    error = {"code": "not_found", "message": "\x1b]0;evil\x07", "details": {}}
    service.on[LISTED] = lambda _: as_json({"error": error}, 404)
    assert "\x1b" not in pull(service, tmp_path / "into").output


NAMES = st.sampled_from(["a", "b", "..", ".", "", "out", "link", "in", "\0", "x" * 300])


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(parts=st.lists(NAMES, max_size=6), slash=st.booleans(), deletes=st.booleans())
def test_the_disk_ends_at_its_root(
    tmp_path: Path, parts: list[str], slash: bool, deletes: bool
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    if not root.exists():
        root.mkdir()
        (outside / "in").mkdir(parents=True)
        (outside / "a").write_text("outside")
        (root / "out").symlink_to(outside)
        (root / "link").symlink_to(outside / "a")
    path = "/" * slash + "/".join(parts)
    with Disk(root) as disk:
        for act in (disk.delete,) if deletes else (disk.look, lambda each: disk.write(each, b"x")):
            try:
                act(path)
            except Blocked:
                continue
    assert everything(tmp_path) - everything(tmp_path / "root") >= {"root", "outside"}
    assert everything(outside) == {"a", "in"}
    assert (outside / "a").read_text() == "outside"
    assert (root / "out").is_symlink()
    assert {each.name for each in tmp_path.iterdir()} == {"root", "outside"}


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_the_system_refuses_is_told_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (tmp_path / "a").write_text("old")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    with Disk(tmp_path) as disk, monkeypatch.context() as patched:
        patched.setattr(os, "replace", refuse)
        with pytest.raises(Blocked, match=os.strerror(number)):
            disk.write("/a", b"new")
    assert everything(tmp_path) == {"a"}
    assert (tmp_path / "a").read_text() == "old"


def test_a_folder_that_becomes_a_link_leads_nowhere(
    service: ScriptedService, tmp_path: Path
) -> None:
    """Check a pull while another program changes the user's folder."""
    outside = tmp_path / "outside"
    outside.mkdir()
    into = tmp_path / "into"
    service.files = {"/sub/a": b"1", "/sub/b": b"2"}

    def swap(_: object) -> None:
        (into / "sub").symlink_to(outside)

    service.on[f"{LISTED}/files/sub/b"] = swap
    result = pull(service, into)
    assert result.exit_code == 1
    assert "a symbolic link is in the way" in result.stderr
    assert list(outside.iterdir()) == []
    assert (
        json.loads((into / ".codeintel/workspace.json").read_text())["sessions"][0]["files"] == {}
    )
