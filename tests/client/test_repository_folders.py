"""The files of a scan without Git: what is named, what is left out, and what is in them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from repositories import discover, found, paths_of, reasons

from codeintel.client.repository import discovery as discoveries, sorting
from codeintel.client.repository.content import decode
from codeintel.client.repository.discovery import DiscoveryError, Selection
from codeintel.client.repository.naming import names_in
from codeintel.contracts.scans.records import MAX_SCAN_FILE_BYTES
from codeintel.contracts.workspaces.records import MAX_PATH_BYTES

CODE = "print(1)\n"


@pytest.fixture(autouse=True)
def _without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "git" else which(name))


def put(root: Path, *paths: str, text: str = CODE) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ((), ["a.py", "src/b.py", "src/deep/c.js", "src/deep/d.py"]),
        (("a.py",), ["a.py"]),
        (("src/deep", "a.py"), ["a.py", "src/deep/c.js", "src/deep/d.py"]),
        (("src/*.py",), ["src/b.py"]),
        (("src/**/*.py",), ["src/b.py", "src/deep/d.py"]),
        (("*.py", "src/deep/[cd].js"), ["a.py", "src/deep/c.js"]),
        (("src", "src/deep", "src/b.py"), ["src/b.py", "src/deep/c.js", "src/deep/d.py"]),
    ],
)
def test_what_is_named_is_scanned(
    tmp_path: Path, named: tuple[str, ...], expected: list[str]
) -> None:
    put(tmp_path, "a.py", "src/b.py", "src/deep/c.js", "src/deep/d.py")
    assert found(tmp_path, *named) == expected


@pytest.mark.parametrize(
    ("named", "message"),
    [
        (("missing.py",), "missing.py does not exist"),
        (("*.rb",), r"No file in .* matches \*\.rb"),
        (("empty",), "There are no files in .*empty"),
        (("hidden",), "There are no files in .*hidden, or ignore rules leave out all"),
        (("a\0b",), "does not exist"),
        (("[z-a].py",), "is not a valid pattern"),
    ],
)
def test_a_name_without_files_is_an_error(
    tmp_path: Path, named: tuple[str, ...], message: str
) -> None:
    put(tmp_path, "a.py", "hidden/a.py")
    put(tmp_path, "hidden/.gitignore", text="*\n")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DiscoveryError, match=message):
        found(tmp_path, *named)


def test_paths_are_relative_to_the_named_folder_or_the_current_one(tmp_path: Path) -> None:
    put(tmp_path, "here/one/a.py", "here/two/b.py", "there/c.py")
    here = tmp_path / "here"
    assert found(here, "one") == ["a.py"]
    assert found(here, "one", "two") == ["one/a.py", "two/b.py"]
    assert found(here, "one/a.py") == ["one/a.py"]
    assert found(here, "../there") == ["c.py"]
    assert found(here, "../there", "one") == ["here/one/a.py", "there/c.py"]


def test_a_folder_with_special_characters_can_be_in_front_of_a_pattern(tmp_path: Path) -> None:
    put(tmp_path, "a [1]*/b.py", "a 1/b.py")
    assert found(tmp_path / "a [1]*", "*.py") == ["b.py"]


def test_rules_leave_files_out(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.py", "c/d.py", "c/e.py", "f/g.py")
    put(tmp_path, ".gitignore", text="b.py\nf/\n")
    put(tmp_path, "c/.codeintelignore", text="e.py\n")
    seen = discover(Selection(), tmp_path)
    assert paths_of(seen) == ["a.py", "c/d.py"]
    assert seen.ignored == 3
    # Git's rules do not apply to files that are named one by one, but the scan's own rules do.
    named = discover(Selection(("b.py", "c/e.py", "f/g.py")), tmp_path)
    assert paths_of(named) == ["b.py", "f/g.py"]
    assert reasons(named) == {"c/e.py": ("left out by .codeintelignore", None)}
    assert found(tmp_path, "f") == ["g.py"]


def test_names_from_a_program_need_not_exist(tmp_path: Path) -> None:
    put(tmp_path, "a.py")
    seen = discover(Selection(names=("a.py", "gone.py", "*.js")), tmp_path)
    assert paths_of(seen) == ["a.py"]
    assert reasons(seen) == {
        "*.js": ("it does not exist", "unreadable"),
        "gone.py": ("it does not exist", "unreadable"),
    }


def test_no_names_from_a_program_are_no_files(tmp_path: Path) -> None:
    put(tmp_path, "a.py")
    assert paths_of(discover(Selection(names=()), tmp_path)) == []


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", []),
        (b"a.py\nb.py\n", ["a.py", "b.py"]),
        (b"a.py\r\nb.py", ["a.py", "b.py"]),
        (b"a\nb.py\0c.py\0", ["a\nb.py", "c.py"]),
        (b"\xff.py\n", ["\udcff.py"]),
    ],
)
def test_lists_of_names(data: bytes, names: list[str]) -> None:
    assert names_in(data) == names


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.py", b"\0binary", ("binary", "unreadable")),
        ("a.png", b"\x89PNG\0", ("unknown language", None)),
        ("a.py", b"#" * (MAX_SCAN_FILE_BYTES + 1), ("larger than 5 MiB", "size")),
        ("package-lock.json", b"{}", ("a lock file", None)),
        ("x.min.js", b"a()", ("minified", None)),
        ("x.js", b"a();" * 2_000, ("minified", None)),
        ("x.py", b"# Code generated by a tool. DO NOT EDIT.\n", ("generated", None)),
        ("X.cs", b"// <auto-generated>\n", ("generated", None)),
        ("x.c", b"/* Generated by Cython 3.2.1 */\n", ("generated", None)),
        ("a_pb2.py", b"x = 1\n", ("generated", None)),
        (
            "a.py",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            ("a Git LFS pointer, without the content", "unreadable"),
        ),
        ("notes.txt", b"nothing", ("unknown language", None)),
    ],
)
def test_why_a_file_is_left_out(
    tmp_path: Path, path: str, data: bytes, reason: tuple[str, str | None]
) -> None:
    (tmp_path / path).write_bytes(data)
    seen = discover(Selection(), tmp_path)
    assert paths_of(seen) == []
    assert reasons(seen) == {path: reason}


@pytest.mark.parametrize("path", [".env", "id_rsa", "notes.txt"])
def test_files_of_unknown_languages_with_secrets_are_scanned(tmp_path: Path, path: str) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    put(tmp_path, path, text=f"token is {token}\n")
    put(tmp_path, ".env.local", text="# Code generated by a tool. DO NOT EDIT.\nTOKEN=1\n")
    file, *_ = [each for each in discover(Selection(), tmp_path).files if each.path == path]
    assert ".env.local" in found(tmp_path)
    assert (file.path, file.language) == (path, None)


def test_blank_files_are_not_counted(tmp_path: Path) -> None:
    put(tmp_path, "a.py", text=" \n\n")
    put(tmp_path, "b.py", text="")
    seen = discover(Selection(), tmp_path)
    assert (seen.files, seen.left_out) == ((), ())


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa = 1", "a = 1"),
        ("\ufeffa = 'ü'".encode("utf-16-le"), "a = 'ü'"),
        (b"a = '\xfc'", "a = 'ü'"),
        (b"a\0b", None),
        (b"\xff\xfea", None),
    ],
)
def test_decoding(data: bytes, text: str | None) -> None:
    assert decode(data) == text


def test_vendored_folders_are_one_line(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "node_modules/x/a.js", "node_modules/x/b.js", "web/vendor/c.js")
    seen = discover(Selection(), tmp_path)
    assert paths_of(seen) == ["a.py"]
    assert sorted(reasons(seen)) == ["node_modules/", "web/vendor/"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "outside/a.py", "in/b.py")
    (tmp_path / "in/loop").symlink_to(tmp_path / "in")
    (tmp_path / "in/out.py").symlink_to(tmp_path / "outside/a.py")
    os.mkfifo(tmp_path / "in/pipe.py")
    seen = discover(Selection(("in",)), tmp_path)
    assert paths_of(seen) == ["b.py"]
    assert reasons(seen) == {
        "loop": ("a symbolic link", None),
        "out.py": ("a symbolic link", None),
        "pipe.py": ("not a regular file", None),
    }
    named = discover(Selection(("in/out.py", "in/b.py")), tmp_path)
    assert reasons(named) == {"in/out.py": ("a symbolic link", None)}
    with pytest.raises(
        DiscoveryError, match=r"nothing to scan\. in/out.py: a symbolic link\. Name"
    ):
        discover(Selection(("in/out.py",)), tmp_path)
    program = discover(Selection(names=("in/out.py",)), tmp_path)
    assert reasons(program) == {"in/out.py": ("a symbolic link", None)}


def test_texts_of_changed_files_are_not_returned(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.py")
    seen = discover(Selection(), tmp_path)
    put(tmp_path, "a.py", text="password = 1\n")
    assert (seen.text("a.py"), seen.text("b.py"), seen.text("c.py")) == (None, CODE, None)


def test_odd_names(tmp_path: Path) -> None:
    put(tmp_path, "a\nb.py", "ü.py")
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_text(CODE)
    seen = discover(Selection(), tmp_path)
    assert paths_of(seen) == ["a\nb.py", "ü.py"]
    assert reasons(seen) == {"bad\\xff.py": ("the name is not UTF-8", "name")}


def test_long_paths_end_the_walk_there(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "/".join(["d" * 100] * 12) + "/deep.py")
    seen = discover(Selection(), tmp_path)
    assert paths_of(seen) == ["a.py"]
    ((path, reason),) = reasons(seen).items()
    assert len(path) <= MAX_PATH_BYTES + 1
    assert reason == ("the path is too long", "name")


def test_a_file_that_changes_is_told(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.py", "c.py")
    seen = discover(Selection(), tmp_path)
    put(tmp_path, "a.py", text="changed()\n")
    (tmp_path / "c.py").unlink()
    with seen.opened() as read:
        assert [read(file) for file in seen.files if file.path == "b.py"] == [CODE]
        for file in seen.files:
            if file.path != "b.py":
                with pytest.raises(ValueError, match="it changed during the scan"):
                    read(file)


class Rules:
    """Rules that leave a folder and a language out, and set another."""

    def selects(self, path: str) -> bool:
        return not path.startswith("old/")

    def selects_below(self, folder: str) -> bool:
        return self.selects(folder)

    def language_of(self, path: str) -> str | None:
        return "python" if path.endswith(".inc") else None

    def is_enabled(self, language: str | None) -> bool:
        return language != "javascript"


def test_settings_of_a_project(tmp_path: Path) -> None:
    put(tmp_path, "a.py", "b.inc", "c.js", "old/d.py")
    selection = Selection()
    seen = discoveries.discover(selection, discoveries.locate(selection, tmp_path), Rules())
    assert [(each.path, each.language) for each in seen.files] == [
        ("a.py", "python"),
        ("b.inc", "python"),
    ]
    assert seen.ignored == 2
    named = Selection(("old/d.py", "a.py"))
    told = discoveries.discover(named, discoveries.locate(named, tmp_path), Rules())
    assert reasons(told) == {"old/d.py": ("left out by the settings of the project", None)}


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("MAX_SCAN_FILES", r"There are 3 files. The limit for a scan is 2\..* src/ \(2 files\)"),
        ("MAX_SCAN_BYTES", "The files have 27 bytes. The limit for a scan is 2 bytes"),
    ],
)
def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, message: str) -> None:
    put(tmp_path, "a.py", "src/b.py", "src/c.py")
    module = discoveries if limit == "MAX_SCAN_FILES" else sorting
    monkeypatch.setattr(module, limit, 2)
    with pytest.raises(DiscoveryError, match=message):
        discover(Selection(), tmp_path)


def test_changes_need_git(tmp_path: Path) -> None:
    put(tmp_path, "a.py")
    for selection in (Selection(changed=True), Selection(staged=True)):
        with pytest.raises(DiscoveryError, match="need a Git repository"):
            discover(selection, tmp_path)
