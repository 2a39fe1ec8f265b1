"""Sentences for the reasons why a file is not pushed. `docs/workspace.md` lists the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from codeintel.base.wording import size
from codeintel.cli.outcome import as_objects
from codeintel.contracts.workspaces.paths import MAX_NAME_BYTES
from codeintel.contracts.workspaces.records import MAX_FILE_BYTES, MAX_PATH_BYTES, SkippedFile
from codeintel.contracts.workspaces.selection import RULES

_SENTENCES = {
    "binary": "The file is binary.",
    "not-utf-8": "The text is not in UTF-8.",
    "too-large": f"The file is larger than {size(MAX_FILE_BYTES)}.",
    "symbolic-link": "The file is a symbolic link.",
    "not-regular": "The file is not a regular file.",
    "unreadable": "The file cannot be read.",
    "path-too-long": f"The path is longer than {MAX_PATH_BYTES:,} bytes.",
    "name-too-long": f"A name is longer than {MAX_NAME_BYTES:,} bytes.",
    "not-unicode": "The path is not in Unicode.",
    "not-nfc": "The path is not in Unicode normal form C.",
    "control-character": "The path contains a control character.",
    "backslash": "The path contains a backslash.",
    "colon": "The path contains a colon.",
    "no-leading-slash": "The path does not begin with a slash.",
    "empty-name": "The path contains an empty name.",
    "dot-name": "The path contains the name . or .. .",
    "git-folder": "The file belongs to Git.",
    "reserved": "The file belongs to codeintel.",
    "collision": "The path differs from another path only in case or invisible characters.",
    "dotenv": "The file can contain secrets, because it is a dotenv file.",
    "private-key": "The file contains a private key.",
}


def in_words(reason: str) -> str:
    """Return the sentence for a reason. A service can send unknown reasons, which stay."""
    if reason in RULES:
        return _SENTENCES.get(reason) or f"The file contains a secret: {reason}."
    return _SENTENCES.get(reason, reason)


def with_reasons(files: Iterable[SkippedFile]) -> list[tuple[str, str]]:
    """Return the path of each file with the sentence for its reason."""
    return [(each.path, in_words(each.reason)) for each in files]


def from_service(files: list[Any]) -> list[tuple[str, str]]:
    """Return the same for files in an error of the service."""
    return [
        (str(each.get("path")), in_words(str(each.get("reason")))) for each in as_objects(files)
    ]
