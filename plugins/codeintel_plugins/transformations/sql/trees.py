"""Facts about trees that rules need, and a check whether two conditions select the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sqlglot import exp

_CHANCE = frozenset(
    {
        *("random", "rand", "newid", "uuid", "gen_random_uuid", "uuid_generate_v4", "nextval"),
        *("sysdate", "getdate", "clock_timestamp", "sleep", "pg_sleep", "benchmark", "setseed"),
    }
)
_TAKING_PART = ("group", "having", "qualify", "distinct", "limit", "offset", "windows", "connect")
_MAX_PARTS = 7
"""All combinations of true, false and unknown are tried: some 2,000."""
Truth = bool | None


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """Return the conditions that `AND` joins."""
    if node is None:
        return []
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


def joined(conditions: list[exp.Expr]) -> exp.Expr:
    """Return the conditions, joined by `AND`."""
    whole = exp.and_(*(each.copy() for each in conditions), copy=False)
    assert whole is not None  # noqa: S101 - there is at least one
    return whole


def by_chance(node: exp.Expr) -> bool:
    """Return whether the node may have another value each time, or a side effect."""
    if node.find(exp.Rand, exp.Uuid, exp.NextValueFor):
        return True
    functions = node.find_all(exp.Anonymous)
    return any(each.name.lower() in _CHANCE for each in functions)


def aggregates(node: exp.Expr) -> bool:
    """Return whether the node combines several rows."""
    return node.find(exp.AggFunc, exp.Window, exp.Anonymous, exp.Query) is not None


def is_plain(select: exp.Expr) -> bool:
    """Return whether a query's rows are those of its `FROM` and `WHERE`, without grouping."""
    if not isinstance(select, exp.Select) or select.args.get("with_"):
        return False
    if any(select.args.get(part) for part in _TAKING_PART):
        return False
    return not any(
        each.find(exp.AggFunc, exp.Window, exp.Unnest, exp.Explode) for each in select.selects
    )


def only_table(select: exp.Select) -> exp.Table | None:
    """Return the table of a query that reads a single one."""
    source = select.args.get("from_")
    if source is None or select.args.get("joins") or select.args.get("laterals"):
        return None
    table = source.this
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        return None
    bare = {key for key, value in table.args.items() if value}
    return table if bare <= {"this", "alias", "db", "catalog"} else None


def selects(tree: exp.Expr) -> Iterator[exp.Select]:
    """Yield all `SELECT`s, the inner ones first."""
    yield from reversed(list(tree.find_all(exp.Select)))


def size(tree: exp.Expr) -> int:
    """Return the number of nodes."""
    return sum(1 for _ in tree.walk())


def is_condition(node: exp.Expr) -> bool:
    """Return whether the node is a condition, so that only its truth counts."""
    parent = node.parent
    while isinstance(parent, exp.And | exp.Or | exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Where | exp.Having)


def same_rows(one: exp.Expr, other: exp.Expr) -> bool:
    """Return whether both conditions have the same truth for all truths of their parts, in
    three-valued logic.

    If the result depends on the contents of the parts, such as `a > 1 AND a > 2`, equality is
    unknown, because types and collations may matter.
    """
    parts = sorted({*_parts(one), *_parts(other)})
    if len(parts) > _MAX_PARTS:
        return False
    for truths in product((True, False, None), repeat=len(parts)):
        known = dict(zip(parts, truths, strict=True))
        if (_truth(one, known) is True) is not (_truth(other, known) is True):
            return False
    return True


def _parts(condition: exp.Expr) -> set[str]:
    match condition:
        case exp.And() | exp.Or():
            return _parts(condition.left) | _parts(condition.right)
        case exp.Not() | exp.Paren():
            return _parts(condition.this)
        case exp.Boolean() | exp.Null():
            return set()
        case _:
            return {condition.sql(comments=False)}


def _truth(condition: exp.Expr, known: dict[str, Truth]) -> Truth:
    match condition:
        case exp.And() | exp.Or():
            decides = isinstance(condition, exp.Or)
            sides = [_truth(condition.left, known), _truth(condition.right, known)]
            if decides in sides:
                return decides
            return None if None in sides else not decides
        case exp.Not():
            inner = _truth(condition.this, known)
            return None if inner is None else not inner
        case exp.Paren():
            return _truth(condition.this, known)
        case exp.Boolean():
            return bool(condition.this)
        case exp.Null():
            return None
        case _:
            return known[condition.sql(comments=False)]
