"""Comparisons with a base commit: every new finding counts, and no old one."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from random_repositories import RandomRepository, marker, markers, scan
from scan_samples import summary

from codeintel.cli.scan.policy import BaseCommit, ProjectConfig, judge, plan_base, texts_of
from codeintel.cli.scan.report import PolicyReport, State
from codeintel.client.repository.discovery import Selection, discover, locate
from codeintel.client.repository.naming import DiscoveryError

pytestmark = pytest.mark.engine

COMMITS = 8


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def compared(root: Path, ref: str) -> tuple[PolicyReport, dict[str, str]]:
    """Return the report on the work tree, compared with a commit, and the scanned texts."""
    selection = Selection()
    discovery = discover(selection, locate(selection, root))
    with discovery.opened() as read:
        texts = {each.path: read(each) for each in discovery.files}
    plan = plan_base(discovery, ref)
    with plan.discovery.opened() as read:
        before = [scan(each.path, read(each)) for each in plan.changed]
    results = [scan(path, text) for path, text in texts.items()]
    base = BaseCommit(plan, before, texts_of(plan, before), results, source=texts.get)
    report = judge(results, None, summary(*results), ProjectConfig(), [base], source=texts.get)
    return report, texts


def new_markers(report: PolicyReport, texts: dict[str, str]) -> set[str]:
    """Return the unique words of the new findings."""
    results = {path: scan(path, text) for path, text in texts.items()}
    return {
        marker(results[each.path], results[each.path].findings.index(each.found), texts[each.path])
        for each in report.new
    }


@pytest.mark.parametrize(("seed", "suffix"), [(11, ".py"), (14, ".py"), (16, ".js")])
def test_random_commits(seed: int, suffix: str, tmp_path: Path) -> None:
    repository = RandomRepository(tmp_path, seed=seed, suffix=suffix)
    for number in range(COMMITS):
        before = markers((scan(path, text), text) for path, text in repository.texts().items())
        repository.commit()
        report, texts = compared(tmp_path, "HEAD~1")
        after = markers((scan(path, text), text) for path, text in texts.items())
        wanted = after - before
        assert wanted == repository.added & after
        assert new_markers(report, texts) == wanted, f"commit {number}"
        assert report.fixed == len(before - after), f"commit {number}"


def test_uncommitted_changes_count(tmp_path: Path) -> None:
    repository = RandomRepository(tmp_path, seed=1, suffix=".py")
    report, _ = compared(tmp_path, "HEAD")
    assert not report.new
    assert report.states[State.KNOWN] > 10
    (tmp_path / "untracked.py").write_text("eval(mark_0)\n")
    path = tmp_path / min(repository.blocks)
    path.write_text(path.read_text() + "exec(mark_1)\n")
    report, texts = compared(tmp_path, "HEAD")
    assert new_markers(report, texts) == {"mark_0", "mark_1"}


def test_a_copied_file_has_new_findings(tmp_path: Path) -> None:
    repository = RandomRepository(tmp_path, seed=2, suffix=".py")
    path = tmp_path / min(repository.blocks)
    (tmp_path / "copy.py").write_text(path.read_text())
    report, _ = compared(tmp_path, "HEAD")
    assert {each.path for each in report.new} == {"copy.py"}


def test_ignore_rules_hold_on_both_sides(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=3, suffix=".py")
    (tmp_path / ".codeintelignore").write_text("part_0.py\n")
    report, texts = compared(tmp_path, "HEAD")
    assert "part_0.py" not in texts
    assert (len(report.new), report.fixed) == (0, 0)


def test_deleted_files_are_fixed(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=4, suffix=".py")
    path = tmp_path / "part_0.py"
    number = len(scan("part_0.py", path.read_text()).findings)
    path.unlink()
    report, _ = compared(tmp_path, "HEAD")
    assert (len(report.new), report.fixed) == (0, number)


def test_only_files_that_matter_are_read_from_the_base(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=6, suffix=".py")
    git(tmp_path, "mv", "part_1.py", "moved.py")
    path = tmp_path / "part_0.py"
    path.write_text(path.read_text() + "eval(mark_0)\n")
    git(tmp_path, "add", "-A")
    for selection in (Selection(staged=True), Selection(changed=True)):
        plan = plan_base(discover(selection, locate(selection, tmp_path)), "HEAD")
        assert {each.path for each in plan.discovery.files} == {"part_0.py", "part_1.py"}
        assert {each.path for each in plan.changed} == {"part_0.py", "part_1.py"}


def test_all_findings_are_new_before_the_first_commit(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("eval(mark_0)\n")
    report, texts = compared(tmp_path, "HEAD")
    assert new_markers(report, texts) == {"mark_0"}


def test_folders_that_the_base_lacks_are_new(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=7, suffix=".py")
    (tmp_path / "new").mkdir()
    (tmp_path / "new/a.py").write_text("eval(mark_0)\n")
    selection = Selection(("new",))
    plan = plan_base(discover(selection, locate(selection, tmp_path)), "HEAD")
    assert not plan.discovery.files


def test_an_unfinished_scan_of_the_base_is_told(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=8, suffix=".py")
    plan = plan_base(discover(Selection(), locate(Selection(), tmp_path)), "HEAD")
    base = BaseCommit(plan, [], {}, [], source={}.get, errors=["The service has ended."])
    [note] = base.notes()
    assert note.startswith("Findings may count as new by mistake, because commit ")
    assert note.endswith("was not read: The service has ended.")


def test_unknown_commits_are_rejected(tmp_path: Path) -> None:
    RandomRepository(tmp_path, seed=5, suffix=".py")
    with pytest.raises(DiscoveryError, match='does not know the commit "nowhere"'):
        compared(tmp_path, "nowhere")
    report, _ = compared(tmp_path, "main...")
    assert report.compared_with.endswith("(main...)")
    outside = tmp_path / "outside"
    outside.mkdir()
    with pytest.raises(DiscoveryError):
        compared(outside, "--upload-pack=x")
