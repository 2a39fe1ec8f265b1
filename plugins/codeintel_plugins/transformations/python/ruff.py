"""Python transformations by ruff's fixes. Defines the rules of each kind, maps fixes to
positions in the original, and applies the fixes that keep the meaning, in rounds, before
formatting."""

from __future__ import annotations

import ast
import doctest
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import ClassVar

from codeintel.contracts import (
    Change,
    Equivalence,
    Range,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.python.ruff_process import ruff_binary
from codeintel_plugins.toolkit.processes import ToolFailed
from codeintel_plugins.transformations.python.fixes import (
    Fix,
    Lines,
    Replacement,
    applied,
    compatible,
    fixes,
    formatted,
)
from codeintel_plugins.transformations.python.proofs import Prover

# Shorter conditions, choices and returns.
_SIMPLER = (
    "SIM101 SIM102 SIM103 SIM105 SIM108 SIM109 SIM110 SIM114 SIM117 SIM118 SIM201 SIM202 SIM208"
    " SIM210 SIM211 SIM212 SIM300 SIM401 SIM910 SIM911 RET501 RET502 RET503 RET504 RET505"
    " RET506 RET507 RET508 PIE790 PIE800 PIE804 PIE807 PIE808 PIE810 PLR0402 PLR1701 PLR1711"
    " PLR1714 PLR1716 PLR1730 PLR5501 PLC0414 PLW0120 PLW0245 RSE102 FURB105 FURB110 FURB136"
    " FURB168 FURB169 FURB171 RUF010 RUF019 B009 B010 B013 B014 B033 C419 E401 E703 E711 E713 E714"
    " W291 W293 W605 F401 F541 F811 F841 E731 RUF021 ISC001 ISC003 I001"
)
_COLLECTIONS = (
    "C400 C401 C402 C403 C404 C405 C406 C408 C409 C410 C411 C413 C414 C416 C417 C418 C420"
)
_NEWER = (
    "UP001 UP003 UP004 UP005 UP006 UP007 UP008 UP009 UP010 UP011 UP012 UP015 UP017 UP018 UP019"
    " UP021 UP022 UP024 UP025 UP026 UP028 UP029 UP030 UP031 UP032 UP033 UP034 UP035 UP036"
    " UP037 UP039 UP041 UP043 UP044 UP045 UP050 FLY002 PYI016 PYI025 PYI041 PYI061 FURB105 FURB129"
    " FURB162 FURB166 FURB167 FURB168 FURB169 FURB181 FURB188 RUF010 RUF020 RUF036 RUF041 C400 C401"
    " C402 C403 C404 C405 C406 C409 C410 C416 C417 C418 E711 E713 E714 W605 F401 F541 PIE790"
)
_FASTER = (
    "PERF101 PERF102 PERF401 PERF403 C419 C420 PIE804 PIE808 PIE810 SIM101 SIM110 SIM118 SIM401"
    " SIM910 SIM911 FURB105 FURB110 FURB122 FURB129 FURB161 FURB181 RUF010 RUF017 RUF019"
    " C416 PLC0207 PLR1714 PLR1730 PLR1733 PLR1736 UP011 UP012 UP018 UP028 UP033 UP031 UP032 F541"
)
REFACTOR = tuple(dict.fromkeys(f"{_SIMPLER} {_COLLECTIONS} PERF401 PERF403".split()))
MODERNIZE = tuple(dict.fromkeys(_NEWER.split()))
OPTIMIZE = tuple(dict.fromkeys(f"{_FASTER} {_COLLECTIONS}".split()))
PREVIEW = ("PERF401", "PERF403")
"""Rules whose fixes ruff makes only as a preview. Of all its previews these are taken: what they do
is proved as everything else is."""
DENIED = (
    "E712",  # `x == True` is not `x`, nor `x is True`
    "FURB152",  # a number near pi is not pi
    "FURB192",  # the first of equal elements, and of none, is another
    "FURB163",  # the logarithms round differently
    "F632",  # `is` with a literal is a mistake, but what it does is another thing than `==`
    "PLC0208",  # the order of a set is not that of a list
    "UP020",  # who replaces `io.open` to test something would not meet `open`
    "RUF015",  # of none, another error is raised
)
# Used with `aggressive`: rules that are a matter of taste, or whose fixes are seldom provable.
AGGRESSIVE = (
    "B007",
    "RUF005",
    "PLW0108",
    "PLR1722",
    "SIM220",
    "SIM221",
    "SIM222",
    "SIM223",
)
# A formatter may change the examples in docstrings, and their expected output.
_PROMPT = ">>>"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
FORMAT = "format"
_MAX_ROUNDS = 12
_BOM = "\ufeff"
_LOOPS = (".append(", "] = ")


class Origins:
    """Follows untouched text through rounds of edits, back to the original."""

    def __init__(self) -> None:
        self._rounds: list[list[Replacement]] = []

    def move(self, made: Iterable[Fix]) -> None:
        """Note a round of edits."""
        self._rounds.append(sorted({edit for fix in made for edit in fix.edits}))

    def place(self, edits: tuple[Replacement, ...]) -> tuple[int, int] | None:
        """Return the offsets in the original of a fix's edits, or None if an earlier fix changed
        that text."""
        start, end = edits[0].start, max(edit.end for edit in edits)
        for done in reversed(self._rounds):
            moved = _before(done, start, end)
            if moved is None:
                return None
            start, end = moved
        return start, end


def _before(done: list[Replacement], start: int, end: int) -> tuple[int, int] | None:
    """Return offsets after some edits as offsets before them."""
    shift = 0
    for edit in done:
        new_start = edit.start + shift
        new_end = new_start + len(edit.content)
        if new_start >= end:
            break
        if new_end > start:
            return None
        shift += len(edit.content) - (edit.end - edit.start)
    return start - shift, end - shift


# Ruff's rules of each kind. Each fix is proved afterward, position by position. So a rule is
# included if its fixes are mostly useful, and excluded if they are known to change a program's
# behavior.


def put_back(old: str, new: str) -> str:
    """Restore the docstrings of the old text whose examples would expect different output."""
    before, after = _places(old), _places(new)
    if len(before) != len(after):
        return new
    for one, other in zip(before[::-1], after[::-1], strict=True):
        (start, end, printed), (new_start, new_end, now_printed) = one, other
        if printed is None or printed != now_printed:
            new = new[:new_start] + old[start:end] + new[new_end:]
    return new


def _printed(text: str) -> list[str] | None:
    """Return the expected output of the examples in a docstring, or None if it cannot be parsed."""
    try:
        return [each.want for each in doctest.DocTestParser().get_examples(text)]
    except ValueError:
        return None


def _places(text: str) -> list[tuple[int, int, list[str] | None]]:
    """Return the positions of docstrings with examples, in order, with the expected output."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    found: list[tuple[int, int, list[str] | None]] = []
    for node in ast.walk(tree):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str(said))) as first, *_] if (
                isinstance(node, _DOCUMENTED) and _PROMPT in said
            ):
                start = offset(first.lineno, first.col_offset)
                end = offset(first.end_lineno or 1, first.end_col_offset or 0)
                found.append((start, end, _printed(said)))
    return sorted(found, key=lambda place: place[0])


class _Ruff(Transformation):
    """Apply the fixes of some rules, in rounds, while the normal form proves any."""

    languages: ClassVar[frozenset[str]] = frozenset({"python"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.NORMAL_FORM
    rules: ClassVar[tuple[str, ...]]
    formats: ClassVar[bool] = False
    """Whether to format what no rule changed."""
    oldest: ClassVar[str] = "3.9"
    timeout = 15.0

    def __init__(self) -> None:
        self.version = version("ruff")

    def preload(self) -> None:
        ruff_binary()

    def programs(self) -> Sequence[str]:
        return (ruff_binary(),)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        text = _plain(request.code)
        _check(text)
        run = _Run(text, self._rules(request), self._version(request), request.without)
        try:
            run.fix()
            run.format(always=self.formats)
        except ToolFailed:
            return Rewrite(code=request.code)
        if run.text == text:
            return Rewrite(code=request.code)
        return Rewrite(code=_dressed(run.text, request.code), changes=tuple(run.changes()))

    def _rules(self, request: RewriteRequest) -> list[str]:
        left_out = {*DENIED, *request.without}
        more = AGGRESSIVE if request.options.get("aggressive") else ()
        return [rule for rule in dict.fromkeys((*self.rules, *more)) if rule not in left_out]

    def _version(self, request: RewriteRequest) -> str:
        """Return the target version. It is not newer than the running Python, which parses the
        result."""
        wanted = str(request.options.get("pythonVersion") or self.oldest)
        minor = min(int(wanted.partition(".")[2]), sys.version_info.minor)
        return f"py3{minor}"


class RuffRefactor(_Ruff):
    """Simplifications, sorted imports and one format."""

    name: ClassVar[str] = "ruff-refactor"
    kind: ClassVar[str] = "refactor"
    rules: ClassVar[tuple[str, ...]] = REFACTOR
    formats: ClassVar[bool] = True


class RuffModernize(_Ruff):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "ruff-modernize"
    kind: ClassVar[str] = "modernize"
    rules: ClassVar[tuple[str, ...]] = MODERNIZE
    oldest: ClassVar[str] = "3.11"


class RuffOptimize(_Ruff):
    """Make Python code faster."""

    name: ClassVar[str] = "ruff-optimize"
    kind: ClassVar[str] = "optimize"
    rules: ClassVar[tuple[str, ...]] = OPTIMIZE


class _Run:
    """The way of one text through the fixes."""

    def __init__(self, text: str, rules: list[str], oldest: str, without: tuple[str, ...]) -> None:
        self.text = text
        self._original = text
        self._rules = rules
        self._oldest = oldest
        self._formats = FORMAT not in without
        self._prover = Prover(len(text))
        self._origins = Origins()
        self._made: list[tuple[Fix, tuple[int, int] | None]] = []
        self._formatted = False

    def fix(self) -> None:
        """Make fixes until there are no more that can be proved."""
        for _ in range(_MAX_ROUNDS):
            proposed = self._proposed()
            chosen = self._chosen(proposed)
            if not chosen:
                return
            for fix in chosen:
                self._made.append((fix, self._origins.place(fix.edits)))
            new = applied(self.text, chosen)
            self._origins.move(chosen)
            self.text = new

    def _proposed(self) -> list[Fix]:
        early = [rule for rule in self._rules if rule in PREVIEW]
        usual = [rule for rule in self._rules if rule not in PREVIEW]
        proposed = list(fixes(self.text, usual, self._oldest)) if usual else []
        if early and any(word in self.text for word in _LOOPS):
            proposed += fixes(self.text, early, self._oldest, preview=True)
        return proposed

    def _chosen(self, proposed: list[Fix]) -> list[Fix]:
        """Return as many of the proposed fixes as can be proved together.

        A rejected fix makes room for fixes that overlap it.
        """
        while proposed and not self._prover.is_exhausted:
            together = compatible(proposed)
            chosen = self._prover.proven(self.text, together)
            if chosen:
                return chosen
            proposed = [fix for fix in proposed if fix not in together]
        return []

    def format(self, always: bool) -> None:
        """Format the text, if requested or if a fix was made."""
        if not self._formats or not (always or self._made):
            return
        new = formatted(self.text, self._oldest)
        if new != self.text and not self._prover.same(self.text, new):
            # What an example is to print may end with blanks, which count.
            new = put_back(self.text, new) if "\r" not in self.text else self.text
        if new != self.text and self._prover.same(self.text, new):
            self._formatted = True
            self.text = new

    def changes(self) -> Iterator[Change]:
        """Yield the changes, in order of position."""
        lines = Lines(self._original)
        for fix, place in sorted(self._made, key=lambda made: made[1] or (sys.maxsize, 0)):
            if place is None:
                yield Change(rule=fix.rule, message=fix.message)
            else:
                start, end = lines.place(place[0]), lines.place(place[1])
                yield Change(
                    rule=fix.rule,
                    message=fix.message,
                    range=Range(
                        start_line=start[0],
                        start_column=start[1],
                        end_line=end[0],
                        end_column=end[1],
                    ),
                )
        if self._formatted:
            yield Change(rule=FORMAT, message="Format the code")


def _plain(code: str) -> str:
    """Remove the byte order mark, and convert line ends to LF."""
    return code.removeprefix(_BOM).replace("\r\n", "\n")


def _dressed(text: str, original: str) -> str:
    """Restore the original's line ends, byte order mark and final line end."""
    if text and not original.endswith(("\n", "\r")):
        text = text.rstrip("\n")
    if "\r\n" in original:
        text = text.replace("\n", "\r\n")
    return f"{_BOM}{text}" if original.startswith(_BOM) else text


def _check(text: str) -> None:
    """:raises Unsupported: for what is no Python 3."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        raise Unsupported(
            f"line {error.lineno or 1}: the code does not parse as Python 3"
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise Unsupported("line 1: the code does not parse as Python 3") from None
