"""The analyzed file: its address, its hash, and places in it."""

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
"""What relative addresses are relative to: readers know the root of the sources by this name."""

# Where SARIF recommends another name for a language than ours.
_SOURCE_LANGUAGES = {"cpp": "cplusplus", "objc": "objectivec", "vb": "visualbasic"}


@dataclass(frozen=True)
class Artifact:
    """What was analyzed.

    :param uri: its address, such as :func:`file_uri` makes it.
    :param code: the code as analyzed; None where only its findings are known. Findings have
        fingerprints only with it.
    :param data: the bytes of the file, where they are known; hash and length are theirs.
    :param fingerprints: those of the findings, in their order, where they were made before.
    :param index: its place in `run.artifacts`.
    :param is_analyzed: whether it was analyzed itself; else it is only told of.
    """

    uri: str
    code: str | None = None
    data: bytes | None = None
    fingerprints: Sequence[str] = ()
    index: int = 0
    is_analyzed: bool = True

    def entry(self, language: str | None) -> dict[str, Any]:
        """Its entry in `run.artifacts`."""
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
        """`run.originalUriBaseIds`. Where the root is stays unsaid: it tells on the machine."""
        if "uriBaseId" not in self.address():
            return {}
        return {BASE: {"description": {"text": "The folder in which the analysis was asked for."}}}

    def location(self) -> dict[str, Any]:
        """A reference to its entry in `run.artifacts`."""
        return {**self.address(), "index": self.index}

    def place(self, range_: Range) -> dict[str, Any]:
        """A `physicalLocation`."""
        return {"artifactLocation": self.location(), "region": region(range_)}

    def line(self, number: int) -> dict[str, Any]:
        """The `physicalLocation` of a whole line."""
        return {"artifactLocation": self.location(), "region": {"startLine": number}}

    def address(self) -> dict[str, str]:
        """Its `artifactLocation`, without a place in the log."""
        if self.uri.startswith("file:"):
            return {"uri": self.uri}
        return {"uri": self.uri, "uriBaseId": BASE}


def region(range_: Range) -> dict[str, Any]:
    """A range as a SARIF region; both exclude the end and count from 1."""
    return {
        "startLine": range_.start_line,
        "startColumn": range_.start_column,
        "endLine": range_.end_line,
        "endColumn": range_.end_column,
    }


def file_uri(path: str, folder: Path) -> str:
    """The address of a file: relative to the folder, or absolute if it lies outside of that."""
    absolute = os.path.abspath(folder / path)  # noqa: PTH100 - links are not to be followed
    relative = os.path.relpath(absolute, folder)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        return "file://" + _quoted(absolute)
    return _quoted(relative)


def _quoted(path: str) -> str:
    return quote(os.fsencode(path.replace(os.sep, "/")), safe="/")
