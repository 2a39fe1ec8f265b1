"""What a model claims about the code, checked against the code. Pure."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from codeintel.contracts import Category, Confidence, Finding, Range, Severity
from codeintel.contracts.positions import LineTable

MAX_CLAIMS = 200
MAX_MESSAGE_CHARACTERS = 500
MAX_RULE_CHARACTERS = 60
_CWE = re.compile(r"(?:CWE-?)?(\d{1,5})", re.IGNORECASE)
_WORD = re.compile(r"[^a-z0-9]+")


class Claim(msgspec.Struct, frozen=True):
    """One finding as the model lists it. Everything may be wrong or of another type."""

    message: str
    quote: str = ""
    line: int = 0
    severity: str = ""
    confidence: str = ""
    category: str = ""
    cwe: str | int | None = None
    rule: str = ""
    remedy: str = ""


def findings(claims: Iterable[Any], code: str, engine: str) -> Iterator[Finding]:
    """The claims as findings, each at the place where its quotation stands.

    A quotation that stands elsewhere moves the finding there, to the nearest place; one that stands
    nowhere, or is missing, makes it `unverified`. Claims that say nothing are left out.
    """
    quotes = Quotes(code)
    for each in list(claims)[:MAX_CLAIMS]:
        claim = _read(each)
        if claim is not None:
            yield _finding(claim, quotes, engine)


def _read(value: Any) -> Claim | None:
    """A claim, with what is of no use in it left out; None if it has no message."""
    if not isinstance(value, dict):
        return None
    fields = {name: value.get(name) for name in Claim.__struct_fields__}
    if not isinstance(fields["message"], str) or not fields["message"].strip():
        return None
    kept: dict[str, Any] = {name: each for name, each in fields.items() if _fits(name, each)}
    return Claim(**kept)


def _fits(name: str, value: Any) -> bool:
    if name == "line":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "cwe":
        return isinstance(value, str | int) and not isinstance(value, bool)
    return isinstance(value, str)


def _finding(claim: Claim, quotes: Quotes, engine: str) -> Finding:
    place = quotes.find(claim.quote, claim.line)
    return Finding(
        rule_id=_rule(claim),
        engine=engine,
        severity=_member(Severity, claim.severity, Severity.MEDIUM),
        confidence=_confidence(claim, is_verified=place is not None),
        cwe=_cwe(claim.cwe),
        message=_plain(claim.message),
        range=place or quotes.line(claim.line),
        category=_member(Category, claim.category, Category.CORRECTNESS),
        remedy=_plain(claim.remedy) or UNSET,
        unverified=True if place is None else UNSET,
    )


def _confidence(claim: Claim, *, is_verified: bool) -> Confidence:
    """A model's word alone is never reason for high confidence."""
    if not is_verified:
        return Confidence.LOW
    said = _member(Confidence, claim.confidence, Confidence.MEDIUM)
    return Confidence.MEDIUM if said is Confidence.HIGH else said


def _rule(claim: Claim) -> str:
    """A stable name for the kind of finding."""
    name = _WORD.sub("-", claim.rule.lower()).strip("-")[:MAX_RULE_CHARACTERS]
    if name:
        return f"model-{name}"
    cwe = _cwe(claim.cwe)
    if cwe:
        return f"model-{cwe.lower()}"
    return f"model-{hashlib.sha256(claim.message.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _cwe(value: str | int | None) -> str | None:
    match = _CWE.fullmatch(str(value).strip()) if value is not None else None
    return f"CWE-{int(match[1])}" if match and int(match[1]) else None


def _member(type_: Any, value: str, default: Any) -> Any:
    try:
        return type_(value.strip().lower())
    except ValueError:
        return default


def _plain(text: str) -> str:
    """One line without control characters, of a bounded length."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[
        :MAX_MESSAGE_CHARACTERS
    ]


MAX_QUOTE_CHARACTERS = 2_000
MAX_PLACES = 100
_NO_SPACES = re.compile(r"\S+")
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*\|[ \t]?", re.MULTILINE)


class Quotes:
    """One piece of code. Spaces count only as they separate words, for models do not keep them:
    quotations are looked for in the code with single spaces, and the places are counted back."""

    def __init__(self, code: str) -> None:
        self._lines = LineTable(code)
        self._plain_starts: list[int] = []
        self._starts: list[int] = []
        words, at = [], 0
        for match in _NO_SPACES.finditer(code):
            self._plain_starts.append(at)
            self._starts.append(match.start())
            words.append(match[0])
            at += len(match[0]) + 1
        self._plain = " ".join(words)

    def find(self, quote: str, line: int) -> Range | None:
        """Where a quotation stands; of several places the one nearest to a line."""
        cut = quote[:MAX_QUOTE_CHARACTERS]
        return self._nearest(cut, line) or self._nearest(_LINE_NUMBER.sub("", cut), line)

    def line(self, number: int) -> Range:
        """The line with a number, or the nearest that there is."""
        number = min(max(1, number), len(self._lines))
        return Range(number, 1, number, len(self._lines.line(number)) + 1)

    def _nearest(self, quote: str, line: int) -> Range | None:
        wanted = " ".join(quote.split())
        best: Range | None = None
        at = self._plain.find(wanted) if wanted else -1
        for _ in range(MAX_PLACES):
            if at < 0:
                break
            found = self._lines.span(self._offset(at), self._offset(at + len(wanted) - 1) + 1)
            if best is None or abs(found.start_line - line) < abs(best.start_line - line):
                best = found
            at = self._plain.find(wanted, at + 1)
        return best

    def _offset(self, plain: int) -> int:
        """The offset into the code of an offset into the code with single spaces."""
        word = bisect_right(self._plain_starts, plain) - 1
        return self._starts[word] + plain - self._plain_starts[word]
