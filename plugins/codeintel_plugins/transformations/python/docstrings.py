"""Docstrings in three styles, put into code in which everything else stays, byte for byte."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from codeintel.contracts import Range
from codeintel_plugins.transformations.python.definitions import Function
from codeintel_plugins.transformations.python.descriptions import Description, Entry

_WIDTH = 80
_INDENT = "    "
_LINE_END = re.compile(rb"\r\n|\n|\r")
_SPACE = re.compile(rb"[ \t\f]*")
# What may stand between the last expression of a header and its colon, besides comments.
_TO_COLON = re.compile(rb"(?:[^:#]++|#[^\r\n]*+)*+:")
_REST = re.compile(rb"[ \t\f]*(?:#[^\r\n]*)?(?=[\r\n])")
_GAP = re.compile(rb"(?:[ \t\f]|\\(?:\r\n|\n|\r))*")
# It belongs to the header.
_TYPE_COMMENT = re.compile(rb"[ \t\f]*#[ \t]*type:[^\r\n]*(?:\r\n|\n|\r)")
_DEEPER = re.compile(r"^(?: {4})+", re.MULTILINE)
_BOM = "\ufeff"


def google(said: Description) -> str:
    """`Args:` with a line for each."""
    lines: list[str] = []
    for title, entries in (("Attributes", said.attributes), ("Args", said.parameters)):
        lines += _section(title, map(_google, entries))
    for title, given in (("Returns", said.returns), ("Yields", said.yields)):
        if given is not None:
            lines += _section(title, [f"{given.type}: {given.text}" if given.type else given.text])
    lines += _section("Raises", (f"{each.name}: {each.text}" for each in said.raises))
    return _quoted(said.summary, lines)


def numpy(said: Description) -> str:
    """Format a description with underlined titles."""
    lines: list[str] = []
    for title, entries in (("Attributes", said.attributes), ("Parameters", said.parameters)):
        lines += _underlined(title, map(_numpy, entries))
    for title, given in (("Returns", said.returns), ("Yields", said.yields)):
        if given is not None:
            lines += _underlined(title, [(given.type, given.text)])
    lines += _underlined("Raises", ((each.name, each.text) for each in said.raises))
    return _quoted(said.summary, lines)


def sphinx(said: Description) -> str:
    """Return fields such as `:param name:`."""
    lines = []
    for field, kind, entries in (
        ("ivar", "vartype", said.attributes),
        ("param", "type", said.parameters),
    ):
        for each in entries:
            name = each.name.replace("*", "\\*")
            lines.append(f":{field} {name}: {each.text}")
            if each.type:
                lines.append(f":{kind} {name}: {each.type}{', optional' * each.optional}")
    for field, given in (("returns", said.returns), ("yields", said.yields)):
        if given is not None:
            lines.append(f":{field}: {given.text}")
            lines += [f":rtype: {given.type}"] if given.type and field == "returns" else []
    lines += [f":raises {each.name}: {each.text}" for each in said.raises]
    wrapped = [part for line in lines for part in _wrapped(line, "")]
    return _quoted(said.summary, ["", *wrapped] if wrapped else [])


STYLES: dict[str, Callable[[Description], str]] = {
    "google": google,
    "numpy": numpy,
    "sphinx": sphinx,
}


def _google(entry: Entry) -> str:
    marks = [entry.type] if entry.type else []
    marks += ["optional"] if entry.optional and not entry.name.startswith("*") else []
    kind = f" ({', '.join(marks)})" if marks else ""
    return f"{entry.name}{kind}: {entry.text}"


def _numpy(entry: Entry) -> tuple[str, str]:
    marks = [entry.type] if entry.type else []
    marks += ["optional"] if entry.optional and not entry.name.startswith("*") else []
    return f"{entry.name} : {', '.join(marks)}" if marks else entry.name, entry.text


def _section(title: str, entries: Iterable[str]) -> Iterator[str]:
    lines = [part for entry in entries for part in _wrapped(entry, _INDENT)]
    return iter(["", f"{title}:", *lines] if lines else [])


def _underlined(title: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [
        part
        for head, text in entries
        for part in ([head, *_wrapped(text, _INDENT)] if head else [text])
    ]
    return iter(["", title, "-" * len(title), *lines] if lines else [])


def _wrapped(line: str, indent: str) -> list[str]:
    return textwrap.wrap(
        line,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _quoted(summary: str, lines: list[str]) -> str:
    """Return the source of the docstring, one that keeps backslashes as they are."""
    text = "\n".join([summary, *lines, ""]) if lines else summary
    prefix = "r" if "\\" in text else ""
    return f'{prefix}"""{text}"""'


class Insertions:
    """Docstrings for one piece of code. Columns of a tree count bytes, so this does."""

    def __init__(self, code: str) -> None:
        self._bom = _BOM if code.startswith(_BOM) else ""
        self._code = code.removeprefix(_BOM).encode()
        ends = [*_LINE_END.finditer(self._code)]
        self._starts = [0, *(end.end() for end in ends)]
        self._line_end = ends[0][0] if ends else b"\n"
        self._edits: list[tuple[int, int, bytes]] = []
        self._unit: bytes | None = None

    def put(self, node: Function | ast.ClassDef, docstring: str) -> Range | None:
        """Add the docstring, unless the place is a strange one; the place where its first statement
        begins."""
        header = _TO_COLON.match(self._code, self._header_end(node))
        if header is None:
            return None
        colon = header.end()
        first = self._offset(*_start(node.body[0]))
        rest = _REST.match(self._code, colon)
        end = _LINE_END.match(self._code, rest.end()) if rest else None
        if end is not None:
            indent = _plain(self._indent(first))
            typed = _TYPE_COMMENT.match(self._code, end.end())
            below = typed.end() if typed else end.end()
            text = _laid_out(docstring, indent, end[0])
            if isinstance(node, ast.ClassDef) and not _is_blank(self._code, below):
                text += end[0]
            if not indent or below > first:
                return None
            self._unit = self._unit or self._step(node, indent)
            self._edits.append((below, below, text))
        else:
            gap = _GAP.match(self._code, colon)
            if gap is None or gap.end() != first:
                return None
            outer = _plain(self._indent(self._offset(node.lineno, node.col_offset)))
            indent = outer + (b"\t" if outer.endswith(b"\t") else self._unit or b"    ")
            text = self._line_end + _laid_out(docstring, indent, self._line_end) + indent
            self._edits.append((colon, first, text))
        return self._place(node.body[0])

    def applied(self) -> str:
        """Return the code with all of them."""
        parts, position = [], 0
        for start, end, text in sorted(self._edits):
            parts += [self._code[position:start], text]
            position = end
        return self._bom + b"".join([*parts, self._code[position:]]).decode()

    def _header_end(self, node: Function | ast.ClassDef) -> int:
        """Return the end of a header's last expression. Only its colon and brackets follow."""
        inner: list[ast.AST] = [*getattr(node, "type_params", ())]
        if isinstance(node, ast.ClassDef):
            inner += [*node.bases, *node.keywords]
        else:
            arguments = node.args
            inner += [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            inner += [*arguments.defaults, *(each for each in arguments.kw_defaults if each)]
            inner += [each for each in (arguments.vararg, arguments.kwarg, node.returns) if each]
        places = [(each.end_lineno, each.end_col_offset) for each in inner]  # type: ignore[attr-defined]
        return self._offset(*max([(node.lineno, node.col_offset), *places]))

    def _offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _indent(self, offset: int) -> bytes:
        """Return the indentation of the line of an offset, if only white space precedes the
        offset."""
        start = max(each for each in self._around(offset) if each <= offset)
        space = _SPACE.match(self._code, start)
        return space[0] if space and space.end() == offset else b""

    def _around(self, offset: int) -> tuple[int, ...]:
        return (self._code.rfind(b"\n", 0, offset) + 1, self._code.rfind(b"\r", 0, offset) + 1)

    def _step(self, node: ast.stmt, indent: bytes) -> bytes:
        """Return the additional indentation of a definition's body."""
        outer = _plain(self._indent(self._offset(node.lineno, node.col_offset)))
        return indent.removeprefix(outer)

    def _place(self, statement: ast.stmt) -> Range:
        line, column = _start(statement)
        before = self._code[self._starts[line - 1] : self._offset(line, column)].decode()
        column = len(before) + 1 + (len(self._bom) if line == 1 else 0)
        return Range(line, column, line, column)


def _start(statement: ast.stmt) -> tuple[int, int]:
    """Return the start of a statement: its first decorator, whose line begins with the sign."""
    decorators = getattr(statement, "decorator_list", ())
    if decorators:
        return decorators[0].lineno, statement.col_offset
    return statement.lineno, statement.col_offset


def _plain(indent: bytes) -> bytes:
    """Drop all up to the last form feed, at which Python counts the indentation from zero."""
    return indent.rpartition(b"\f")[2]


def _laid_out(docstring: str, indent: bytes, end: bytes) -> bytes:
    if indent.endswith(b"\t"):
        docstring = _DEEPER.sub(lambda match: "\t" * (len(match[0]) // 4), docstring)
    lines = docstring.split("\n")
    return b"".join((indent + line.encode() if line else b"") + end for line in lines)


def _is_blank(code: bytes, offset: int) -> bool:
    return bool(re.compile(rb"[ \t\f]*[\r\n]").match(code, offset))
