"""Which languages a workspace is written in. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codeintel.contracts.languages import language_of_path, language_title
from codeintel.workspaces.proof.shapes import LanguageShare

UNKNOWN = "Not known"


@dataclass
class _Sum:
    files: int = 0
    lines: int = 0
    bytes: int = 0


def shares(files: Iterable[tuple[str, str]]) -> tuple[LanguageShare, ...]:
    """How much of the files is in which language, as their names tell it: most bytes first.

    :param files: paths and texts.
    """
    found: dict[str | None, _Sum] = {}
    for path, text in files:
        sums = found.setdefault(language_of_path(path), _Sum())
        sums.files += 1
        sums.lines += count_lines(text)
        sums.bytes += len(text.encode("utf-8", "surrogatepass"))
    made = (
        LanguageShare(
            language=language,
            title=UNKNOWN if language is None else language_title(language),
            files=sums.files,
            lines=sums.lines,
            bytes=sums.bytes,
        )
        for language, sums in found.items()
    )
    return tuple(sorted(made, key=lambda each: (-each.bytes, each.title)))


def count_lines(text: str) -> int:
    """How many lines somebody wrote: a line end at the end begins none."""
    ends = text.count("\n") + text.count("\r") - text.count("\r\n")
    return ends + (not text.endswith(("\n", "\r"))) if text else 0
