"""What two dialects read in the same words and mean otherwise, as sentences with lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

from codeintel.engine.equivalence.sql.dialect_semantics import declared, kind
from codeintel_plugins.transformations.sql.dialects import DIALECTS
from codeintel_plugins.transformations.sql.pairing import Pairing

_SAME_TEXT = frozenset({"mysql", "mariadb", "tsql"})
"""Where the case of letters makes no difference, unless a collation says otherwise."""
_ALIKE = _SAME_TEXT | {"sqlite"}
"""Where LIKE takes letters of both cases for the same."""
_COMPARED = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.In, exp.Between, exp.Case),
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]?[\d:.+-]*Z?\Z")
_LONGEST = 60


class Differences(Pairing):
    """Finds them in the statements of a script."""

    def sentences(self, tree: exp.Expr, line: int) -> Iterator[str]:
        """What is meant otherwise in a statement that begins in a line."""
        if DIALECTS[self._language] == DIALECTS[self._target]:
            return
        for node in tree.walk(bfs=False):
            for find in _FINDERS:
                said = find(self, node)
                if said:
                    lines = [each.meta["line"] for each in node.walk() if "line" in each.meta]
                    at = line + min(lines, default=1) - 1
                    yield f"line {at}: {said}: `{self._shown(node)}`"

    def _shown(self, node: exp.Expr) -> str:
        text = node.sql(DIALECTS[self._language], comments=False)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def like(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Like | exp.ILike | exp.SimilarTo) or _is_exact(node):
            return ""
        pattern = node.expression
        text = pattern.name if isinstance(pattern, exp.Literal) else None
        if isinstance(node, exp.Like) and (names := self.one_of(_ALIKE)):
            if text is None or any(each.isalpha() for each in text):
                return f"LIKE ignores case in {names[0]} and does not in {names[1]}"
            return ""
        if self.one_of(frozenset({"sqlite"})) and (text is None or not text.isascii()):
            return f"SQLite ignores only the case of ASCII letters, {self.other('sqlite')} of all"
        return ""

    def comparison(self, node: exp.Expr) -> str:
        names = self.one_of(_SAME_TEXT)
        if names is None or not isinstance(node, _COMPARED) or _is_exact(node):
            return ""
        if isinstance(
            node.parent, exp.SetItem | exp.Update | exp.OnConflict
        ) or not self._is_textual(node):
            return ""
        return f"a comparison of texts ignores case in {names[0]} by default and not in {names[1]}"

    def _is_textual(self, node: exp.Expr) -> bool:
        """Whether it compares with letters, or texts with each other."""
        parts = ("this", "expression", "low", "high")
        sides = [node.args[part] for part in parts if node.args.get(part) is not None]
        sides += node.args.get("expressions") or []
        sides += [each.this for each in node.args.get("ifs") or []]
        kinds = [kind(each, self._tables) for each in sides]
        if any(each is not None and each not in _TEXTS for each in kinds):
            return False
        if isinstance(node, exp.Case) and node.this is None:
            return False
        literals = [each.name for each in sides if isinstance(each, exp.Literal) and each.is_string]
        if any(_has_case(each) for each in literals):
            return len(literals) < len(sides)
        return not literals and len(sides) > 1 and all(each in _TEXTS for each in kinds)

    def grouping(self, node: exp.Expr) -> str:
        names = self.one_of(_SAME_TEXT)
        if names is None or not isinstance(node, exp.Group | exp.Order | exp.Distinct):
            return ""
        keys = node.expressions
        if isinstance(node, exp.Distinct) and isinstance(node.parent, exp.Select):
            keys = keys or [each.unalias() for each in node.parent.selects]
        keys = [each.this if isinstance(each, exp.Ordered) else each for each in keys]
        if not any(kind(each, self._tables) in _TEXTS for each in keys):
            return ""
        return (
            f"texts are grouped and sorted without regard to case in {names[0]} by default, and "
            f"with it in {names[1]}"
        )

    def emptiness(self, node: exp.Expr) -> str:
        names = self.one_of(frozenset({"oracle"}))
        if names is None:
            return ""
        if isinstance(node, exp.Literal) and node.is_string and not node.this:
            return f"'' is NULL in {names[0]} and a text without letters in {names[1]}"
        if isinstance(node, exp.DPipe) and not isinstance(node.parent, exp.DPipe):
            if all(self._is_there(each) for each in node.flatten()):
                return ""
            return f"|| takes NULL for an empty text in {names[0]} and gives NULL in {names[1]}"
        return ""

    def _is_there(self, node: exp.Expr) -> bool:
        """Whether it is never NULL."""
        if isinstance(node, exp.Paren | exp.Cast):
            return self._is_there(node.this)
        if isinstance(node, exp.Literal):
            return bool(node.this)
        if isinstance(node, exp.Coalesce):
            return any(self._is_there(each) for each in (node.this, *node.expressions))
        column = declared(node, self._tables)
        kinds = [each.args.get("kind") for each in column.constraints] if column is not None else []
        never = (exp.NotNullColumnConstraint, exp.PrimaryKeyColumnConstraint)
        return any(isinstance(each, never) and not each.args.get("allow_null") for each in kinds)


_TEXTS = exp.DataType.TEXT_TYPES | {exp.DType.ENUM}
_FINDERS: tuple[Callable[[Differences, exp.Expr], str], ...] = (
    *(Differences.like, Differences.comparison, Differences.grouping, Differences.emptiness),
    *(
        Differences.division,
        Differences.letters,
        Differences.spelling,
        Differences.addition,
        Differences.counting,
    ),
)


def _has_case(text: str) -> bool:
    return text.lower() != text.upper() and not _MOMENT.match(text)


def _is_exact(node: exp.Expr) -> bool:
    """Whether it says itself how texts are compared."""
    if node.find(exp.Collate) is not None:
        return True
    return any(
        each.to.this in (exp.DType.BINARY, exp.DType.VARBINARY) for each in node.find_all(exp.Cast)
    )
