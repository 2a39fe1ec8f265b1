"""Prepare trees for comparison: translate the meaning of words between dialects, and unify
spellings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sqlglot import Dialect, exp, transforms
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from codeintel.engine.equivalence.readable import DIALECTS

WHOLE_DIVISION = frozenset(
    {
        *("postgres", "redshift", "materialize", "risingwave", "sqlite", "tsql", "presto"),
        *("trino", "athena", "teradata"),
    }
)
"""Dialects in which `/` of two integers is an integer."""
FRACTIONS = frozenset(
    {
        *("duckdb", "mysql", "mariadb", "bigquery", "oracle", "snowflake", "hive", "sparksql"),
        *("databricks", "doris", "starrocks"),
    }
)
"""Dialects in which `/` yields a fraction and integers have a separate division."""
_NULL_FOR_ZERO = FRACTIONS - {"bigquery", "oracle", "snowflake", "duckdb"}
_CUTTING = frozenset(
    {*("tsql", "postgres", "redshift", "materialize", "risingwave", "mysql", "mariadb", "oracle")}
)
"""Dialects in which a cast truncates a string that is longer than its type."""
_NOT_CUTTING = frozenset({"sqlite", "duckdb"})
_SERIALS = frozenset({exp.DType.SERIAL, exp.DType.BIGSERIAL, exp.DType.SMALLSERIAL})
_WHOLE = exp.DataType.INTEGER_TYPES | _SERIALS
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod)
_NUMBER = re.compile(r"[\s\d.:+-]*\d[\s\d.:+-]*\Z")
Tables = Mapping[str, Mapping[str, exp.ColumnDef]]


def tables_of(trees: Iterable[exp.Expr | None]) -> Tables:
    """Return the columns of the tables that a script creates, by lowercase name.

    Tables that are created twice or altered are left out.
    """
    found: dict[str, dict[str, exp.ColumnDef]] = {}
    unsure: set[str] = set()
    for tree in trees:
        table = tree.find(exp.Table) if isinstance(tree, exp.Create | exp.Alter) else None
        if table is None or tree is None or tree.args.get("kind") == "INDEX":
            continue
        name = table.name.lower()
        unsure |= {name} if name in found or isinstance(tree, exp.Alter) else set()
        columns = tree.find_all(exp.ColumnDef) if isinstance(tree.this, exp.Schema) else ()
        found[name] = {each.name.lower(): each for each in columns}
    return {name: columns for name, columns in found.items() if name not in unsure and columns}


def declared(column: exp.Expr, tables: Tables) -> exp.ColumnDef | None:
    """Return the declaration of a column, or None if it is unclear which column is meant."""
    select = column.find_ancestor(exp.Select)
    source = select.args.get("from_") if select is not None else None
    if not isinstance(column, exp.Column) or select is None or source is None:
        return None
    joins = select.args.get("joins") or []
    sources = [source.this, *(join.this for join in joins)]
    if select.args.get("laterals") or any(not isinstance(each, exp.Table) for each in sources):
        return None
    shadowed = {each.alias.lower() for each in column.root().find_all(exp.CTE)}
    names = {each.name.lower() for each in sources}
    if names & shadowed or not names <= tables.keys():
        return None
    found = [
        tables[each.name.lower()].get(column.name.lower())
        for each in sources
        if not column.table or each.alias_or_name.lower() == column.table.lower()
    ]
    sure = [each for each in found if each is not None]
    return sure[0] if len(sure) == 1 else None


def kind(node: exp.Expr, tables: Tables) -> exp.DType | None:
    """Return the type of a declared column or a cast, or None."""
    if isinstance(node, exp.Cast):
        return node.to.this if isinstance(node.to.this, exp.DType) else None
    column = declared(node, tables)
    type_ = column.args.get("kind") if column is not None else None
    return type_.this if isinstance(type_, exp.DataType) else None


def is_whole(node: exp.Expr, tables: Tables, language: str) -> bool:
    """Return whether an expression is known to be an integer."""
    if isinstance(node, exp.Paren | exp.Neg):
        return is_whole(node.this, tables, language)
    if isinstance(node, exp.Literal):
        return not node.is_string and node.name.isdigit()
    if isinstance(node, exp.Div) and language not in WHOLE_DIVISION:
        return False
    if isinstance(node, _ARITHMETIC):
        return all(is_whole(each, tables, language) for each in (node.left, node.right))
    return isinstance(node, exp.Count) or kind(node, tables) in _WHOLE


def as_meant(tree: exp.Expr, language: str, target: str, tables: Tables) -> exp.Expr:
    """Adapt the tree in place to the target's meaning of text concatenation, truncating casts
    and integer division."""
    if language == "tsql" and target != "tsql":
        for text in list(tree.find_all(exp.National)):
            text.replace(exp.Literal.string(text.name))
        for node in reversed(list(tree.find_all(exp.Add))):
            if _is_text(node, tables):
                new = exp.DPipe(this=node.this.copy(), expression=node.expression.copy(), safe=True)
                node.replace(new)
    if language in _CUTTING and target in _NOT_CUTTING:
        for cast in reversed(list(tree.find_all(exp.Cast, exp.Convert))):
            _cut(cast, target)
    if language in WHOLE_DIVISION and target in FRACTIONS:
        found = [node for node in tree.find_all(exp.Div) if is_whole(node, tables, language)]
        for division in reversed(found):
            _divided(division, target)
    return tree


def _is_text(node: exp.Expr, tables: Tables) -> bool:
    """Return whether an expression is known to be a string.

    A string that looks like a number may be added as a number.
    """
    if isinstance(node, exp.Literal):
        return node.is_string and not _NUMBER.match(node.name)
    if isinstance(node, exp.Convert):
        return node.this.this in exp.DataType.TEXT_TYPES
    if isinstance(node, exp.Add | exp.DPipe):
        return any(_is_text(each, tables) for each in (node.left, node.right))
    if isinstance(node, exp.Paren):
        return _is_text(node.this, tables)
    return kind(node, tables) in exp.DataType.TEXT_TYPES


def _cut(cast: exp.Expr, target: str) -> None:
    is_convert = isinstance(cast, exp.Convert)
    type_ = cast.this if is_convert else cast.args.get("to")
    if not isinstance(type_, exp.DataType) or type_.this not in exp.DataType.TEXT_TYPES:
        return
    lengths = [each.this for each in type_.expressions if isinstance(each, exp.DataTypeParam)]
    if len(lengths) != 1 or not lengths[0].name.isdigit():
        return
    value = cast.args["expression"] if is_convert else cast.this
    if is_convert and cast.args.get("style") is not None:
        again: exp.Expr = exp.maybe_parse(cast.sql(target), dialect=target)
        if not isinstance(again, exp.Cast):
            return
        value = again.this
    whole = exp.cast(value.copy(), exp.DType.TEXT)
    one = exp.Literal.number(1)
    cast.replace(exp.Substring(this=whole, start=one, length=lengths[0].copy()))


def _divided(node: exp.Expr, target: str) -> None:
    by = node.expression.copy()
    is_sure = isinstance(by, exp.Literal) and by.name.strip("0") != ""
    if node.args.get("safe") and target not in _NULL_FOR_ZERO and not is_sure:
        by = exp.Nullif(this=by, expression=exp.Literal.number(0))
    new: exp.Expr = exp.IntDiv(this=node.this.copy(), expression=by)
    node.replace(exp.paren(new, copy=False) if isinstance(node.parent, _ARITHMETIC) else new)


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
"""The plain type of each auto-increment type."""


def portable(tree: exp.Expr, language: str) -> exp.Expr:
    """Rewrite the tree into common SQL, in place where possible, and return it."""
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
    """Replace Oracle's own constructs, in place where possible, and return the tree."""
    tree = transforms.eliminate_join_marks(tree)
    for join in tree.find_all(exp.Join):
        if join.kind in ("LEFT", "RIGHT", "FULL"):
            join.set("side", join.kind)
            join.set("kind", None)
    _bound(tree)
    return tree


def with_words_of(tree: exp.Expr, target: str) -> exp.Expr:
    """Use the target's words for auto-increment, truth values and byte lengths.

    Change the tree in place and return it.
    """
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
    """Turn `WHERE ROWNUM <= n` into LIMIT if nothing is sorted or grouped."""
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
    """Replace `GROUP BY ALL` by every expression without an aggregate."""
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
    """Return whether a tree may return different results each time, or have an effect."""
    if tree.find(exp.Rand, exp.Uuid, exp.NextValueFor):
        return True
    return any(each.name.lower() in _CHANCE for each in tree.find_all(exp.Anonymous))


def ready(tree: exp.Expr, language: str, *, is_foreign: bool) -> exp.Expr:
    """Return a copy for comparison.

    Between dialects, constructs that only some have are replaced.
    """
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
    """Turn `FROM (SELECT * FROM t WHERE ...) AS q` into `FROM t AS q WHERE ...`."""
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
    """Remove the parts of WITH that nothing reads."""
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
