"""An MkDocs hook: documents outside of `docs/` become pages of the site, what they link to files.

They stay where people look for them in the repository, and links between them and those in `docs/`
are written as they hold there. Here they are turned into links between pages.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

OUTSIDE = {
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "measuring.md",
    "benchmarks/rewrites/README.md": "rewrites.md",
    "deploy/README.md": "deploy.md",
}
"""Paths from the root of the repository, and the pages that they become."""
DOCS = "docs/"
_PAGES = {page: path for path, page in OUTSIDE.items()}
_FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"(?<=\]\()(?P<path>[^)\s#:]+)(?=[)#])")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages, and files that pages link to, such as configuration. What is missing is left
    out, which `--strict` finds by the navigation and the links."""
    from mkdocs.structure.files import File

    root = Path(config.config_file_path).parent
    added = {path: page for path, page in OUTSIDE.items() if (root / path).is_file()}
    texts = {page: (root / path).read_text() for path, page in added.items()}
    texts |= {file.src_uri: file.content_string for file in files.documentation_pages()}
    for page, text in texts.items():
        for path in _outside_targets(text, page):
            if (root / path).is_file():
                added.setdefault(path, path)
    for path, page in added.items():
        files.append(File.generated(config, page, abs_src_path=str(root / path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """The page with links that hold on the site."""
    return with_site_links(markdown, page.file.src_uri)


def with_site_links(markdown: str, page: str) -> str:
    """Replace the targets of links that lead from or to a file outside of `docs/`. Others, and all
    within fenced code, stay as they are, for MkDocs to judge.

    :param page: its path on the site, such as `runs.md`.
    """

    def linked(found: re.Match[str]) -> str:
        path = _repository_path(found["path"], page)
        if page not in _PAGES and path.startswith(DOCS):
            return found[0]
        target = OUTSIDE.get(path, path.removeprefix(DOCS))
        return posixpath.relpath(target, posixpath.dirname(page) or ".")

    return "".join(
        part if is_code else _TARGET.sub(linked, part) for part, is_code in _parts(markdown)
    )


def _outside_targets(markdown: str, page: str) -> Iterator[str]:
    """Paths from the root of what a page links to and what stands outside of `docs/`."""
    for part, is_code in _parts(markdown):
        for found in () if is_code else _TARGET.finditer(part):
            path = _repository_path(found["path"], page)
            if not path.startswith(DOCS):
                yield path


def _repository_path(target: str, page: str) -> str:
    """Where a link of a page leads, as a path from the root of the repository."""
    place = posixpath.dirname(_PAGES.get(page, DOCS + page))
    return posixpath.normpath(posixpath.join(place, target))


def _parts(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text in its order, and of each part whether it is fenced code."""
    end = 0
    for fenced in _FENCED.finditer(markdown):
        yield markdown[end : fenced.start()], False
        yield fenced[0], True
        end = fenced.end()
    yield markdown[end:], False
