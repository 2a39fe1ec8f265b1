"""Rules that write a query as one does today."""

from __future__ import annotations

from sqlglot import exp

from codeintel_plugins.transformations.sql.trees import (
    by_chance,
    conjuncts,
    joined,
    selects,
)


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
    """Whether a comma stands for the join, before a table or a subquery."""
    parts = ("side", "kind", "method", "on", "using", "hint", "global_")
    bare = not any(join.args.get(part) for part in parts)
    return bare and isinstance(join.this, exp.Table | exp.Subquery)


def _is_inner(joins: list[exp.Join]) -> bool:
    """Whether commas may become joins: nothing is kept from the right side of an outer join, and
    nothing reads what stands to its left."""
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
    """Whether it compares the last source with one before."""
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
