"""Build the keys of queries and conditions.

Parts that can move without a change of meaning get one place, and NULL is a third truth value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlglot import exp

if TYPE_CHECKING:
    from codeintel.engine.equivalence.sql.keys import Keys


Key = Any
"""A text, or a tuple of a tag and its parts."""
TRUE: Key = ("and", frozenset())
FALSE: Key = ("or", frozenset())
_NEGATED = {"LT": "LTE", "LTE": "LT", "EQ": "NEQ", "NEQ": "EQ"}


def pair(one: Key, other: Key) -> Key:
    """Return the key of two interchangeable keys."""
    return tuple(sorted((one, other), key=repr))


def sides_of(key: Key, word: str) -> Iterator[Key]:
    """Yield the operands of this connective, or the key itself if it is something else."""
    if _is(key, word):
        yield from key[1]
    else:
        yield key


def joined(sides: Iterable[Key], word: str, *, is_settled: bool) -> Key:
    """Join keys with `and` or `or`, and drop redundant ones: `a OR (a AND b)` is `a`, even with
    NULL.

    :param is_settled: whether each operand always has the same value.
    """
    other = "or" if word == "and" else "and"
    found = [part for side in sides for part in sides_of(side, word)]
    if any(_is(each, other) and not each[1] for each in found):
        return FALSE if word == "and" else TRUE
    if not is_settled:
        return found[0] if len(found) == 1 else (word, tuple(sorted(found, key=repr)))
    plain = {each for each in found if not _is(each, other)}
    kept = frozenset(
        each for each in found if each in plain or plain.isdisjoint(sides_of(each, other))
    )
    return next(iter(kept)) if len(kept) == 1 else (word, kept)


def negated(key: Key, *, is_settled: bool) -> Key:
    """Negate a key."""
    if _is(key, "not"):
        return key[1]
    for word, other in (("and", "or"), ("or", "and")):
        if _is(key, word):
            sides = [negated(each, is_settled=is_settled) for each in key[1]]
            return joined(sides, other, is_settled=is_settled)
    if _is(key, "EQ") or _is(key, "NEQ"):
        return (_NEGATED[key[0]], key[1])
    if _is(key, "LT") or _is(key, "LTE"):
        return (_NEGATED[key[0]], key[2], key[1])
    return ("not", key)


def _is(key: Key, word: str) -> bool:
    return isinstance(key, tuple) and bool(key) and key[0] == word


_PLAIN_JOINS = ("", "INNER", "CROSS", "OUTER")
_KEYED = ("from_", "joins", "where", "having", "group", "order", "limit", "offset", "distinct")
_ONE, _ZERO = ("#num", "1"), ("#num", "0")


def select_key(keys: Keys, node: exp.Select, without: Iterable[str] = ()) -> Key:
    """Return the key of a query, without some of its parts."""
    conditions = [node.args["where"].this] if node.args.get("where") else []
    is_pure, found = _has_pure_joins(node), []
    for join in node.args.get("joins") or []:
        if is_pure and not join.side and not join.args.get("using"):
            found.append(("join", keys.key(join.this)))
            conditions += [join.args["on"]] if join.args.get("on") else []
        else:
            idle = ("kind",) if join.kind in ("INNER", "OUTER") else ()
            found.append(keys.plain(join, without=idle))
    later: list[exp.Expr] = []
    for condition in _conditions(node.args.get("having")):
        (conditions if _is_movable(condition, node) else later).append(condition)
    parts: dict[str, Key] = {
        "from_": keys.key(node.args.get("from_")),
        "joins": tuple(found),
        "where": keys.joined([keys.key(each) for each in conditions], "and"),
        "having": keys.joined([keys.key(each) for each in later], "and"),
        "group": _group(keys, node),
        "order": _sorting(keys, node),
        "limit": keys.key(node.args.get("limit")),
        "offset": keys.key(node.args.get("offset")),
        "distinct": keys.key(None if _is_distinct(keys, node) else node.args.get("distinct")),
    }
    kept = tuple((name, value) for name, value in parts.items() if name not in without)
    return ("select", kept, keys.plain(node, without=(*_KEYED, "operation_modifiers", *without)))


def _conditions(part: exp.Expr | None) -> list[exp.Expr]:
    if part is None:
        return []
    return list(part.this.flatten()) if isinstance(part.this, exp.And) else [part.this]


def _has_pure_joins(select: exp.Select) -> bool:
    """Return whether conditions of inner joins can move to WHERE.

    No join may keep rows of the right side only, or do more than join.
    """
    return all(
        join.side in ("", "LEFT")
        and join.kind in _PLAIN_JOINS
        and not (join.kind == "OUTER" and not join.side)
        and not any(
            value
            for name, value in join.args.items()
            if name not in ("this", "side", "kind", "on", "using")
        )
        for join in select.args.get("joins") or ()
    )


def _keys_only(group: exp.Expr | None) -> bool:
    """Return whether groups are formed by keys only."""
    return (
        group is not None
        and bool(group.expressions)
        and not any(value for name, value in group.args.items() if name != "expressions")
    )


def _is_movable(condition: exp.Expr, select: exp.Select) -> bool:
    """Return whether a condition in HAVING can move to WHERE, because it only concerns group
    keys."""
    group = select.args.get("group")
    if group is None or not _keys_only(group):
        return False
    if condition.find(exp.AggFunc, exp.Window, exp.Anonymous, exp.Query):
        return False
    names = {key.sql() for key in group.expressions if isinstance(key, exp.Column)}
    aliases = {each.alias.lower() for each in select.selects if isinstance(each, exp.Alias)}
    columns = list(condition.find_all(exp.Column))
    return bool(columns) and all(
        each.sql() in names and each.name.lower() not in aliases for each in columns
    )


def _is_distinct(keys: Keys, select: exp.Select) -> bool:
    """Return whether no row can repeat anyway, because all group keys are selected."""
    distinct, group = select.args.get("distinct"), select.args.get("group")
    if distinct is None or distinct.args.get("on") or group is None or not _keys_only(group):
        return False
    given = {keys.key(each.unalias()) for each in select.selects}
    return all(
        isinstance(each, exp.Column) and keys.key(each) in given for each in group.expressions
    )


def _positioned(node: exp.Expr, select: exp.Select) -> exp.Expr:
    """Return the column that a number stands for in GROUP BY and ORDER BY, or the node itself."""
    if not isinstance(node, exp.Literal) or node.is_string or not node.name.isdigit():
        return node
    at, given = int(node.name) - 1, select.selects
    if not 0 <= at < len(given) or any(each.is_star for each in given[: at + 1]):
        return node
    found: exp.Expr = given[at].unalias()
    return node if isinstance(found, exp.Literal) else found


def _group(keys: Keys, node: exp.Select) -> Key:
    group = node.args.get("group")
    if group is None:
        return "None"
    found = frozenset(keys.key(_positioned(each, node)) for each in group.expressions)
    return ("group", found, keys.plain(group, without=("expressions",)))


def _sorting(keys: Keys, node: exp.Select) -> Key:
    order = node.args.get("order")
    if order is None:
        return "None"
    changed = order.copy()
    for each in changed.expressions:
        if isinstance(each, exp.Ordered):
            each.set("this", _positioned(each.this, node).copy())
    return _order(keys, changed)


def _order(keys: Keys, node: exp.Order) -> Key:
    """Return the key of a sort order.

    A key that sorts NULLs first or last is merged into the next one.
    """
    found: list[Key] = []
    for key in map(keys.key, node.expressions):
        last = found[-1] if found else None
        if last and last[0] == key[0] == "ordered":
            absent = ("Is", ("expression", ("Null",)), ("this", key[1]))
            for value, rest in ((_ONE, _ZERO), (_ZERO, _ONE)):
                if last[1] == ("case", ((absent, value),), rest):
                    is_first = (value == _ONE) == (last[2] == "desc True")
                    key = (*key[:3], f"nulls first {is_first}")
                    found.pop()
                    break
        found.append(key)
    return ("order", tuple(found), keys.key(node.this))


def _ordered(keys: Keys, node: exp.Ordered) -> Key:
    # The place of NULLs in an index does not affect rows.
    is_index = isinstance(node.parent, exp.OnConflict | exp.IndexParameters)
    is_first = bool(node.args.get("nulls_first")) and not is_index
    rest = keys.plain(node, without=("this", "desc", "nulls_first"))
    is_down = bool(node.args.get("desc"))
    return ("ordered", keys.key(node.this), f"desc {is_down}", f"nulls first {is_first}", rest)


def _limit(keys: Keys, node: exp.Limit) -> Key | None:
    if any(value for name, value in node.args.items() if name != "expression"):
        return None
    return ("limit", keys.key(node.expression))


def _fetch(keys: Keys, node: exp.Fetch) -> Key | None:
    options = node.args.get("limit_options")
    if options and (options.args.get("percent") or options.args.get("with_ties")):
        return None
    return ("limit", keys.key(node.args.get("count")))


OF_QUERIES: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.Select: select_key,
    exp.Order: _order,
    exp.Ordered: _ordered,
    exp.Limit: _limit,
    exp.Fetch: _fetch,
}


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


def _is_test(keys: Keys, node: exp.Is) -> Key:
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
    """Write `a > b` as `b < a`."""
    low, high = node.this, node.expression
    if isinstance(node, exp.GT | exp.GTE):
        low, high = high, low
    is_strict = isinstance(node, exp.LT | exp.GT)
    bound = keys.key(low)
    counted = _existing(keys, high, bound, "0" if is_strict else "1")
    return counted or ("LT" if is_strict else "LTE", bound, keys.key(high))


def _existing(keys: Keys, side: exp.Expr, bound: Key, least: str = "0") -> Key | None:
    """Write `(SELECT COUNT(*) ...) > 0` as EXISTS, or return None."""
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
    """Write `IF` as `CASE`, and a `CASE` for NULL alone as `COALESCE`."""
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


OF_CONDITIONS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.And: _both,
    exp.Or: _either,
    exp.Not: _not,
    exp.Is: _is_test,
    **dict.fromkeys((exp.EQ, exp.NEQ), _equal),
    **dict.fromkeys((exp.LT, exp.LTE, exp.GT, exp.GTE), _less),
    exp.Exists: _exists,
    exp.In: _in,
    exp.Between: _between,
    exp.Case: _case,
    exp.If: _case,
    exp.Coalesce: _coalesce,
}
