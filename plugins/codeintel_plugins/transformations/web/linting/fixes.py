"""Oxlint's safe fixes as edits."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from codeintel_plugins.linters.oxlint.fixes import Extent, FixKind, Offer, Position, offers
from codeintel_plugins.linters.oxlint.process import write_configuration
from codeintel_plugins.transformations.web.edits import Edit
from codeintel_plugins.transformations.web.linting.rules import OXLINT_RULES, OxlintRule
from codeintel_plugins.transformations.web.rules import Context

_PLUGINS = ("eslint", "typescript", "unicorn", "react", "import")
_SECONDS = 6.0
_LONE_CR = re.compile(rb"\r(?!\n)")


def fixes(context: Context, kind: str, without: Collection[str]) -> list[list[Edit]]:
    """The fixes of a kind's rules but for those `without`, for code that oxlint can read. What the
    code's own comments switch off stays as it is."""
    rules = [rule for rule in OXLINT_RULES.get(kind, ()) if rule.name not in without]
    if not rules or _LONE_CR.search(context.code):  # which not every tool takes for a line's end
        return []
    write_configuration(
        {
            "plugins": _PLUGINS,
            "categories": {"correctness": "off"},
            "rules": {rule.name: ["warn", *rule.options] for rule in rules},
        }
    )
    by_last_part = {rule.last_part: rule for rule in rules}
    offered = offers(f"code.{_extension(context)}", context.code.decode(), FixKind.SAFE, _SECONDS)
    places = _Places(context.code)
    found = []
    for offer in offered:
        rule = by_last_part.get(offer.rule.rpartition("/")[2])
        edits = _edits(offer, rule, places, context) if rule is not None else []
        if edits:
            found.append(edits)
    return found


def _extension(context: Context) -> str:
    if context.language == "javascript":
        return "js"  # which may hold JSX, too
    has_jsx = any(kind.startswith("jsx_") for kind in context.nodes)
    return "tsx" if has_jsx else "ts"


def _edits(offer: Offer, rule: OxlintRule, places: _Places, context: Context) -> list[Edit]:
    """An offer's edits; none where they would not keep what the code does, or take a comment."""
    reported = places.span(offer.reported)
    node = context.source.root.descendant_for_byte_range(*reported)
    if node is None or not rule.holds(context, node):
        return []
    edits = sorted(
        Edit(*places.span(edit.range), edit.new_text.encode(), rule.name, rule.message)
        for edit in offer.edits
    )
    overlap = any(a.end > b.start for a, b in pairwise(edits))
    lost = any(_loses_comment(edit, context) for edit in edits)
    return [] if overlap or lost else edits


def _loses_comment(edit: Edit, context: Context) -> bool:
    return any(
        edit.start <= comment.start_byte
        and comment.end_byte <= edit.end
        and context.code[comment.start_byte : comment.end_byte] not in edit.by
        for comment in context.comments
    )


class _Places:
    """From lines and UTF-16 units to bytes."""

    def __init__(self, code: bytes) -> None:
        self._lines: Sequence[bytes] = code.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, extent: Extent) -> tuple[int, int]:
        """First byte, and the one behind the last."""
        return self._byte(extent.start), self._byte(extent.end)

    def _byte(self, position: Position) -> int:
        if position.line >= len(self._lines):
            return self._starts[-1]
        units = self._lines[position.line].decode().encode("utf-16-le")
        before = units[: 2 * position.character].decode("utf-16-le", "ignore")
        return self._starts[position.line] + len(before.encode())
