"""Ruff's fixes, with their positions in the text."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from codeintel_plugins.python.ruff_process import Diagnostic, Location, ruff_binary
from codeintel_plugins.toolkit.processes import ToolRun

_NUMBER = re.compile(r"(?<!\{)\{\d+(?=[}!:.\[])")
_AMONG = re.compile(r"\bin \{")
_MADE_BOOL = re.compile(r"\bbool\(")
_RETURNED = re.compile(r"return (?!bool\(|not )(.+)")
_ENVIRONMENT = {"RAYON_NUM_THREADS": "1", "NO_COLOR": "1"}
_SECONDS = 5.0
_MAX_FIXES = 4_000
_EXACTLY = "lint.explicit-preview-rules=true"
_LINE_END = re.compile("\r\n|\n|\r")


def worded(rule: str, content: str) -> Iterator[str]:
    """Yield alternatives to the text of ruff's fix, the best first."""
    if rule == "PLR1714" and _AMONG.search(content):
        yield _among_tuples(content)
    elif rule == "UP030":
        yield _NUMBER.sub("{", content)  # ruff skips the second of two adjacent ones
    elif rule in {"SIM103", "SIM210"} and _MADE_BOOL.search(content):
        if (short := _without_bool(content)) != content:
            yield short
        yield content
    else:
        yield content
        if rule == "SIM103" and (found := _RETURNED.fullmatch(content)):
            yield f"return bool({found.group(1)})"


def _among_tuples(content: str) -> str:
    """`x in {1, 2}` asks for a hash, which `x == 1 or x == 2` does not: `x in (1, 2)`."""
    found = [
        each.comparators[0]
        for each in _nodes(content)
        if isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.In | ast.NotIn)
    ]
    for node in found:
        if isinstance(node, ast.Set):
            content = _replaced(content, node, "(", ")")
    return content


def _without_bool(content: str) -> str:
    """`bool(a == 1 or b == 1)` is a bool anyway, unless a class says otherwise."""
    for node in _nodes(content):
        match node:
            case ast.Call(func=ast.Name(id="bool"), args=[ast.BoolOp() as inner], keywords=[]):
                if node.end_lineno == 1 and inner.end_col_offset is not None:
                    start, end = node.col_offset, node.end_col_offset or 0
                    text = content.encode()
                    kept = text[inner.col_offset : inner.end_col_offset]
                    return (text[:start] + kept + text[end:]).decode()
    return content


def _nodes(content: str) -> list[ast.AST]:
    """Return the nodes of a piece of code; none if it is not whole, or of several lines."""
    if "\n" in content:
        return []
    try:
        return list(ast.walk(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError):
        return []


def _replaced(content: str, node: ast.expr, opening: str, closing: str) -> str:
    """Return a piece of code with other brackets round a node."""
    text, end = content.encode(), node.end_col_offset or 0
    inner = text[node.col_offset + 1 : end - 1].decode()
    return f"{text[: node.col_offset].decode()}{opening}{inner}{closing}{text[end:].decode()}"


class Replacement(msgspec.Struct, frozen=True, order=True):
    """Replace what is between two offsets, the end exclusive."""

    start: int
    end: int
    content: str


class Fix(msgspec.Struct, frozen=True):
    """The edits of one finding. `row` is where it begins, `said` what is wrong, `message` what is
    done."""

    rule: str
    said: str
    message: str
    row: int
    edits: tuple[Replacement, ...]

    @property
    def key(self) -> tuple[str, tuple[Replacement, ...]]:
        """Return the identity of the fix."""
        return self.rule, self.edits


class Lines:
    """Map rows and columns of a text to offsets."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self._length = len(text)

    def offset(self, location: Location) -> int:
        """Return the offset of ruff's row and column."""
        if location.row > len(self._starts):
            return self._length
        return min(self._starts[location.row - 1] + location.column - 1, self._length)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def fixes(text: str, rules: Sequence[str], version: str, *, preview: bool = False) -> Iterator[Fix]:
    """Yield the fixes of some rules; what ruff only shows is left out. Of those for one place, the
    best comes first.

    :param preview: whether to use what ruff calls a preview.
    :param version: the oldest Python that must run the result, such as `py311`.
    """
    run = ToolRun(
        [
            ruff_binary(),
            *("check", "--isolated", "--no-cache", "--exit-zero", "--output-format=json-lines"),
            *(f"--select={','.join(rules)}", f"--target-version={version}"),
            *(("--preview", "--config", _EXACTLY) if preview else ()),
            *("--stdin-filename=code.py", "-"),
        ],
        stdin=text,
        environment=_ENVIRONMENT,
        seconds=_SECONDS,
        max_lines=_MAX_FIXES,
    )
    decoder = msgspec.json.Decoder(Diagnostic)
    lines = Lines(text)
    for line in run:
        said = decoder.decode(line)
        if said.fix is None or said.code is None or said.fix.applicability == "display":
            continue
        edits = sorted(
            Replacement(lines.offset(each.location), lines.offset(each.end_location), each.content)
            for each in said.fix.edits
        )
        message = said.fix.message or said.message
        for content in worded(said.code, edits[-1].content):
            last = msgspec.structs.replace(edits[-1], content=content)
            made = (*edits[:-1], last)
            yield Fix(said.code, said.message, message, said.location.row, made)


def formatted(text: str, version: str) -> str:
    """Return the text as ruff formats it."""
    run = ToolRun(
        [
            ruff_binary(),
            *("format", "--isolated", "--no-cache", f"--target-version={version}"),
            *("--config", "format.line-ending='lf'", "--stdin-filename=code.py", "-"),
        ],
        stdin=text,
        environment=_ENVIRONMENT,
        seconds=_SECONDS,
    )
    return run.read().decode()


def compatible(proposed: Iterable[Fix]) -> list[Fix]:
    """Return as many fixes as possible that do not overlap, preferring earlier ones.

    An edit that two fixes have in common, such as an import that both need, does not count as
    overlap.
    """
    taken: list[Fix] = []
    edits: list[Replacement] = []
    known: set[Replacement] = set()
    for fix in sorted(proposed, key=lambda each: [(edit.start, edit.end) for edit in each.edits]):
        new = [edit for edit in fix.edits if edit not in known]
        if any(_meet(edit, other) for edit in new for other in edits[-200:]):
            continue
        taken.append(fix)
        known.update(new)
        edits.extend(new)
    return taken


def _meet(one: Replacement, other: Replacement) -> bool:
    if one.start == other.start:
        return True
    return one.start < other.end and other.start < one.end


def applied(text: str, chosen: Iterable[Fix]) -> str:
    """Return the text with compatible fixes made."""
    pieces: list[str] = []
    end = 0
    for edit in sorted({edit for fix in chosen for edit in fix.edits}):
        pieces += (text[end : edit.start], edit.content)
        end = max(end, edit.end)
    return "".join([*pieces, text[end:]])
