"""Tokens that can be told by their looks, from their issuers' documentation. Pure.

A file that holds one is not stored, so these are stricter than the rules of an analysis, which only
report: the exact format of a live token, and a value that looks drawn at random. Each expression
begins with letters that its issuer chose, enters a run of its own characters once and repeats a
bounded number of times without backtracking: the search is linear on hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from codeintel.base.text.key_format import is_well_formed

_DUMMY = re.compile(
    r"(?i)example|placeholder|dummy|sample|redacted|changeme|your[_-]|(.)\1{5}|0123456|1234567"
    r"|abcdefg"
)
_RUN = 3
"""Of so many characters in a row at most one may follow the one before in the alphabet."""


class TokenFormat(NamedTuple):
    """A kind of token. The random part is the expression's first group, or all of it; `hints` are
    parts without one of which no token can be: looking for them is faster by far."""

    rule: str
    hints: tuple[str, ...]
    expression: re.Pattern[str]
    is_real: Callable[[str], bool] | None = None


def _format(
    rule: str, hints: str, body: str, is_real: Callable[[str], bool] | None = None
) -> TokenFormat:
    return TokenFormat(
        rule, tuple(hints.split()), re.compile(rf"(?<![\w-])(?:{body})(?![\w-])"), is_real
    )


FORMATS: tuple[TokenFormat, ...] = (
    _format("aws-access-key", "AKIA ASIA", r"A[KS]IA([A-Z2-7]{16})"),
    TokenFormat(
        "aws-access-key",
        ("aws_secret_access_key",),
        re.compile(
            r"aws_secret_access_key['\"]?[ \t]{0,20}+[=:][ \t]{0,20}+['\"]?([A-Za-z0-9/+]{40})"
            r"(?![A-Za-z0-9/+=])"
        ),
    ),
    _format("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_([A-Za-z0-9]{36,255}+)"),
    _format("github-token", "github_pat_", r"github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    _format(
        "gitlab-token",
        "glpat- glptt- gldt- glrt- glsoat-",
        r"gl(?:pat|ptt|dt|rt|soat)-([\w.-]{20,255}+)",
    ),
    _format("slack-token", "xox", r"xox[abeoprs]-([0-9]{8,14}-[A-Za-z0-9-]{16,200}+)"),
    _format("slack-token", "xapp-", r"xapp-[0-9]-([A-Z0-9]{8,14}-[0-9]{8,14}-[a-f0-9]{64})"),
    _format(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/services/T[A-Z0-9]{6,20}+/B[A-Z0-9]{6,20}+/([A-Za-z0-9]{20,40}+)",
    ),
    _format("stripe-live-key", "k_live_", r"[rs]k_live_([A-Za-z0-9]{24,247}+)"),
    _format("google-api-key", "AIza", r"AIza([\w-]{35})"),
    _format("google-oauth-secret", "GOCSPX-", r"GOCSPX-([\w-]{28})"),
    _format("anthropic-api-key", "sk-ant-", r"sk-ant-[a-z]{3,8}[0-9]{2}-([\w-]{32,200}+)"),
    _format("openai-api-key", "sk-", r"sk-(?:proj|svcacct|admin)-([\w-]{40,255}+)"),
    _format("openai-api-key", "sk-", r"sk-([A-Za-z0-9]{48})"),
    _format("huggingface-token", "hf_", r"hf_([A-Za-z0-9]{34})"),
    _format("npm-token", "npm_", r"npm_([A-Za-z0-9]{36})"),
    _format("pypi-token", "pypi-AgE", r"pypi-AgE([\w-]{60,500}+)"),
    _format("docker-token", "dckr_", r"dckr_[po]at_([\w-]{20,64}+)"),
    _format("sendgrid-api-key", "SG.", r"SG\.([\w-]{22}\.[\w-]{43})"),
    _format("digitalocean-token", "_v1_", r"do[opr]_v1_([a-f0-9]{64})"),
    _format(
        "shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_([a-fA-F0-9]{32})"
    ),
    _format("databricks-token", "dapi", r"dapi([a-f0-9]{32})"),
    _format("vault-token", "hvs.", r"hvs\.([\w-]{24,255}+)"),
    _format("telegram-token", ":AA", r"[0-9]{8,10}:AA([\w-]{33})"),
    _format("azure-storage-key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86})=="),
    _format("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1([0-9A-Z]{58})"),
    _format("codeintel-api-key", "ci_live_", r"ci_live_[0-9A-Za-z]{36}", is_well_formed),
)


def token_rule(text: str) -> str | None:
    """The rule of a token that stands in the text; None where there is none."""
    for kind in FORMATS:
        if any(hint in text for hint in kind.hints) and any(
            _is_real(kind, match) for match in kind.expression.finditer(text)
        ):
            return kind.rule
    return None


def token_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the parts of tokens stand that nobody else may know."""
    for kind in FORMATS:
        if any(hint in text for hint in kind.hints):
            for match in kind.expression.finditer(text):
                if _is_real(kind, match):
                    yield match.span(match.lastindex or 0)


def looks_random(value: str) -> bool:
    """Whether a token's random part may be one: not a word, a row of the alphabet or a few
    characters again and again, as documentation has them."""
    return _DUMMY.search(value) is None and is_varied(value)


def is_varied(value: str) -> bool:
    """Whether it has many characters, in no order."""
    rows = sum(ord(after) - ord(before) == 1 for before, after in pairwise(value))
    return rows * _RUN < len(value) and len(set(value)) >= min(len(value) // 2, 10)


def _is_real(kind: TokenFormat, match: re.Match[str]) -> bool:
    if kind.is_real is not None:
        return kind.is_real(match[0])
    return looks_random(match[match.lastindex or 0])
