"""Find comments that suppress no finding, although they name rules of the scan."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from codeintel.base.wording import printable
from codeintel.cli.scan.report import Source
from codeintel.contracts import RuleInfo
from codeintel.contracts.scans.records import FileResult, ScanFinding

_MOST = 20
"""The number of comments that are named. Others are counted."""
_COMMENT = re.compile(
    r"(?:\#|//|/\*|--)[ \t]*(?:nosec|noqa|eslint|oxlint)\b[^\r\n]*", re.IGNORECASE
)
_DIRECTIVE = re.compile(
    r"\b(?:nosec[: \t]|noqa:|(?:eslint|oxlint)-disable(?:-next)?-line[ \t])[ \t]*"
    r"(?P<ids>[@\w/.-]+(?:(?:[ \t]*,[ \t]*|[ \t]+)[@\w/.-]+)*)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[ \t,]+")
_END = "--"
"""The rest of a directive is its reason."""
_QUOTES = ('"', "'", "`")


class Unused(NamedTuple):
    """A comment without a finding, and the rules that it names."""

    path: str
    line: int
    ids: tuple[str, ...]


def unused_comments(
    results: Iterable[FileResult],
    findings: Iterable[ScanFinding],
    rules: Mapping[str, Sequence[RuleInfo]],
    source: Source,
) -> Iterator[Unused]:
    """Yield the comments that name only rules of the scan, and suppress none of its findings.

    Comments without rules, or with rules of programs that did not run, may have another purpose. In
    files that were not analyzed completely, a finding may be missing.

    :param findings: all findings, with those that the policy hides.
    """
    used = {
        (each.path, each.finding.suppression.line)
        for each in findings
        if each.finding.suppression is not UNSET
    }
    known = {
        each.lower()
        for listed in rules.values()
        for rule in listed
        for each in (rule.id, *(rule.formerly or ()))
    }
    for result in results:
        if result.cause is not UNSET or result.language is None:
            continue
        text = source(result.path) or ""
        for line, comment in _comments(text, result.language):
            ids = _ids(comment, known)
            if ids and (result.path, line) not in used:
                yield Unused(result.path, line, ids)


def sentences(found: Iterable[Unused]) -> Iterator[str]:
    """Yield a sentence for each comment. After the first ones, count the others."""
    listed = list(found)
    for each in listed[:_MOST]:
        ids = ", ".join(each.ids)
        yield printable(f"{each.path}:{each.line}: the comment for {ids} suppresses no finding.")
    if len(listed) > _MOST:
        yield f"{len(listed) - _MOST:,} more comments suppress no finding."


def _ids(comment: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the rules that a comment names, or nothing if one of them is unknown."""
    match = _DIRECTIVE.search(comment)
    if match is None:
        return ()
    named = _SEPARATOR.split(match["ids"].partition(_END)[0].strip())
    # Words may follow the rules, such as a reason.
    ids = [each for each in named if any(map(str.isdigit, each)) or "/" in each or "-" in each]
    return tuple(ids) if all(each.lower() in known for each in ids) else ()


def _comments(text: str, language: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and texts of comments that may suppress findings."""
    if _COMMENT.search(text) is None:
        return
    if language == "python":
        yield from _of_python(text)
        return
    for number, line in enumerate(text.split("\n"), 1):
        match = _COMMENT.search(line)
        if match is None:
            continue
        if not any(line.count(each, 0, match.start()) % 2 for each in _QUOTES):
            yield number, match[0]


def _of_python(text: str) -> Iterator[tuple[int, str]]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
