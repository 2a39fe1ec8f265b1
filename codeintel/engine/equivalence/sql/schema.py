"""Work out the tables and columns that statements need, from the statements alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from codeintel.engine.equivalence.sql.columns import (
    kind_by_name,
    kind_by_use,
    kind_of_type,
    kind_of_value,
)

DEFAULT_KIND = "integer"
MAX_TABLES = 40
MAX_COLUMNS = 120


class Schema:
    """Tables by lowercase name, with the database's name in front if there is one, each with its
    columns and their kinds.

    `guessed` lists the columns of unknown kind.
    """

    def __init__(self, trees: Iterable[exp.Expr]) -> None:
        self.tables: dict[str, dict[str, str]] = {}
        self.guessed: set[tuple[str, str]] = set()
        self._equals: list[tuple[tuple[str, str], tuple[str, str]]] = []
        self._declared: set[str] = set()
        trees = list(trees)
        for tree in trees:
            self._declare(tree)
        for tree in trees:
            self._use(tree)
        self._agree()
        for columns in self.tables.values():
            if not columns:
                columns["c1"] = DEFAULT_KIND

    def varied(self, kind: str) -> dict[str, dict[str, str]]:
        """Return the tables with another kind for the columns of unknown kind."""
        return {
            table: {
                column: kind if (table, column) in self.guessed else known
                for column, known in columns.items()
            }
            for table, columns in self.tables.items()
        }

    def _declare(self, tree: exp.Expr) -> None:
        """Record the columns of `CREATE TABLE`."""
        if not (isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema)):
            return
        if not isinstance(tree.this.this, exp.Table):
            return
        name = table_name(tree.this.this)
        columns: dict[str, str] = {}
        for definition in tree.this.find_all(exp.ColumnDef):
            declared = definition.args.get("kind")
            kind = kind_of_type(declared) if isinstance(declared, exp.DataType) else None
            columns[definition.name.lower()] = kind or DEFAULT_KIND
        if len(self.tables) < MAX_TABLES:
            self.tables[name] = columns
            self._declared.add(name)

    def _use(self, tree: exp.Expr) -> None:
        """Record the tables and columns that a statement reads."""
        targets = [tree.this] if isinstance(tree, exp.Insert | exp.Update | exp.Delete) else []
        if isinstance(tree, exp.Create) and isinstance(tree.this, exp.Index):
            targets = [tree.this.args.get("table")]
        if isinstance(tree, exp.Alter) and tree.args.get("kind") == "TABLE":
            targets = [tree.this]
        for target in targets:
            for table in target.find_all(exp.Table) if target is not None else ():
                self._table(table)
                for column in tree.find_all(exp.Column):
                    if not column.table or column.table.lower() == table.alias_or_name.lower():
                        self._column(table, column)
                for name, kind in _given(target, tree):
                    self._add(table_name(table), name, kind)
                if isinstance(tree, exp.Alter):  # it may drop the only column
                    self._add(table_name(table), "c1", None)
        try:
            scopes = traverse_scope(tree)
        except (SqlglotError, RecursionError, AttributeError):
            return
        for scope in scopes:
            self._scope(scope)

    def _scope(self, scope: Scope) -> None:
        for table in _tables(scope):
            self._table(table)
        aliases = {
            each.alias.lower(): each
            for each in getattr(scope.expression, "selects", ())
            if isinstance(each, exp.Alias)
        }
        columns = list(scope.columns)
        # Scopes omit some columns that may be names of results.
        for part in ("qualify", "having", "order", "group"):
            clause = scope.expression.args.get(part)
            columns += list(clause.find_all(exp.Column)) if clause is not None else []
        for column in columns:
            alias = aliases.get(column.name.lower())
            if alias is not None and not column.table and alias not in _ancestors(column):
                continue
            self._resolve(scope, column)
        tables = list(_tables(scope))
        for join in scope.expression.args.get("joins") or ():
            for name in join.args.get("using") or ():
                for table in tables:
                    self._add(table_name(table), name.name.lower(), None)
        for star in getattr(scope.expression, "selects", ()):
            for name in star.args.get("except_") or ():
                if tables:
                    self._add(table_name(tables[0]), name.name.lower(), None)
                    self._add(table_name(tables[0]), "c1", None)

    def _resolve(self, scope: Scope, column: exp.Column) -> None:
        """Assign a column to the table that it appears to belong to."""
        at: Scope | None = scope
        while at is not None and column.table:
            source = at.sources.get(column.table)
            if source is not None:
                self._give(source, column)
                return
            at = at.parent
        if column.table:
            return
        derived = [each for each in scope.sources.values() if isinstance(each, Scope)]
        name = column.name.lower()
        for source in derived:
            if name in {each.lower() for each in getattr(source.expression, "named_selects", ())}:
                self._give(source, column)
                return
        tables = list(_tables(scope))
        known = [each for each in tables if name in self.tables.get(table_name(each), ())]
        for table in (known or [t for t in tables if table_name(t) not in self._declared])[:1]:
            self._column(table, column)
            return
        for source in derived:
            if source.expression.is_star:
                self._give(source, column)
                return

    def _give(self, source: exp.Expr | Scope, column: exp.Column) -> None:
        if isinstance(source, exp.Table):
            self._column(source, column)
        elif isinstance(source, Scope) and isinstance(source.expression, exp.Query):
            for select in source.expression.selects:
                inner = select.unalias()
                if select.alias_or_name.lower() == column.name.lower():
                    if isinstance(inner, exp.Column) and inner.name != "*":
                        self._inherit(source, inner, column)
                    return
            for inner_source in source.sources.values():
                if source.expression.is_star and inner_source is not source:
                    self._give(inner_source, column)
                    return

    def _inherit(self, scope: Scope, inner: exp.Column, column: exp.Column) -> None:
        """Pass the use of a subquery's column on to the table's column."""
        kind = kind_by_use(column)
        sources = list(_tables(scope))
        if inner.table:
            named = scope.sources.get(inner.table)
            sources = [named] if isinstance(named, exp.Table) else []
        if kind and len(sources) == 1:
            self._add(table_name(sources[0]), inner.name.lower(), kind)

    def _table(self, table: exp.Table) -> None:
        if len(self.tables) < MAX_TABLES and isinstance(table.this, exp.Identifier):
            self.tables.setdefault(table_name(table), {})

    def _column(self, table: exp.Table, column: exp.Column) -> None:
        if isinstance(column.this, exp.Star):
            return
        here = (table_name(table), column.name.lower())
        self._add(*here, kind_by_use(column))
        parent = column.parent
        if isinstance(parent, exp.EQ):
            other = parent.right if parent.left is column else parent.left
            if isinstance(other, exp.Column):
                self._equals.append((here, (other.table.lower(), other.name.lower())))

    def _add(self, table: str, column: str, kind: str | None) -> None:
        columns = self.tables.get(table)
        if columns is None or table in self._declared or len(columns) >= MAX_COLUMNS:
            return
        if column not in columns or ((table, column) in self.guessed and kind):
            columns[column] = kind or kind_by_name(column) or DEFAULT_KIND
            if kind:
                self.guessed.discard((table, column))
            elif kind_by_name(column) is None:
                self.guessed.add((table, column))

    def _agree(self) -> None:
        """Give columns that are compared with each other the same kind."""
        for here, (_, other) in self._equals:
            kind = self.tables.get(here[0], {}).get(here[1])
            for table, columns in self.tables.items():
                if (table, other) in self.guessed and kind and here[1:] != (other,):
                    columns[other] = kind


def _given(target: exp.Expr, tree: exp.Expr) -> Iterator[tuple[str, str | None]]:
    """Yield the columns of inserted rows, with the kinds of their values."""
    if not isinstance(target, exp.Schema):
        return
    values = tree.args.get("expression")
    rows = values.expressions if isinstance(values, exp.Values) else []
    first = rows[0].expressions if rows and isinstance(rows[0], exp.Tuple) else []
    for at, name in enumerate(target.expressions):
        yield name.name.lower(), kind_of_value(first[at]) if at < len(first) else None


def table_name(table: exp.Table) -> str:
    """Return the lowercase name, with the database's name in front."""
    return ".".join(part for part in (table.db.lower(), table.name.lower()) if part)


def _tables(scope: Scope) -> Iterator[exp.Table]:
    for source in scope.sources.values():
        if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
            yield source


def _ancestors(node: exp.Expr) -> list[exp.Expr]:
    found, parent = [], node.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found
