"""Work out the kinds of columns, and draw small random tables.

Values come from few candidates, so that rows join, with NULLs, duplicates and the constants of the
statements.
"""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

from sqlglot import exp

_TYPES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset(t.name for t in exp.DataType.INTEGER_TYPES), "integer"),
    (frozenset(t.name for t in exp.DataType.NUMERIC_TYPES), "double"),
    (
        frozenset(t.name for t in exp.DataType.TEXT_TYPES) | {"UUID", "ENUM", "JSON", "JSONB"},
        "text",
    ),
    (frozenset({"DATE", "DATE32"}), "date"),
    (frozenset(t.name for t in exp.DataType.TEMPORAL_TYPES), "timestamp"),
    (frozenset({"BOOLEAN", "BIT"}), "boolean"),
)
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(_at|_ts|time|timestamp|_on)$"), "timestamp"),
    (re.compile(r"(^|_)(date|day|birthday)$|^date_"), "date"),
    (re.compile(r"^(is|has)_|^(active|enabled|deleted|visible)$"), "boolean"),
    (re.compile(r"(^|_)(tags|items|list|values|arr|names|ids)$"), "text[]"),
    (
        re.compile(r"(price|amount|total|salary|rate|score|cost|revenue|value|balance|weight)$"),
        "double",
    ),
    (
        re.compile(
            r"(name|title|city|country|status|category|type|email|region|code|dept|department|"
            r"product|label|text|comment|description|color|state|symbol|kind|role|url|key)$"
        ),
        "text",
    ),
)
_TEXTUAL = (
    *(
        exp.Like,
        exp.ILike,
        exp.RegexpLike,
        exp.Lower,
        exp.Upper,
        exp.Concat,
        exp.DPipe,
        exp.Initcap,
    ),
    *(exp.Substring, exp.Trim, exp.Split, exp.StrPosition, exp.Length, exp.GroupConcat, exp.Left),
    *(exp.Right, exp.ConcatWs, exp.RegexpReplace, exp.RegexpExtract, exp.StartsWith, exp.Replace),
)
_TEMPORAL = (
    *(exp.TimestampTrunc, exp.DateTrunc, exp.Extract, exp.DateDiff, exp.DateAdd, exp.DateSub),
    *(exp.TimeToStr, exp.Year, exp.Month, exp.Day, exp.TsOrDsAdd, exp.TsOrDsDiff, exp.LastDay),
    *(exp.DayOfWeek, exp.DayOfYear, exp.Quarter, exp.Week, exp.TimestampAdd, exp.TimestampDiff),
)
_NUMERIC = (
    exp.Sum,
    exp.Avg,
    exp.Mul,
    exp.Div,
    exp.Mod,
    exp.Neg,
    exp.Round,
    exp.Abs,
    exp.Sqrt,
    exp.Pow,
)
_LISTS = (
    exp.Unnest,
    exp.Explode,
    exp.ArraySize,
    exp.ArrayContains,
    exp.ArraySum,
    exp.ArrayToString,
)
_LOGICAL = (
    exp.Where,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Having,
    exp.Qualify,
    exp.LogicalAnd,
    exp.LogicalOr,
)


def kind_of_type(data_type: exp.DataType) -> str | None:
    """Return the kind for a type, or None."""
    if data_type.this == exp.DType.ARRAY:
        inner = kind_of_type(data_type.expressions[0]) if data_type.expressions else "integer"
        return f"{inner}[]" if inner and not inner.endswith("[]") else None
    name = data_type.this.name if isinstance(data_type.this, exp.DType) else ""
    return next((kind for names, kind in _TYPES if name in names), None)


def kind_by_name(name: str) -> str | None:
    """Return the kind that a column's name suggests, or None."""
    return next((kind for pattern, kind in _NAMES if pattern.search(name.lower())), None)


def kind_by_use(column: exp.Column) -> str | None:
    """Return the kind that a column's place in an expression suggests, or None."""
    node: exp.Expr = column
    parent = column.parent
    while isinstance(parent, exp.Paren | exp.Distinct | exp.Order | exp.Ordered):
        node, parent = parent, parent.parent
    if isinstance(parent, exp.If) and parent.this is node:
        return "boolean"
    if isinstance(parent, exp.If | exp.Case):
        return _kind_among_branches(parent)
    if isinstance(parent, exp.Cast) and kind_of_type(parent.to) in ("date", "timestamp"):
        return kind_of_type(parent.to)
    if isinstance(parent, _LOGICAL):
        return "boolean"
    if isinstance(parent, _LISTS) or (
        isinstance(parent, exp.Anonymous) and parent.name.lower().startswith(("list_", "array_"))
    ):
        return "integer[]"
    if isinstance(parent, _TEMPORAL):
        return "date" if kind_by_name(column.name) == "date" else "timestamp"
    if isinstance(parent, exp.Add | exp.Sub) and parent.find(exp.Interval):
        return "date" if kind_by_name(column.name) == "date" else "timestamp"
    if isinstance(parent, _TEXTUAL):
        return "text"
    others = [each for each in parent.iter_expressions() if each is not node] if parent else []
    if isinstance(parent, exp.Predicate | exp.In | exp.Between | exp.Coalesce | exp.Add | exp.Sub):
        found = next(filter(None, map(kind_of_value, others)), None)
        if found:
            return found
    if isinstance(parent, (*_NUMERIC, exp.Add, exp.Sub)):
        return "double" if kind_by_name(column.name) == "double" else "integer"
    return None


def _kind_among_branches(node: exp.Expr) -> str | None:
    """Return the kind of the values of a `CASE`, or None."""
    case = node.parent if isinstance(node, exp.If) and isinstance(node.parent, exp.Case) else node
    branches = [*(case.args.get("ifs") or ()), *([case] if isinstance(case, exp.If) else [])]
    given = [each.args.get("true") for each in branches] + [case.args.get("default")]
    return next(filter(None, (kind_of_value(each) for each in given if each is not None)), None)


def kind_of_value(node: exp.Expr) -> str | None:
    """Return the kind of an expression without columns, or None."""
    if isinstance(node, exp.Literal):
        if node.is_string:
            return (
                ("timestamp" if len(node.name) > 10 else "date") if is_date(node.name) else "text"
            )
        return "integer" if node.name.isdigit() else "double"
    if isinstance(node, exp.Neg | exp.Paren):
        return kind_of_value(node.this)
    if isinstance(node, exp.Cast):
        return kind_of_type(node.to)
    if isinstance(node, exp.Boolean):
        return "boolean"
    if isinstance(node, exp.CurrentDate):
        return "date"
    if node.find(exp.Interval, exp.CurrentTimestamp, exp.CurrentDate, *_TEMPORAL):
        return "timestamp"
    return "text" if isinstance(node, _TEXTUAL) else None


Tables = Mapping[str, Mapping[str, str]]
"""The kinds of columns by table."""
Data = dict[str, list[tuple[Any, ...]]]
"""The rows by table."""

NULLS = 0.15
_MAX_TAKEN = 12
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?$")
_FIRST_DAY = datetime.date(2024, 1, 29)


def is_date(text: str) -> bool:
    """Return whether a string is a date, possibly with a time."""
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
        """Return a random value or None."""
        if dice.random() < NULLS:
            return None
        if kind.endswith("[]"):
            pool = self._pools[kind.removesuffix("[]")]
            return [dice.choice(pool) for _ in range(dice.randrange(4))]
        return dice.choice(self._pools[kind])

    def distinct(
        self, columns: Mapping[str, str], rows: int, dice: random.Random
    ) -> list[tuple[Any, ...]]:
        """Return rows in which no column repeats a value, if there are enough values."""
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
    """Add a constant of a statement to the pools."""
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
    """Return random rows for each table, about one in six twice.

    If `rows` is negative, return that many rows with distinct values in each column, if the kind
    has enough values.
    """
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
    """Return the same rows in another order."""
    dice = random.Random(seed)  # noqa: S311 - data for tests, and the same each time
    return {table: dice.sample(rows, len(rows)) for table, rows in data.items()}
