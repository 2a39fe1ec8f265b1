"""Checking what a model claims against the code: nothing that it says goes unverified. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from codeintel.contracts import Category, Confidence, Finding, Severity
from codeintel_plugins.openai.quotes import Quotes

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
