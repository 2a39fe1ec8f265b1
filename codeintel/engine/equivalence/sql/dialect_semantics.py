"""What a dialect means where others read the same words otherwise, said so that all read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sqlglot import exp

WHOLE_DIVISION = frozenset(
    {
        *("postgres", "redshift", "materialize", "risingwave", "sqlite", "tsql", "presto"),
        *("trino", "athena", "teradata"),
    }
)
"""Where `/` of two whole numbers is a whole number."""
FRACTIONS = frozenset(
    {
        *("duckdb", "mysql", "mariadb", "bigquery", "oracle", "snowflake", "hive", "sparksql"),
        *("databricks", "doris", "starrocks"),
    }
)
"""Where it has a fraction, and whole numbers have a division of their own."""
_NULL_FOR_ZERO = FRACTIONS - {"bigquery", "oracle", "snowflake", "duckdb"}
_CUTTING = frozenset(
    {*("tsql", "postgres", "redshift", "materialize", "risingwave", "mysql", "mariadb", "oracle")}
)
"""Where a text that is longer than its type is cut off by a cast."""
_NOT_CUTTING = frozenset({"sqlite", "duckdb"})
_SERIALS = frozenset({exp.DType.SERIAL, exp.DType.BIGSERIAL, exp.DType.SMALLSERIAL})
_WHOLE = exp.DataType.INTEGER_TYPES | _SERIALS
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod)
_NUMBER = re.compile(r"[\s\d.:+-]*\d[\s\d.:+-]*\Z")
Tables = Mapping[str, Mapping[str, exp.ColumnDef]]


def tables_of(trees: Iterable[exp.Expr | None]) -> Tables:
    """The columns of the tables that a script makes, by small names; tables that are made twice or
    changed are not among them."""
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
    """How a column is declared, where it is sure which one it is."""
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
    """The type of a column that is declared, or of a cast."""
    if isinstance(node, exp.Cast):
        return node.to.this if isinstance(node.to.this, exp.DType) else None
    column = declared(node, tables)
    type_ = column.args.get("kind") if column is not None else None
    return type_.this if isinstance(type_, exp.DataType) else None


def is_whole(node: exp.Expr, tables: Tables, language: str) -> bool:
    """Whether it is sure to be a whole number."""
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
    """The tree, changed in place: sums of texts, casts that cut off, and divisions of whole
    numbers."""
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
    """Whether it is sure to be a text; what looks like a number may be added."""
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
