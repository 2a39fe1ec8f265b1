"""Find plugins: built-in ones, those of installed distributions, and the operator's files.

All are found without importing them, so that a disabled plugin never runs.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import partial
from importlib.metadata import Distribution, EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

ENTRY_POINT_GROUP = "codeintel.plugins"
SHIPPED = "codeintel_plugins"
_CLOSE = 0.6


class Origin(StrEnum):
    """Origin of a plugin."""

    BUILT_IN = "built-in"
    ENTRY_POINT = "entry point"
    DROP_IN = "drop-in"


@dataclass(frozen=True)
class Candidate:
    """A plugin that was found and not imported yet. `load` imports it."""

    name: str
    origin: Origin
    location: str
    load: Callable[[], Any]


def candidates(instance: Path) -> Iterator[Candidate]:
    """Yield all plugins, in the order in which they are loaded."""
    for point in shipped():
        yield Candidate(point.name, Origin.BUILT_IN, point.value, point.load)
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        yield Candidate(point.name, Origin.ENTRY_POINT, point.value, point.load)
    for path in sorted((instance / "plugins").glob("*.py")):
        yield Candidate(path.stem, Origin.DROP_IN, str(path), partial(_import_file, path))


def shipped() -> Sequence[EntryPoint]:
    """Return the entry points of built-in plugins, in the order of their file.

    The file is in the package and not in the distribution's metadata. The metadata of an editable
    install is as old as the install, and would miss what was added or moved since then.
    """
    spec = find_spec(SHIPPED)
    folders = (spec and spec.submodule_search_locations) or ()
    return [
        point
        for folder in folders
        for point in Distribution.at(folder).entry_points.select(group=ENTRY_POINT_GROUP)
    ]


def chosen(patterns: Iterable[str], names: Iterable[str]) -> frozenset[str]:
    """Return the names that match any of the patterns, which are names or globs such as
    `*.gitlab`.
    """
    patterns = tuple(patterns)
    return frozenset(name for name in names if any(fnmatchcase(name, each) for each in patterns))


def unmatched(patterns: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the patterns that match no name."""
    names = tuple(names)
    return tuple(each for each in patterns if not chosen([each], names))


def meant(wrong: str, names: Iterable[str]) -> str:
    """Return the name that a wrong one, or its end, may stand for, or an empty text."""
    known = {part: name for name in names for part in _endings(name)}
    near = get_close_matches(wrong, known, 1, _CLOSE)
    return known[near[0]] if near else ""


def _endings(name: str) -> Iterator[str]:
    """Yield the ends of a dotted name: `a.b.c`, `b.c`, `c`."""
    parts = name.split(".")
    return (".".join(parts[start:]) for start in range(len(parts)))


def _import_file(path: Path) -> Any:
    """Import a file under a unique name.

    So `json.py` in the folder shadows nothing, and neither does a file of the same name in another
    application's folder.
    """
    name = f"codeintel_dropin_{path.stem}_{zlib.crc32(bytes(path)):08x}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and others look up annotations there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
