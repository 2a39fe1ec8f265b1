"""The features of one file that rules need: its words, its kinds of nodes, and their texts.

RE2 searches the texts. It accepts the syntax of ast-grep's expressions, and takes linear time for
hostile code too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from codeintel.engine.dataflow.lowering.rust_forms import MARK
from codeintel_plugins.patterns.needs import AllOf, Need, NodeOf, OneOf, expression_needs

if TYPE_CHECKING:
    from ast_grep_py import SgNode

MAX_TEXTS = 1_000_000
"""Maximum number of characters of the nodes' texts that are searched together. Nested nodes repeat
each other's text."""
_EXPRESSION_BYTES = 1 << 20
_WORD = re.compile(r"[A-Za-z0-9_]+")
# Characters that are blank or a letter to one engine only.
_FOREIGN = re.compile(r"[^\x00-\x0a\x0c-\x1b\x20-\x7f]")
# Syntax that means something else in RE2, or in texts that are joined by line breaks.
_UNLIKE = re.compile(r"\\[AzZ]|\[[^\]]*(?:&&|--|~~)")


class _Texts(NamedTuple):
    """The texts of some nodes."""

    exists: bool
    plain: bytes
    """Texts in ASCII, joined by line breaks."""
    foreign: str
    """The other texts in lower case, joined by line breaks."""
    whole: bool
    """False if some texts are missing, because they are too long."""


class Features:
    """The features of one file. Nodes are read only if a need asks for them.

    :param roots: returns the syntax trees of the file.
    """

    def __init__(self, text: str, roots: Callable[[], Iterable[SgNode]]) -> None:
        self._lower = text.lower()
        self._words = frozenset(_WORD.findall(text))
        self._roots = roots
        self._texts: dict[tuple[tuple[str, ...], tuple[str, ...], str], _Texts] = {}
        self._known: dict[NodeOf, bool] = {}

    def may_match(self, need: Need) -> bool:
        """Return whether the file contains what is needed."""
        if isinstance(need, AllOf):
            return (
                need.words <= self._words
                and all(map(self._lower.__contains__, need.literals))
                and all(map(self.may_match, need.others))
            )
        if isinstance(need, OneOf):
            return (
                not need.words.isdisjoint(self._words)
                or any(map(self._lower.__contains__, need.literals))
                or any(map(self.may_match, need.others))
            )
        if isinstance(need, NodeOf):
            known = self._known.get(need)
            if known is None:
                known = self._known[need] = self._has(need)
            return known
        return need in self._lower if isinstance(need, str) else need.text in self._words

    @cached_property
    def _nodes(self) -> dict[str, list[SgNode]]:
        """All nodes by kind."""
        found: defaultdict[str, list[SgNode]] = defaultdict(list)
        for root in self._roots():
            for node in root.find_all(regex=""):
                found[node.kind()].append(node)
        return found

    def _has(self, need: NodeOf) -> bool:
        if not need.expression and not need.field:
            return any(kind in self._nodes for kind in need.kinds)
        texts = self._of(need)
        if not texts.exists:
            return False
        if not need.expression or not texts.whole:
            return True
        search = searcher(need.expression)
        if search is None or search(texts.plain) is not None:
            return True
        return bool(texts.foreign) and _contains(_literals(need.expression), texts.foreign)

    def _of(self, need: NodeOf) -> _Texts:
        key = need.kinds, need.owners, need.field
        found = self._texts.get(key)
        if found is None:
            found = self._texts[key] = _joined(self._selected(need))
        return found

    def _selected(self, need: NodeOf) -> Iterable[SgNode]:
        if need.field:
            owners = (node for kind in need.owners for node in self._nodes.get(kind, ()))
            inner = (child for node in owners for child in node.field_children(need.field))
            return (node for node in inner if not need.kinds or node.kind() in need.kinds)
        kinds = need.kinds or tuple(self._nodes)
        return (node for kind in kinds for node in self._nodes.get(kind, ()))


def _joined(nodes: Iterable[SgNode]) -> _Texts:
    texts: set[str] = set()
    size = 0
    exists = False
    for node in nodes:
        exists = True
        text = node.text()
        if text not in texts:
            size += len(text)
            if size > MAX_TEXTS:
                return _Texts(True, b"", "", False)
            texts.add(text)
    plain = "\n".join(texts)
    foreign = ""
    if _FOREIGN.search(plain):
        plain = "\n".join(text for text in texts if not _FOREIGN.search(text))
        foreign = "\n".join(text for text in texts if _FOREIGN.search(text))
        foreign = foreign.lower().replace(MARK, "!")  # as in the literals of expressions
    return _Texts(exists, plain.encode(), foreign, True)


@cache
def searcher(expression: str) -> Callable[[bytes], object] | None:
    """Return a search of joined texts in ASCII that finds at least what ast-grep's expression
    matches in one of them, or None if RE2 cannot read the expression."""
    import re2  # not while the rules are built, which does not need it

    if _UNLIKE.search(expression):
        return None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _EXPRESSION_BYTES
    options.never_capture = True
    try:
        return re2.compile(b"(?m:" + expression.encode() + b")", options).search
    except re2.error:
        return None


@cache
def _literals(expression: str) -> Need:
    return expression_needs(expression)


def _contains(need: Need, lower: str) -> bool:
    if isinstance(need, str):
        return need in lower
    if isinstance(need, AllOf):
        return all(_contains(part, lower) for part in need.parts)
    return not isinstance(need, OneOf) or any(_contains(part, lower) for part in need.parts)
