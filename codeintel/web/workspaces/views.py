"""What the pages of a workspace show, ready for templates. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from codeintel.contracts.languages import language_of_path, language_title, languages
from codeintel.contracts.workspaces.records import FileEntry, ProofStatus
from codeintel.web.workspaces.tree import Folder
from codeintel.web.workspaces.words import PROOF, proof_words
from codeintel.workspaces.records import RevisionRecord, WorkspaceRecord
from codeintel.workspaces.search import Part, SearchView


@dataclass(frozen=True)
class ProofView:
    """How the proof loop stands: its state for a class, a title, and a sentence if there is one."""

    state: str
    title: str
    told: str


@dataclass(frozen=True)
class SessionRow:
    """A session in the list."""

    session: WorkspaceRecord
    files: int
    proof: ProofView


@dataclass(frozen=True)
class RevisionRow:
    """A revision in the history. `came` says how it came about; `proof` is None where nothing is
    known of it."""

    revision: RevisionRecord
    came: str
    proof: ProofView | None
    is_newest: bool
    has_older: bool


@dataclass(frozen=True)
class FileView:
    """The file that is shown. `language` is as people write it, empty where its name tells none."""

    path: str
    size: int
    language: str
    line: int
    part: Part


@dataclass(frozen=True)
class EnvironmentView:
    """The editing environment. `missing` is a path that was asked for and is not there; `settings`
    are for its script."""

    session: WorkspaceRecord
    revision: RevisionRecord
    is_newest: bool
    proof: ProofView
    tree: Folder
    file: FileView | None
    missing: str
    search: SearchView | None
    settings: Mapping[str, Any]


def proof_view(status: ProofStatus) -> ProofView:
    """The state of the proof loop for people."""
    return ProofView(status.status.value, PROOF[status.status], proof_words(status))


def file_view(path: str, size: int, line: int, part: Part) -> FileView:
    """A file with a part of its text."""
    language = language_of_path(path)
    return FileView(path, size, language_title(language) if language else "", line, part)


def first_file(files: Mapping[str, FileEntry]) -> str:
    """The path of the file to begin with: what the workspace says of itself, or none."""
    readmes = [path for path in files if path.lower().startswith("/readme") and "/" not in path[1:]]
    return min(readmes, key=lambda path: (not path.lower().endswith(".md"), path), default="")


def editor_settings(
    session: WorkspaceRecord,
    revision: int,
    *,
    path: str,
    line: int,
    csrf: str,
    addresses: Mapping[str, str],
) -> dict[str, Any]:
    """What the editor's script needs to know.

    :param path: the file to open; empty for none.
    :param addresses: of other pages, by the names that scripts know them by.
    """
    return {
        **addresses,
        "api": f"/api/workspace/{session.id}",
        "revision": revision,
        "newest": session.revision,
        "path": path,
        "line": line,
        "languages": {
            extension: language.name
            for language in languages()
            for extension in language.extensions
        },
        "csrf": csrf,
    }
