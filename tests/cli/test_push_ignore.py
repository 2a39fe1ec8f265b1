"""Which files `codeintel push` takes: the same ones as Git, and none that cannot go."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeintel.client.workspaces.git import git_info
from codeintel.client.workspaces.ignore import Ignores
from codeintel.client.workspaces.walk import TooMuch, largest_folders, pack, walk
from codeintel.contracts.workspaces.records import MAX_FILES

NAMES = ["foo", "bar", "a", "b.py", "keep", "x.txt", "build"]
ATOMS = ["foo", "bar", "a", "*", "**", "*.py", "*.txt", "k?ep", "[ab]*", "[!ab]*", "build", "keep"]


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    ended = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return ended.stdout


def left_out(root: Path) -> dict[str, str]:
    tree = walk(root)
    return {each.path: each.reason for each in pack(root, tree, tree.sizes).left_out}


def taken(root: Path) -> list[str]:
    tree = walk(root)
    return sorted(pack(root, tree, tree.sizes).texts)


def a_pattern(rnd: random.Random) -> str:
    text = "/".join(rnd.choice(ATOMS) for _ in range(rnd.choice([1, 1, 1, 2, 2, 3])))
    text = "/" * (rnd.random() < 0.3) + text + "/" * (rnd.random() < 0.3)
    return "!" * (rnd.random() < 0.35) + text


def a_tree(rnd: random.Random, folder: Path, depth: int = 0) -> None:
    for name in NAMES:
        chance = rnd.random()
        if chance < 0.35 and depth < 3:
            (folder / name).mkdir()
            a_tree(rnd, folder / name, depth + 1)
        elif chance < 0.7:
            (folder / name).write_text("x")
    if depth == 0 or rnd.random() < 0.2:
        lines = [a_pattern(rnd) for _ in range(rnd.randint(1, 5))]
        (folder / ".gitignore").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("seed", range(40))
def test_the_same_files_as_git(tmp_path: Path, seed: int) -> None:
    rnd = random.Random(seed)
    git(tmp_path, "init", "-q")
    a_tree(rnd, tmp_path)
    (tmp_path / ".git/info/exclude").write_text(a_pattern(rnd) + "\n")
    listed = git(tmp_path, "ls-files", "-z", "-co", "--exclude-standard").split("\0")
    assert taken(tmp_path) == sorted(f"/{path}" for path in listed if path)


@pytest.mark.parametrize(
    ("lines", "path", "ignored"),
    [
        ("*.log\r\n", "a.log", True),
        ("\ufeff*.log\n", "a.log", True),
        ("[z-a]\nfoo\\\n!\n*.log\n", "a.log", True),
        ("# *.log\n", "a.log", False),
        ("[[:digit:][:upper:]]?.log\n", "1a.log", True),
        ("[^[:alpha:]].log\n", "a.log", False),
        ("x[[:punct:]]\n", "x!", True),
        ("\\[[:punct:]]\n", "[p]", True),
        ("[:alpha:].log\n", "z.log", False),
        ("[[a].log\n", "[.log", True),
        ("\\#a\n", "#a", True),
        ("a\\ \n", "a ", True),
        ("/a.log\n", "below/a.log", False),
        ("below/**\n!below/keep\n", "below/keep", False),
        ("below/\n!below/keep\n", "below/keep", True),
        ("/*\n!/below\n/below/*\n!/below/one/\n", "below/one/a", False),
    ],
)
def test_rules(tmp_path: Path, lines: str, path: str, ignored: bool) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text("x")
    (tmp_path / ".codeintelignore").write_bytes(lines.encode())
    assert (f"/{path}" not in taken(tmp_path)) is ignored


def test_a_folder_in_a_repository_has_its_rules_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("*.log\n/made/\n")
    for name in ("part", "made"):
        (tmp_path / name).mkdir()
        for file in ("a.log", "b.txt"):
            (tmp_path / name / file).write_text("x")
    assert taken(tmp_path / "part") == ["/b.txt"]
    assert taken(tmp_path / "made") == ["/a.log", "/b.txt"], "it was named all the same"


def test_codeintelignore_adds_to_gitignore(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("made.py\nother.py\n")
    (tmp_path / ".codeintelignore").write_text("!made.py\nlarge/\n")
    (tmp_path / "large").mkdir()
    for name in ("made.py", "other.py", "large/x"):
        (tmp_path / name).write_text("x")
    assert taken(tmp_path) == ["/.codeintelignore", "/.gitignore", "/made.py"]


def test_what_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "ok.py").write_text("x\r\n")
    (tmp_path / "empty").write_text("")
    (tmp_path / "zero.bin").write_bytes(b"a\0b")
    (tmp_path / "latin.txt").write_bytes(b"\xe9")
    (tmp_path / "big.txt").write_text("x" * (1024 * 1024 + 1))
    (tmp_path / "edge.txt").write_text("x" * 1024 * 1024)
    (tmp_path / "link").symlink_to("ok.py")
    (tmp_path / "away").symlink_to("/")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / ".env").write_text("TOKEN=1\n")
    (tmp_path / ".env.example").write_text("TOKEN=\n")
    (tmp_path / "id_rsa").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    (tmp_path / "Read.me").write_text("x")
    (tmp_path / "READ.ME").write_text("x")
    (tmp_path / "e\u0301").write_text("x")
    (tmp_path / "a\\b").write_text("x")
    (tmp_path / os.fsdecode(b"\xff")).write_text("x")
    (tmp_path / ".git").write_text("gitdir: elsewhere\n")
    for name in (".codeintel", ".CodeIntel", ".GIT"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").write_text("x")
    assert taken(tmp_path) == ["/.env.example", "/edge.txt", "/empty", "/ok.py"]
    assert left_out(tmp_path) == {
        "/.GIT/x": "git-folder",
        "/.env": "dotenv",
        "/READ.ME": "collision",
        "/Read.me": "collision",
        "/\\xff": "not-unicode",
        "/a\\b": "backslash",
        "/away": "symbolic-link",
        "/big.txt": "too-large",
        "/e\u0301": "not-nfc",
        "/id_rsa": "private-key",
        "/latin.txt": "not-utf-8",
        "/link": "symbolic-link",
        "/pipe": "not-regular",
        "/zero.bin": "binary",
    }


def test_a_file_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("outside")
    root = tmp_path / "root"
    root.mkdir()
    (root / "a").write_text("inside")
    tree = walk(root)
    (root / "a").unlink()
    (root / "a").symlink_to("../secret")
    found = pack(root, tree, tree.sizes)
    assert (found.texts, [each.reason for each in found.left_out]) == ({}, ["unreadable"])


def test_a_folder_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    for folder in (outside, root / "sub"):
        folder.mkdir(parents=True)
        (folder / "a").write_text("secret\n")
    tree = walk(root)
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to(outside)
    packed = pack(root, tree, tree.sizes)
    assert packed.texts == {}
    assert [(each.path, each.reason) for each in packed.left_out] == [("/sub/a", "unreadable")]


def test_paths_beyond_the_limit_end(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(30):
        folder /= "x" * 50
        folder.mkdir()
    assert set(left_out(tmp_path).values()) == {"path-too-long"}


def test_the_largest_folders_are_named(tmp_path: Path) -> None:
    for name, count in (("src/made/deep", MAX_FILES), ("docs", 3)):
        (tmp_path / name).mkdir(parents=True)
        for number in range(count):
            (tmp_path / name / str(number)).write_text("x")
    tree = walk(tmp_path)
    with pytest.raises(TooMuch) as caught:
        pack(tmp_path, tree, tree.sizes)
    assert caught.value.files == MAX_FILES + 3
    assert [(each.path, each.files) for each in caught.value.folders] == [
        ("/src/made/deep/", MAX_FILES),
        ("/docs/", 3),
    ]


def test_bytes_count_where_files_are_few() -> None:
    sizes = {"/many/a": 1, "/many/b": 1, "/large/x": 9_000_000, "/top": 5}
    assert [each.path for each in largest_folders(sizes)] == ["/large/", "/many/"]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "work/it")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    yield folder


@pytest.mark.parametrize(
    ("remote", "told"),
    [
        ("https://user:secret@git.example.org/x/y.git?a=b", "https://git.example.org/x/y.git"),
        ("git@git.example.org:x/y.git", "git@git.example.org:x/y.git"),
        ("/home/somebody/y", ""),
        ("ext::sh -c true", ""),
    ],
)
def test_git_tells_branch_and_remote(repository: Path, remote: str, told: str) -> None:
    assert git_info(repository) == ("work/it", "")
    git(repository, "config", "remote.upstream.url", remote)
    assert git_info(repository) == ("work/it", told)


def test_worktrees_and_submodules(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "remote.origin.url", "https://git.example.org/y")
    (repository / ".git/info/exclude").write_text("*.log\n")
    git(repository, "worktree", "add", "-q", "-b", "second", str(tmp_path / "tree"))
    (tmp_path / "tree/a.log").write_text("x")
    (tmp_path / "tree/a.txt").write_text("x")
    assert git_info(tmp_path / "tree") == ("second", "https://git.example.org/y")
    assert taken(tmp_path / "tree") == ["/a.txt"]
    inner = repository / "module"
    inner.mkdir()
    (inner / ".git").write_text(f"gitdir: {tmp_path / 'nowhere'}\n")
    (inner / "b.txt").write_text("x")
    assert taken(repository) == ["/module/b.txt"]


def test_what_a_repository_says_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = tmp_path / "ran"
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "alias.config"):
        git(repository, "config", name, f"touch {ran}")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert git_info(repository).branch == "work/it"
    assert not ran.exists()
    monkeypatch.setenv("PATH", "")
    assert git_info(repository) == ("", "")


def test_rules_that_are_links_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("*\n")
    (tmp_path / ".gitignore").symlink_to("rules")
    assert not Ignores.at(tmp_path).within(tmp_path, ()).ignores(("a",), is_folder=False)
