"""Keys of what is done with dates, which each dialect has words of its own for."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import Any

from sqlglot import exp

_MAKE = Callable[[Any], Hashable]
_TRUNCATED = {
    ("%Y-01-01 00:00:00",): "YEAR",
    ("%Y-%m-01 00:00:00",): "MONTH",
    ("%Y-%m-%d 00:00:00", "weekday 0", "-6 days"): "WEEK",
    ("%Y-%m-%d 00:00:00",): "DAY",
    ("%Y-%m-%d %H:00:00",): "HOUR",
    ("%Y-%m-%d %H:%M:00",): "MINUTE",
}
_PARTS = {"%Y": "YEAR", "%m": "MONTH", "%d": "DAY", "%H": "HOUR", "%M": "MINUTE", "%j": "DOY"}
_NAMED = (exp.Year, exp.Month, exp.Day)
_MOVED = re.compile(r"([+-])(\d+) (second|minute|hour|day|month|year)s")
_BARE = (exp.TsOrDsToTimestamp, exp.TsOrDsToDate)
_LATER = (exp.DateAdd, exp.TsOrDsAdd, exp.DatetimeAdd, exp.TimestampAdd)
_EARLIER = (exp.DateSub, exp.DatetimeSub, exp.TimestampSub)


def dated(node: exp.Expr, key: _MAKE) -> Hashable | None:
    """The key of what is done with a date; None for all else."""
    if isinstance(node, exp.TimestampTrunc | exp.DateTrunc) and not node.args.get("zone"):
        return ("trunc", _unit(node), key(_bare(node.this)))
    if isinstance(node, exp.Extract):
        return ("part", node.this.name.upper(), key(_bare(node.expression)))
    if isinstance(node, _NAMED):
        return ("part", node.key.upper(), key(_bare(node.this)))
    if isinstance(node, exp.DateDiff) and _unit(node) == "DAY":
        return ("days between", key(_bare(node.this)), key(_bare(node.expression)))
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        return _moved(node.this, node.expression, isinstance(node, exp.Sub), key)
    if isinstance(node, (*_LATER, *_EARLIER)):
        return _moved(node.this, node, isinstance(node, _EARLIER), key)
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.INT:
        return _cast(node.this, key)
    if isinstance(node, exp.Cast) and node.to.this == exp.DType.DATE:
        return ("date", key(node.this))
    if isinstance(node, exp.Date) and not node.expressions and node.this is not None:
        return ("date", key(node.this))
    if isinstance(node, exp.TimeToStr):
        unit = _TRUNCATED.get((node.text("format"),))
        return ("trunc", unit, key(_bare(node.this))) if unit else None
    if isinstance(node, exp.Anonymous):
        return _called(node, key)
    return None


def _called(node: exp.Anonymous, key: _MAKE) -> Hashable | None:
    """SQLite's functions, which take what to do as texts."""
    texts = [each.name for each in node.expressions if isinstance(each, exp.Literal)]
    name, given = node.name.upper(), node.expressions
    if name == "STRFTIME" and len(given) == len(texts) + 1 and (unit := _TRUNCATED.get((*texts,))):
        return ("trunc", unit, key(_bare(given[1])))
    if name == "DATETIME" and len(given) == 2 and (found := _MOVED.fullmatch("".join(texts))):
        sign, number, unit = found.groups()
        amount = ("#num", str(int(number)))
        return ("moved", key(given[0]), ("Neg", amount) if sign == "-" else amount, unit.upper())
    return None


def _cast(node: exp.Expr, key: _MAKE) -> Hashable | None:
    if isinstance(node, exp.TimeToStr) and node.text("format") in _PARTS:
        return ("part", _PARTS[node.text("format")], key(_bare(node.this)))
    if isinstance(node, exp.Sub):
        days = [_day(side) for side in (node.this, node.expression)]
        if all(days):
            return ("days between", *(key(day) for day in days))
    return None


def _day(node: exp.Expr) -> exp.Expr | None:
    """The day of `JULIANDAY(DATE(day))`."""
    if isinstance(node, exp.Anonymous) and node.name.upper() == "JULIANDAY":
        inner = node.expressions[0] if len(node.expressions) == 1 else None
        return inner.this if isinstance(inner, exp.Date) and not inner.expressions else None
    return None


def _moved(this: exp.Expr, by: exp.Expr, is_earlier: bool, key: _MAKE) -> Hashable | None:
    amount = by.this if isinstance(by, exp.Interval) else by.expression
    unit = _unit(by)
    if isinstance(amount, exp.Interval):
        amount, unit = amount.this, _unit(amount)
    if amount is None:
        return None
    while isinstance(amount, exp.Neg | exp.Paren):
        is_earlier ^= isinstance(amount, exp.Neg)
        amount = amount.this
    said: Hashable = key(amount)
    if isinstance(amount, exp.Literal):
        number, _, word = amount.name.strip().partition(" ")
        unit = unit or word.upper().removesuffix("S")
        if number.startswith("-"):
            is_earlier, number = not is_earlier, number[1:]
        if not number.isdigit():
            return None
        said = ("#num", str(int(number)))
    return ("moved", key(_bare(this)), ("Neg", said) if is_earlier else said, unit)


def _unit(node: exp.Expr) -> str:
    unit = node.args.get("unit")
    return unit.name.upper().removesuffix("S") if isinstance(unit, exp.Expr) else ""


def _bare(node: exp.Expr) -> exp.Expr:
    """Without the conversion that sqlglot adds by itself."""
    return node.this if isinstance(node, _BARE) else node
