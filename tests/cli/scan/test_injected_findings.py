"""Random commits to two repositories, scanned by the real engine: new findings, and no old ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from random_repositories import RandomRepository
from scan_runs import scan

COMMITS = 2
SHOW_ALL = ("--severity", "info", "--min-confidence", "low", "--fail-on", "none")


def marked(document: Any, texts: dict[str, str]) -> dict[str, set[str]]:
    """Return the unique words in the lines of findings about calls, by the state."""
    found: dict[str, set[str]] = {"new": set(), "known": set()}
    for each in document["findings"]:
        place = each["finding"]["range"]
        lines = texts[each["path"]].split("\n")[place["startLine"] - 1 : place["endLine"]]
        words = re.findall(r"mark_\d+", "\n".join(lines))
        if len(words) == 1 and each["finding"]["category"] == "security":
            found[each["state"]].add(words[0])
    return found


@pytest.mark.parametrize("suffix", [".py", ".js"])
def test_only_new_findings_are_new(suffix: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    repository = RandomRepository(root, seed=3, suffix=suffix)
    for _ in range(COMMITS):
        repository.commit()
        texts = repository.texts()
        whole = marked(scan(root, *SHOW_ALL).document, texts)
        assert not whole["known"]
        compared = marked(scan(root, *SHOW_ALL, "--base", "HEAD~1").document, texts)
        assert compared["new"] == whole["new"] & repository.added
        assert compared["known"] == whole["new"] - repository.added
        assert compared["new"]
        assert len(compared["known"]) > 5
