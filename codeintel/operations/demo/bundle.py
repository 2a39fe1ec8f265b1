"""The data of the demo: a sample program in two revisions, and recorded evidence about packages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.operations.demo.evidence import RecordedPackage

NAME = "Parcel desk (demo)"
FOLDER = "parcel-desk"
BRANCH = "main"
ANALYZED = (
    "/api/app.py",
    "/api/imports.py",
    "/web/server.js",
    "/tracker/main.go",
    "/scale/weigh.c",
)
"""The files of the first revision that are analyzed on their own, as runs."""
FIXED = ("/web/server.js", "/api/app.py")
"""The files that are analyzed again, in the second revision, so that two runs can be compared."""
_DATA = Path(__file__).parent / "data"
_SUFFIX = ".txt"
"""Ends the names of all files, so that no tool takes the sample program for a part of codeintel."""


class _Evidence(msgspec.Struct, frozen=True):
    packages: tuple[RecordedPackage, ...]


@cache
def revisions() -> tuple[dict[str, str], dict[str, str]]:
    """Return the files of both revisions, text by path. The second fixes a part of the first."""
    first = _files("program")
    return first, {**first, **_files("fixes")}


def _files(folder: str) -> dict[str, str]:
    top = _DATA / folder
    files = sorted(file for file in top.rglob(f"*{_SUFFIX}") if file.is_file())
    names = (f"/{file.relative_to(top).as_posix().removesuffix(_SUFFIX)}" for file in files)
    return {name: file.read_text(encoding="utf-8") for name, file in zip(names, files, strict=True)}


def is_bundled(entries: Sequence[FileEntry]) -> bool:
    """Return whether the files are exactly those of one of the revisions."""
    return {each.path: each.sha256 for each in entries} in _digests()


@cache
def _digests() -> tuple[dict[str, str], ...]:
    return tuple(
        {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
        for files in revisions()
    )


def recorded_packages() -> tuple[RecordedPackage, ...]:
    """Return the packages with recorded evidence."""
    file = _DATA / "evidence.json"
    return msgspec.json.decode(file.read_bytes(), type=_Evidence).packages
