"""Keys of types and of columns as they are declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from codeintel.engine.equivalence.sql.canonical.logic import Key
from codeintel.engine.equivalence.sql.portable import SERIALS

if TYPE_CHECKING:
    from codeintel.engine.equivalence.sql.canonical.keys import Keys

_IDENTITY: Key = ("identity",)


def _type(keys: Keys, node: exp.DataType) -> Key:
    """A type; how wide an integer is shown makes no difference."""
    name = node.this.name if isinstance(node.this, exp.DType) else str(node.this)
    is_integer = node.this in exp.DataType.INTEGER_TYPES
    parts = () if is_integer else tuple(_parameter(keys, each) for each in node.expressions)
    return ("type", name, parts, keys.plain(node, without=("this", "expressions", "nested")))


def _parameter(keys: Keys, node: exp.Expr) -> Key:
    return str(node.this).upper() if isinstance(node, exp.DataTypeParam) else keys.key(node)


def _definition(keys: Keys, node: exp.ColumnDef) -> Key:
    declared = node.args.get("kind")
    kind = keys.key(declared)
    found = {keys.key(each) for each in node.args.get("constraints") or ()}
    plain = SERIALS.get(declared.this) if isinstance(declared, exp.DataType) else None
    if plain is not None:
        kind = keys.key(exp.DataType(this=plain))
        found.add(_IDENTITY)
    rest = keys.plain(node, without=("this", "kind", "constraints"))
    return ("column", keys.key(node.this), kind, frozenset(found), rest)


def _constraint(keys: Keys, node: exp.ColumnConstraint) -> Key:
    kind = node.args.get("kind")
    if isinstance(kind, exp.GeneratedAsIdentityColumnConstraint) and not kind.expression:
        bounds = (kind.args.get(name) for name in ("start", "increment"))
        if all(each is None or each.name == "1" for each in bounds):
            return _IDENTITY
    if isinstance(kind, exp.AutoIncrementColumnConstraint):
        return _IDENTITY
    if isinstance(kind, exp.PrimaryKeyColumnConstraint):
        return ("primary key", str(kind.args.get("desc")))
    return keys.plain(node)


HANDLERS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.DataType: _type,
    exp.ColumnDef: _definition,
    exp.ColumnConstraint: _constraint,
}
