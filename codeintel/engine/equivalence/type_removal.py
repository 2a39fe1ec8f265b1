"""Compare TypeScript with JavaScript in V2: equal tokens, except those of types."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from codeintel.base.wording import counted
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.local_edits.line_ends import UNCERTAIN, are_uncertain
from codeintel.engine.syntax import source_of


def compare(comparison: Comparison) -> Evidence:
    """Compare the remaining tokens and their structure one by one."""
    if (comparison.language, comparison.target) != ("typescript", "javascript"):
        return not_applicable("This comparison is for TypeScript converted to JavaScript.")
    try:
        before = typescript_words(comparison.before)
        after = javascript_words(comparison.after)
    except MoreThanTypesError as error:
        return failed(str(error))
    except UnicodeEncodeError:
        return failed("The code contains an unpaired surrogate.")
    if before is None:
        return not_applicable("The original has syntax that could not be read.")
    if after is None:
        return failed("The result cannot be read as JavaScript.")
    if are_uncertain(comparison.before, "typescript") or are_uncertain(
        comparison.after, "javascript"
    ):
        return failed(UNCERTAIN)
    for one, other in zip(before.words, after.words, strict=False):
        difference = _difference(one, other)
        if difference:
            return failed(f"Line {one.line} of the original: {difference}.")
    if len(before.words) != len(after.words):
        return failed(
            "The result and the original without its types differ in the number of tokens."
        )
    strange = Counter(after.comments) - Counter(before.comments)
    if strange:
        return failed(
            f"The result has {counted(strange.total(), 'comment')} that the original lacks."
        )
    left_out = before.count - len(before.words)
    return passed(
        f"{len(after.words)} tokens are equal in order and structure. The other {left_out} tokens "
        "of the original belong to types or separate statements.",
        conclusive=True,
    )


def _difference(one: Word, other: Word) -> str:
    if one.text != other.text:
        return "the tokens differ from this line"
    return "" if one.joint == other.joint else "a token belongs to another expression or statement"


_VARIANCE = re.compile(
    rb"(?<=[<,\s])((?:in\s+out|in|out)\s+)(?=[A-Z_$][\w$]*\s*(?:extends\b|[,>=]))"
)
_MARK = "\ufeff"
_SEPARATORS = frozenset({";", ","})
_LISTS = frozenset({"array", "array_pattern"})
_BLOCKS = frozenset({"program", "statement_block", "switch_case", "switch_default"})


class Word(NamedTuple):
    """A token with its text, its line, and the innermost construct that contains this token and
    the one before."""

    text: bytes
    line: int
    joint: str


@dataclass
class Words:
    """The remaining tokens, the comments, and the number of all tokens."""

    words: list[Word] = field(default_factory=list)
    comments: list[bytes] = field(default_factory=list)
    count: int = 0


def javascript_words(code: str) -> Words | None:
    """Return the tokens of JavaScript, or None if it has syntax errors."""
    data = code.removeprefix(_MARK).encode()
    root = source_of(data).root("javascript")
    return None if root.has_error else _words(root, is_typed=False)


def typescript_words(code: str) -> Words | None:
    """Return the tokens of TypeScript without types, or None if it cannot be read.

    :raises MoreThanTypesError: for constructs that cannot be removed.
    """
    data = code.removeprefix(_MARK).encode()
    without_tags, tags = without_tag_types(data)
    for readable in (without_tags, _VARIANCE.sub(_spaces, without_tags)):
        root = typescript_tree(readable)
        if not root.has_error:
            found = _words(root, is_typed=True)
            found.count += tags
            return found
    return None


def _spaces(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _only_separates(node: Node) -> bool:
    """Return whether a node is an optional separator.

    It counts in the head of a loop, between elements that may be missing, and as a required empty
    statement.
    """
    outer = node.parent
    if node.is_named or node.type not in _SEPARATORS or outer is None:
        return False
    around = outer.parent
    if node.type == "," or around is None:
        return outer.type not in _LISTS
    if outer.type == "empty_statement":
        return around.type in _BLOCKS
    return "for_statement" not in (outer.type, around.type)


def _words(root: Node, *, is_typed: bool) -> Words:
    """Collect the leaves. Optional separators do not count as tokens."""
    found = Words()
    frames: list[str] = []
    low = 0
    gone: list[tuple[int, int]] = []
    cursor = root.walk()
    while True:
        node = cursor.node
        assert node is not None  # noqa: S101 - for mypy: a cursor is always somewhere
        is_comment = node.type in ("comment", "html_comment")
        is_gone = any(start <= node.start_byte < end for start, end in gone)
        if is_typed and not is_comment and not is_gone:
            gone = [each for each in gone if each[1] > node.start_byte]
            gone.extend(erased(node))
            is_gone = any(start <= node.start_byte < end for start, end in gone)
        if is_comment:
            found.comments.append(b" ".join((node.text or b"").split()))
        elif cursor.goto_first_child():
            frames.append("" if is_typed and is_transparent(node) else name_of(node))
            continue
        elif node.end_byte > node.start_byte:
            found.count += 1
            if not is_gone and not _only_separates(node):
                joint = next(filter(None, reversed(frames[:low])), "")
                found.words.append(Word(node.text or b"", node.start_point.row + 1, joint))
                low = len(frames)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
            frames.pop()
            low = min(low, len(frames))


Stretch = tuple[int, int]


class MoreThanTypesError(Exception):
    """The code has constructs that exist at run time and that JavaScript lacks."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPES = _listed(
    """
    abstract_method_signature accessibility_modifier ambient_declaration
    asserts_annotation adding_type_annotation function_signature implements_clause
    index_signature interface_declaration method_signature omitting_type_annotation
    opting_type_annotation override_modifier type_alias_declaration type_annotation
    type_arguments type_parameters type_predicate_annotation
    """
)
_NAMES = {
    "abstract_class_declaration": "class_declaration",
    "extends_clause": "class_heritage",
    "public_field_definition": "field_definition",
    "required_parameter": "assignment_pattern",
    "optional_parameter": "assignment_pattern",
}
_SPACES = frozenset({"internal_module", "module"})
_RUNNING = frozenset({"enum_declaration", "import_alias", "import_require_clause", "decorator"})
_TRANSPARENT = frozenset(
    {"as_expression", "instantiation_expression", "non_null_expression", "satisfies_expression"}
)


def name_of(node: Node) -> str:
    """Return the name of a construct in JavaScript's grammar."""
    return _NAMES.get(node.type, node.type)


def is_transparent(node: Node) -> bool:
    """Return whether a construct vanishes with its types."""
    return node.type in _TRANSPARENT or node.type == "type_assertion"


def erased(node: Node) -> Iterator[Stretch]:
    """Yield the byte ranges of a construct that belong to types.

    :raises MoreThanTypesError: for constructs that are not types and that JavaScript lacks.
    """
    kind = node.type
    if kind in _TYPES or _is_statement_of_types(node) or _is_declared_only(node):
        yield node.start_byte, node.end_byte
    elif kind in _RUNNING or (kind in _SPACES and node.is_named):
        if not _is_in_types(node):
            raise MoreThanTypesError(f"Line {node.start_point.row + 1} has more than types.")
    elif kind in ("as_expression", "satisfies_expression"):
        yield node.children[0].end_byte, _end_of_type(node)
    elif kind in ("?", "!"):
        yield from _mark(node)
    elif kind in ("abstract", "readonly", "declare"):
        yield node.start_byte, node.end_byte


def _mark(node: Node) -> Iterator[Stretch]:
    """Yield `?` and `!` where they mark a name or a value and are not operators."""
    parent = node.parent
    if parent is None or parent.type in ("ternary_expression", "unary_expression"):
        return
    if parent.type != "binary_expression":
        yield node.start_byte, node.end_byte


def _is_in_types(node: Node) -> bool:
    outer: Node | None = node
    while outer is not None:
        if outer.type in _TYPES or _is_statement_of_types(outer):
            return True
        outer = outer.parent
    return False


def _is_statement_of_types(node: Node) -> bool:
    if node.type in _SPACES and node.is_named:
        return _holds_types_only(node)
    if node.type not in ("import_statement", "export_statement", "expression_statement"):
        return False
    if any(child.type == "type" for child in node.children):
        return True
    inner = [each for each in node.children if each.type in _TYPES or each.type in _SPACES]
    return bool(inner) and all(each.type in _TYPES or _holds_types_only(each) for each in inner)


def _holds_types_only(node: Node) -> bool:
    """Return whether a namespace holds nothing at run time."""
    body = node.child_by_field_name("body")
    return body is None or all(
        each.type in ("{", "}", ";", "comment", "empty_statement")
        or each.type in _TYPES - {"function_signature"}
        or _is_statement_of_types(each)
        for each in body.children
    )


def _is_declared_only(node: Node) -> bool:
    """Return whether a node only declares a member or name for types, or is the type of `this`."""
    children = node.children
    if node.type == "public_field_definition":
        return any(each.type in ("abstract", "declare") for each in children)
    if node.type in ("import_specifier", "export_specifier"):
        return len(children) > 1 and children[0].type == "type"
    pattern = node.child_by_field_name("pattern") if node.type == "required_parameter" else None
    return pattern is not None and pattern.type == "this"


def _end_of_type(node: Node) -> int:
    """Return the end of the type after `as`, including `.Name`, `[0]`, `| null` and `& Other`."""
    while (outer := node.parent) is not None and outer.children[0] == node:
        joined = outer.children[1].type if len(outer.children) > 1 else ""
        if joined not in (".", "[", "|", "&", "type_arguments"):
            break
        node = outer
    return node.end_byte


_ROUNDS = 4
_REACH = 2_000


def typescript_tree(code: bytes) -> Node:
    """Parse TypeScript, without or with JSX."""
    source = source_of(code)
    root = source.root("typescript")
    return source.root("tsx") if root.has_error else root


def without_tag_types(code: bytes) -> tuple[bytes, int]:
    """Blank out the types of tagged templates, which the grammars cannot read, and return their
    number.

    Such a type is between a name and the template that calls it.
    """
    found = [
        (_opening(code, each.end() - 1), each.end() - 1)
        for each in re.finditer(rb"(?<![=])>(`)", code)
    ]
    # Each round reads the whole code, and finds everything that is not a type.
    for _ in range(_ROUNDS):
        if not found:
            break
        tried = bytearray(code)
        for at, tick in found:
            tried[at:tick] = re.sub(rb"[^\r\n]", b" ", code[at:tick])
        root = typescript_tree(bytes(tried))
        called = [each for each in found if _is_tagged(root, each[1])]
        if called == found:
            return bytes(tried), len(found)
        found = called
    return code, 0


def _opening(code: bytes, tick: int) -> int:
    """Return the position of the bracket that closes before a template."""
    depth, at = 0, tick
    while at > max(0, tick - _REACH):
        at -= 1
        depth += (code[at : at + 1] == b">" and code[at - 1 : at] != b"=") - (
            code[at : at + 1] == b"<"
        )
        if depth == 0:
            break
    return at


def _is_tagged(root: Node, tick: int) -> bool:
    template = root.descendant_for_byte_range(tick, tick + 1)
    outer = template.parent if template is not None else None
    if outer is None or outer.type != "template_string" or outer.start_byte != tick:
        return False
    return outer.parent is not None and outer.parent.type == "call_expression"
