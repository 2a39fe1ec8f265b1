"""The files of a scan in a Git repository: the work tree, the index, changes and commits."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from repositories import discover, found, git, paths_of, reasons, texts, write

from codeintel.client.repository.discovery import (
    DiscoveryError,
    Selection,
    discover_commit,
)
from codeintel.client.repository.git import GitError, Repository

SECRET_HOOK = '#!/bin/sh\ntouch "$(dirname "$0")/../../ran"\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    write(root, a_py="a = 1\n", src__b_py="b = 1\n", src__c_py="c = 1\n")
    (root / ".gitignore").write_text("ignored*\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "First")
    return root


def test_tracked_and_untracked_files_count_and_ignored_ones_do_not(repository: Path) -> None:
    write(repository, new_py="n = 1\n", ignored_py="i = 1\n")
    (repository / "src/c.py").unlink()
    assert found(repository) == ["a.py", "new.py", "src/b.py"]
    # Git's rules do not apply to tracked files, nor to files that are named.
    git(repository, "add", "-f", "ignored.py")
    assert "ignored.py" in found(repository)
    git(repository, "rm", "-q", "--cached", "ignored.py")
    assert found(repository, "ignored.py") == ["ignored.py"]


def test_paths_are_relative_to_the_top(repository: Path) -> None:
    assert found(repository, cwd=repository / "src") == ["src/b.py", "src/c.py"]
    assert found(repository, "*.py", cwd=repository / "src") == ["src/b.py", "src/c.py"]
    assert found(repository, "..", cwd=repository / "src") == ["a.py", "src/b.py", "src/c.py"]
    assert found(repository, "../a.py", "c.py", cwd=repository / "src") == ["a.py", "src/c.py"]


def test_own_rules_apply_to_tracked_files(repository: Path) -> None:
    (repository / ".codeintelignore").write_text("src/*\n!src/c.py\n")
    seen = discover(Selection(), repository)
    assert paths_of(seen) == ["a.py", "src/c.py"]
    assert seen.ignored == 1


@pytest.mark.parametrize("names", [(), ("src",), ("*.py",), ("a.py", "src/b.py")])
def test_a_scan_of_nothing_is_an_error(repository: Path, names: tuple[str, ...]) -> None:
    (repository / ".codeintelignore").write_text("*\n")
    with pytest.raises(DiscoveryError, match=r"leave out all|a\.py: left out by"):
        discover(Selection(names), repository)
    assert not discover(Selection(names=("a.py",)), repository).files
    assert not discover(Selection(changed=True), repository).files


def test_changed_files(repository: Path) -> None:
    write(repository, a_py="a = 2\n", new_py="n = 1\n", ignored_py="i = 1\n")
    (repository / "src/b.py").unlink()
    assert paths_of(discover(Selection(changed=True), repository)) == ["a.py", "new.py"]
    below = Selection(("src",), changed=True)
    assert paths_of(discover(below, repository)) == []


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_changes_that_the_index_hides_count(repository: Path, mark: str) -> None:
    git(repository, "update-index", mark, "a.py", "src/b.py")
    write(repository, a_py="a = 2\n")
    (repository / "src/b.py").unlink()
    for since in (None, "HEAD"):
        seen = discover(Selection(changed=True, since=since), repository)
        assert (paths_of(seen), reasons(seen)) == (["a.py"], {})


def test_changes_since_a_commit_are_those_of_the_branch(repository: Path) -> None:
    git(repository, "checkout", "-qb", "topic")
    write(repository, src__b_py="b = 2\n")
    git(repository, "commit", "-qam", "Change b")
    git(repository, "checkout", "-q", "main")
    write(repository, a_py="a = 2\n")
    git(repository, "commit", "-qam", "Change a")
    git(repository, "checkout", "-q", "topic")
    write(repository, src__c_py="c = 2\n")
    since = Selection(changed=True, since="main")
    assert paths_of(discover(since, repository)) == ["src/b.py", "src/c.py"]


def test_unrelated_histories_are_compared_directly(repository: Path) -> None:
    git(repository, "checkout", "-q", "--orphan", "other")
    write(repository, a_py="a = 3\n")
    git(repository, "commit", "-qam", "Start again")
    seen = discover(Selection(changed=True, since="main"), repository)
    assert paths_of(seen) == ["a.py"]
    assert "no known common commit" in seen.notes[0]


@pytest.mark.parametrize("name", ["nothing", "--output=x", "", "HEAD^{tree}"])
def test_unknown_commits(repository: Path, name: str) -> None:
    with pytest.raises(DiscoveryError, match="Git does not know the commit"):
        discover(Selection(changed=True, since=name), repository)
    assert not (repository / "x").exists()


def test_a_shallow_clone_tells_how_to_get_the_commit(repository: Path, tmp_path: Path) -> None:
    write(repository, a_py="a = 2\n")
    git(repository, "commit", "-qam", "Change a")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "clone")
    assert found(clone) == ["a.py", "src/b.py", "src/c.py"]
    first = git(repository, "rev-parse", "HEAD~1").strip()
    with pytest.raises(DiscoveryError, match="shallow: fetch the commit first"):
        discover(Selection(changed=True, since=first), clone)


def test_staged_files_have_the_contents_of_the_index(repository: Path) -> None:
    write(repository, a_py="staged = 1\n", new_py="n = 1\n", src__b_py="not_staged = 1\n")
    git(repository, "add", "a.py", "new.py")
    write(repository, a_py="later = 1\n")
    (repository / "new.py").unlink()
    seen = discover(Selection(staged=True), repository)
    assert texts(seen) == {"a.py": "staged = 1\n", "new.py": "n = 1\n"}
    assert seen.text("a.py") == "staged = 1\n"


def test_a_hook_sees_the_index_of_its_commit(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = repository / ".git/next-index"
    index.write_bytes((repository / ".git/index").read_bytes())
    write(repository, src__b_py="partial = 1\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    git(repository, "add", "src/b.py")
    assert paths_of(discover(Selection(staged=True), repository)) == ["src/b.py"]
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert paths_of(discover(Selection(staged=True), repository)) == []


@pytest.mark.parametrize("is_linked", [False, True])
def test_a_hook_in_another_work_tree_sees_its_index(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_linked: bool
) -> None:
    root = repository
    if is_linked:
        root = tmp_path / "linked"
        git(repository, "worktree", "add", "-q", "-b", "linked", str(root))
    folder = Path(git(root, "rev-parse", "--absolute-git-dir").strip())
    index = folder / "next-index-1.lock"
    index.write_bytes((folder / "index").read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    write(root, src__b_py="partial = 1\n")
    git(root, "add", "src/b.py")
    assert paths_of(discover(Selection(staged=True), root)) == ["src/b.py"]


def test_variables_of_another_repository_do_not_count(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other/.git/index"))
    assert found(repository) == ["a.py", "src/b.py", "src/c.py"]


def test_a_repository_without_commits(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write(tmp_path, a_py="a = 1\n", b_py="b = 1\n")
    git(tmp_path, "add", "a.py")
    assert found(tmp_path) == ["a.py", "b.py"]
    assert paths_of(discover(Selection(changed=True), tmp_path)) == ["a.py", "b.py"]
    assert paths_of(discover(Selection(staged=True), tmp_path)) == ["a.py"]


def test_bare_repositories_have_no_files(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    with pytest.raises(DiscoveryError, match="is a bare repository, which has no files"):
        discover(Selection(), tmp_path / "bare.git")


def test_submodules_and_nested_repositories_are_told(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repository), "part")
    git(repository, "submodule", "--quiet", "add", str(tmp_path / "part"), "part")
    git(repository, "init", "-q", "nested")
    write(repository / "nested", n_py="n = 1\n")
    git(repository / "nested", "add", "-A")
    git(repository / "nested", "commit", "-qm", "Nested")
    seen = discover(Selection(), repository)
    assert paths_of(seen) == ["a.py", "src/b.py", "src/c.py"]
    about = ("a submodule, or another repository", None)
    assert {"part": about, "nested": about}.items() <= reasons(seen).items()
    assert found(repository, "part") == ["a.py", "src/b.py", "src/c.py"]


def test_sparse_checkouts_are_told(repository: Path) -> None:
    git(repository, "sparse-checkout", "set", "--no-cone", "/a.py")
    seen = discover(Selection(), repository)
    assert paths_of(seen) == ["a.py"]
    assert reasons(seen)["src/b.py"] == ("not checked out", None)


def test_files_that_a_sparse_checkout_leaves_out_are_scanned_if_they_exist(
    repository: Path,
) -> None:
    git(repository, "update-index", "--skip-worktree", "src/b.py")
    assert found(repository) == ["a.py", "src/b.py", "src/c.py"]


def test_links_in_the_index_are_not_files(repository: Path) -> None:
    (repository / "link.py").symlink_to("a.py")
    git(repository, "add", "-A")
    for selection in (Selection(), Selection(staged=True)):
        assert reasons(discover(selection, repository))["link.py"] == ("a symbolic link", None)


def test_conflicts_are_one_file(repository: Path) -> None:
    git(repository, "checkout", "-qb", "topic")
    write(repository, a_py="a = 2\n")
    git(repository, "commit", "-qam", "Two")
    git(repository, "checkout", "-q", "main")
    write(repository, a_py="a = 3\n")
    git(repository, "commit", "-qam", "Three")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "merge", "topic")
    assert found(repository) == ["a.py", "src/b.py", "src/c.py"]


def test_odd_names(repository: Path) -> None:
    write(repository, **{"a\nb_py": "x = 1\n", 'q"uote_py': "x = 1\n"})
    (repository / os.fsdecode(b"bad\xff.py")).write_text("x = 1\n")
    git(repository, "add", "-A")
    seen = discover(Selection(staged=True), repository)
    assert paths_of(seen) == ["a\nb.py", 'q"uote.py']
    assert reasons(seen) == {"bad\\xff.py": ("the name is not UTF-8", "name")}
    assert texts(seen).keys() == {"a\nb.py", 'q"uote.py'}


def test_files_of_a_commit_by_the_rules_of_today(repository: Path) -> None:
    first = git(repository, "rev-parse", "HEAD").strip()
    write(repository, a_py="a = 2\n")
    git(repository, "mv", "src/b.py", "src/moved.py")
    git(repository, "commit", "-qam", "Change and move")
    (repository / ".codeintelignore").write_text("c.py\n")
    seen = discover(Selection(("src", "a.py")), repository)
    before = discover_commit(seen, first)
    assert paths_of(before) == ["a.py", "src/b.py"]
    assert before.text("a.py") == "a = 1\n"


def test_large_objects_do_not_confuse_the_reader(repository: Path) -> None:
    (repository / "large.py").write_bytes(b"#" * (6 * 1024 * 1024))
    write(repository, z_py="z = 1\n")
    git(repository, "add", "-A")
    seen = discover(Selection(staged=True), repository)
    assert paths_of(seen) == ["z.py"]
    assert reasons(seen) == {"large.py": ("larger than 5 MiB", "size")}


def test_no_code_of_the_repository_runs(repository: Path) -> None:
    for hook in ("post-index-change", "fsmonitor-watchman"):
        path = repository / ".git/hooks" / hook
        path.write_text(SECRET_HOOK)
        path.chmod(0o755)
    git(repository, "config", "diff.external", "touch ran; true")
    write(repository, a_py="a = 2\n")
    git(repository, "add", "-A")
    (repository / "ran").unlink(missing_ok=True)
    git(repository, "config", "core.fsmonitor", ".git/hooks/fsmonitor-watchman")
    for selection in (Selection(), Selection(changed=True), Selection(staged=True)):
        assert discover(selection, repository).files
    assert not (repository / "ran").exists()


@pytest.mark.parametrize("setting", ["clean", "process"])
@pytest.mark.parametrize("name", ["evil", "e.vil-1"])
def test_no_filter_of_the_repository_runs(repository: Path, setting: str, name: str) -> None:
    git(repository, "config", f"filter.{name}.{setting}", "touch ran; cat")
    git(repository, "config", f"filter.{name}.required", "true")
    git(repository, "config", "diff.evil.textconv", "touch ran; cat")
    git(repository, "config", "diff.evil.command", "touch ran; true")
    (repository / ".gitattributes").write_text(f"* filter={name} diff=evil\n")
    os.utime(repository / "a.py", (1, 1))
    write(repository, src__b_py="b = 2\n")
    for selection in (Selection(), Selection(changed=True), Selection(changed=True, since="HEAD")):
        assert "src/b.py" in paths_of(discover(selection, repository))
    discover_commit(discover(Selection(), repository), "HEAD")
    assert not (repository / "ran").exists()


def test_a_filter_whose_name_no_option_can_have_is_refused(repository: Path) -> None:
    git(repository, "config", "filter.a.clean", "cat")
    config = repository / ".git/config"
    config.write_text(config.read_text().replace('[filter "a"]', '[filter "a=b"]'))
    with pytest.raises(DiscoveryError, match="equals sign in its name"):
        discover(Selection(changed=True), repository)


def test_files_of_another_folder_are_not_scanned(repository: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere, private_py="x = 1\n")
    git(repository, "config", "core.worktree", str(elsewhere))
    with pytest.raises(DiscoveryError, match=r"Remove core\.worktree"):
        discover(Selection(), repository)


@pytest.mark.parametrize("is_repository", [False, True])
def test_files_of_a_folder_above_are_not_scanned(
    repository: Path, tmp_path: Path, is_repository: bool
) -> None:
    if is_repository:
        git(tmp_path, "init", "-q")
    write(tmp_path, private_py="x = 1\n")
    git(repository, "config", "core.worktree", "../..")
    for names in ((), ("src",)):
        with pytest.raises(DiscoveryError, match=r"Remove core\.worktree"):
            discover(Selection(names), repository)


def test_the_top_of_linked_work_trees_and_submodules_is_recognized(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"))
    git(repository, "submodule", "--quiet", "add", str(repository), "part")
    for root in (tmp_path / "linked", repository / "part"):
        assert found(root, "src") == ["src/b.py", "src/c.py"]


def test_a_folder_that_looks_like_a_repository_is_not_used(
    repository: Path, tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare")
    inner = repository / "inner"
    (tmp_path / "bare").rename(inner)
    write(inner, x_py="x = 1\n")
    git(inner, "config", "core.bare", "false")
    git(inner, "config", "core.worktree", str(tmp_path))
    with pytest.raises(DiscoveryError, match="bare repository"):
        discover(Selection(), inner)


def test_git_refuses_repositories_of_other_users(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(DiscoveryError, match=r"dubious ownership.*safe\.directory"):
        discover(Selection(), repository)


def test_folders_without_repository(tmp_path: Path) -> None:
    assert Repository.around(tmp_path) is None
    with pytest.raises(GitError):
        Repository("/nonexistent/git", tmp_path).commit("HEAD")
