"""What kind of values a column has, by how a statement uses it and by its name."""

from __future__ import annotations

import re

from sqlglot import exp

from codeintel.engine.equivalence.sql.engines.values import is_date

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
    """The kind for a type, if there is one."""
    if data_type.this == exp.DType.ARRAY:
        inner = kind_of_type(data_type.expressions[0]) if data_type.expressions else "integer"
        return f"{inner}[]" if inner and not inner.endswith("[]") else None
    name = data_type.this.name if isinstance(data_type.this, exp.DType) else ""
    return next((kind for names, kind in _TYPES if name in names), None)


def kind_by_name(name: str) -> str | None:
    """The kind that the name of a column suggests."""
    return next((kind for pattern, kind in _NAMES if pattern.search(name.lower())), None)


def kind_by_use(column: exp.Column) -> str | None:
    """The kind that the place of a column in an expression suggests."""
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
    """The kind of what the branches of a `CASE` give."""
    case = node.parent if isinstance(node, exp.If) and isinstance(node.parent, exp.Case) else node
    branches = [*(case.args.get("ifs") or ()), *([case] if isinstance(case, exp.If) else [])]
    given = [each.args.get("true") for each in branches] + [case.args.get("default")]
    return next(filter(None, (kind_of_value(each) for each in given if each is not None)), None)


def kind_of_value(node: exp.Expr) -> str | None:
    """The kind of what an expression without columns gives."""
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
