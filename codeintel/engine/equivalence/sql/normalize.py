"""Trees made ready to be compared: what has two spellings has one."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.engine.equivalence.sql.portable import portable

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
