"""The documentation as a site: links that lead out of `docs/`, nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from doc_blocks import DOCS

ROOT = DOCS.parent
HOOK = DOCS / "_site" / "outside.py"
LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href"}


def hook() -> Any:
    """Return the hook's module, as MkDocs loads it."""
    spec = spec_from_file_location("outside", HOOK)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("page", "written", "linked"),
    [
        ("runs.md", "[a](jobs.md#b)", "[a](jobs.md#b)"),
        ("runs.md", "[a](#b) [c](https://example.org/CHANGELOG.md)", None),
        ("runs.md", "[a](../CHANGELOG.md)", "[a](changes.md)"),
        ("runs.md", "[`a`](../deploy/README.md#b)", "[`a`](deploy.md#b)"),
        ("runs.md", "[a](../deploy/nginx/a.conf)", "[a](deploy/nginx/a.conf)"),
        ("runs.md", "```\n[a](../CHANGELOG.md)\n```\n", None),
        ("decisions/0001-a.md", "[a](../../CONTRIBUTING.md)", "[a](../contributing.md)"),
        ("decisions/0001-a.md", "[a](../runs.md)", None),
        ("contributing.md", "[a](docs/hooks.md#b)", "[a](hooks.md#b)"),
        ("contributing.md", "[a](benchmarks/README.md)", "[a](measuring.md)"),
        ("deploy.md", "[a](nginx/a.conf)", "[a](deploy/nginx/a.conf)"),
        ("deploy.md", "[a](../docs/runs.md)", "[a](runs.md)"),
    ],
)
def test_links_out_of_the_documents(page: str, written: str, linked: str | None) -> None:
    assert hook().with_site_links(written, page) == (linked or written)


class Loads(HTMLParser):
    """The files that a browser loads with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in LOADED and given.get("rel") not in {"canonical", "next", "prev"}:
            self.addresses.append(given.get(LOADED[tag]) or "")


def test_the_site_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    ended = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text())
        assert loads.addresses, page
        assert not [each for each in loads.addresses if "//" in each], page
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:|@import", style.read_text()), style


def test_strict_finds_what_is_wrong(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    settings = (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(f"{settings}\nnav: [index.md, changes.md]\n")
    (tmp_path / "docs/_site").mkdir(parents=True)
    (tmp_path / "docs/_site/outside.py").write_text(HOOK.read_text())
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n[a](docs/gone.md)\n")
    (tmp_path / "docs/index.md").write_text("# Hi\n\n[a](#gone) [b](/gone) [c](../CHANGELOG.md)\n")
    (tmp_path / "docs/lost.md").write_text("# Lost\n")
    ended = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "Aborted with 4 warnings" in ended.stderr + ended.stdout, ended.stderr
