"""Reading the manifests of a revision as a function of worker processes.

The module imports nothing of the service, because its imports make every worker process larger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from codeintel.platform.workers.text_functions import TextFunction
from codeintel.workspaces.proof.manifests.reader import reading
from codeintel.workspaces.proof.shapes import Manifest


class ManifestPart(msgspec.Struct, frozen=True):
    """Files with their texts.

    `left_out` are paths of other files in the workspace, `unread` those of files to skip.
    """

    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []


class ManifestStep(msgspec.Struct, frozen=True):
    """The path that is being read, or finally the manifests."""

    path: str = ""
    found: list[Manifest] = []


def steps(parts: Iterable[ManifestPart]) -> Iterator[ManifestStep]:
    """Read the files of all parts together."""
    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []
    for part in parts:
        files += part.files
        left_out += part.left_out
        unread += part.unread
    for step in reading(files, left_out, unread):
        yield ManifestStep(path=step) if isinstance(step, str) else ManifestStep(found=step)


MANIFESTS = TextFunction(
    "manifests", steps, ManifestPart, ManifestStep, seconds=5.0, most_seconds=60.0
)
