"""Rules that make a query do less, or write it as one does today. Each is safe for NULLs,
duplicates and outer joins by itself."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.optimizer.eliminate_ctes import eliminate_ctes
from sqlglot.optimizer.simplify import simplify

from codeintel_plugins.transformations.sql.trees import (
    aggregates,
    by_chance,
    conjuncts,
    is_condition,
    is_plain,
    joined,
    only_table,
    same_rows,
    selects,
    size,
)

_MAX_NODES = 400
"""sqlglot takes more than quadratic time for long conditions."""


def _may_shrink(condition: exp.Expr) -> bool:
    """Return whether simplifying may help: a column is named twice, or the condition has a
    constant."""
    if size(condition) > _MAX_NODES:
        return False
    if condition.find(exp.Boolean, exp.Or, exp.Not):
        return True
    columns = [column.sql() for column in condition.find_all(exp.Column)]
    return len(set(columns)) < len(columns)


def simplified(tree: exp.Expr, dialect: str) -> exp.Expr:
    """Return conditions that are always true, repeated or contained in others; nothing that only
    looks different afterwards."""
    for where in list(tree.find_all(exp.Where, exp.Having, exp.Join)):
        part = "on" if isinstance(where, exp.Join) else "this"
        condition = where.args.get(part)
        if condition is None or by_chance(condition) or not _may_shrink(condition):
            continue
        shorter = simplify(condition.copy(), dialect=dialect)
        if size(shorter) >= size(condition) or not same_rows(condition, shorter):
            continue
        if isinstance(shorter, exp.Boolean) and shorter.this and part == "this":
            where.pop()
        elif not isinstance(shorter, exp.Boolean | exp.Literal | exp.Null):
            where.set(part, shorter)
    return tree


def without_unused_ctes(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`WITH` parts that nothing reads."""
    if not isinstance(tree, exp.Query) or any(
        cte.find(exp.DML, exp.Command) or by_chance(cte) for cte in tree.find_all(exp.CTE)
    ):
        return tree
    return eliminate_ctes(tree)


def without_idle_distinct(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`DISTINCT` and `ORDER BY` in subqueries of `IN` and `EXISTS`, and `DISTINCT` over all keys of
    a `GROUP BY`."""
    for select in selects(tree):
        holder = select.parent.parent if isinstance(select.parent, exp.Subquery) else select.parent
        is_bounded = any(select.args.get(part) for part in ("limit", "offset", "windows"))
        if isinstance(holder, exp.In | exp.Exists) and not is_bounded:
            if isinstance(holder, exp.In) and holder.args.get("query") is None:
                continue
            distinct = select.args.get("distinct")
            if distinct is not None and not distinct.args.get("on"):
                select.set("distinct", None)
            if select.args.get("order"):
                select.set("order", None)
        elif _groups_by_what_it_gives(select):
            select.set("distinct", None)
    return tree


def _groups_by_what_it_gives(select: exp.Select) -> bool:
    distinct, group = select.args.get("distinct"), select.args.get("group")
    if distinct is None or distinct.args.get("on") or group is None or not group.expressions:
        return False
    if any(value for key, value in group.args.items() if key != "expressions"):
        return False
    given = {each.unalias().sql() for each in select.selects}
    keys = group.expressions
    return all(isinstance(key, exp.Column) and key.sql() in given for key in keys)


def exists_for_count(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`(SELECT COUNT(*) ...) > 0` reads everything; `EXISTS` stops at the first row."""
    for comparison in list(tree.find_all(exp.GT, exp.GTE, exp.NEQ, exp.EQ)):
        subquery, number = comparison.left, comparison.right
        select = subquery.this if isinstance(subquery, exp.Subquery) else None
        if not isinstance(select, exp.Select) or not is_condition(comparison):
            continue
        least = {exp.GT: "0", exp.GTE: "1", exp.NEQ: "0", exp.EQ: "0"}[type(comparison)]
        if not isinstance(number, exp.Literal) or number.is_string or number.name != least:
            continue
        if not _counts_all(select) or subquery.args.get("alias"):
            continue
        select.set("expressions", [exp.Literal.number(1)])
        select.set("order", None)
        exists: exp.Expr = exp.Exists(this=select.copy())
        comparison.replace(exp.not_(exists) if isinstance(comparison, exp.EQ) else exists)
    return tree


def _counts_all(select: exp.Select) -> bool:
    if len(select.selects) != 1 or select.args.get("from_") is None:
        return False
    count = select.selects[0]
    if not isinstance(count, exp.Count) or not isinstance(count.this, exp.Star | exp.Literal):
        return False
    parts = ("group", "having", "qualify", "distinct", "limit", "offset", "with_")
    return not any(select.args.get(part) for part in parts)


def in_for_or(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`a = 1 OR a = 2 OR a = 3` as `a IN (1, 2, 3)`."""
    for either in list(tree.find_all(exp.Or)):
        if isinstance(either.parent, exp.Or):
            continue
        sides = [side.unnest() for side in either.flatten()]
        columns = {side.left.sql() for side in sides if isinstance(side, exp.EQ)}
        if len(sides) < 3 or len(columns) != 1:
            continue
        values = [side.expression for side in sides]
        if not all(
            isinstance(side, exp.EQ)
            and isinstance(side.left, exp.Column)
            and isinstance(side.right, exp.Literal)
            for side in sides
        ):
            continue
        if len({value.is_string for value in values}) != 1:
            continue
        column = sides[0].this.copy()
        among = exp.In(this=column, expressions=[value.copy() for value in values])
        target = either.parent if isinstance(either.parent, exp.Paren) else either
        target.replace(among)
    return tree


def where_for_having(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """Return conditions on keys of a `GROUP BY`, before the rows are grouped."""
    for select in selects(tree):
        having, group = select.args.get("having"), select.args.get("group")
        if having is None or group is None or not group.expressions:
            continue
        if any(value for key, value in group.args.items() if key != "expressions"):
            continue
        keys = {key.sql() for key in group.expressions if isinstance(key, exp.Column)}
        aliases = {each.alias for each in select.selects if isinstance(each, exp.Alias)}
        earlier: list[exp.Expr] = []
        later: list[exp.Expr] = []
        for condition in conjuncts(having.this):
            columns = list(condition.find_all(exp.Column))
            can_move = (
                bool(columns)
                and all(each.sql() in keys and each.name not in aliases for each in columns)
                and not aggregates(condition)
                and not by_chance(condition)
            )
            (earlier if can_move else later).append(condition)
        if not earlier:
            continue
        where = select.args.get("where")
        before = conjuncts(where.this) if where else []
        select.set(
            "where", exp.Where(this=joined([_wrapped(each) for each in [*before, *earlier]]))
        )
        select.set("having", exp.Having(this=joined(later)) if later else None)
    return tree


def _wrapped(condition: exp.Expr) -> exp.Expr:
    return exp.paren(condition) if isinstance(condition, exp.Or) else condition


def without_wrapper(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`FROM (SELECT * FROM t WHERE ...) AS q` as `FROM t AS q WHERE ...`."""
    for select in selects(tree):
        source = select.args.get("from_")
        subquery = source.this if source is not None else None
        if source is None or not isinstance(subquery, exp.Subquery) or select.args.get("joins"):
            continue
        inner, alias = subquery.this, subquery.args.get("alias")
        if not is_plain(inner) or inner.args.get("order") or not inner.is_star:
            continue
        table = only_table(inner)
        wraps = {key for key, value in subquery.args.items() if value} <= {"this", "alias"}
        if table is None or len(inner.selects) != 1 or not wraps or (alias and alias.columns):
            continue
        star = inner.selects[0]
        if not isinstance(star, exp.Star) or any(star.args.values()) or by_chance(inner):
            continue
        name = alias.this if alias else table.args.get("alias") or None
        old = table.alias_or_name
        if not alias and any(column.table for column in select.find_all(exp.Column)):
            continue
        moved = conjuncts(inner.args["where"].this) if inner.args.get("where") else []
        if any(each.find(exp.Query) for each in moved):
            continue
        for condition in moved:
            for column in condition.find_all(exp.Column):
                if column.table.lower() == old.lower() and alias:
                    column.set("table", alias.this.copy())
        new = table.copy()
        new.set(
            "alias", exp.TableAlias(this=name.copy()) if alias and name else table.args.get("alias")
        )
        source.set("this", new)
        outer = select.args.get("where")
        conditions = [*moved, *(conjuncts(outer.this) if outer else [])]
        if conditions:
            wrapped = [_wrapped(each) for each in conditions]
            select.set("where", exp.Where(this=joined(wrapped)))
    return tree


def with_explicit_joins(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`FROM a, b WHERE a.id = b.id` as `FROM a JOIN b ON a.id = b.id`."""
    for select in selects(tree):
        joins = select.args.get("joins") or []
        commas = [join for join in joins if _is_comma(join)]
        where, source = select.args.get("where"), select.args.get("from_")
        if not commas or source is None or where is None or not _is_inner(joins):
            continue
        conditions = conjuncts(where.this)
        if any(by_chance(each) for each in conditions):
            continue
        names = [source.this.alias_or_name.lower()]
        for join in joins:
            names.append(join.this.alias_or_name.lower())
            if not _is_comma(join):
                continue
            here = [each for each in conditions if _joins(each, names)]
            if here:
                join.set("on", joined(here))
                conditions = [each for each in conditions if each not in here]
            else:
                join.set("kind", "CROSS")
        select.set("where", exp.Where(this=joined(conditions)) if conditions else None)
    return tree


def _is_comma(join: exp.Join) -> bool:
    """Return whether the join is a comma, before a table or a subquery."""
    parts = ("side", "kind", "method", "on", "using", "hint", "global_")
    bare = not any(join.args.get(part) for part in parts)
    return bare and isinstance(join.this, exp.Table | exp.Subquery)


def _is_inner(joins: list[exp.Join]) -> bool:
    """Return whether commas may become joins.

    That is so if no outer join keeps rows of its right side, and no source refers to one on its
    left.
    """
    return all(
        isinstance(join.this, exp.Table | exp.Subquery)
        and isinstance(join.this.this, exp.Identifier | exp.Query)
        and join.side in ("", "LEFT")
        and not join.args.get("using")
        and not join.args.get("method")
        and join.this.alias_or_name
        for join in joins
    )


def _joins(condition: exp.Expr, names: list[str]) -> bool:
    """Return whether the condition compares the last source with an earlier one."""
    if condition.find(exp.Query) or not isinstance(condition, exp.Binary):
        return False
    tables = {column.table.lower() for column in condition.find_all(exp.Column)}
    if any(column.args.get("join_mark") for column in condition.find_all(exp.Column)):
        return False
    return len(tables) > 1 and names[-1] in tables and tables <= set(names)


def with_coalesce(tree: exp.Expr, dialect: str) -> exp.Expr:  # noqa: ARG001
    """`CASE WHEN a IS NULL THEN b ELSE a END` as `COALESCE(a, b)`."""
    for case in list(tree.find_all(exp.Case)):
        branches = case.args.get("ifs") or []
        default = case.args.get("default")
        if case.this is not None or len(branches) != 1 or default is None:
            continue
        condition, value = branches[0].this.unnest(), branches[0].args["true"]
        first, second = default, value
        if isinstance(condition, exp.Not):
            condition, first, second = condition.this.unnest(), value, default
        if not isinstance(condition, exp.Is):
            continue
        # Some dialects have the NOT of `IS NOT NULL` in the tree of `IS`.
        if condition.args.get("negate"):
            first, second = second, first
        if not isinstance(condition.expression, exp.Null):
            continue
        if isinstance(first, exp.Column) and condition.this == first:
            case.replace(exp.Coalesce(this=first.copy(), expressions=[second.copy()]))
    return tree
