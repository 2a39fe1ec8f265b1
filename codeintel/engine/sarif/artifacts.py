"""Describe the analyzed file in SARIF: its address, its hash, and locations in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from codeintel.contracts import Range

BASE = "%SRCROOT%"
"""The base of relative addresses. Readers know the root of the sources by this name."""

# Languages for which SARIF recommends another name.
_SOURCE_LANGUAGES = {"cpp": "cplusplus", "objc": "objectivec", "vb": "visualbasic"}


@dataclass(frozen=True)
class Artifact:
    """An analyzed file.

    :param uri: the address, as :func:`file_uri` returns it.
    :param code: the analyzed code, or None if only the findings are known. Findings only get
        fingerprints from code.
    :param data: the bytes of the file, if known, for its hash and length.
    :param fingerprints: the fingerprints of the findings in order, if they were made before.
    :param index: the position in `run.artifacts`.
    :param is_analyzed: whether the file itself was analyzed, not just mentioned.
    """

    uri: str
    code: str | None = None
    data: bytes | None = None
    fingerprints: Sequence[str] = ()
    index: int = 0
    is_analyzed: bool = True

    def entry(self, language: str | None) -> dict[str, Any]:
        """Return the entry in `run.artifacts`."""
        entry: dict[str, Any] = {"location": self.address()}
        if self.is_analyzed:
            entry["roles"] = ["analysisTarget"]
        entry["encoding"] = "UTF-8"
        if language is not None:
            entry["sourceLanguage"] = _SOURCE_LANGUAGES.get(language, language)
        if self.data is not None:
            entry["length"] = len(self.data)
            entry["hashes"] = {"sha-256": hashlib.sha256(self.data).hexdigest()}
        return entry

    def bases(self) -> dict[str, Any]:
        """Return `run.originalUriBaseIds`.

        It omits the location of the root, which would reveal paths of the machine.
        """
        if "uriBaseId" not in self.address():
            return {}
        return {BASE: {"description": {"text": "The folder in which the analysis was started."}}}

    def location(self) -> dict[str, Any]:
        """Return a reference to the entry in `run.artifacts`."""
        return {**self.address(), "index": self.index}

    def place(self, range_: Range) -> dict[str, Any]:
        """Return a `physicalLocation`."""
        return {"artifactLocation": self.location(), "region": region(range_)}

    def step_place(self, range_: Range, path: str) -> dict[str, Any]:
        """Return the `physicalLocation` of a step in another file, or in this one without a path.

        :param path: the path of the other file in the repository or the workspace, or an empty
            text.
        """
        if not path:
            return self.place(range_)
        address = {"uri": path_uri(path), "uriBaseId": BASE}
        return {"artifactLocation": address, "region": region(range_)}

    def line(self, number: int) -> dict[str, Any]:
        """Return the `physicalLocation` of a whole line."""
        return {"artifactLocation": self.location(), "region": {"startLine": number}}

    def address(self) -> dict[str, str]:
        """Return the `artifactLocation` without an index."""
        if self.uri.startswith("file:"):
            return {"uri": self.uri}
        return {"uri": self.uri, "uriBaseId": BASE}


def region(range_: Range) -> dict[str, Any]:
    """Return a range as a SARIF region. Both exclude the end and count from 1."""
    return {
        "startLine": range_.start_line,
        "startColumn": range_.start_column,
        "endLine": range_.end_line,
        "endColumn": range_.end_column,
    }


def path_uri(path: str) -> str:
    """Return the address of a path, relative to the root of the tree even if the path starts
    with `/`."""
    return quote(path.lstrip("/"), safe="/", errors="surrogatepass")


def file_uri(path: str, folder: Path) -> str:
    """Return the address of a file, relative to the folder, or absolute if the file is outside."""
    absolute = os.path.abspath(folder / path)  # noqa: PTH100 - links are not to be followed
    relative = os.path.relpath(absolute, folder)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        return "file://" + _quoted(absolute)
    return _quoted(relative)


def _quoted(path: str) -> str:
    return quote(os.fsencode(path.replace(os.sep, "/")), safe="/")
