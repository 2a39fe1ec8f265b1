"""Needs: the content that code must have for a rule to match, derived from the rule.

Compiling a rule takes ast-grep far longer than looking for its parts, and a file matches few of the
hundreds of rules for its language. So the needs are checked first: the words of patterns, the kinds
of nodes, and the expressions that a node's text must match. One of several alternatives is enough.
Exclusions need nothing. `features` checks the needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from re import _constants, _parser  # type: ignore[attr-defined] # the only parser that there is
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_VARIABLE = re.compile(r"\$+[A-Z_][A-Z0-9_]*|\$\$\$")
_CAPTURED = re.compile(r"(?<!\$)\$([A-Z][A-Z0-9_]*)")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_KIND = re.compile(r"\w+")
_STAND_IN = "zz"
_RELATIONS = ("inside", "has", "precedes", "follows")
_MAX_DEPTH = 20
_SHORTEST = 3
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class Word(msgspec.Struct, frozen=True, tag="word", array_like=True):
    """A whole word of ASCII letters, digits and underscores, in this case."""

    text: str


class NodeOf(msgspec.Struct, frozen=True, tag="node", array_like=True):
    """A node of one of some kinds, or of any kind, whose text matches an expression of ast-grep.

    With `field`, the node is in this field of a node of the kinds `owners`.
    """

    kinds: tuple[str, ...]
    expression: str = ""
    owners: tuple[str, ...] = ()
    field: str = ""


class _Parts(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """Several needs, grouped by the way in which they are checked."""

    parts: tuple[Need, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """The whole words among the parts."""
        return frozenset(part.text for part in self.parts if isinstance(part, Word))

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """The parts of the text among the parts."""
        return tuple(part for part in self.parts if isinstance(part, str))

    @cached_property
    def others(self) -> tuple[NodeOf | AllOf | OneOf, ...]:
        """The other parts."""
        return tuple(part for part in self.parts if not isinstance(part, str | Word))


class AllOf(_Parts, frozen=True, tag="all", array_like=True):
    """All parts are needed. Without parts, nothing is needed."""


class OneOf(_Parts, frozen=True, tag="one", array_like=True):
    """One of the parts is needed."""


Need = str | Word | NodeOf | AllOf | OneOf
"""A string is a part of the text in lower case."""
NOTHING = AllOf(())


def needs(
    match: Mapping[str, Any],
    utils: Mapping[str, Any],
    constraints: Mapping[str, Any],
    grammars: Sequence[str],
) -> Need:
    """Return what a rule of ast-grep needs. `grammars` are ast-grep's names of its languages."""
    return _Reader(utils, constraints, grammars).rule(match, _Place())


def expression_needs(expression: str) -> Need:
    """Return the literals of at least three characters that text must contain to match a regular
    expression. Return `NOTHING` if Python cannot read the expression."""
    try:
        tree = _parser.parse(expression)
    except (re.error, RecursionError, OverflowError):
        return NOTHING
    return _sequence(tree)


def expressions_in(need: Need) -> Iterable[str]:
    """Yield the expressions that the texts of nodes must match."""
    if isinstance(need, NodeOf) and need.expression:
        yield need.expression
    elif isinstance(need, AllOf | OneOf):
        for part in need.parts:
            yield from expressions_in(part)


def _sequence(tree: Any) -> Need:
    parts: list[Need] = []
    literal = ""
    for operation, argument in tree:
        if operation is _constants.LITERAL:
            literal += chr(argument).lower()
            continue
        parts.append(_literal(literal))
        literal = ""
        parts.append(_operation(operation, argument))
    return _all_of([*parts, _literal(literal)])


def _literal(text: str) -> Need:
    # Where a macro of Rust is read as a call its `!` becomes a letter that looks like it.
    return (
        text.replace("\N{LATIN LETTER RETROFLEX CLICK}", "!") if len(text) >= _SHORTEST else NOTHING
    )


def _operation(operation: Any, argument: Any) -> Need:
    if operation is _constants.BRANCH:
        return _one_of(_sequence(each) for each in argument[1])
    if operation is _constants.SUBPATTERN:
        return _sequence(argument[3])
    if operation in _REPEATS and argument[0] > 0:
        return _sequence(argument[2])
    if operation is _constants.ATOMIC_GROUP:
        return _sequence(argument)
    if operation is _constants.ASSERT:
        return _sequence(argument[1])
    return NOTHING


class _Place(NamedTuple):
    """The nodes that a part of a rule is about. `kinds` is None if any kind is possible."""

    kinds: frozenset[str] | None = None
    owners: frozenset[str] | None = None
    field: str = ""

    def narrowed(self, kinds: frozenset[str] | None) -> _Place:
        """Return the place for nodes that are also of other kinds."""
        return self._replace(kinds=_both(self.kinds, kinds))

    def node(self, expression: str = "") -> Need:
        """Return the need of such a node."""
        owners = tuple(sorted(self.owners)) if self.field and self.owners else ()
        found = NodeOf(
            tuple(sorted(self.kinds or ())), expression, owners, self.field if owners else ""
        )
        return found if found != NodeOf(()) else NOTHING


class _Pattern(NamedTuple):
    """A pattern: its text without context, the possible kinds of its node, the kinds of the nodes
    within, and the variables that it captures."""

    text: str
    kinds: frozenset[str] | None = None
    inner: frozenset[str] = frozenset()
    variables: tuple[str, ...] = ()


class _Reader:
    """Derives needs from rules. Parts of a rule are about the same node, related nodes, or both."""

    def __init__(
        self, utils: Mapping[str, Any], constraints: Mapping[str, Any], grammars: Sequence[str]
    ) -> None:
        self._utils = utils
        self._constraints = constraints
        self._grammars = grammars
        self._patterns: dict[str, _Pattern | None] = {}

    def rule(self, match: Mapping[str, Any], place: _Place, depth: int = 0) -> Need:
        if depth > _MAX_DEPTH:
            return NOTHING
        place = place.narrowed(self._kinds(match, depth))
        if place.kinds is not None and not place.kinds:
            return OneOf(())
        parts: list[Need] = [place.node()]
        for key, value in match.items():
            if key == "pattern":
                parts.extend(self._pattern(value, place, depth))
            elif key == "all":
                parts.extend(self.rule(each, place, depth + 1) for each in value)
            elif key == "any":
                parts.append(_one_of(self.rule(each, place, depth + 1) for each in value))
            elif key == "regex":
                parts.extend([expression_needs(value), place.node(value)])
            elif key in _RELATIONS:
                parts.append(self.rule(value, self._related(key, value, place), depth + 1))
            elif key == "matches" and value in self._utils:
                parts.append(self.rule(self._utils[value], place, depth + 1))
        return _all_of(parts)

    def _related(self, key: str, relation: Mapping[str, Any], place: _Place) -> _Place:
        of_field = key == "has" and relation.get("stopBy", "neighbor") == "neighbor"
        if not of_field or "field" not in relation:
            return _Place()
        return _Place(owners=place.kinds, field=relation["field"])

    def _kinds(self, match: Mapping[str, Any], depth: int) -> frozenset[str] | None:
        """Return the possible kinds of a rule's node, or None for any kind."""
        if depth > _MAX_DEPTH:
            return None
        found: frozenset[str] | None = None
        for key, value in match.items():
            kinds: frozenset[str] | None = None
            if key == "kind" and _KIND.fullmatch(value):
                kinds = frozenset([value])
            elif key == "pattern" and (pattern := self._read(value)) is not None:
                kinds = pattern.kinds
            elif key == "all":
                for each in value:
                    kinds = _both(kinds, self._kinds(each, depth + 1))
            elif key == "any":
                kinds = _either(self._kinds(each, depth + 1) for each in value)
            elif key == "matches" and value in self._utils:
                kinds = self._kinds(self._utils[value], depth + 1)
            found = _both(found, kinds)
        return found

    def _pattern(self, value: str | Mapping[str, Any], place: _Place, depth: int) -> Iterable[Need]:
        pattern = self._read(value)
        if pattern is None:
            return
        words = _WORD.findall(_VARIABLE.sub(" ", pattern.text))
        for word in words:
            if not word.startswith(_STAND_IN):
                yield Word(word) if pattern.text.isascii() else word.lower()
        yield from (NodeOf((kind,)) for kind in pattern.inner)
        is_variable = _VARIABLE.fullmatch(pattern.text) is not None
        for name in pattern.variables:
            if name in self._constraints:
                at = place if is_variable else _Place()
                yield self.rule(self._constraints[name], at, depth + 1)

    def _read(self, value: str | Mapping[str, Any]) -> _Pattern | None:
        """Return the facts about a pattern, or None."""
        key = repr(value)
        if key not in self._patterns:
            self._patterns[key] = self._examined(value)
        return self._patterns[key]

    def _examined(self, value: str | Mapping[str, Any]) -> _Pattern | None:
        if isinstance(value, str):
            value = {"context": value}
        context, selector = value["context"], value.get("selector")
        if "strictness" in value:
            return None
        names = tuple(dict.fromkeys(_CAPTURED.findall(context)))
        if _VARIABLE.fullmatch(context.strip()):
            return _Pattern(context.strip(), variables=names)
        text: str = context
        kinds: set[str] = set()
        inner: frozenset[str] | None = None
        for grammar in self._grammars:
            root = _stand_in(context, grammar)
            if selector is not None:
                selected = root.find(kind=selector)
                if selected is None or _KIND.fullmatch(selected.text()):
                    return None
                text = selected.text()
            # A match shows the kind of the pattern's node, and the variables that are captured.
            found = root.find({"rule": {"pattern": value if selector else context}})  # type: ignore[call-overload]
            if found is None or found.kind() == "ERROR":
                return _Pattern(text)
            kinds.add(found.kind())
            inner = _both(inner, _inner_kinds(found))
            names = tuple(name for name in names if found.get_match(name) is not None)
        return _Pattern(text, frozenset(kinds), inner or frozenset(), names)


def _stand_in(context: str, grammar: str) -> SgNode:
    """Return the tree of a pattern with identifiers for its variables."""
    from ast_grep_py import SgRoot

    code = _VARIABLE.sub(lambda match: _STAND_IN + match[0].strip("$").lower(), context)
    return SgRoot(code, grammar).root()


def _inner_kinds(node: SgNode) -> frozenset[str]:
    """Return the kinds of the nodes within a pattern's node that stand for no variable."""
    within = [each for each in node.find_all(regex="") if each.is_named() and each.children()]
    if any(each.kind() == "ERROR" for each in within):
        return frozenset()
    return frozenset(each.kind() for each in within if not _KIND.fullmatch(each.text()))


def _both(some: frozenset[str] | None, others: frozenset[str] | None) -> frozenset[str] | None:
    if some is None or others is None:
        return others if some is None else some
    return some & others


def _either(parts: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    found: frozenset[str] = frozenset()
    for each in parts:
        if each is None:
            return None
        found |= each
    return found


def _cost(need: Need) -> int:
    """Return a rank for the time that a check takes. Cheap parts are checked first."""
    if isinstance(need, AllOf | OneOf):
        return max((_cost(part) for part in need.parts), default=0)
    if isinstance(need, NodeOf):
        return (2 if need.kinds or need.owners else 3) if need.expression else 1
    return 0


def _all_of(parts: Iterable[Need]) -> Need:
    found: dict[Need, None] = {}
    for part in parts:
        found.update(dict.fromkeys(part.parts if isinstance(part, AllOf) else [part]))
    if OneOf(()) in found:
        return OneOf(())
    ordered = tuple(sorted(found, key=_cost))
    return ordered[0] if len(ordered) == 1 else AllOf(ordered)


def _one_of(parts: Iterable[Need]) -> Need:
    found: dict[Need, None] = {}
    for part in parts:
        found.update(dict.fromkeys(part.parts if isinstance(part, OneOf) else [part]))
    if NOTHING in found:
        return NOTHING
    ordered = tuple(sorted(found, key=_cost))
    return ordered[0] if len(ordered) == 1 else OneOf(ordered)
