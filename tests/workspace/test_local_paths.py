"""Paths of people's disks, which nothing tells."""

from __future__ import annotations

import time

import pytest

from codeintel.contracts.workspaces.paths import (
    is_folder_name,
    is_local_path,
    label,
    without_local_path,
    without_local_paths,
)
from codeintel.contracts.workspaces.records import SkippedFile

PATHS = (
    "/home/ada/work/kit",
    "/Users/ada/work/kit",
    "/root/kit",
    "/tmp/kit/x",
    "/private/tmp/kit/x",
    "/Volumes/Work/kit",
    "/mnt/c/Users/ada/kit",
    "/c/Users/ada/kit",
    "/cygdrive/c/ada/kit",
    "/workspaces/ada/kit",
    "C:\\Users\\ada\\work\\kit",
    "C:\\Users\\Ada Smith\\work\\kit",
    "d:/work/ada/kit",
    "\\\\server\\ada\\kit",
    "//server/ada/kit",
    "~/work/ada/kit",
    "~ada/work/kit",
    "file:///home/ada/kit",
    "file://localhost/ada/kit",
    "FILE:/home/ada/kit",
    "vscode-remote://wsl+Ubuntu/home/ada/kit",
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "text", ["{}", "cannot read {}", "({}): denied", "'{}'", "at: {} and {}", "a\n{}\nb", "x={}"]
)
def test_they_are_taken_out(path: str, text: str) -> None:
    left = without_local_paths(text.format(path, path))
    assert "kit" not in left
    assert "ada" not in left.lower()
    assert without_local_paths(left) == left
    skipped = without_local_path(SkippedFile(path, text.format(path, path)))
    assert "kit" not in f"{skipped.path} {skipped.reason}"
    assert skipped.path
    assert skipped.reason


def test_percent_encoded_ones() -> None:
    assert without_local_paths("vscode://x?p=%2Fhome%2Fada%2Fkit") == ""
    assert without_local_paths("%2FUsers%2Fada") == ""
    assert without_local_paths("100%2Fyear") == "100%2Fyear"


@pytest.mark.parametrize("path", [*PATHS, "/", "/data/kit", "/x", "~/", "C:", "%2Fhome%2Fada", "~"])
def test_a_value_that_is_one(path: str) -> None:
    if not path.startswith("vscode"):
        assert is_local_path(path)
        assert is_local_path(f' "{path}"')
    assert label(path) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "main",
        "feature/home/page",
        "feat/users/ada",
        "release-1.2",
        "Ada's kit",
        "a/b",
        "ratio 1/2",
        "https://h.example/home/ada",
        "git@h.example:home/ada/kit.git",
        "too large: 2 MiB",
        "profile: x",
        "binary",
        "~1",
        "1 of 2: done",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not is_local_path(text)
    assert without_local_paths(text) == text
    assert label(text) == text


@pytest.mark.parametrize(
    "path",
    ["/src/home/x.py", "/home.html", "/home/index.vue", "/media/logo.png", "/etc/nginx.conf",
     "/var/x.txt", "/Library/x", "/opt/a/b", "/users/views.py", "/tmp.txt"],
)  # fmt: skip
def test_paths_of_workspaces_stay(path: str) -> None:
    skipped = SkippedFile(path, f"collides with {path.replace('/', '/src/', 1)}")
    assert without_local_path(skipped) == skipped


@pytest.mark.parametrize("name", ["kit", "my kit", "a..b", "...", ".hidden", "文件", "ab:c", ""])
def test_folder_names(name: str) -> None:
    assert is_folder_name(name)


@pytest.mark.parametrize(
    "name", ["a/b", "/", "a\\b", "C:", "c:kit", "..", ".", "../x", "a\0", "a\nb", "\ud800"]
)
def test_what_is_no_folder_name(name: str) -> None:
    assert not is_folder_name(name)


def test_hostile_texts_take_no_time() -> None:
    pieces = ("/home/", "/home", "C:\\", "\\\\a", "//a", "~/", "file:", "a/", " /tmp/ ", "%2f")
    before = time.process_time()
    for piece in pieces:
        without_local_paths(piece * (400_000 // len(piece)))
    assert time.process_time() - before < 10
