"""Rewrites of syntax that sqlglot would copy unchanged, into the target's own syntax."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import Dialect, exp, transforms

from codeintel.engine.equivalence.sql.normalize import Tables, is_whole
from codeintel_plugins.transformations.sql import DIALECTS

_TRUNCATED = {
    "YEAR": ("%Y-01-01 00:00:00",),
    "MONTH": ("%Y-%m-01 00:00:00",),
    "WEEK": ("%Y-%m-%d 00:00:00", "weekday 0", "-6 days"),
    "DAY": ("%Y-%m-%d 00:00:00",),
    "HOUR": ("%Y-%m-%d %H:00:00",),
    "MINUTE": ("%Y-%m-%d %H:%M:00",),
}
_PARTS = {"YEAR": "%Y", "MONTH": "%m", "DAY": "%d", "HOUR": "%H", "MINUTE": "%M", "DOY": "%j"}
_STEPS = {"DAY": 1, "WEEK": 7, "HOUR": 1, "MINUTE": 1, "SECOND": 1}
_KEEP_DUAL = frozenset({"oracle", "mysql", "mariadb"})
_BYTES = {
    "postgres": "OCTET_LENGTH",
    "redshift": "OCTET_LENGTH",
    "snowflake": "OCTET_LENGTH",
    "tsql": "DATALENGTH",
    "oracle": "LENGTHB",
    "bigquery": "BYTE_LENGTH",
}
_SERIALS = {
    exp.DType.SERIAL: exp.DType.INT,
    exp.DType.BIGSERIAL: exp.DType.BIGINT,
    exp.DType.SMALLSERIAL: exp.DType.SMALLINT,
}


def for_sqlite(tree: exp.Expr) -> exp.Expr:
    """Return the tree, with what SQLite lacks said in its own words."""
    for select in list(tree.find_all(exp.Select)):
        _expand_group(select)
        replaced = _ordered_distinct(select)
        if replaced is not None:
            if select is tree:
                tree = replaced
            else:
                select.replace(replaced)
    for kind, change in _CHANGES.items():
        for node in list(tree.find_all(kind)):
            new = change(node)
            if new is not None and node is tree:
                tree = new
            elif new is not None:
                node.replace(new)
    return tree


def _expand_group(select: exp.Select) -> None:
    """`GROUP BY ALL` by everything that is no aggregate."""
    group = select.args.get("group")
    if group is None or not group.args.get("all") or group.expressions:
        return
    keys = [
        each.unalias().copy()
        for each in select.selects
        if not each.find(exp.AggFunc, exp.Star, exp.Window)
    ]
    select.set("group", exp.Group(expressions=keys) if keys else None)


def _ordered_distinct(select: exp.Select) -> exp.Expr | None:
    """Convert `DISTINCT ON` in a subquery with `ORDER BY`.

    The keys are then unique, so they are the only sort keys.
    """
    distinct, order = select.args.get("distinct"), select.args.get("order")
    on = distinct.args.get("on") if distinct else None
    if on is None or order is None or select.args.get("limit") or select.args.get("offset"):
        return None
    keys = on.expressions if isinstance(on, exp.Tuple) else [on]
    first = order.expressions[: len(keys)]
    given = {each.alias_or_name for each in select.selects}
    if {each.this.sql() for each in first} != {key.sql() for key in keys}:
        return None
    if any(not isinstance(key, exp.Column) or key.name not in given for key in keys):
        return None
    sorting = [each.copy() for each in first]
    for each in sorting:
        each.this.set("table", None)
    outer = transforms.eliminate_distinct_on(select.copy())
    outer.set("order", exp.Order(expressions=sorting))
    return outer


def _text(value: str) -> exp.Literal:
    return exp.Literal.string(value)


def _truncated(node: exp.Expr) -> exp.Expr | None:
    unit = node.args.get("unit")
    form = _TRUNCATED.get(unit.name.upper()) if unit is not None else None
    if form is None:
        return None
    first, *steps = form
    parts = [_text(first), node.this.copy(), *map(_text, steps)]
    return exp.Anonymous(this="STRFTIME", expressions=parts)


def _part(name: str, node: exp.Expr) -> exp.Expr | None:
    form = _PARTS.get(name.upper())
    if form is None:
        return None
    text = exp.Anonymous(this="STRFTIME", expressions=[_text(form), node.copy()])
    return exp.cast(text, exp.DType.INT)


def _extracted(node: exp.Expr) -> exp.Expr | None:
    return _part(node.this.name, node.expression)


def _named_part(node: exp.Expr) -> exp.Expr | None:
    inner = node.this
    return _part(node.key, inner.this if isinstance(inner, exp.TsOrDsToDate) else inner)


def _moved(node: exp.Expr) -> exp.Expr | None:
    """Convert the addition or subtraction of days. Months have different lengths elsewhere."""
    interval = node.expression
    if not isinstance(interval, exp.Interval) or interval.unit is None or interval.this is None:
        return None
    unit, number = interval.unit.name.upper().removesuffix("S"), interval.this.name
    if unit not in _STEPS or not number.isdigit():
        return None
    step = int(number) * _STEPS[unit]
    sign = "-" if isinstance(node, exp.Sub) else "+"
    words = "DAY" if unit == "WEEK" else unit
    moved = [node.this.copy(), _text(f"{sign}{step} {words.lower()}s")]
    return exp.Anonymous(this="DATETIME", expressions=moved)


def _days_between(node: exp.Expr) -> exp.Expr | None:
    """Convert the number of midnights between two times."""
    unit = node.args.get("unit")
    if unit is None or unit.name.upper() != "DAY":
        return None
    later, earlier = (
        exp.Anonymous(
            this="JULIANDAY",
            expressions=[exp.Anonymous(this="DATE", expressions=[_bare(side).copy()])],
        )
        for side in (node.this, node.expression)
    )
    return exp.cast(exp.Sub(this=later, expression=earlier), exp.DType.INT)


def _bare(node: exp.Expr) -> exp.Expr:
    """Remove the conversion that sqlglot adds automatically."""
    return node.this if isinstance(node, exp.TsOrDsToDate) else node


_CHANGES: dict[type[exp.Expr], Callable[[exp.Expr], exp.Expr | None]] = {
    exp.TimestampTrunc: _truncated,
    exp.DateTrunc: _truncated,
    exp.Extract: _extracted,
    exp.Year: _named_part,
    exp.Month: _named_part,
    exp.Day: _named_part,
    exp.Add: _moved,
    exp.Sub: _moved,
    exp.DateDiff: _days_between,
}


def prepared(tree: exp.Expr, language: str, target: str, tables: Tables) -> exp.Expr:
    """Return the tree for the target's generator."""
    if language == "oracle" and target != "oracle":
        tree = transforms.eliminate_join_marks(tree)
        tree = _bounded(tree)
    if target not in _KEEP_DUAL:
        for source in list(tree.find_all(exp.From)):
            table = source.this
            if isinstance(table, exp.Table) and table.name.lower() == "dual" and not table.alias:
                source.pop()
    if target not in ("mysql", "mariadb"):
        for kind in tree.find_all(exp.DataType):
            if kind.this in exp.DataType.INTEGER_TYPES and kind.expressions:
                kind.set("expressions", None)
    if target in ("tsql", "snowflake"):
        _number(tree)
    _without_nulls(tree, target)
    _in_bytes(tree, target)
    if target == "tsql":
        _for_tsql(tree)
    if target == "sqlite":
        _number_keys(tree)
        _divide(tree, language, tables)
    return for_sqlite(tree) if target == "sqlite" else tree


def _number_keys(tree: exp.Expr) -> None:
    """`SERIAL` as `INTEGER`, which counts by itself where it is the primary key."""
    for column in tree.find_all(exp.ColumnDef):
        kind = column.args.get("kind")
        if isinstance(kind, exp.DataType) and kind.this in _SERIALS:
            column.set("kind", exp.DataType(this=exp.DType.INT))


def _divide(tree: exp.Expr, language: str, tables: Tables) -> None:
    """Convert integer division of certainly whole numbers to the plain operator, which SQLite
    treats the same."""
    for node in reversed(list(tree.find_all(exp.IntDiv))):
        sides = (node.args["this"], node.args["expression"])
        if all(is_whole(each, tables, language) for each in sides):
            first, second = (each.copy() for each in sides)
            new = exp.Div(this=first, expression=second, typed=True, safe=True)
            node.replace(exp.paren(new, copy=False) if isinstance(node.parent, exp.Binary) else new)


def _without_nulls(tree: exp.Expr, target: str) -> None:
    """Drop the position of NULLs from keys of indexes, which has no effect on rows."""
    is_small = Dialect.get_or_raise(DIALECTS[target]).NULL_ORDERING == "nulls_are_small"
    is_last = Dialect.get_or_raise(DIALECTS[target]).NULL_ORDERING == "nulls_are_last"
    for key in tree.find_all(exp.Ordered):
        if isinstance(key.parent, exp.OnConflict | exp.IndexParameters):
            key.set("nulls_first", not is_last and bool(key.args.get("desc")) is not is_small)


def _in_bytes(tree: exp.Expr, target: str) -> None:
    """Convert MySQL's LENGTH, which counts bytes."""
    for call in list(tree.find_all(exp.Length)):
        if not call.args.get("binary"):
            continue
        if target == "sqlite":
            call.replace(exp.Length(this=exp.cast(call.this.copy(), exp.DType.BLOB)))
        elif target in _BYTES:
            call.replace(exp.Anonymous(this=_BYTES[target], expressions=[call.this.copy()]))


def _bounded(tree: exp.Expr) -> exp.Expr:
    """`WHERE ROWNUM <= n` alone, without an order or groups, as `LIMIT n`."""
    for select in tree.find_all(exp.Select):
        where = select.args.get("where")
        if where is None or any(select.args.get(part) for part in ("order", "group", "distinct")):
            continue
        sides = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        bounds = [side for side in sides if _bound(side) is not None]
        others = [side for side in sides if side not in bounds]
        if len(bounds) != 1 or any("ROWNUM" in side.sql().upper() for side in others):
            continue
        select.set("limit", exp.Limit(expression=exp.Literal.number(_bound(bounds[0]) or 0)))
        rest = exp.and_(*(side.copy() for side in others)) if others else None
        select.set("where", exp.Where(this=rest) if rest is not None else None)
    return tree


def _bound(side: exp.Expr) -> int | None:
    if not isinstance(side, exp.LTE | exp.LT) or side.left.name.upper() != "ROWNUM":
        return None
    if not isinstance(side.right, exp.Literal) or not side.right.name.isdigit():
        return None
    return int(side.right.name) - isinstance(side, exp.LT)


def _number(tree: exp.Expr) -> None:
    """`SERIAL` as a number that counts by itself."""
    for column in tree.find_all(exp.ColumnDef):
        kind = column.args.get("kind")
        plain = _SERIALS.get(kind.this) if isinstance(kind, exp.DataType) else None
        if plain is not None:
            column.set("kind", exp.DataType(this=plain))
            identity = exp.GeneratedAsIdentityColumnConstraint(
                this=False, start=exp.Literal.number(1), increment=exp.Literal.number(1)
            )
            constraint = exp.ColumnConstraint(kind=identity)
            column.set("constraints", [constraint, *(column.args.get("constraints") or [])])


def _for_tsql(tree: exp.Expr) -> None:
    for constraint in list(tree.find_all(exp.DefaultColumnConstraint)):
        if isinstance(constraint.this, exp.Boolean):
            constraint.set("this", exp.Literal.number(int(constraint.this.this)))
    for node in list(tree.find_all(exp.Add, exp.Sub)):
        interval = node.expression
        if not isinstance(interval, exp.Interval) or interval.unit is None:
            continue
        number = interval.this.name if interval.this is not None else ""
        if not number.isdigit():
            continue
        sign = "-" if isinstance(node, exp.Sub) else ""
        unit = interval.unit.name.upper().removesuffix("S")
        node.replace(
            exp.Anonymous(
                this="DATEADD",
                expressions=[
                    exp.var(unit),
                    exp.Literal.number(f"{sign}{number}"),
                    node.this.copy(),
                ],
            )
        )
