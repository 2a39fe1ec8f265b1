"""Collect the numbers, strings and names of code in any language, and compare them."""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Template = tuple[str, ...]
"""A string as its words and symbols in order, without the values put into it."""
_TOKENS = re.compile(r"\w+|[^\w\s]|\s+")
_PERCENT = re.compile(r"%(?:\(\w+\))?([#0 +-]*(?:\*|\d+)?(?:\.(?:\*|\d+))?)[hlLqjzt]*([a-zA-Z%])")
_BRACES = re.compile(r"\{\{|\}\}|\{[\w.\[\]]*(?:![rsa])?(?::([^{}]*))?\}")
# File modes that mean the same.
_MODES: dict[Template, Template] = {("rt",): ("r",), ("wt",): ("w",), ("at",): ("a",)}
_BREAK = "\0"


@dataclass(slots=True)
class Vocabulary:
    """The numbers, strings and names of a piece of code, with the first line of most.

    :param parts: the operands of each number that is a sum or product.
    :param words: the count of each identifier. A string that is an identifier can become one, as in
        `x["a"]` and `x.a`.
    :param names: identifiers and dotted names that the code uses.
    :param defined: names that the code defines itself.
    :param functions: functions and classes at the top level.
    :param reached: members of modules by their full name, such as `os.path.join`, or `os` for a
        module that is used as a whole.
    :param imports: the imported modules. For a shell, the commands that it calls.
    """

    numbers: Counter[str] = field(default_factory=Counter)
    parts: dict[str, frozenset[str]] = field(default_factory=dict)
    texts: dict[Template, int] = field(default_factory=dict)
    words: Counter[str] = field(default_factory=Counter)
    names: dict[str, int] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    reached: dict[str, int] = field(default_factory=dict)
    imports: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def add_number(self, number: str, line: int, parts: Iterable[str] = ()) -> None:
        """Count a number and record its operands, if there are several."""
        self.numbers[number] += 1
        several = [*parts]
        if len(several) > 1:
            self.parts.setdefault(number, frozenset(several))
        self.lines.setdefault(number, line)

    def add_text(self, pieces: list[str], line: int) -> None:
        """Add a string, given as the pieces around the values put into it."""
        template = tuple(token for piece in pieces for token in tokens(piece))
        template = _MODES.get(template, template)
        if any(not token.isspace() for token in template):
            self.texts.setdefault(template, line)

    def add_name(self, name: str, line: int) -> None:
        """Add an identifier or a dotted name."""
        self.names.setdefault(name, line)
        if "." not in name:
            self.words[name] += 1


def listed(text: str) -> frozenset[str]:
    """Split a table of words."""
    return frozenset(text.split())


def tokens(piece: str) -> list[str]:
    """Split a string into words, symbols and whitespace."""
    if piece.startswith(_BREAK):
        return [piece]
    return _TOKENS.findall(piece)


def percent_pieces(text: str) -> list[str]:
    """Return the pieces of a string that `%` formats."""
    pieces, position = [], 0
    for match in _PERCENT.finditer(text):
        pieces.append(text[position : match.start()])
        pieces += ["%"] if match[2] == "%" else format_pieces(match[1].replace("-", "") + match[2])
        position = match.end()
    return [*pieces, text[position:]]


def brace_pieces(text: str) -> list[str]:
    """Return the pieces of a string that `format` fills."""
    pieces, position = [], 0
    for match in _BRACES.finditer(text):
        pieces.append(text[position : match.start()])
        double = match[0] in ("{{", "}}")
        pieces += [match[0][0]] if double else format_pieces(match[1] or "")
        position = match.end()
    return [*pieces, text[position:]]


def format_pieces(how: str) -> list[str]:
    """Return a format specification such as `.2f` as a piece, because it is a constant, too."""
    plain = how.strip().lstrip("<>").rstrip("sdrivu")
    return [_BREAK + plain] if plain else []


_CUTTING = frozenset({"removesuffix", "removeprefix"})
_TRIVIAL = frozenset({"0", "1", "-1", "0.0", "1.0", "-1.0"})


def changed_numbers(before: Vocabulary, after: Vocabulary, exact: bool) -> Iterator[str]:
    """Yield a sentence for numbers that vanished, appeared or replaced another.

    The count may shrink, because a number can be given a name.
    """
    old, new = _weighty(before.numbers, exact), _weighty(after.numbers, exact)
    gone, added = old.keys() - new.keys(), new.keys() - old.keys()
    # Operands of a sum or product can be given names, or replace such names.
    split = {number for number in gone if _is_made_of(before.parts.get(number), new)}
    joined = {number for number in added if _is_made_of(after.parts.get(number), old)}
    gone -= split.union(*(after.parts[number] for number in joined))
    gone -= _lengths(before, after)
    added -= joined.union(*(before.parts[number] for number in split))
    if gone:
        yield f"{_said(gone, 'of the original', 'missing')}{_line(before, gone)}."
    if added:
        yield f"{_said(added, 'of the result', 'new')}{_line(after, added)}."
    if not gone and not added:
        more = [number for number in old if new[number] > old[number]]
        less = [number for number in old if new[number] < old[number]]
        if more and less:
            yield f"A number replaced another one{_line(after, set(more))}."


def _lengths(before: Vocabulary, after: Vocabulary) -> set[str]:
    """Return the numbers that a call now derives from a string: `x[:-3]` can become
    `x.removesuffix(".py")`."""
    known = {name.rpartition(".")[2] for name in before.names}
    now = {name.rpartition(".")[2] for name in after.names}
    if not (_CUTTING & now) - known:
        return set()
    lengths = {sum(map(len, text)) for text in after.texts}
    return {sign + str(length) for length in lengths for sign in ("", "-")}


def _weighty(numbers: Counter[str], exact: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for number, times in numbers.items():
        if number not in _TRIVIAL:
            found[number if exact else number.removesuffix(".0")] += times
    return found


def _is_made_of(parts: frozenset[str] | None, numbers: Counter[str]) -> bool:
    return parts is not None and parts - _TRIVIAL <= numbers.keys()


def _said(numbers: set[str], of: str, what: str) -> str:
    several = len(numbers) > 1
    return f"{len(numbers)} numbers {of} are {what}" if several else f"A number {of} is {what}"


def _line(where: Vocabulary, numbers: set[str]) -> str:
    lines = [where.lines[each] for each in numbers if each in where.lines]
    return f" (line {min(lines)})" if lines else ""


_MAY_VANISH = frozenset({"r", "rt", "utf-8", "utf8", "use strict", "UTF-8", "ascii"})
_MAY_APPEAR = frozenset({"__main__", "use strict"})


def changed_texts(before: Vocabulary, after: Vocabulary) -> Iterator[str]:
    """Yield a sentence for strings that vanished or appeared.

    Strings on both sides match. Of the others, the words must match, because strings can be split
    and joined.
    """
    gone = [each for each in before.texts if each not in after.texts]
    new = [each for each in after.texts if each not in before.texts]
    gone = [each for each in gone if not _may(each, _MAY_VANISH, before, after)]
    new = [each for each in new if not _may(each, _MAY_APPEAR, after, before)]
    missing, added = _words(gone) - _words(new), _words(new) - _words(gone)
    if gone and new and len(gone) == len(new) and not (missing or added):
        if sorted(map(_joined, gone)) != sorted(map(_joined, new)):
            yield f"The words of a string changed their order{_line_of_text(after, new)}."
        return
    # A part of a remaining string can be extracted or repeated.
    if not (missing <= _words(after.texts) and (new or _are_parts(gone, after))):
        yield f"A string of the original is missing{_line_of_text(before, gone)}."
    if not (added <= _words(before.texts) and (gone or _are_parts(new, before))):
        yield f"A string is new in the result{_line_of_text(after, new)}."


def _may(text: Template, known: frozenset[str], one: Vocabulary, other: Vocabulary) -> bool:
    """Return whether a string is harmless, or became one more name on the other side."""
    whole = "".join(text)
    is_name = len(text) == 1 and whole.isidentifier()
    return whole in known or (is_name and other.words[whole] > one.words[whole])


def _are_parts(texts: Iterable[Template], of: Vocabulary) -> bool:
    """Return whether each string is part of a known string or is made of several known ones."""
    wholes = {"".join(each) for each in of.texts}
    return all(
        any(text in whole for whole in wholes) or wholes.issuperset(text.split())
        for text in map("".join, texts)
    )


def _joined(text: Template) -> str:
    """Return the string, ignoring where values are put into it."""
    return "".join(text)


def _words(texts: Iterable[Template]) -> set[str]:
    return {token for text in texts for token in text if not token.isspace()}


def _line_of_text(where: Vocabulary, texts: Iterable[Template]) -> str:
    lines = [where.texts[each] for each in texts]
    return f" (line {min(lines)})" if lines else ""


_MAX_DEPTH = 20
_LIMIT = 10**30
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
}
Number = int | float | complex


def folded(node: ast.expr, depth: int = 0) -> Number | None:
    """Return the number that an expression evaluates to.

    Return None if it is not a number, or is too large or too deeply nested.
    """
    if isinstance(node, ast.Constant):
        number = isinstance(node.value, Number) and not isinstance(node.value, bool)
        return node.value if number else None  # type: ignore[return-value]
    if depth >= _MAX_DEPTH:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = folded(node.operand, depth + 1)
        return value if value is None or isinstance(node.op, ast.UAdd) else -value
    if not isinstance(node, ast.BinOp) or type(node.op) not in _OPERATORS:
        return None
    left = folded(node.left, depth + 1)
    right = folded(node.right, depth + 1) if left is not None else None
    if left is None or right is None or abs(left) > _LIMIT or abs(right) > _LIMIT:
        return None
    if isinstance(node.op, ast.Pow) and abs(right) > 64:
        return None
    try:
        value = _OPERATORS[type(node.op)](left, right)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return value if isinstance(value, Number) else None


def written(number: Number) -> str:
    """Return a number as text. Long numbers are hexadecimal."""
    long = isinstance(number, int) and abs(number) > _LIMIT
    return hex(number) if long else repr(number)  # type: ignore[arg-type]


def folded_text(text: str) -> Number | None:
    """Return the number that code in any language evaluates to, if it is plain arithmetic."""
    try:
        return folded(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
