"""Which paths a workspace may have."""

from __future__ import annotations

import posixpath
import time
import unicodedata

import msgspec
import pytest
from hypothesis import example, given, strategies as st

from codeintel.contracts.workspaces.paths import BRIDGE_PATH, REASONS, is_reserved, path_problems

GOOD = (
    "/a",
    "/src/app.py",
    "/.github/workflows/ci.yml",
    "/.gitignore",
    "/.gitattributes",
    "/a.git/b",
    "/git/x",
    "/git~/x",
    "/src/.codeintel/x",
    "/.codeintelignore",
    "/a b/ c",
    "/...",
    "/..a/b..",
    "/-rf",
    "/~/x",
    "/<img src=x onerror=alert(1)>.html",
    "/quote'\"`.txt",
    "/é/文件/מסמך.txt",
    "/a\u202egnp.exe",
    "/a\u2067b/\u200fx",
    "/CON",
    "/" + "n" * 255,
)
BAD = (
    ("", "no-leading-slash"),
    ("a", "no-leading-slash"),
    ("a/../b", "no-leading-slash"),
    ("/", "empty-name"),
    ("//", "empty-name"),
    ("//server/share", "empty-name"),
    ("/a/", "empty-name"),
    ("/a//b", "empty-name"),
    ("/a/\u200f/b", "empty-name"),
    ("/.", "dot-name"),
    ("/..", "dot-name"),
    ("/a/../b", "dot-name"),
    ("/a/./b", "dot-name"),
    ("/a/..", "dot-name"),
    ("/a\\b", "backslash"),
    ("\\\\server\\share", "backslash"),
    ("/..\\..\\x", "backslash"),
    ("C:/x", "colon"),
    ("/C:/x", "colon"),
    ("/a:stream", "colon"),
    ("/.git::$INDEX_ALLOCATION/config", "colon"),
    ("/a\0b", "control-character"),
    ("/a\nb", "control-character"),
    ("/a\x7f", "control-character"),
    ("/a\x85", "control-character"),
    ("/a\u2028b", "control-character"),
    ("/.g\u200cit/config", "git-folder"),
    ("/\ufeff.git/config", "git-folder"),
    ("/a\ud800", "not-unicode"),
    ("/e\u0301", "not-nfc"),
    ("/\u212b", "not-nfc"),
    ("/" + "ab/" * 333 + "ab", "path-too-long"),
    ("/" + "é" * 500, "path-too-long"),
    ("/" + "n" * 256, "name-too-long"),
    ("/" + "é" * 128, "name-too-long"),
    ("/.git", "git-folder"),
    ("/.git/config", "git-folder"),
    ("/a/.GIT/hooks/x", "git-folder"),
    ("/a/.Git", "git-folder"),
    ("/GIT~1/config", "git-folder"),
    ("/git~2", "git-folder"),
    ("/.git. ./x", "git-folder"),
    ("/.git /x", "git-folder"),
    ("/.git.../x", "git-folder"),
    ("/git~1./x", "git-folder"),
    (BRIDGE_PATH, "reserved"),
    ("/.codeintel", "reserved"),
    ("/.CodeIntel/x", "reserved"),
    ("/.codeintel /x", "reserved"),
    ("/CODEIN~1/x", "reserved"),
)


@pytest.mark.parametrize("path", GOOD)
def test_taken(path: str) -> None:
    assert path_problems([path]) == []


@pytest.mark.parametrize(("path", "reason"), BAD)
def test_refused(path: str, reason: str) -> None:
    (found,) = path_problems(["/fine", path])
    assert found.reason == reason
    assert len(found.path) <= 1_000
    assert msgspec.json.encode(found)
    if len(path) <= 1_000 and reason != "not-unicode":
        assert found.path == path


@pytest.mark.parametrize(
    ("paths", "named"),
    [
        (["/a", "/A"], ["/a", "/A"]),
        (["/a/b", "/A/B", "/c"], ["/a/b", "/A/B"]),
        (["/straße", "/STRASSE"], ["/straße", "/STRASSE"]),
        (["/É", "/é"], ["/É", "/é"]),
        (["/a", "/a/b", "/x"], ["/a", "/a/b"]),
        (["/lib", "/LIB/x/y"], ["/lib", "/LIB/x/y"]),
        (["/lib/x/y", "/Lib/X"], ["/lib/x/y", "/Lib/X"]),
        (["/Docs/a", "/docs/b"], []),
        (["/a", "/a"], []),
        (["/a\u200c", "/a"], ["/a\u200c", "/a"]),
        (["/a", "/A/"], ["/A/"]),
    ],
)
def test_collisions(paths: list[str], named: list[str]) -> None:
    found = path_problems(paths)
    assert [each.path for each in found] == named
    assert {each.reason for each in found} <= {"collision", "empty-name"}


@pytest.mark.parametrize(
    "path",
    [
        BRIDGE_PATH,
        "/.codeintel",
        ".codeintel/x",
        "//.codeintel/x",
        "/./.CODEINTEL/x",
        "\\.codeintel\\x",
        "/.code\u200bintel/x".replace("\u200b", "\u200d"),
        "/.codeintel./x",
        "/.codeintel::$DATA",
        "/codein~1/x",
    ],
)
def test_reserved(path: str) -> None:
    assert is_reserved(path)


@pytest.mark.parametrize("path", ["/a/.codeintel/x", "/.codeintelignore", "/codeintel/x", "/", ""])
def test_not_reserved(path: str) -> None:
    assert not is_reserved(path)


_PIECES = st.sampled_from(
    [
        *("/", ".", "..", "\\", ":", "~", "-", "%", " ", "a", "A", "b", "x" * 200, "C:"),
        *("é", "É", "e\u0301", "ß", "ss", "SS", "İ", "i", "\u0131", "\u017f", "\u212a", "\u0345"),
        *("\u03b9", "文", ".git", "git~1", ".codeintel", "\0", "\n", "\u200c", "\u202e", "\ud800"),
    ]
)
_PATHS = st.one_of(
    st.text(max_size=30), st.lists(_PIECES, max_size=8).map(lambda pieces: "/" + "".join(pieces))
)


@given(st.lists(_PATHS, max_size=12))
@example(["/\u0345\u03b9", "/\u1fbe\u0345"])
def test_what_is_taken_stays_below_any_folder_and_apart(paths: list[str]) -> None:
    problems = path_problems(paths)
    assert {each.reason for each in problems} <= REASONS
    if not problems:
        taken = set(paths)
    else:
        taken = {path for path in paths if not path_problems([path])}
        if path_problems(sorted(taken)):
            return
    for path in taken:
        joined = posixpath.join("/root/of it", path[1:])
        assert posixpath.normpath(joined) == joined
        assert joined.startswith("/root/of it/")
        assert joined.encode().decode() == joined
    keys = {unicodedata.normalize("NFC", path.casefold()) for path in taken}
    assert len(keys) == len(taken)
    assert not any(other.startswith(f"{key}/") for key in keys for other in keys)


@given(st.lists(_PATHS, max_size=12))
def test_each_refusal_is_of_a_path_that_was_given(paths: list[str]) -> None:
    cut = (path if len(path) <= 1_000 else f"{path[:999]}…" for path in dict.fromkeys(paths))
    shown = [path.encode("utf-8", "replace").decode() for path in cut]
    named = [each.path.replace("\ufffd", "?") for each in path_problems(paths)]
    rest = iter(each.replace("\ufffd", "?") for each in shown)
    assert all(name in rest for name in named), "in the order given"


def test_many_deep_paths_take_no_time() -> None:
    paths = ["/" + "/".join(f"é{i}" for _ in range(120)) for i in range(2_000)]
    before = time.process_time()
    assert path_problems(paths) == []
    assert time.process_time() - before < 5
