"""TypeScript to JavaScript: its types are taken away, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from tree_sitter import Node

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.common.positions import ByteOffsets, Source as Positions
from codeintel_plugins.transformations.web.trees import Source, walk
from codeintel_plugins.transformations.web.type_removal.cutting import Cut, Cutter
from codeintel_plugins.transformations.web.type_removal.imports import imports_of_types
from codeintel_plugins.transformations.web.type_removal.walk import Removal, removals

_MESSAGES = {
    "annotations": "A type annotation is left out.",
    "type-arguments": "Types that are given to a call or a class are left out.",
    "type-parameters": "Type parameters are left out.",
    "implements": "`implements` is left out.",
    "modifiers": "A modifier that only the type checker reads is left out.",
    "type-declarations": "A declaration of a type is left out.",
    "ambient-declarations": "A declaration of what exists elsewhere is left out.",
    "overloads": "An overload, which has no body, is left out.",
    "abstract-members": "A member that is only declared is left out.",
    "type-members": "An index signature is left out.",
    "type-imports": "A name that is imported or exported as a type is left out.",
    "this-parameters": "The type of `this` is left out.",
    "casts": "A cast is left out.",
    "assertions": "An assertion that there is a value is left out.",
    "optional-marks": "A mark that only the type checker reads is left out.",
}
_TAILS = frozenset(
    {
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
        "return_statement",
        "throw_statement",
        "export_statement",
        "public_field_definition",
    }
)


class TypeRemoval(Transformation):
    """Leaves out what only the type checker reads. Names that are imported stay unless they are
    marked as types, as for Node.js and `verbatimModuleSyntax`."""

    name: ClassVar[str] = "typescript-to-javascript"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = frozenset({"typescript"})
    targets: ClassVar[frozenset[str] | None] = frozenset({"javascript"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.TYPE_REMOVAL
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        if not _MESSAGES.keys().isdisjoint(request.without):
            return Rewrite(code=request.code)  # a part of the types is of no use
        source = Source(request.code, "typescript")
        comments, ends = _surroundings(source.root)
        found = removals(source)
        cuts = Cutter(source.bytes, comments, ends).cuts(found)
        losses = tuple(_losses(comments, cuts))
        if losses and request.options.get("strict"):
            raise Unsupported(losses[0])
        return Rewrite(
            code=source.mark + _without(source.bytes, cuts).decode(),
            changes=tuple(_changes(request.code, found)),
            losses=(*losses, *imports_of_types(source)),
        )


def _surroundings(root: Node) -> tuple[list[tuple[int, int]], frozenset[int]]:
    """Where comments are, and where statements end without a semicolon."""
    comments: list[tuple[int, int]] = []
    ends: set[int] = set()
    for node in walk(root):
        if node.type in ("comment", "html_comment"):
            comments.append((node.start_byte, node.end_byte))
        elif node.type in _TAILS and node.children[-1].type != ";":
            ends.add(node.end_byte)
    return comments, frozenset(ends)


def _without(code: bytes, cuts: Sequence[Cut]) -> bytes:
    kept: list[bytes] = []
    at = 0
    for cut in cuts:
        kept += (code[at : cut.start], cut.by)
        at = cut.end
    return b"".join((*kept, code[at:]))


def _changes(code: str, found: Sequence[Removal]) -> Iterator[Change]:
    offsets = ByteOffsets(Positions(code))
    for removal in found:
        place = offsets.span(removal.start, removal.end)
        yield Change(rule=removal.rule, message=_MESSAGES[removal.rule], range=place)


def _losses(comments: Sequence[tuple[int, int]], cuts: Sequence[Cut]) -> Iterator[str]:
    lost = sum(
        any(cut.start <= start and end <= cut.end for cut in cuts) for start, end in comments
    )
    if lost:
        are = "comment on types is" if lost == 1 else "comments on types are"
        yield f"{lost} {are} left out."
