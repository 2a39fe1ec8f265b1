"""Small projects, summarized and linked as a scan does it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from codeintel.engine.dataflow.project import Budget, FileSummary, Linked, link, summarize

ENDINGS = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "java": "java",
    "go": "go",
    "php": "php",
    "rb": "ruby",
    "cs": "csharp",
}


def summaries_of(files: Mapping[str, str]) -> dict[str, FileSummary]:
    """Return the summaries of files, after a trip through MessagePack."""
    found = {}
    for path, text in files.items():
        made = summarize(path, text, ENDINGS.get(path.rpartition(".")[2], ""))
        found[path] = msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=FileSummary)
    return found


def linked(files: Mapping[str, str], budget: Budget | None = None) -> Linked:
    """Return the result of linking files."""
    return link(summaries_of(files), budget)


def places(files: Mapping[str, str]) -> list[str]:
    """Return the findings of linked files as `class path:line`."""
    return [f"{e.sink} {e.path}:{e.place.line}" for e in linked(files).findings]
