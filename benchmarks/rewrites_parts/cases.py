"""The cases of a corpus: code before and after, and whether the two behave alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's where it is there: ten times as fast."""
REQUIRED = ("id", "kind", "right", "transformation", "language", "before", "after")


@dataclass(frozen=True)
class Case:
    """A rewrite. If `right` is true, `after` behaves like `before` for all admitted inputs.

    :param target: language of `after`, or None if it is the language of `before`.
    :param kind: class of the rewrite, such as `boundary`.
    :param witness: calls that show a difference or, for a right rewrite, agree.
    """

    id: str
    kind: str
    right: bool
    transformation: str
    language: str
    before: str
    after: str
    target: str | None = None
    why: str = ""
    witness: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """Its row in a table: the language, or both for a conversion."""
        return self.language if self.target is None else f"{self.language} to {self.target}"


def read_cases(folders: Iterable[Path]) -> list[Case]:
    """Read the cases of all YAML files below the folders, in order of path.

    :raises ValueError: if a file does not hold cases, or if two cases have the same ID.
    """
    cases: dict[str, Case] = {}
    for path in sorted({path for folder in folders for path in folder.rglob("*.yml")}):
        for case in _cases_of(path):
            if case.id in cases:
                raise ValueError(f"{path}: the id {case.id!r} is there twice: rename one.")
            cases[case.id] = case
    return list(cases.values())


def _cases_of(path: Path) -> Iterator[Case]:
    entries = yaml.load(path.read_text(encoding="utf-8"), LOADER)  # a safe one
    if not isinstance(entries, list):
        raise ValueError(f"{path}: expected a list of cases.")
    for number, entry in enumerate(entries, 1):
        yield _case(entry, f"{path}, case {number}")


def _case(entry: Any, where: str) -> Case:
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: expected a mapping.")
    missing = [name for name in REQUIRED if name not in entry]
    if missing:
        raise ValueError(f"{where}: add {', '.join(missing)}.")
    names = Case.__dataclass_fields__
    known = {name: value for name, value in entry.items() if name in names}
    witness = tuple(str(each) for each in entry.get("witness") or ())
    return Case(**{**known, "witness": witness})
