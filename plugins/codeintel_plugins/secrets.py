"""The secrets analyzer: passwords, keys and tokens written into the code, in any language."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Category,
    Confidence,
    Finding,
    RuleInfo,
    Severity,
)
from codeintel.contracts.secret_tokens import FORMATS, private_keys, tokens
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

TEXTS = Path(__file__).parent / "texts" / "secrets"
_PLACEHOLDER_PART = re.compile(
    r"example|placeholder|dummy|change[_-]?me|change[_-]?this|xxxx|\*{3}|\.{3}|<|\$\{|\{\{|%\("
    r"|\b(?:required|nullable|sometimes|confirmed|string)\||\|(?:required|string|min:\d|max:\d|confirmed)"
    r"|your[_-]|insert[_-]|replace[_-]|redacted|fixme|\{[\w.]{0,40}\}"
)
_PLACEHOLDER = re.compile(
    r"%s|\$\w*|none|null|nil|true|false|undefined|unset|string|str|text|bool|int|required|optional"
    r"|hidden|test|todo|foo|bar|pass|(.)\1*"
)
_ENVIRONMENT_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_WORDS = re.compile(r"[A-Za-z]+(?:[_.:/-][A-Za-z]+)*")
_LONG_RUN = re.compile(r"[A-Za-z]{20}")
_SETTING = re.compile(r"[A-Za-z]+(?:[_.:/-][A-Za-z]+)+")
_ABOUT = re.compile(r"(?i)passw|pwd|secret|token|key|credential")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(
    r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})"
)
_NO_SECRET = re.compile(r"https?://|[./~,)\]}:;]|[prs]k_test_|pk_live_")


def is_placeholder(value: str) -> bool:
    """Return whether the value is a placeholder for a secret: `changeme`, `${TOKEN}`, `<key>`,
    `xxxx`, the name of an environment variable.
    """
    lower = value.lower()
    return (
        _PLACEHOLDER_PART.search(lower) is not None
        or _PLACEHOLDER.fullmatch(lower) is not None
        or _ENVIRONMENT_NAME.fullmatch(value) is not None
    )


def is_ordinary(value: str) -> bool:
    """Return whether the value is text, a path, an address or a key made for tests."""
    return any(c.isspace() for c in value) or _NO_SECRET.match(value) is not None


def is_wordlike(value: str) -> bool:
    """Return whether the value has only letters and separators, like `access_token`, in runs no
    longer than words are.
    """
    return _WORDS.fullmatch(value) is not None and _LONG_RUN.search(value) is None


def is_setting(value: str) -> bool:
    """Return whether the value is the name of a setting about a secret, like `mail.password`."""
    return _SETTING.fullmatch(value) is not None and _ABOUT.search(value) is not None


def is_uuid(value: str) -> bool:
    """Return whether the value looks like a UUID, which is an identifier and not a secret."""
    return _UUID.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """Return whether the value looks like a hexadecimal hash. Such a value is a key as often as
    not.
    """
    return _HASH.fullmatch(value) is not None


def is_strong(value: str) -> bool:
    """Return whether the value looks generated: at least 8 characters of several kinds, 3 bits
    each.
    """
    kinds = sum(
        any(test(c) for c in value)
        for test in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )
    return len(value) >= 8 and kinds >= 2 and entropy(value) >= 3.0


def entropy(value: str) -> float:
    """Return the Shannon entropy in bits per character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


class Secret(NamedTuple):
    """A secret at `start` to `end`, offsets in code points. `what` begins a sentence and never has
    any of the value."""

    start: int
    end: int
    rule_id: str
    what: str
    severity: Severity
    confidence: Confidence
    cwe: str


Grade = tuple[str, str, Severity, Confidence, str]

_KEY_BODY = re.compile(r"[A-Za-z0-9+/]{32}")
_MAX_KEY = 20_000

_ASSIGNMENT = re.compile(
    r"(?P<word>(?i:passw(?:or)?d|passphrase|pwd|secret|token|credential"
    r"|(?:api|access|auth|account|private|encryption|signing|master)[_-]?key))"
    r"(?P<rest>[\w-]{0,40}+)"
    r"['\"`]?\]?(?:\[\])?"
    r"(?:[ \t]{0,20}+:[ \t]{0,20}+[\w.\[\]|&*<>? ]{1,40}+(?==))?+"  # an annotation
    r"[ \t]{0,20}+(?P<operator>=>|:=|[!=]=|[=:,])[ \t]{0,20}+\(?[\s]{0,20}+"
    r"[bBrRuU]{0,2}+"
    r"(?:\"(?P<double>(?:[^\"\\\r\n]|\\.){1,1000}+)\"|'(?P<single>(?:[^'\\\r\n]|\\.){1,1000}+)'"
    r"|`(?P<back>[^`\\\r\n]{1,1000}+)`"
    r"|(?P<bare>[^\s\"'`#;,(){}\[\]$<>|&=]{6,1000}+)[ \t]{0,20}+(?=[\r\n]|\Z))"
)
_VALUES = ("double", "single", "back", "bare")
_BARE_LANGUAGES = frozenset({"bash", "dockerfile", "dotenv", "env", "ini", "properties", "yaml"})
_DEFAULT_OF = re.compile(r"(?:get|getenv|setdefault|pop)\(\s{0,5}+['\"][\w-]{0,40}+\Z")
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

# `token_type` or `PASSWORD_MIN_LENGTH` name something about a secret, not the secret.
_ABOUT_A_SECRET = re.compile(
    r"(?:urls?|uri|paths?|files?|names?|fields?|headers?|types?|prefix|suffix|regex|pattern|length|len"
    r"|size|labels?|hint|prompt|messages?|msg|errors?|ids?|env|var|endpoint|column|placeholder|title"
    r"|text|description|policy|expiry|expires|ttl|count|limit|format|hash|hashers?|digest|checksum"
    r"|algorithm|scheme|class|model|view|template|scopes?|status|kind|manager|version|module|parameter"
    r"|param|attr|attribute|host|port|user|username|validators?|bucket|region)\Z"
)


def find_secrets(text: str, language: str | None = None) -> list[Secret]:
    """Return all secrets in order of position, without overlaps. The more specific kind counts.

    `language` is canonical. In some languages, such as YAML, values are not quoted.
    """
    taken: list[tuple[int, int]] = []
    found = []
    for secret in _candidates(text, language):
        at = bisect_left(taken, (secret.start, secret.end))
        before = taken[at - 1][1] if at else 0
        after = taken[at][0] if at < len(taken) else len(text)
        if before <= secret.start and secret.end <= after:
            taken.insert(at, (secret.start, secret.end))
            found.append(secret)
    return sorted(found)


def _candidates(text: str, language: str | None) -> Iterator[Secret]:
    yield from _private_keys(text)
    yield from _known_formats(text)
    yield from _assignments(text, bare=language in _BARE_LANGUAGES)


def _private_keys(text: str) -> Iterator[Secret]:
    end = 0
    for begin in private_keys(text):
        if begin.start() < end:
            continue
        # Code that only mentions the header has no key behind it.
        if _KEY_BODY.search(text, begin.end(), begin.end() + 400) is None:
            continue
        footer = text.find("-----END ", begin.end(), begin.end() + _MAX_KEY)
        end = footer if footer >= 0 else min(begin.end() + 400, len(text))
        what = "A private key"
        yield Secret(
            begin.start(), end, "private-key", what, Severity.CRITICAL, Confidence.HIGH, "CWE-321"
        )


def _known_formats(text: str) -> Iterator[Secret]:
    for kind, match in tokens(text, strict=False):
        group: str | int = "value" if "value" in match.re.groupindex else 0
        if is_placeholder(match[group]):
            continue
        severity, confidence = kind.severity, Confidence.HIGH
        if kind.rule == "connection-string-password" and _is_local(text, match):
            severity, confidence = Severity.LOW, Confidence.MEDIUM
        yield Secret(*match.span(group), kind.rule, kind.what, severity, confidence, "CWE-798")


def _is_local(text: str, match: re.Match[str]) -> bool:
    return text.startswith(("localhost", "127.0.0.1", "[::1]"), match.end() - 1)


def _assignments(text: str, *, bare: bool) -> Iterator[Secret]:
    for match in _ASSIGNMENT.finditer(text):
        kind = next(kind for kind in _VALUES if match[kind] is not None)
        if kind == "bare" and not bare:
            continue
        if match["operator"] == "," and not _is_default(text, match):
            continue
        name = _whole_name(text, match)
        if not _names_a_secret(name, match["rest"]):
            continue
        grade = _graded(match["word"].lower(), name, match[kind])
        if grade is not None:
            start, end = match.span(kind)
            yield Secret(start, end, *grade)


def _is_default(text: str, match: re.Match[str]) -> bool:
    """Return whether the value is a default, as in `getenv("TOKEN", "the default")`."""
    start = match.start()
    return _DEFAULT_OF.search(text, max(0, start - 60), start) is not None


def _whole_name(text: str, match: re.Match[str]) -> str:
    before = text[max(0, match.start() - 40) : match.start()]
    prefix = before[len(before.rstrip(_NAME_CHARACTERS)) :]
    return f"{prefix}{match['word']}{match['rest']}".lower()


def _names_a_secret(name: str, rest: str) -> bool:
    # `tokenizer` and `secretary` continue in the same word.
    same_word = rest[:1].islower() and rest not in {"s", "value"}
    return not same_word and _ABOUT_A_SECRET.search(name.replace("-", "_")) is None


def _graded(word: str, name: str, value: str) -> Grade | None:
    """Grade a value that is assigned to a suspicious name. Returns None if it is not a secret."""
    is_password = word.startswith(("pass", "pwd"))
    if is_password:
        rule_id, what, cwe = "hard-coded-password", "A password", "CWE-259"
    else:
        rule_id, what, cwe = "hard-coded-secret", "A secret", "CWE-798"
    shortest = 4 if is_password else 8
    if (
        len(value) < shortest
        or value.lower() == name
        or is_placeholder(value)
        or is_ordinary(value)
        or is_setting(value)
    ):
        return None
    if is_uuid(value):
        return None
    if is_hash(value):
        # In hexadecimal a key looks like a hash: the name has to tell.
        is_key = "key" in word or word == "secret"
        return (rule_id, what, Severity.MEDIUM, Confidence.LOW, cwe) if is_key else None
    if is_wordlike(value) and not is_password and word != "secret":
        return None
    if is_strong(value) and not is_wordlike(value):
        return rule_id, what, Severity.HIGH, Confidence.HIGH, cwe
    return rule_id, what, Severity.MEDIUM, Confidence.MEDIUM if is_password else Confidence.LOW, cwe


_REMEDY = "Replace it, and read the new one from the environment or a secret store."
# Secrets that are identified by more than their looks. Severity and confidence are those of a
# strong value.
_OTHERS = (
    ("private-key", "A private key", Severity.CRITICAL, "CWE-321"),
    ("hard-coded-password", "A password", Severity.HIGH, "CWE-259"),
    ("hard-coded-secret", "A secret", Severity.HIGH, "CWE-798"),
)


class SecretsAnalyzer(Analyzer):
    """Known token formats, and literals given to names such as `password`. Never tells a value."""

    name: ClassVar[str] = "secrets"
    languages: ClassVar[frozenset[str] | None] = None
    version = "1"

    def rules(self) -> Sequence[RuleInfo]:
        known: dict[str, tuple[str, Severity, str]] = {
            kind.rule: (kind.what, kind.severity, "CWE-798")
            for kind in FORMATS
            if kind.reported is not None
        }
        known |= {rule_id: (what, severity, cwe) for rule_id, what, severity, cwe in _OTHERS}
        listed = (_info(rule_id, *known[rule_id]) for rule_id in sorted(known))
        return with_texts(listed, rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place."""
        source = ToolSource(request.code)
        secrets = find_secrets(source.text, request.language)
        findings = (_finding(secret, source) for secret in secrets)
        yield from report_worst(self.name, findings, request)


def _info(rule_id: str, what: str, severity: Severity, cwe: str) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary=f"{what} is in the code.",
        cwe=cwe,
        severity=severity,
        confidence=Confidence.HIGH,
        category=Category.SECRETS,
        remedy=_REMEDY,
        title=f"Hard-coded credentials ({what.partition(' ')[2]})",
    )


def _finding(secret: Secret, source: ToolSource) -> Finding:
    what = secret.what[:1].lower() + secret.what[1:]
    return Finding(
        rule_id=secret.rule_id,
        engine=SecretsAnalyzer.name,
        severity=secret.severity,
        confidence=secret.confidence,
        cwe=secret.cwe,
        category=Category.SECRETS,
        message=f"Hard-coded credentials: {what} is in the code.",
        remedy=_REMEDY,
        range=source.span(secret.start, secret.end),
    )


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the secrets analyzer."""
    register(SecretsAnalyzer())
