"""Python by ruff's fixes, of which those are made that keep the meaning; then formatted."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator, Sequence
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
from codeintel_plugins.common.processes import ToolFailed
from codeintel_plugins.python.ruff_process import ruff_binary
from codeintel_plugins.transformations.python import families
from codeintel_plugins.transformations.python.examples import put_back
from codeintel_plugins.transformations.python.fixes import (
    Fix,
    Lines,
    applied,
    compatible,
    fixes,
    formatted,
)
from codeintel_plugins.transformations.python.origins import Origins
from codeintel_plugins.transformations.python.proofs import Prover

FORMAT = "format"
_MAX_ROUNDS = 12
_BOM = "\ufeff"
_LOOPS = (".append(", "] = ")


class _Ruff(Transformation):
    """The fixes of some rules, as long as there are any that the normal form proves."""

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
        left_out = {*families.DENIED, *request.without}
        more = families.AGGRESSIVE if request.options.get("aggressive") else ()
        return [rule for rule in dict.fromkeys((*self.rules, *more)) if rule not in left_out]

    def _version(self, request: RewriteRequest) -> str:
        """Not newer than what checks the result: that must be able to read it."""
        wanted = str(request.options.get("pythonVersion") or self.oldest)
        minor = min(int(wanted.partition(".")[2]), sys.version_info.minor)
        return f"py3{minor}"


class RuffRefactor(_Ruff):
    """Simplifications, sorted imports and one format."""

    name: ClassVar[str] = "ruff-refactor"
    kind: ClassVar[str] = "refactor"
    rules: ClassVar[tuple[str, ...]] = families.REFACTOR
    formats: ClassVar[bool] = True


class RuffModernize(_Ruff):
    """Newer syntax and library calls."""

    name: ClassVar[str] = "ruff-modernize"
    kind: ClassVar[str] = "modernize"
    rules: ClassVar[tuple[str, ...]] = families.MODERNIZE
    oldest: ClassVar[str] = "3.11"


class RuffOptimize(_Ruff):
    """What takes less time."""

    name: ClassVar[str] = "ruff-optimize"
    kind: ClassVar[str] = "optimize"
    rules: ClassVar[tuple[str, ...]] = families.OPTIMIZE


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
        early = [rule for rule in self._rules if rule in families.PREVIEW]
        usual = [rule for rule in self._rules if rule not in families.PREVIEW]
        proposed = list(fixes(self.text, usual, self._oldest)) if usual else []
        if early and any(word in self.text for word in _LOOPS):
            proposed += fixes(self.text, early, self._oldest, preview=True)
        return proposed

    def _chosen(self, proposed: list[Fix]) -> list[Fix]:
        """Of what is proposed as much as can be proved together. What stood in the way of another
        and is refused makes room for it."""
        while proposed and not self._prover.is_exhausted:
            together = compatible(proposed)
            chosen = self._prover.proven(self.text, together)
            if chosen:
                return chosen
            proposed = [fix for fix in proposed if fix not in together]
        return []

    def format(self, always: bool) -> None:
        """Format the text, if asked for or something was changed."""
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
        """What was done, in order of place."""
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
    """Without a byte order mark, and with line feeds alone."""
    return code.removeprefix(_BOM).replace("\r\n", "\n")


def _dressed(text: str, original: str) -> str:
    """As the original was: its line ends, mark and end."""
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
        raise Unsupported(f"line {error.lineno or 1}: it does not parse as Python 3") from None
    except (ValueError, RecursionError, MemoryError):
        raise Unsupported("line 1: it cannot be read as Python 3") from None
