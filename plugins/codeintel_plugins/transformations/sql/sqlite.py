"""What SQLite has other words for, and sqlglot does not translate: there, dates are ISO texts."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp, transforms

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


def for_sqlite(tree: exp.Expr) -> exp.Expr:
    """The tree, with what SQLite lacks said in its own words."""
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
    """`DISTINCT ON` in a subquery, whose rows come in the order that was asked for: the keys are
    unique then, and so all there is to sort by."""
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
    """A moment and so many days or less; months are of other lengths elsewhere."""
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
    """Midnights between two moments."""
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
    """Without the conversion that sqlglot adds by itself."""
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
