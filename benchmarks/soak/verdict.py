"""Measured values, their bounds, and the failures."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf


class Verdict:
    """Rows of a table, and the reasons for which the soak has failed."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, str]] = []
        self.broken: list[str] = []

    def tell(self, name: str, value: float | str, unit: str = "") -> None:
        """A figure without a bound."""
        self.rows.append((name, _shown(value, unit), ""))

    def at_most(self, name: str, value: float, bound: float, unit: str = "") -> None:
        """Add a value with an upper bound."""
        self.rows.append((name, _shown(value, unit), f"at most {_shown(bound, unit)}"))
        if not value <= bound:  # which NaN is not
            self.broken.append(f"{name}: {_shown(value, unit)} is more than {_shown(bound, unit)}")

    def nothing(self, name: str, wrong: Sequence[str]) -> None:
        """Add a list of failures, which must be empty. Only the first ten are shown."""
        self.rows.append((name, str(len(wrong)), "none"))
        self.broken += [f"{name}: {each}" for each in wrong[:10]]

    def show(self) -> None:
        """Print the table and what is wrong."""
        width = max(len(name) for name, *_ in self.rows) + 2
        for name, value, bound in self.rows:
            print(f"{name:<{width}}{value:>14}  {bound}".rstrip())
        for each in self.broken:
            print(f"BROKEN  {each}")


def _shown(value: float | str, unit: str) -> str:
    text = value if isinstance(value, str) else "none" if value == inf else f"{value:,.4g}"
    return f"{text} {unit}".rstrip()


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which the given share of the sorted values is, or NaN without
    values."""
    return ordered[int((len(ordered) - 1) * share)] if ordered else float("nan")
