"""Trees made ready to be compared: what has two spellings has one."""

from __future__ import annotations

from sqlglot import Dialect, exp, transforms
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from codeintel.engine.equivalence.readable import DIALECTS

_BYTES = {
    "postgres": "OCTET_LENGTH",
    "redshift": "OCTET_LENGTH",
    "snowflake": "OCTET_LENGTH",
    "tsql": "DATALENGTH",
    "oracle": "LENGTHB",
    "bigquery": "BYTE_LENGTH",
}
SERIALS = {
    exp.DType.SERIAL: exp.DType.INT,
    exp.DType.BIGSERIAL: exp.DType.BIGINT,
    exp.DType.SMALLSERIAL: exp.DType.SMALLINT,
}
"""What a number that counts by itself is otherwise."""


def portable(tree: exp.Expr, language: str) -> exp.Expr:
    """The tree, changed in place as far as it can be, in words that are common."""
    if language == "oracle":
        tree = of_oracle(tree)
    for call in tree.find_all(exp.ToChar):
        shape = Dialect.get_or_raise(DIALECTS[language]).format_time(call.args.get("format"))
        call.set("format", shape or call.args.get("format"))
    for source in list(tree.find_all(exp.From)):
        table = source.this
        if isinstance(table, exp.Table) and table.name.lower() == "dual" and not table.alias:
            source.pop()
    for select in list(tree.find_all(exp.Select)):
        _expand_group(select)
    for change in (transforms.eliminate_distinct_on, transforms.eliminate_qualify):
        for select in list(tree.find_all(exp.Select)):
            new = change(select.copy())
            if new is not select and new != select:
                tree = new if select is tree else (select.replace(new), tree)[1]
    return tree


def of_oracle(tree: exp.Expr) -> exp.Expr:
    """The tree, changed in place as far as it can be, without what only Oracle has words for."""
    tree = transforms.eliminate_join_marks(tree)
    for join in tree.find_all(exp.Join):
        if join.kind in ("LEFT", "RIGHT", "FULL"):
            join.set("side", join.kind)
            join.set("kind", None)
    _bound(tree)
    return tree


def with_words_of(tree: exp.Expr, target: str) -> exp.Expr:
    """The tree, changed in place, with what the target has for numbers that count by themselves,
    for truth and for a number of bytes."""
    for call in list(tree.find_all(exp.Length)) if target in _BYTES else ():
        if call.args.get("binary"):
            call.replace(exp.Anonymous(this=_BYTES[target], expressions=[call.this.copy()]))
    for column in tree.find_all(exp.ColumnDef) if target == "sqlite" else ():
        kind = column.args.get("kind")
        if isinstance(kind, exp.DataType) and kind.this in SERIALS:
            column.set("kind", exp.DataType(this=exp.DType.INT))
    if target not in ("tsql", "snowflake"):
        return tree
    for column in tree.find_all(exp.ColumnDef):
        kind = column.args.get("kind")
        plain = SERIALS.get(kind.this) if isinstance(kind, exp.DataType) else None
        if plain is not None:
            column.set("kind", exp.DataType(this=plain))
            counting = exp.GeneratedAsIdentityColumnConstraint(this=False)
            column.append("constraints", exp.ColumnConstraint(kind=counting))
    for default in tree.find_all(exp.DefaultColumnConstraint) if target == "tsql" else ():
        if isinstance(default.this, exp.Boolean):
            default.set("this", exp.Literal.number(int(default.this.this)))
    return tree


def _bound(tree: exp.Expr) -> None:
    """`WHERE ROWNUM <= n`, where nothing is sorted or grouped, as LIMIT."""
    for select in tree.find_all(exp.Select):
        where = select.args.get("where")
        if where is None or any(select.args.get(part) for part in ("order", "group", "distinct")):
            continue
        sides = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        bounds = [side for side in sides if "ROWNUM" in side.sql().upper()]
        if len(bounds) != 1 or not isinstance(bounds[0], exp.LTE | exp.LT):
            continue
        left, right = bounds[0].left, bounds[0].right
        if left.name.upper() != "ROWNUM" or not isinstance(right, exp.Literal) or right.is_string:
            continue
        if not right.name.isdigit():
            continue
        rows = int(right.name) - isinstance(bounds[0], exp.LT)
        select.set("limit", exp.Limit(expression=exp.Literal.number(rows)))
        rest = [side.copy() for side in sides if side is not bounds[0]]
        select.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)


def _expand_group(select: exp.Select) -> None:
    """`GROUP BY ALL` by everything that is no aggregate."""
    group = select.args.get("group")
    if group is None or not group.args.get("all") or group.expressions:
        return
    if any(each.is_star for each in select.selects):
        return
    keys = [
        each.unalias().copy() for each in select.selects if not each.find(exp.AggFunc, exp.Window)
    ]
    select.set("group", exp.Group(expressions=keys) if keys else None)


_CALLS = (
    "random rand newid uuid gen_random_uuid uuid_generate_v4 nextval sleep pg_sleep benchmark"
    " setseed clock_timestamp"
)
_CHANCE = frozenset(_CALLS.split())


def by_chance(tree: exp.Expr) -> bool:
    """Whether it may give something else each time, or do something."""
    if tree.find(exp.Rand, exp.Uuid, exp.NextValueFor):
        return True
    return any(each.name.lower() in _CHANCE for each in tree.find_all(exp.Anonymous))


def ready(tree: exp.Expr, language: str, *, is_foreign: bool) -> exp.Expr:
    """A copy to be compared; between dialects, without what only some can say."""
    tree = tree.copy()
    if is_foreign:
        tree = portable(tree, language)
    else:
        tree = normalize_identifiers(tree, dialect=DIALECTS[language])
    _drop_unused(tree)
    for select in reversed(list(tree.find_all(exp.Select))):
        _unwrap(select)
    return tree


def _unwrap(select: exp.Select) -> None:
    """`FROM (SELECT * FROM t WHERE ...) AS q` as `FROM t AS q WHERE ...`."""
    source = select.args.get("from_")
    subquery = source.this if source is not None else None
    if source is None or not isinstance(subquery, exp.Subquery):
        return
    inner = subquery.this
    if not isinstance(inner, exp.Select) or select.args.get("joins") or by_chance(inner):
        return
    alias, given, table = subquery.args.get("alias"), inner.selects, inner.args.get("from_")
    if {key for key, value in inner.args.items() if value} - {"expressions", "from_", "where"}:
        return
    if {key for key, value in subquery.args.items() if value} - {"this", "alias"}:
        return
    if len(given) != 1 or type(given[0]) is not exp.Star or any(given[0].args.values()):
        return
    if table is None or not isinstance(table.this, exp.Table) or (alias and alias.columns):
        return
    where, outer = inner.args.get("where"), select.args.get("where")
    if where is not None and where.find(exp.Query):
        return
    old, new = table.this.alias_or_name, table.this.copy()
    if alias:
        for column in where.find_all(exp.Column) if where is not None else ():
            if column.table == old:
                column.set("table", alias.this.copy())
        new.set("alias", exp.TableAlias(this=alias.this.copy()))
    source.set("this", new)
    conditions = [each.this for each in (where, outer) if each is not None]
    if conditions:
        select.set("where", exp.Where(this=exp.and_(*conditions)))


def _drop_unused(tree: exp.Expr) -> None:
    """Leave out parts of WITH that nothing reads."""
    found = True
    while found:
        found = False
        for part in list(tree.find_all(exp.With)):
            for cte in list(part.expressions):
                if cte.find(exp.DML, exp.DDL, exp.Command) is not None:
                    continue
                inside = {id(each) for each in cte.find_all(exp.Table)}
                readers = (each for each in tree.find_all(exp.Table) if id(each) not in inside)
                if by_chance(cte) or any(
                    each.name.lower() == cte.alias.lower() for each in readers
                ):
                    continue
                if len(part.expressions) == 1:
                    part.pop()
                else:
                    cte.pop()
                found = True
