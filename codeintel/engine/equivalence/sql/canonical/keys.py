"""Trees of SQL as keys: of two statements with equal keys it is known that they mean the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sqlglot import exp

from codeintel.engine.equivalence.sql.canonical import (
    conditions as queries_keys_conditions,
    selects as queries_keys_selects,
    types as queries_keys_types,
)
from codeintel.engine.equivalence.sql.canonical.dates import dated
from codeintel.engine.equivalence.sql.canonical.logic import FALSE, TRUE, Key, joined, negated
from codeintel.engine.equivalence.sql.normalize import by_chance

_BYTES = ("OCTET_LENGTH", "DATALENGTH", "LENGTHB", "BYTE_LENGTH")
_BLOBS = (exp.DType.BLOB, exp.DType.VARBINARY)
_TRUTHS = (exp.And, exp.Or, exp.Where, exp.Having, exp.Join, exp.Not)


class Keys:
    """Makes keys. Between dialects the case of names does not count, and truth may be a number.

    :param tree: what the keys are for. What gives something else each time has to come in it as
        often as it did, and elsewhere what comes twice is the same as once.
    """

    def __init__(self, tree: exp.Expr, *, is_foreign: bool) -> None:
        self.is_foreign = is_foreign
        self._is_settled = not by_chance(tree)

    def key(self, node: Any) -> Key:
        """The key of a tree, or of what else stands in one."""
        if isinstance(node, list | tuple):
            return tuple(self.key(each) for each in node)
        if not isinstance(node, exp.Expr):
            return str(node)
        found = dated(node, self.key) if self.is_foreign else None
        handler = _HANDLERS.get(type(node))
        if found is None and handler is not None:
            found = handler(self, node)
        return self.plain(node) if found is None else found

    def plain(self, node: exp.Expr, without: Iterable[str] = ()) -> Key:
        """The key of a tree of which nothing particular is known."""
        parts = (
            (name, _unit(value) if name == "unit" and _unit(value) else self.key(value))
            for name, value in sorted(node.args.items())
            if value not in (None, False, [], "") and name not in without
        )
        return (type(node).__name__, *parts)

    def joined(self, sides: Iterable[Key], word: str) -> Key:
        """Keys joined by `and` or `or`."""
        return joined(sides, word, is_settled=self._is_settled)

    def negated(self, key: Key) -> Key:
        """What is true where the key is false."""
        return negated(key, is_settled=self._is_settled)


def _unit(value: Any) -> str:
    if isinstance(value, exp.Var | exp.Literal):
        return value.name.upper().removesuffix("S")
    return ""


def _identifier(keys: Keys, node: exp.Identifier) -> Key:
    return node.name.lower() if keys.is_foreign else node.name


def _column(keys: Keys, node: exp.Column) -> Key | None:
    if isinstance(node.this, exp.Identifier) and not node.args.get("join_mark"):
        return ("#col", keys.key(node.this), *(keys.key(each) for each in node.parts[:-1]))
    return None


def _alias(keys: Keys, node: exp.Alias) -> Key:
    name, column = keys.key(node.args.get("alias")), node.this
    if isinstance(column, exp.Column) and keys.key(column.this) == name:
        return keys.key(column)
    return ("#alias", name, keys.key(column))


def _literal(_: Keys, node: exp.Literal) -> Key:
    text = node.name
    if node.is_string:
        return ("#str", text)
    try:
        return ("#num", str(int(text)) if text.isdigit() else repr(float(text)))
    except ValueError:
        return ("#num", text)


def _boolean(keys: Keys, node: exp.Boolean) -> Key:
    if isinstance(node.parent, _TRUTHS):
        return TRUE if node.this else FALSE
    return ("#num", str(int(node.this))) if keys.is_foreign else ("#bool", str(node.this))


def _anonymous(keys: Keys, node: exp.Anonymous) -> Key:
    if keys.is_foreign and node.name.upper() in _BYTES and len(node.expressions) == 1:
        return ("bytes", keys.key(node.expressions[0]))
    return ("call", node.name.upper(), keys.key(node.expressions))


def _length(keys: Keys, node: exp.Length | exp.ByteLength) -> Key:
    counted = node.this
    if keys.is_foreign and isinstance(counted, exp.Cast) and counted.to.this in _BLOBS:
        return ("bytes", keys.key(counted.this))
    in_bytes = isinstance(node, exp.ByteLength) or node.args.get("binary")
    return ("bytes" if in_bytes else "Length", keys.key(counted))


def _concat(keys: Keys, node: exp.Concat | exp.DPipe) -> Key | None:
    if node.args.get("coalesce"):
        return None
    sides = [node.this, node.expression] if isinstance(node, exp.DPipe) else node.expressions
    found: list[Key] = []
    for key in map(keys.key, sides):
        found += key[1] if isinstance(key, tuple) and key[0] == "concat" else (key,)
    return ("concat", tuple(found))


def _paren(keys: Keys, node: exp.Paren) -> Key:
    return keys.key(node.this)


def _subquery(keys: Keys, node: exp.Subquery) -> Key | None:
    bare = not any(value for name, value in node.args.items() if name != "this")
    return keys.key(node.this) if bare else None


def _var(_: Keys, node: exp.Var) -> Key:
    return ("var", node.name.upper())


_HANDLERS: dict[type[exp.Expr], Callable[[Keys, Any], Key | None]] = {
    exp.Identifier: _identifier,
    exp.Column: _column,
    exp.Alias: _alias,
    exp.Literal: _literal,
    exp.Boolean: _boolean,
    exp.Anonymous: _anonymous,
    **dict.fromkeys((exp.Length, exp.ByteLength), _length),
    **dict.fromkeys((exp.Concat, exp.DPipe), _concat),
    exp.Paren: _paren,
    exp.Subquery: _subquery,
    exp.Var: _var,
    **queries_keys_conditions.HANDLERS,
    **queries_keys_selects.HANDLERS,
    **queries_keys_types.HANDLERS,
}
