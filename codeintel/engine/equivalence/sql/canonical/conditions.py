"""Keys of conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from codeintel.engine.equivalence.sql.canonical.logic import Key, pair
from codeintel.engine.equivalence.sql.canonical.selects import select_key

if TYPE_CHECKING:
    from codeintel.engine.equivalence.sql.canonical.keys import Keys

_COUNTED = ("group", "having", "qualify", "distinct", "limit", "offset", "with_")
_ASSIGNING = (exp.Update, exp.OnConflict, exp.SetItem, exp.Set)
_NULL: Key = ("Null",)
_UNSORTED = ("order", "distinct")


def _both(keys: Keys, node: exp.And) -> Key:
    return keys.joined([keys.key(each) for each in node.flatten()], "and")


def _either(keys: Keys, node: exp.Or) -> Key:
    return keys.joined([keys.key(each) for each in node.flatten()], "or")


def _not(keys: Keys, node: exp.Not) -> Key:
    return keys.negated(keys.key(node.this))


def _is(keys: Keys, node: exp.Is) -> Key:
    key = keys.plain(node, without=("negate",))
    return ("not", key) if node.args.get("negate") else key


def _equal(keys: Keys, node: exp.EQ | exp.NEQ) -> Key:
    left, right = keys.key(node.this), keys.key(node.expression)
    if isinstance(node.parent, _ASSIGNING):
        return ("set", left, right)
    counted = _existing(keys, node.this, right) or _existing(keys, node.expression, left)
    if counted is not None:
        return keys.negated(counted) if isinstance(node, exp.EQ) else counted
    return (type(node).__name__, pair(left, right))


def _less(keys: Keys, node: exp.Binary) -> Key:
    """`a > b` is `b < a`."""
    low, high = node.this, node.expression
    if isinstance(node, exp.GT | exp.GTE):
        low, high = high, low
    is_strict = isinstance(node, exp.LT | exp.GT)
    bound = keys.key(low)
    counted = _existing(keys, high, bound, "0" if is_strict else "1")
    return counted or ("LT" if is_strict else "LTE", bound, keys.key(high))


def _existing(keys: Keys, side: exp.Expr, bound: Key, least: str = "0") -> Key | None:
    """`(SELECT COUNT(*) ...) > 0` as EXISTS."""
    select = side.this if isinstance(side, exp.Subquery) and not side.alias else None
    if not isinstance(select, exp.Select) or bound != ("#num", least):
        return None
    counts = select.selects
    if len(counts) != 1 or type(counts[0]) is not exp.Count or not select.args.get("from_"):
        return None
    if not isinstance(counts[0].this, exp.Star | exp.Literal) or counts[0].expressions:
        return None
    if any(select.args.get(part) for part in _COUNTED):
        return None
    return ("exists", select_key(keys, select, without=("expressions", *_UNSORTED)))


def _exists(keys: Keys, node: exp.Exists) -> Key | None:
    select = node.this.unnest()
    if not isinstance(select, exp.Select) or select.args.get("limit"):
        return None
    idle: tuple[str, ...] = _UNSORTED
    if not any(each.find(exp.Func, exp.Query) for each in select.selects):
        idle = (*idle, "expressions")
    return ("exists", select_key(keys, select, without=idle))


def _in(keys: Keys, node: exp.In) -> Key | None:
    among, query = node.expressions, node.args.get("query")
    this = keys.key(node.this)
    rest = {name for name, value in node.args.items() if value} - {"this", "expressions"}
    if among and not rest:
        return keys.joined([("EQ", pair(this, keys.key(each))) for each in among], "or")
    select = query.unnest() if isinstance(query, exp.Expr) else None
    if among or not isinstance(select, exp.Select):
        return None
    distinct = select.args.get("distinct")
    is_bounded = select.args.get("limit") or select.args.get("offset")
    is_bounded = is_bounded or (distinct and distinct.args.get("on"))
    return ("in", this, select_key(keys, select, without=() if is_bounded else _UNSORTED))


def _between(keys: Keys, node: exp.Between) -> Key | None:
    if node.args.get("symmetric"):
        return None
    this, low, high = (keys.key(node.args[name]) for name in ("this", "low", "high"))
    return keys.joined([("LTE", low, this), ("LTE", this, high)], "and")


def _case(keys: Keys, node: exp.Case | exp.If) -> Key | None:
    """`IF` is a `CASE`, and one for NULL alone is `COALESCE`."""
    if isinstance(node, exp.If):
        if isinstance(node.parent, exp.Case):
            return None
        branches, default, operand = [node], node.args.get("false"), None
    else:
        branches, default = node.args.get("ifs") or [], node.args.get("default")
        operand = None if node.this is None else keys.key(node.this)
    found = []
    for each in branches:
        condition = keys.key(each.this)
        if operand is not None:
            condition = ("EQ", pair(operand, condition))
        found.append((condition, keys.key(each.args.get("true"))))
    given = _NULL if default is None else keys.key(default)
    if len(found) == 1:
        condition, value = found[0]
        for first, second, absent in (
            (given, value, _absent(given)),
            (value, given, ("not", _absent(value))),
        ):
            if condition == absent and first[0] == "#col":
                return ("Coalesce", ("expressions", (second,)), ("this", first))
    return ("case", tuple(found), given)


def _absent(key: Key) -> Key:
    return ("Is", ("expression", _NULL), ("this", key))


def _coalesce(keys: Keys, node: exp.Coalesce) -> Key:
    return keys.plain(node, without=("is_nvl", "is_null"))


HANDLERS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.And: _both,
    exp.Or: _either,
    exp.Not: _not,
    exp.Is: _is,
    **dict.fromkeys((exp.EQ, exp.NEQ), _equal),
    **dict.fromkeys((exp.LT, exp.LTE, exp.GT, exp.GTE), _less),
    exp.Exists: _exists,
    exp.In: _in,
    exp.Between: _between,
    exp.Case: _case,
    exp.If: _case,
    exp.Coalesce: _coalesce,
}
