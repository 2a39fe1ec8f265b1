"""Programs to start with in the playground: short, vulnerable, and one per language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codeintel.contracts.languages import language_title

_FILE = Path(__file__).with_name("examples.toml")


class Example(NamedTuple):
    """A program. `file` is a name for it, `title` that of its language."""

    language: str
    title: str
    file: str
    code: str


@cache
def examples() -> Mapping[str, Example]:
    """Return the examples by language."""
    found = tomllib.loads(_FILE.read_text("utf-8"))
    return {
        name: Example(name, language_title(name), each["file"], each["code"])
        for name, each in found.items()
    }
