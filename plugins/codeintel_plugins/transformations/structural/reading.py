"""Code as rules see it: its tree, which text stands where, and small questions about nodes."""

from __future__ import annotations

import math
import re
import time
from functools import cached_property
from typing import TYPE_CHECKING

from codeintel.contracts import Unsupported
from codeintel.engine.dataflow.tree import GRAMMARS, Span, is_page, look_at, program_of, span
from codeintel_plugins.transformations.structural.patches import TextEdit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_TAG = "<?php\n"
_COMMENTS = {
    "java": ("line_comment", "block_comment"),
    "rust": ("line_comment", "block_comment"),
}
_TEXT = re.compile(r"string|heredoc|nowdoc|verbatim|^text|text_block|raw_")
_LINE_END = re.compile(r"\r\n|\n|\r")
_IDENTIFIERS = {
    "c": ("identifier", "type_identifier"),
    "cpp": ("identifier", "type_identifier", "namespace_identifier"),
    "php": ("name",),
    "ruby": ("identifier", "constant"),
    "rust": ("identifier", "type_identifier", "shorthand_field_identifier"),
    "go": ("identifier", "package_identifier", "type_identifier"),
    "java": ("identifier", "type_identifier"),
    "csharp": ("identifier", "implicit_parameter"),
    "bash": ("variable_name",),
}
BLOCKS = frozenset({"block", "compound_statement"})
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
FUNCTIONS = frozenset(
    {
        *("method_declaration", "function_definition", "function_declaration", "function_item"),
        *("lambda_expression", "constructor_declaration", "func_literal", "closure_expression"),
        *(
            "local_function_statement",
            "anonymous_function",
            "arrow_function",
            "accessor_declaration",
        ),
        *("anonymous_method_expression", "anonymous_function_creation_expression", "method"),
        *("property_declaration", "operator_declaration", "conversion_operator_declaration"),
        *("compact_constructor_declaration", "static_initializer", "destructor_declaration"),
    }
)
_COMPARES = frozenset(
    {*("==", "!=", "<", ">", "<=", ">=", "===", "!==", "<>", "&&", "||", "instanceof", "is")}
)


class Reading:
    """A text and its tree. Offsets are code points of the text."""

    def __init__(self, text: str, language: str) -> None:
        from ast_grep_py import SgRoot

        self.text = text
        self.language = language
        self.ends = math.inf
        """When to give up, by the monotonic clock."""
        self.declared: dict[str, list[tuple[str, Span]] | None] = {}
        """Known declarations by name, computed on demand."""
        self.shown, self._offset = text, 0
        if language == "php" and is_page(text):
            self.shown = program_of(text)
        elif language == "php" and "<?" not in text:
            self.shown, self._offset = _TAG + text, len(_TAG)
        self.root = SgRoot(self.shown, GRAMMARS[language]).root()
        look_at(self.root, self.shown)

    def refuse_errors(self) -> None:
        """:raises Unsupported: if the code does not fit the grammar."""
        error = self.root.find(kind="ERROR")
        if error is not None:
            line = len(_LINE_END.findall(self.text, 0, self.span(error).start)) + 1
            raise Unsupported(f"line {line}: the code does not parse as {self.language}")

    def hurry(self) -> None:
        """:raises Unsupported: if it takes too long."""
        if time.monotonic() > self.ends:
            raise Unsupported("line 1: the transformation took too long")

    def span(self, node: SgNode) -> Span:
        """Return the range of a node in the text."""
        start, end = span(node)
        return Span(max(0, start - self._offset), max(0, end - self._offset))

    def source(self, node: SgNode) -> str:
        """Return the text of a node, as it was sent."""
        start, end = self.span(node)
        return self.text[start:end]

    def is_as_sent(self, start: int, end: int) -> bool:
        """Return whether the tree was built from the original text of the range, and not from a
        substitute."""
        begin = start + self._offset
        return self.shown[begin : begin + end - start] == self.text[start:end]

    @cached_property
    def comments(self) -> list[Span]:
        """Where comments stand."""
        kinds = _COMMENTS.get(self.language, ("comment",))
        found = self.root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}})
        return [self.span(node) for node in found]

    @cached_property
    def long_texts(self) -> list[Span]:
        """Return the ranges of multi-line texts, whose lines must not be moved."""
        found = self.root.find_all({"rule": {"regex": r"\n"}})
        return [
            self.span(node)
            for node in found
            if _TEXT.search(str(node.kind()))
            or (node.is_leaf() and node.is_named() and "comment" not in str(node.kind()))
        ]

    @cached_property
    def named(self) -> dict[str, list[SgNode]]:
        """The places of each name."""
        kinds = _IDENTIFIERS[self.language]
        found: dict[str, list[SgNode]] = {}
        for node in self.root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}}):
            found.setdefault(node.text(), []).append(node)
        return found

    @property
    def newline(self) -> str:
        """How its first line ends."""
        end = _LINE_END.search(self.text)
        return end[0] if end else "\n"


def named(node: SgNode) -> list[SgNode]:
    """Return the named children, without comments."""
    return [
        each for each in node.children() if each.is_named() and str(each.kind()) not in COMMENTS
    ]


def statements(block: SgNode) -> list[SgNode]:
    """Return the statements of a block.

    Go has a separate node for the list, and Rust's expressions are statements without a node of
    that type.
    """
    found = named(block)
    if len(found) == 1 and found[0].kind() == "statement_list":
        found = named(found[0])
    return found


def only_statement(body: SgNode | None) -> SgNode | None:
    """Return the statement of a body that has a single one."""
    if body is None:
        return None
    if str(body.kind()) not in BLOCKS:
        return body if body.kind() != "else_clause" else only_statement(_first(body))
    found = statements(body)
    return found[0] if len(found) == 1 else None


def _first(node: SgNode) -> SgNode | None:
    return next(iter(named(node)), None)


def field(node: SgNode, *names: str) -> SgNode | None:
    """Return the child in the first of the fields that it has."""
    return next((found for name in names if (found := node.field(name)) is not None), None)


def inner(node: SgNode | None) -> SgNode | None:
    """Return the content of the parentheses that a grammar makes part of a condition."""
    if node is not None and str(node.kind()) in ("parenthesized_expression", "condition_clause"):
        found = named(node)
        return found[0] if len(found) == 1 else None
    return node


def operator(node: SgNode) -> str:
    """Return the operator of a binary or unary expression."""
    held = node.field("operator")
    if held is not None:
        return held.text()
    return next((each.text() for each in node.children() if not each.is_named()), "")


def is_boolean(node: SgNode | None) -> bool:
    """Return whether an expression is a truth value: a comparison, or a combination of them."""
    if node is None:
        return False
    kind = str(node.kind())
    if kind in ("true", "false", "boolean_literal", "boolean", "instanceof_expression"):
        return True
    if kind in ("is_expression", "is_pattern_expression"):
        return True
    if kind == "parenthesized_expression":
        return is_boolean(inner(node))
    if kind in ("unary_expression", "prefix_unary_expression", "unary_op_expression"):
        return operator(node) == "!"
    if kind != "binary_expression" or operator(node) not in _COMPARES:
        return False
    if operator(node) in ("&&", "||"):
        return is_boolean(node.field("left")) and is_boolean(node.field("right"))
    return True


def function_of(node: SgNode) -> SgNode | None:
    """Return the function around a node."""
    return next((each for each in node.ancestors() if str(each.kind()) in FUNCTIONS), None)


def result_type(node: SgNode) -> str:
    """Return the result type of the function around a node, or an empty text if it is not
    written."""
    function = function_of(node)
    if function is None or str(function.kind()) in ("lambda_expression", "accessor_declaration"):
        return ""
    typed = field(function, "type", "returns", "result", "return_type")
    declarator = function.field("declarator")
    if declarator is not None and declarator.kind() != "function_declarator":
        return ""
    return typed.text() if typed is not None else ""


def dedented(reading: Reading, node: SgNode, start: int, like: SgNode) -> list[TextEdit]:
    """Return edits that move the lines of a node, beginning at `start`, to the indentation of
    another node. Multi-line texts are not moved."""
    by = _indent(reading, node) - _indent(reading, like)
    end = reading.span(node).end
    if by <= 0:
        return []
    texts = [place for place in reading.long_texts if place.start < end and start < place.end]
    lines = re.compile(r"[\r\n](?=[ \t]{" + str(by) + "})")
    return [
        TextEdit(found.end(), found.end() + by, "", quiet=True)
        for found in lines.finditer(reading.text, start, end)
        if reading.text[found.end()] not in "\r\n"
        and not any(place.start < found.end() < place.end for place in texts)
    ]


def _indent(reading: Reading, node: SgNode) -> int:
    start = reading.span(node).start
    begin = max(reading.text.rfind("\n", 0, start), reading.text.rfind("\r", 0, start)) + 1
    line = reading.text[begin:start]
    return len(line) - len(line.lstrip(" \t"))


def line_edit(reading: Reading, start: int, end: int) -> TextEdit:
    """Return the edit that removes the range, with its line if nothing else is on it."""
    text = reading.text
    begin, behind = start, end
    while begin and text[begin - 1] in " \t":
        begin -= 1
    while behind < len(text) and text[behind] in " \t":
        behind += 1
    if (not begin or text[begin - 1] in "\r\n") and behind < len(text) and text[behind] in "\r\n":
        behind += 2 if text.startswith("\r\n", behind) else 1
        return TextEdit(begin, behind, "")
    return TextEdit(start, end, "")
