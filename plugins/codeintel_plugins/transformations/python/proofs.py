"""Which of ruff's fixes keep the meaning, as far as the normal form shows."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Generator, Iterator, Sequence

from codeintel.engine.equivalence.normal_form import HARMLESS, MODULE, Form, TooDeepError, form
from codeintel_plugins.transformations.python.fixes import Fix, Lines, applied

MAX_PROOFS = 60
"""Attempts for one text. Each attempt walks over the whole tree."""
LONG = 25_000
"""The size of a text, in characters, above which that is too many. In longer texts, a function
with an unprovable fix loses all of its fixes."""
UNREADABLE = ["?"]
_CODING = "UP009"
_UNUSED = "F401"
_NAMED = re.compile("`([^`]+)`")


def halves(more: Sequence[Fix], kept: list[Fix]) -> Generator[list[Fix], bool, None]:
    """Yield sets of fixes to try, and receive whether each passes. The compatible fixes are left in
    `kept`.

    The caller has already found that all of them together do not pass.
    """
    stack = [list(more)]
    is_first = True
    while stack:
        some = stack.pop()
        if not is_first and (yield [*kept, *some]):
            kept.extend(some)
        elif len(some) > 1:
            half = len(some) // 2
            stack += (some[half:], some[:half])
        is_first = False


def _sent(search: Generator[list[Fix], bool, None], passes: bool) -> list[Fix] | None:
    try:
        return search.send(passes)
    except StopIteration:
        return None


class Prover:
    """Chooses fixes that keep the meaning and all comments.

    :param length: how many characters there are to be walked over.
    """

    def __init__(self, length: int) -> None:
        self._is_long = length > LONG
        self._proofs = 0
        self._forms: dict[str, Form | None] = {}

    @property
    def is_exhausted(self) -> bool:
        """Whether no more is tried."""
        return self._proofs >= MAX_PROOFS

    def proven(self, text: str, proposed: Sequence[Fix]) -> list[Fix]:
        """Return the compatible fixes that together keep the normal form of a text.

        If the normal form changes, only the functions in which it changes are searched for the
        cause.
        """
        candidates = [fix for fix in proposed if not _is_hopeless(text, fix)]
        if not candidates or self._form(text) is None:
            return []
        different = self._differences(text, candidates)
        if not different:
            return candidates
        if different == UNREADABLE:
            return self._halved(text, [], candidates)
        places = Places(text)
        by_unit: dict[str, list[Fix]] = {}
        innocent: list[Fix] = []
        for fix in candidates:
            unit = places.unit(fix)
            if unit in different:
                by_unit.setdefault(unit, []).append(fix)
            else:
                innocent.append(fix)
        if self._is_long:
            return [] if innocent and self._differences(text, innocent) else innocent
        chosen = self._searched(text, innocent, by_unit)
        if chosen is None or (chosen and self._differences(text, chosen)):
            return self._halved(text, [], candidates)
        return chosen

    def _searched(
        self, text: str, innocent: list[Fix], by_unit: dict[str, list[Fix]]
    ) -> list[Fix] | None:
        """Search for the good fixes in all functions in parallel: each attempt tests one set per
        function.

        Returns None if the result of an attempt could not be parsed.
        """
        kept = {unit: list[Fix]() for unit in by_unit}
        searches = {unit: halves(some, kept[unit]) for unit, some in by_unit.items()}
        asked = {unit: some for unit in searches if (some := next(searches[unit], None))}
        while asked and not self.is_exhausted:
            tried = [*innocent]
            for unit in by_unit:
                tried += asked.get(unit, kept[unit])
            different = self._differences(text, tried)
            if different == UNREADABLE:
                return None
            answers = {unit: unit not in different for unit in asked}
            asked = {
                unit: some
                for unit, passes in answers.items()
                if (some := _sent(searches[unit], passes))
            }
        return [*innocent, *(fix for some in kept.values() for fix in some)]

    def _halved(self, text: str, kept: list[Fix], more: Sequence[Fix]) -> list[Fix]:
        """Return the kept ones, and those of `more` that pass with them."""
        together = [*kept, *more]
        if not more or self.is_exhausted:
            return kept
        if not self._differences(text, together):
            return together
        if len(more) == 1:
            return kept
        half = len(more) // 2
        return self._halved(text, self._halved(text, kept, more[:half]), more[half:])

    def _differences(self, text: str, chosen: Sequence[Fix]) -> list[str]:
        self._proofs += 1
        before, after = self._form(text), self._form(applied(text, chosen))
        if before is None or after is None:
            return UNREADABLE
        return before.differences(after)

    def same(self, text: str, other: str) -> bool:
        """Return whether two texts have the same normal form."""
        before, after = self._form(text), self._form(other)
        return before is not None and after is not None and not before.differences(after)

    def _form(self, text: str) -> Form | None:
        if text not in self._forms:
            if len(self._forms) > 8:
                self._forms.pop(next(iter(self._forms)))
            try:
                self._forms[text] = form(text)
            except (SyntaxError, TooDeepError):
                self._forms[text] = None
        return self._forms[text]


class Places:
    """Map lines to functions, by the names that the normal form uses."""

    def __init__(self, text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        self._module = MODULE
        self._lines = Lines(text)
        self._spans = list(_spans(tree.body, ""))

    def unit(self, fix: Fix) -> str:
        """Return the function that contains the first edit of a fix, apart from edits of
        imports."""
        line = fix.row
        for start, end, name in self._spans:
            if start <= line <= end:
                return name
        return self._module


def _spans(body: list[ast.stmt], path: str) -> Iterator[tuple[int, int, str]]:
    seen: dict[str, int] = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _spans(node.body, f"{path}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{path}{node.name}"
            seen[name] = seen.get(name, 0) + 1
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            number = f"#{seen[name]}" if seen[name] > 1 else ""
            yield start, node.end_lineno or start, f"{name}{number}"


def _is_hopeless(text: str, fix: Fix) -> bool:
    """Return whether a fix need not be tried.

    That is so if comments would be lost, or for an import whose effects are unknown.
    """
    if fix.rule == _UNUSED:
        named = _NAMED.search(fix.said)
        if named is None or named.group(1).partition(".")[0] not in HARMLESS:
            return True
    return _loses_comments(text, fix)


def _loses_comments(text: str, fix: Fix) -> bool:
    """Return whether a comment in the replaced text is missing in the replacement."""
    if fix.rule == _CODING:
        return False
    new = "\n".join(edit.content for edit in fix.edits)
    for edit in fix.edits:
        old = text[edit.start : edit.end]
        if "#" in old and any(comment not in new for comment in _comments(old)):
            return True
    return False


def _comments(text: str) -> Iterator[str]:
    """Yield the comments of a piece of code. For invalid code, yield everything that may be a
    comment."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        for line in text.splitlines():
            if "#" in line:
                yield line[line.index("#") :].strip()
