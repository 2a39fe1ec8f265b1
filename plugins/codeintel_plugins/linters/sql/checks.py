"""Checks on the syntax tree of SQL. Importing this module imports sqlglot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlglot import exp

from codeintel_plugins.linters.sql.text import Spot

Check = Callable[[exp.Expr], Iterator[exp.Expr]]

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.GT, exp.LTE, exp.GTE)


def check_tree(tree: exp.Expr) -> Iterator[Spot]:
    """All that the checks find in one statement, each with the extent of what it is about."""
    for node in tree.walk():
        for kinds, rule, check in _CHECKS:
            if isinstance(node, kinds):
                for about in check(node):
                    place = extent(about)
                    if place is not None:
                        yield Spot(rule, *place)


def extent(node: exp.Expr) -> tuple[int, int] | None:
    """Where a part of the tree stands, by the names and literals in it: offsets into the text, the
    end exclusive. None if it has none."""
    ends = [
        (each.meta["start"], each.meta["end"] + 1) for each in node.walk() if "start" in each.meta
    ]
    return (min(start for start, _ in ends), max(end for _, end in ends)) if ends else None


def _without_where(node: exp.Expr) -> Iterator[exp.Expr]:
    """A table of which all rows are meant: no condition, no limit, no other table."""
    table = node.this
    joined = isinstance(table, exp.Table) and table.args.get("joins")
    narrowed = any(node.args.get(part) for part in ("where", "limit", "using", "from_", "tables"))
    if not narrowed and not joined and isinstance(table, exp.Table):
        yield table


def _equals_null(node: exp.Expr) -> Iterator[exp.Expr]:
    """A comparison, not an assignment, with NULL on a side."""
    has_null = isinstance(node.expression, exp.Null) or isinstance(node.this, exp.Null)
    if has_null and node.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Case, exp.If):
        yield node


def _leading_wildcard(node: exp.Expr) -> Iterator[exp.Expr]:
    pattern = node.expression
    if isinstance(pattern, exp.Literal) and pattern.is_string and str(pattern.this)[:1] == "%":
        yield pattern


def _not_in_subquery(node: exp.Expr) -> Iterator[exp.Expr]:
    inside = node.this.unnest()
    if not isinstance(inside, exp.In):
        return
    query = inside.args.get("query")
    if query is None:
        return
    select = query.unnest()
    where = select.args.get("where")
    excludes_null = where is not None and any(
        isinstance(each.this, exp.Is) for each in where.find_all(exp.Not)
    )
    if not excludes_null:
        yield inside.this


def _select_star(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node.parent, exp.Exists) or node.find_ancestor(exp.Exists) is not None:
        return
    for item in node.args.get("expressions") or ():
        if isinstance(item, exp.Star) or (
            isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
        ):
            yield item


def _cartesian(node: exp.Expr) -> Iterator[exp.Expr]:
    """Tables of a list that no condition ties to another one."""
    first = node.args.get("from_")
    joins = node.args.get("joins") or []
    if first is None or not joins or not isinstance(first.this, exp.Table | exp.Subquery):
        return
    where = node.args.get("where")
    tied = _tied(where) if where is not None else set()
    if tied is None:
        return
    for join in joins:
        table = join.this
        if not isinstance(table, exp.Table | exp.Subquery) or _says_how(join):
            continue
        if isinstance(table, exp.Table) and not isinstance(table.this, exp.Identifier):
            continue  # a function that gives rows
        if table.alias_or_name.lower() not in tied:
            yield table


def _says_how(join: exp.Expr) -> bool:
    return bool(
        join.args.get("on")
        or join.args.get("using")
        or join.args.get("method")
        or join.args.get("kind") in {"CROSS", "OUTER APPLY", "CROSS APPLY", "SEMI", "ANTI"}
    )


def _tied(where: exp.Expr) -> set[str] | None:
    """Tables, in lower case, that a comparison ties to another; None if that cannot be told, as
    columns do not say whose they are."""
    tied: set[str] = set()
    for comparison in where.find_all(*_COMPARISONS, exp.Between, exp.Like, exp.In, exp.Is):
        columns = list(comparison.find_all(exp.Column))
        if len(columns) < 2:
            continue
        if not all(column.table for column in columns):
            return None
        names = {column.table.lower() for column in columns}
        if len(names) > 1:
            tied |= names
    return tied


def _always_true(node: exp.Expr) -> Iterator[exp.Expr]:
    """A side of OR that compares equal literals."""
    if node.find_ancestor(exp.Where, exp.Having) is None:
        return
    for side in (node.this.unnest(), node.expression.unnest()):
        if isinstance(side, exp.EQ):
            left, right = side.this, side.expression
            if isinstance(left, exp.Literal) and isinstance(right, exp.Literal) and left == right:
                yield side
        elif isinstance(side, exp.Boolean) and side.this:
            yield node


def _drop(node: exp.Expr) -> Iterator[exp.Expr]:
    whole = node.args.get("kind") in {"TABLE", "VIEW", "DATABASE"}
    if whole and not node.args.get("exists") and not node.args.get("temporary"):
        yield node


def _insert(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node.this, exp.Table) and node.args.get("expression") is not None:
        yield node.this


_CHECKS: Iterable[tuple[tuple[type[exp.Expr], ...], str, Check]] = (
    ((exp.Delete,), "sql-delete-without-where", _without_where),
    ((exp.Update,), "sql-update-without-where", _without_where),
    ((exp.EQ, exp.NEQ), "sql-equals-null", _equals_null),
    ((exp.Like, exp.ILike), "sql-leading-wildcard-like", _leading_wildcard),
    ((exp.Not,), "sql-not-in-subquery", _not_in_subquery),
    ((exp.Select,), "sql-select-star", _select_star),
    ((exp.Select,), "sql-cartesian-join", _cartesian),
    ((exp.Or,), "sql-always-true", _always_true),
    ((exp.Drop,), "sql-drop-without-if-exists", _drop),
    ((exp.Insert,), "sql-insert-without-columns", _insert),
)
