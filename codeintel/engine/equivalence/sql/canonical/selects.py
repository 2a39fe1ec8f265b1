"""Keys of queries: what may be moved within them without another meaning has one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from codeintel.engine.equivalence.sql.canonical.logic import Key

if TYPE_CHECKING:
    from codeintel.engine.equivalence.sql.canonical.keys import Keys

_PLAIN_JOINS = ("", "INNER", "CROSS", "OUTER")
_KEYED = ("from_", "joins", "where", "having", "group", "order", "limit", "offset", "distinct")
_ONE, _ZERO = ("#num", "1"), ("#num", "0")


def select_key(keys: Keys, node: exp.Select, without: Iterable[str] = ()) -> Key:
    """The key of a query, without some of its parts."""
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
    """Whether conditions of inner joins may as well stand in WHERE: nothing keeps rows of the right
    side only, and no join does more than join."""
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
    """Whether groups are by keys, and nothing more."""
    return (
        group is not None
        and bool(group.expressions)
        and not any(value for name, value in group.args.items() if name != "expressions")
    )


def _is_movable(condition: exp.Expr, select: exp.Select) -> bool:
    """Whether a condition of HAVING may as well stand in WHERE: it is about keys of the groups."""
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
    """Whether no row comes twice anyway: all keys of the groups are given."""
    distinct, group = select.args.get("distinct"), select.args.get("group")
    if distinct is None or distinct.args.get("on") or group is None or not _keys_only(group):
        return False
    given = {keys.key(each.unalias()) for each in select.selects}
    return all(
        isinstance(each, exp.Column) and keys.key(each) in given for each in group.expressions
    )


def _positioned(node: exp.Expr, select: exp.Select) -> exp.Expr:
    """What the number of a column stands for in GROUP BY and ORDER BY."""
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
    """What is sorted by; a key for NULLs before one for the rest belongs to it."""
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
    # Where an index has its NULLs makes no difference to rows.
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


HANDLERS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.Select: select_key,
    exp.Order: _order,
    exp.Ordered: _ordered,
    exp.Limit: _limit,
    exp.Fetch: _fetch,
}
