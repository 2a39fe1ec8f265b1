"""Small random tables: few different values, so that rows meet each other, with NULLs and
duplicates, and among them what the statements compare with."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

from sqlglot import exp

Tables = Mapping[str, Mapping[str, str]]
"""Kinds of columns by table."""
Data = dict[str, list[tuple[Any, ...]]]
"""Rows by table."""

NULLS = 0.15
_MAX_TAKEN = 12
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$")
_FIRST_DAY = datetime.date(2024, 1, 29)


def is_date(text: str) -> bool:
    """Whether a text is a date, perhaps with a time."""
    return _DATE.match(text) is not None


class Pools:
    """The values to draw from, by kind of column."""

    def __init__(self, trees: Iterable[exp.Expr]) -> None:
        texts, numbers, days = ["a", "b", "B", "ab c", ""], [0, 1, 2, 3, 5], [_FIRST_DAY]
        for tree in trees:
            for literal in tree.find_all(exp.Literal):
                _take(literal, texts, numbers, days)
        days += [
            day + datetime.timedelta(days=step) for day in days[:4] for step in (1, 3, 40, 370)
        ]
        whole = [*numbers, *(each + 1 for each in numbers[5:8])]
        moments = [
            datetime.datetime.combine(day, datetime.time(hour, 30))
            for day in days
            for hour in (0, 13)
        ]
        midnights = [datetime.datetime.combine(day, datetime.time()) for day in days]
        self._pools: dict[str, list[Any]] = {
            "integer": whole,
            "double": [0.0, 0.5, 1.25, 2.0, -1.5, 10.0, *map(float, numbers[5:])],
            "text": texts,
            "date": days,
            "timestamp": [*moments, *midnights],
            "boolean": [True, False],
        }

    def draw(self, kind: str, dice: random.Random) -> Any:
        """A value, or None."""
        if dice.random() < NULLS:
            return None
        if kind.endswith("[]"):
            pool = self._pools[kind.removesuffix("[]")]
            return [dice.choice(pool) for _ in range(dice.randrange(4))]
        return dice.choice(self._pools[kind])

    def distinct(
        self, columns: Mapping[str, str], rows: int, dice: random.Random
    ) -> list[tuple[Any, ...]]:
        """Rows in which no value comes twice in a column that has enough of them."""
        drawn_columns = []
        for kind in columns.values():
            pool = [] if kind.endswith("[]") else list(dict.fromkeys(self._pools[kind]))
            if kind == "integer":
                pool += [each for each in range(100, 120) if each not in pool]
            if kind == "double":
                pool += [each + 0.75 for each in range(20, 40)]
            if kind == "text":
                pool += [f"t{each}" for each in range(20)]
            if len(pool) >= rows:
                drawn_columns.append(dice.sample(pool, rows))
            else:
                drawn_columns.append([self.draw(kind, dice) for _ in range(rows)])
        return list(zip(*drawn_columns, strict=True))


def _take(
    literal: exp.Literal, texts: list[str], numbers: list[int], days: list[datetime.date]
) -> None:
    """Put a value that a statement compares with into the pools."""
    text = literal.name
    if not literal.is_string:
        if text.isdigit() and len(text) < 9 and len(numbers) < _MAX_TAKEN:
            numbers.append(int(text))
    elif is_date(text):
        try:
            days.append(datetime.date.fromisoformat(text[:10]))
        except ValueError:
            return
    elif len(text) < 60 and len(texts) < 2 * _MAX_TAKEN:
        bare = text.replace("%", "").replace("_", "")
        texts.extend(each for each in (text, bare) if each not in texts)


def drawn(tables: Tables, pools: Pools, rows: int, seed: int) -> Data:
    """Random rows for each table; about one of six is there twice. For a number of rows below zero
    all values of a column are different ones, as far as there are enough."""
    dice = random.Random(seed)  # noqa: S311 - data for tests, and the same each time
    if rows < 0:
        return {table: pools.distinct(columns, -rows, dice) for table, columns in tables.items()}
    data: Data = {}
    for table, columns in tables.items():
        made: list[tuple[Any, ...]] = []
        for _ in range(rows):
            row = tuple(pools.draw(kind, dice) for kind in columns.values())
            made += [row, row] if dice.random() < NULLS else [row]
        data[table] = made
    return data


def shuffled(data: Data, seed: int) -> Data:
    """The same rows in another order."""
    dice = random.Random(seed)  # noqa: S311 - data for tests, and the same each time
    return {table: dice.sample(rows, len(rows)) for table, rows in data.items()}
