"""Read the strings, other constants and names in languages that tree-sitter parses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import (
    Vocabulary,
    folded_text,
    listed,
    percent_pieces,
    written,
)
from codeintel.engine.syntax import source_of

_TEXT = re.compile(
    r"string|heredoc_body|char(?:acter)?_literal|rune_literal|regex|jsx_text|template_literal"
)
_NO_TEXT = re.compile(r"_type$|type_|concat|interpolation$|substitution|list|_literal_type|array")
_CONTENT = re.compile(
    r"content|fragment|escape|text|start|end|char|quote|string|delimiter|pattern|flags"
)
_OPENING = re.compile(r"(?:\$\{?|\\\(|#\{|\{)\0[)}]?")
_SUM = re.compile(r"binary|additive|infix_expression|concat")
_ADDING = frozenset({"+", ".", ".."})
_QUOTES = re.compile(r"""^(?:[A-Za-z@$#]{0,3}#*)(\"{3,}|'{3}|[`"'])(.*?)\1?#*$""", re.DOTALL)
_ESCAPED_QUOTE = re.compile(r"""\\(["'`$])""")
_BRACES = re.compile(r"\{(\d*)(?::([^{}\"]*))?\}")


class Text(NamedTuple):
    """The pieces of a string, and the nodes that are interpolated into it."""

    pieces: list[str]
    others: list[Node]


@cache  # a grammar has a few hundred node types
def is_kind(kind: str, pattern: re.Pattern[str]) -> bool:
    """Return whether the name of a node type matches the pattern."""
    return pattern.search(kind) is not None


def node_text(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode(errors="replace")


def is_text(node: Node) -> bool:
    """Return whether a node is a whole string literal."""
    kind = node.type
    if kind == "word":  # an argument in shells
        return True
    return is_kind(kind, _TEXT) and not is_kind(kind, _NO_TEXT) and node.is_named


def text_pieces(node: Node) -> Text | None:
    """Return the string that a node builds, or None."""
    if is_text(node):
        return _literal(node)
    if is_kind(node.type, _SUM) and _is_sum(node):
        return _sum(node)
    return None


def _literal(node: Node) -> Text:
    data, start = node.text or b"", node.start_byte
    others: list[Node] = []
    stack = list(reversed(node.children))
    while stack:
        each = stack.pop()
        if each.is_named and each.start_byte > start and not is_kind(each.type, _CONTENT):
            others.append(each)
        else:
            stack.extend(reversed(each.children))
    parts, position = [], 0
    for each in others:
        parts.append(data[position : each.start_byte - start])
        position = each.end_byte - start
    parts.append(data[position:])
    whole = "\0".join(part.decode(errors="replace") for part in parts)
    if others and node_text(others[0])[:1] not in ("$", "#", "\\", "{"):
        whole = _OPENING.sub("\0", whole)
    match = _QUOTES.match(whole) if node.type != "jsx_text" else None
    plain = _ESCAPED_QUOTE.sub(r"\1", match[2] if match else whole)
    pieces = [piece for part in plain.split("\0") for piece in _filled(part)]
    return Text(pieces, others)


def _filled(part: str) -> list[str]:
    """Split a piece at its formatting placeholders."""
    return [piece for each in percent_pieces(part) for piece in _BRACES.sub("\1", each).split("\1")]


def _is_sum(node: Node) -> bool:
    return any(not each.is_named and each.type in _ADDING for each in node.children) or (
        node.type == "concatenated_string"
    )


def _sum(node: Node) -> Text:
    """Read a sum, which is a string if one of its terms is."""
    terms: list[Node] = []
    stack = [node]
    while stack:
        each = stack.pop()
        if each is node or (is_kind(each.type, _SUM) and _is_sum(each)):
            stack.extend(reversed(each.named_children))
        else:
            terms.append(each)
    if not any(is_text(term) for term in terms):
        return Text([], terms)
    said = Text([], [])
    for term in terms:
        inner = _literal(term) if is_text(term) else None
        said.pieces.extend(inner.pieces if inner else [])
        said.others.extend(inner.others if inner else [term])
    return said


_LANGUAGES = listed("""bash c cpp csharp go java javascript kotlin lua php ruby rust scala swift
    typescript tsx""")
_IMPORT = re.compile(
    r"^(?:import_(?:statement|declaration|spec|header)|import|use_declaration|using_directive"
    r"|preproc_include|namespace_use_declaration)$"
)
_QUOTED = re.compile(r"""["'<]([^"'>]+)["'>]""")
_PATH = re.compile(r"[\w$]+(?:(?:\.|::|\\)[\w$]+)*")
_KEYWORDS = listed("import use using static type from as pub global function const")
_TYPES = listed("""type_alias_declaration interface_declaration type_annotation type_arguments
    type_parameters""")
_DEFINING = re.compile(
    r"function|method|class|struct|trait|interface|declarator|definition|declaration|parameter|item"
)
_NUMBER = re.compile(r"\.?\d[\w.']*")
_SUFFIX = re.compile(r"(?<=[\d.])(?:[uUlLfFdDmMn]+|[iu](?:8|16|32|64|128|size)|f(?:32|64))$")
_WORD = re.compile(r"[^\W\d][\w$]*|\$\w+")
_DOTTED = re.compile(r"(\w+)(?:\.|::|->)(\w+)")
_MEMBER = re.compile(
    r"member|field|attribute|selector|scoped|navigation|qualified|access|call|invocation"
)
_OPERATION = re.compile(r"unary|prefix|binary|multiplicative")
_ARITHMETIC = re.compile(r"[\d_\s+*().]+")
_MAX_MEMBER = 80
_MAX_SUM = 200


def can_read(language: str) -> bool:
    """Return whether the constants of a language can be read."""
    return language in _LANGUAGES


def tree_vocabulary(code: str, language: str) -> Vocabulary | None:
    """Read the vocabulary of code without comments, or return None if it has syntax errors."""
    root = source_of(code).root(language)
    if root.has_error:
        return None
    found = Vocabulary()
    found.functions.update(_functions(root))
    stack = [root]
    while stack:
        node = stack.pop()
        if not (node.is_named or node.child_count):
            continue  # an operator or a keyword
        if "comment" not in node.type and node.type not in _TYPES:
            stack.extend(_read(node, found))
    return found


def _functions(root: Node) -> Iterator[str]:
    """Yield the names of top-level functions and classes."""
    for node in root.named_children:
        if is_kind(node.type, _DEFINING):
            name = node.child_by_field_name("name")
            if name is not None and node.child_by_field_name("body") is not None:
                yield node_text(name)


def _read(node: Node, found: Vocabulary) -> list[Node]:
    """Record what a node holds, and return the child nodes that are still to be read."""
    line, kind = node.start_point.row + 1, node.type
    if is_kind(kind, _IMPORT) and node.is_named and _import(node, found, line):
        return []
    if kind == "command_name":
        found.imports.setdefault(node_text(node), line)
        return []
    if is_kind(kind, _DEFINING) and node.is_named:
        name = node.child_by_field_name("name") or node.child_by_field_name("declarator")
        found.defined.update([node_text(name)] if name is not None else ())
    if not node.is_named:
        return node.children
    if _is_number(node, found, line):
        return []
    said = text_pieces(node)
    if said is not None:
        found.add_text(said.pieces, line)
        return said.others
    if node.child_count == 0:
        word = node_text(node)
        if _WORD.fullmatch(word):
            found.add_name(word.lstrip("$"), line)
    elif is_kind(kind, _MEMBER) and node.end_byte - node.start_byte <= _MAX_MEMBER:
        match = _DOTTED.match(node_text(node))
        if match:
            found.add_name(f"{match[1]}.{match[2]}", line)
            found.reached.setdefault(f"{match[1]}.{match[2]}", line)
    return node.children


def _import(node: Node, found: Vocabulary, line: int) -> bool:
    """Record what an import names.

    Return False if the node groups several imports or names nothing.
    """
    if any(
        _IMPORT.fullmatch(each.type) or "spec_list" in each.type for each in node.named_children
    ):
        return False
    text = node_text(node)
    quoted = _QUOTED.search(text)
    paths = [each for each in _PATH.findall(text) if each not in _KEYWORDS]
    if quoted is None and not paths:
        return False
    module = quoted[1].removesuffix(".h") if quoted else paths[0]
    found.imports.setdefault(module, line)
    for word in _WORD.findall(text):
        found.add_name(word, line)
    return True


def _is_number(node: Node, found: Vocabulary, line: int) -> bool:
    size = node.end_byte - node.start_byte
    if size > _MAX_SUM:
        return False
    kind = node.type
    if is_kind(kind, _OPERATION):
        text = node_text(node)
        negative = text.startswith("-")
        bare = text.removeprefix("-").strip()
        if _NUMBER.fullmatch(bare) and negative:
            found.add_number(f"-{_canonical(bare)}", line)
            return True
        if not negative and _ARITHMETIC.fullmatch(text):
            value = folded_text(text.replace("\n", " "))
            if value is not None:
                parts = map(_canonical, _NUMBER.findall(text))
                found.add_number(written(value), line, parts)
                return True
        return False
    leaf = not node.named_child_count
    text = node_text(node) if leaf else ""
    if not leaf or not _NUMBER.fullmatch(text) or is_text(node):
        return False
    found.add_number(_canonical(text), line)
    return True


def _canonical(text: str) -> str:
    """Normalize the spelling of a number."""
    plain = text.replace("_", "").replace("'", "")
    hexadecimal = plain[:2].lower() == "0x"
    plain = plain.rstrip("uUlLn") if hexadecimal else _SUFFIX.sub("", plain)
    readers: tuple[Callable[[str], int | float], ...] = (lambda each: int(each, 0), int, float)
    for read in readers:
        try:
            number = read(plain)
        except (ValueError, OverflowError):
            continue
        if number != float("inf"):
            return written(number)
    return plain
