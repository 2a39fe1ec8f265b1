"""Turn SQL trees into keys. Statements with equal keys mean the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from sqlglot import exp

from codeintel.engine.equivalence.sql.normalize import SERIALS, by_chance
from codeintel.engine.equivalence.sql.query_keys import (
    FALSE,
    OF_CONDITIONS,
    OF_QUERIES,
    TRUE,
    Key,
    joined,
    negated,
)

_BYTES = ("OCTET_LENGTH", "DATALENGTH", "LENGTHB", "BYTE_LENGTH")
_BLOBS = (exp.DType.BLOB, exp.DType.VARBINARY)
_TRUTHS = (exp.And, exp.Or, exp.Where, exp.Having, exp.Join, exp.Not)


class Keys:
    """Makes keys.

    Between dialects, the case of names does not count, and truth values can be numbers.

    :param tree: the whole tree. If it can return different results each time, repeated parts must
        stay repeated. Otherwise duplicates are merged.
    """

    def __init__(self, tree: exp.Expr, *, is_foreign: bool) -> None:
        self.is_foreign = is_foreign
        self._is_settled = not by_chance(tree)

    def key(self, node: Any) -> Key:
        """Return the key of a tree or of a value in a tree."""
        if isinstance(node, list | tuple):
            return tuple(self.key(each) for each in node)
        if not isinstance(node, exp.Expr):
            return str(node)
        found = dated(node, self.key) if self.is_foreign else None
        handler = _HANDLERS.get(type(node))
        if found is None and handler is not None:
            found = handler(self, node)
        return self.plain(node) if found is None else found

    def plain(self, node: exp.Expr, without: Iterable[str] = ()) -> Key:
        """Return the key of a tree without special rules."""
        parts = (
            (name, _unit(value) if name == "unit" and _unit(value) else self.key(value))
            for name, value in sorted(node.args.items())
            if value not in (None, False, [], "") and name not in without
        )
        return (type(node).__name__, *parts)

    def joined(self, sides: Iterable[Key], word: str) -> Key:
        """Join keys with `and` or `or`."""
        return joined(sides, word, is_settled=self._is_settled)

    def negated(self, key: Key) -> Key:
        """Negate a key."""
        return negated(key, is_settled=self._is_settled)


def _unit(value: Any) -> str:
    if isinstance(value, exp.Var | exp.Literal):
        return value.name.upper().removesuffix("S")
    return ""


def _identifier(keys: Keys, node: exp.Identifier) -> Key:
    return node.name.lower() if keys.is_foreign else node.name


def _column(keys: Keys, node: exp.Column) -> Key | None:
    if isinstance(node.this, exp.Identifier) and not node.args.get("join_mark"):
        return ("#col", keys.key(node.this), *(keys.key(each) for each in node.parts[:-1]))
    return None


def _alias(keys: Keys, node: exp.Alias) -> Key:
    name, column = keys.key(node.args.get("alias")), node.this
    if isinstance(column, exp.Column) and keys.key(column.this) == name:
        return keys.key(column)
    return ("#alias", name, keys.key(column))


def _literal(_: Keys, node: exp.Literal) -> Key:
    text = node.name
    if node.is_string:
        return ("#str", text)
    try:
        return ("#num", str(int(text)) if text.isdigit() else repr(float(text)))
    except ValueError:
        return ("#num", text)


def _boolean(keys: Keys, node: exp.Boolean) -> Key:
    if isinstance(node.parent, _TRUTHS):
        return TRUE if node.this else FALSE
    return ("#num", str(int(node.this))) if keys.is_foreign else ("#bool", str(node.this))


def _anonymous(keys: Keys, node: exp.Anonymous) -> Key:
    if keys.is_foreign and node.name.upper() in _BYTES and len(node.expressions) == 1:
        return ("bytes", keys.key(node.expressions[0]))
    return ("call", node.name.upper(), keys.key(node.expressions))


def _length(keys: Keys, node: exp.Length | exp.ByteLength) -> Key:
    counted = node.this
    if keys.is_foreign and isinstance(counted, exp.Cast) and counted.to.this in _BLOBS:
        return ("bytes", keys.key(counted.this))
    in_bytes = isinstance(node, exp.ByteLength) or node.args.get("binary")
    return ("bytes" if in_bytes else "Length", keys.key(counted))


def _concat(keys: Keys, node: exp.Concat | exp.DPipe) -> Key | None:
    if node.args.get("coalesce"):
        return None
    sides = [node.this, node.expression] if isinstance(node, exp.DPipe) else node.expressions
    found: list[Key] = []
    for key in map(keys.key, sides):
        found += key[1] if isinstance(key, tuple) and key[0] == "concat" else (key,)
    return ("concat", tuple(found))


def _paren(keys: Keys, node: exp.Paren) -> Key:
    return keys.key(node.this)


def _subquery(keys: Keys, node: exp.Subquery) -> Key | None:
    bare = not any(value for name, value in node.args.items() if name != "this")
    return keys.key(node.this) if bare else None


def _var(_: Keys, node: exp.Var) -> Key:
    return ("var", node.name.upper())


_IDENTITY: Key = ("identity",)


def _type(keys: Keys, node: exp.DataType) -> Key:
    """Return the key of a type. The display width of an integer makes no difference."""
    name = node.this.name if isinstance(node.this, exp.DType) else str(node.this)
    is_integer = node.this in exp.DataType.INTEGER_TYPES
    parts = () if is_integer else tuple(_parameter(keys, each) for each in node.expressions)
    return ("type", name, parts, keys.plain(node, without=("this", "expressions", "nested")))


def _parameter(keys: Keys, node: exp.Expr) -> Key:
    return str(node.this).upper() if isinstance(node, exp.DataTypeParam) else keys.key(node)


def _definition(keys: Keys, node: exp.ColumnDef) -> Key:
    declared = node.args.get("kind")
    kind = keys.key(declared)
    found = {keys.key(each) for each in node.args.get("constraints") or ()}
    plain = SERIALS.get(declared.this) if isinstance(declared, exp.DataType) else None
    if plain is not None:
        kind = keys.key(exp.DataType(this=plain))
        found.add(_IDENTITY)
    rest = keys.plain(node, without=("this", "kind", "constraints"))
    return ("column", keys.key(node.this), kind, frozenset(found), rest)


def _constraint(keys: Keys, node: exp.ColumnConstraint) -> Key:
    kind = node.args.get("kind")
    if isinstance(kind, exp.GeneratedAsIdentityColumnConstraint) and not kind.expression:
        bounds = (kind.args.get(name) for name in ("start", "increment"))
        if all(each is None or each.name == "1" for each in bounds):
            return _IDENTITY
    if isinstance(kind, exp.AutoIncrementColumnConstraint):
        return _IDENTITY
    if isinstance(kind, exp.PrimaryKeyColumnConstraint):
        return ("primary key", str(kind.args.get("desc")))
    return keys.plain(node)


_HANDLERS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.Identifier: _identifier,
    exp.Column: _column,
    exp.Alias: _alias,
    exp.Literal: _literal,
    exp.Boolean: _boolean,
    exp.Anonymous: _anonymous,
    **dict.fromkeys((exp.Length, exp.ByteLength), _length),
    **dict.fromkeys((exp.Concat, exp.DPipe), _concat),
    exp.Paren: _paren,
    exp.Subquery: _subquery,
    exp.Var: _var,
    **OF_CONDITIONS,
    **OF_QUERIES,
    exp.DataType: _type,
    exp.ColumnDef: _definition,
    exp.ColumnConstraint: _constraint,
}


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
    """Return the key of a date operation, or None for anything else."""
    if isinstance(node, exp.TimestampTrunc | exp.DateTrunc) and not node.args.get("zone"):
        return ("trunc", _unit_of(node), key(_bare(node.this)))
    if isinstance(node, exp.Extract):
        return ("part", node.this.name.upper(), key(_bare(node.expression)))
    if isinstance(node, _NAMED):
        return ("part", node.key.upper(), key(_bare(node.this)))
    if isinstance(node, exp.DateDiff) and _unit_of(node) == "DAY":
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
    """Return the key of an SQLite date function, whose operation is given as text, or None."""
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
    """Return the day in `JULIANDAY(DATE(day))`, or None."""
    if isinstance(node, exp.Anonymous) and node.name.upper() == "JULIANDAY":
        inner = node.expressions[0] if len(node.expressions) == 1 else None
        return inner.this if isinstance(inner, exp.Date) and not inner.expressions else None
    return None


def _moved(this: exp.Expr, by: exp.Expr, is_earlier: bool, key: _MAKE) -> Hashable | None:
    amount = by.this if isinstance(by, exp.Interval) else by.expression
    unit = _unit_of(by)
    if isinstance(amount, exp.Interval):
        amount, unit = amount.this, _unit_of(amount)
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


def _unit_of(node: exp.Expr) -> str:
    unit = node.args.get("unit")
    return unit.name.upper().removesuffix("S") if isinstance(unit, exp.Expr) else ""


def _bare(node: exp.Expr) -> exp.Expr:
    """Strip a conversion that sqlglot adds."""
    return node.this if isinstance(node, _BARE) else node
