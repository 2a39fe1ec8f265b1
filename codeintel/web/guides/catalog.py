"""The guides that the service shows, and the files that they come from.

A test compares `SECTIONS` with the navigation in `mkdocs.yml`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ADDRESS = "/docs/guides"
_INSTALLED = Path(__file__).parent / "files"
"""The files in a wheel. `build_guides` copies them there."""
_TREE = Path(__file__).parents[3]
SECTIONS = {
    "Get started": ("index", "quick-start", "glossary"),
    "Use": (
        "api-guide",
        "scanning",
        "codeintel-toml",
        "analysis",
        "transformations",
        "search",
        "trust",
        "workspace",
        "editor-clients",
        "runs",
        "errors",
    ),
    "Operate": (
        "operating",
        "settings",
        "deploy",
        "identity",
        "jobs",
        "metrics",
        "doctor",
        "data",
        "security",
        "asvs",
    ),
    "Extend": ("plugins", "write-a-registry", "hooks"),
    "Internals": (
        "tour",
        "style",
        "contributing",
        "benchmarks",
        "measuring",
        "rewrites",
        "changes",
    ),
    "Decisions": (
        "decisions/0001-runs-are-detached-from-connections",
        "decisions/0002-one-writer-per-process",
        "decisions/0003-hostile-input-in-forked-children",
        "decisions/0004-limits-are-asked-directly",
        "decisions/0005-one-interpreter-for-values",
        "decisions/0006-findings-merge-by-weakness",
        "decisions/0007-jobs-are-rows",
        "decisions/0008-a-score-is-what-is-proven",
        "decisions/0009-browsers-have-sessions-the-api-does-not",
        "decisions/0010-a-workspace-is-contents-and-intervals",
        "decisions/0011-verified-means-proven",
        "decisions/0012-confinement",
        "decisions/0013-the-engine-knows-no-service",
        "decisions/0014-foreign-code-runs-in-a-proven-sandbox",
        "decisions/0015-plugins-register-objects",
        "decisions/0016-analyses-that-we-write-ourselves",
    ),
}
"""Names of guides by section, in reading order."""
OUTSIDE = {
    "changes": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
    "deploy": "deploy/README.md",
    "measuring": "benchmarks/README.md",
    "rewrites": "benchmarks/rewrites/README.md",
}
"""Guides whose file is not in `docs/`, with their paths from the root of the repository."""
NAMES = tuple(name for names in SECTIONS.values() for name in names)
IMAGES = "docs/images"


class Neighbors(NamedTuple):
    """The names of the guides before and after a guide. Empty at either end."""

    before: str
    after: str


def repository_path(name: str) -> str:
    """Return the path of a guide's file from the root of the repository."""
    return OUTSIDE.get(name, f"docs/{name}.md")


NAME_OF_PATH = {repository_path(name): name for name in NAMES}


def root() -> Path:
    """Return the folder that the paths of guides start from: in the package or in the tree."""
    return _INSTALLED if _INSTALLED.is_dir() else _TREE


def neighbors(name: str) -> Neighbors:
    """Return the neighbors of a guide in reading order."""
    place = NAMES.index(name)
    return Neighbors(
        before=NAMES[place - 1] if place else "",
        after=NAMES[place + 1] if place + 1 < len(NAMES) else "",
    )
