"""Fenced blocks of a document, run in their order in one shell, as a reader would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[2] / "docs"
PROGRAMS = {"python", "js"}
ANSWERS = {"json", "text"}
SECONDS = 90
_HEADING = re.compile(r"^#+ (?P<title>.+)$")
_FENCE = re.compile(r"^```(?P<language>\w*)$")
_MARK = "@@ block "
_MADE_UP = re.compile(
    r"(?P<moment>\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)|(?P<request>\b[0-9a-f]{16}\b)"
)


class Block(NamedTuple):
    """A block, its language, and the heading above it."""

    section: str
    language: str
    text: str

    @property
    def name(self) -> str:
        """The file that its first line names, or nothing."""
        found = re.match(r"(?:#|//) ([\w.-]+)", self.text)
        return found[1] if found else ""


def blocks(text: str) -> Iterator[Block]:
    """Yield all blocks of a document."""
    section, language, lines = "", None, list[str]()
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if language is None:
            heading = _HEADING.match(line)
            section = heading["title"] if heading else section
            language = fence["language"] if fence else None
        elif fence and not fence["language"]:
            yield Block(section, language, "".join(f"{each}\n" for each in lines))
            language, lines = None, []
        else:
            lines.append(line)


def play(
    parts: Iterable[Block], folder: Path, variables: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Save the programs and run the commands, all in one shell that stops at the first failure.

    Returns for each block of commands what it should have said, or nothing if the document does not
    tell, and what it has said.
    """
    script, told = ["set -euo pipefail"], list[str]()
    before = None
    for part in parts:
        if part.language in PROGRAMS:
            assert part.name, f"no file name in the first line: {part.text[:80]}"
            (folder / part.name).write_text(part.text)
        elif part.language == "sh":
            script += [f"echo; echo '{_MARK}'", part.text]
            told.append("")
        elif part.language in ANSWERS and before == "sh":
            told[-1] = part.text
        before = part.language
    programs = Path(sys.executable).parent
    ended = subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    said = [part.removeprefix("\n") for part in ended.stdout.split(f"\n{_MARK}")[1:]]
    assert ended.returncode == 0, f"{said[-1:]}\n{ended.stderr}"
    pairs = zip(told, said, strict=True)
    return [(plain(each), plain(other) if each else "") for each, other in pairs]


def plain(text: str) -> str:
    """Return a text without what is another one each time, and JSON without its layout."""
    masked = _MADE_UP.sub(lambda found: f"<{found.lastgroup}>", text).strip()
    return json.dumps(json.loads(masked)) if masked.startswith("{") else masked
