"""Obstacles of `codeintel pull`: folders, links, files that change meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

from pull_steps import in_step, on_disk, run
from scripted_workspaces import SESSION, ScriptedService

from codeintel.client.workspaces.state import MEANWHILE


def test_folders_and_files_change_places(service: ScriptedService, folder: Path) -> None:
    in_step(service, folder, {"/a": b"0", "/b/c": b"0"})
    service.files = {"/a/x": b"1", "/b": b"1"}
    assert run(service, "pull", str(folder)).exit_code == 0
    assert on_disk(folder) == service.files


def test_what_is_in_the_way_stays(service: ScriptedService, folder: Path, tmp_path: Path) -> None:
    in_step(service, folder, {"/plain": b"0"})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(b"outside")
    (folder / "out").symlink_to(outside)
    (folder / "link").symlink_to(outside / "file")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "folder").mkdir()
    (folder / "folder/own").write_bytes(b"own")
    os.mkfifo(folder / "pipe")
    (folder / ".gitignore").write_bytes(b"ignored\n")
    (folder / "ignored").write_bytes(b"own")
    links = ["/link", "/dangling"]
    blocked = ["/out/file", "/out/new", "/folder", "/pipe", "/ignored", *links]
    service.files |= dict.fromkeys(blocked, b"theirs")
    for more in ([], ["--theirs"]):
        result = run(service, "pull", str(folder), *more)
        assert result.exit_code == 1
        for path in ("/out/file", "/out/new", "/folder", "/pipe"):
            assert f"  {path}  " in result.stderr
        for path in ("/out/file", "/out/new", *([] if more == ["--theirs"] else links)):
            assert f"  {path}  a symbolic link is in the way. Remove or rename it" in result.stderr
    assert [each.name for each in outside.iterdir()] == ["file"]
    assert (outside / "file").read_bytes() == b"outside"
    assert (folder / "folder/own").read_bytes() == b"own"
    assert (folder / "ignored").read_bytes() == b"theirs", "it was asked for"
    (aside,) = (folder / ".codeintel/replaced").iterdir()
    assert (aside / "link").readlink() == outside / "file"
    assert str((aside / "dangling").readlink()) == "nowhere"
    for path in links:
        assert not (folder / path[1:]).is_symlink()
        assert (folder / path[1:]).read_bytes() == b"theirs"
    (aside / "link").unlink()
    assert on_disk(aside) == {"/ignored": b"own"}


def test_a_link_cannot_be_solved_beside(service: ScriptedService, folder: Path) -> None:
    in_step(service, folder, {"/plain": b"0"})
    (folder / "link").symlink_to("plain")
    service.files["/link"] = b"theirs"
    result = run(service, "pull", str(folder), "--write-conflicts")
    assert result.exit_code == 1
    assert "Remove or rename it, then pull again, or take" in result.stderr
    (folder / "link").rename(folder / "renamed")
    assert run(service, "pull", str(folder)).exit_code == 0
    assert (folder / "link").read_bytes() == b"theirs"


def test_what_changes_in_this_moment_is_left(service: ScriptedService, folder: Path) -> None:
    in_step(service, folder, {"/a": b"0"})
    service.files = {"/a": b"1"}

    def saved(_: object) -> None:
        (folder / "a").write_bytes(b"saved by an editor")

    service.on[f"GET /api/workspace/{SESSION}/files/a"] = saved
    result = run(service, "pull", str(folder))
    assert result.exit_code == 1
    assert MEANWHILE in result.stderr
    assert (folder / "a").read_bytes() == b"saved by an editor"
