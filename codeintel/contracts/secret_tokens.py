"""Tokens with a recognizable format, from their issuers' documentation. Pure.

The table has two uses. An analysis reports everything that looks like a token. A pushed file is
rejected only for the exact format of a live token, with a value that looks random.

Each expression begins with letters that its issuer chose, or at the start of a run of its
characters. Repetitions are bounded and do not backtrack, so the search is linear on hostile text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from codeintel.base.key_format import is_well_formed
from codeintel.contracts.findings import Severity

_CRITICAL, _HIGH, _MEDIUM = Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM

_DUMMY = re.compile(
    r"(?i)example|placeholder|dummy|sample|redacted|changeme|your[_-]|(.)\1{5}|0123456|1234567"
    r"|abcdefg"
)
_RUN = 3
"""In this number of characters, at most one may follow its predecessor in the alphabet."""
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}+-----")


class TokenFormat(NamedTuple):
    """A kind of token.

    :param rule: the rule of its findings.
    :param hints: substrings. Every token has at least one of them, and searching for them is much
        faster.
    :param reported: the expression for an analysis. The group `value`, or the whole match, is
        reported. None if other rules report it.
    :param refused: the expression for which a file is not stored. The last group, or the whole
        match, is the secret part. None if too many matches are not secrets.
    :param refusal: the rule that rejects a file.
    :param is_real: returns whether a match is a live token. By default, its secret part must look
        random.
    """

    rule: str
    what: str
    severity: Severity
    hints: tuple[str, ...]
    reported: re.Pattern[str] | None
    refused: re.Pattern[str] | None
    refusal: str
    is_real: Callable[[str], bool] | None = None

    def holds(self, match: re.Match[str]) -> bool:
        """Return whether a match of `refused` is a live token."""
        if self.is_real is not None:
            return self.is_real(match[0])
        return looks_random(match[match.lastindex or 0])


def _format(
    rule: str,
    what: str,
    severity: Severity,
    hints: str,
    reported: str = "",
    strict: str | None = None,
    *,
    before: str = r"[\w-]",
    refusal: str = "",
    is_real: Callable[[str], bool] | None = None,
) -> TokenFormat:
    """Make a row of the table.

    :param reported: an expression, or empty.
    :param strict: the expression of `refused`, if it differs. Empty for none.
    :param before: characters that must not precede the reported token.
    """
    refused = reported if strict is None else strict
    return TokenFormat(
        rule,
        what,
        severity,
        tuple(hints.split()) or (hints,),
        re.compile(rf"(?<!{before})(?:{reported})") if reported else None,
        re.compile(rf"(?<![\w-])(?:{refused})(?![\w-])") if refused else None,
        refusal or rule,
        is_real,
    )


# If a provider has test keys and live keys, only live keys are listed.
FORMATS: tuple[TokenFormat, ...] = (
    _format("aws-access-key-id", "An AWS access key ID", _HIGH, "AKIA ASIA",
            r"A[KS]IA([A-Z2-7]{16})(?![A-Z0-9])", refusal="aws-access-key"),
    TokenFormat("aws-access-key", "An AWS secret access key", _HIGH, ("aws_secret_access_key",),
                None,
                re.compile(r"aws_secret_access_key['\"]?[ \t]{0,20}+[=:][ \t]{0,20}+['\"]?"
                           r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
                "aws-access-key"),
    _format("github-token", "A GitHub token", _CRITICAL, "ghp_ gho_ ghu_ ghs_ ghr_",
            r"gh[pousr]_([A-Za-z0-9]{36,255}+)"),
    _format("github-token", "A GitHub token", _CRITICAL, "github_pat_",
            r"github_pat_[A-Za-z0-9_]{22,255}+",
            strict=r"github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    _format("gitlab-token", "A GitLab token", _CRITICAL,
            "glpat- glptt- gldt- glrt- glcbt- glsoat-",
            r"gl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,255}+",
            strict=r"gl(?:pat|ptt|dt|rt|soat)-([\w.-]{20,255}+)"),
    _format("slack-token", "A Slack token", _HIGH, "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,255}+",
            strict=r"xox[abeoprs]-([0-9]{8,14}-[A-Za-z0-9-]{16,200}+)"),
    _format("slack-token", "A Slack token", _HIGH, "xapp-",
            strict=r"xapp-[0-9]-([A-Z0-9]{8,14}-[0-9]{8,14}-[a-f0-9]{64})"),
    _format("slack-webhook", "A Slack webhook address", _MEDIUM, "hooks.slack.com",
            r"hooks\.slack\.com/services/T\w{6,20}+/B\w{6,20}+/\w{16,40}+",
            strict=r"hooks\.slack\.com/services/T[A-Z0-9]{6,20}+/B[A-Z0-9]{6,20}+/"
                   r"([A-Za-z0-9]{20,40}+)"),
    _format("stripe-live-key", "A live Stripe key", _CRITICAL, "k_live_",
            r"[rs]k_live_[A-Za-z0-9]{16,255}+", strict=r"[rs]k_live_([A-Za-z0-9]{24,247}+)"),
    _format("google-api-key", "A Google API key", _MEDIUM, "AIza", r"AIza([\w-]{35})(?![\w-])"),
    _format("google-oauth-secret", "A Google OAuth client secret", _HIGH, "GOCSPX-",
            r"GOCSPX-[\w-]{24,40}+", strict=r"GOCSPX-([\w-]{28})"),
    _format("google-access-token", "A Google access token", _MEDIUM, "ya29.",
            r"ya29\.[\w-]{20,500}+", strict=""),
    _format("anthropic-api-key", "An Anthropic API key", _CRITICAL, "sk-ant-",
            r"sk-ant-[\w-]{20,255}+", strict=r"sk-ant-[a-z]{3,8}[0-9]{2}-([\w-]{32,200}+)"),
    _format("openai-api-key", "An OpenAI API key", _CRITICAL, "sk-",
            r"sk-(?!ant-)(?=[\w-]{0,200}[0-9])(?:proj-|svcacct-|admin-)?[\w-]{20,255}+",
            strict=r"sk-(?:proj|svcacct|admin)-([\w-]{40,255}+)"),
    _format("openai-api-key", "An OpenAI API key", _CRITICAL, "sk-",
            strict=r"sk-([A-Za-z0-9]{48})"),
    _format("huggingface-token", "A Hugging Face token", _HIGH, "hf_", r"hf_[A-Za-z0-9]{30,64}+",
            strict=r"hf_([A-Za-z0-9]{34})"),
    _format("npm-token", "An npm token", _CRITICAL, "npm_", r"npm_[A-Za-z0-9]{36,64}+",
            strict=r"npm_([A-Za-z0-9]{36})"),
    _format("pypi-token", "A PyPI token", _CRITICAL, "pypi-AgE", r"pypi-AgE[\w-]{50,500}+",
            strict=r"pypi-AgE([\w-]{60,500}+)"),
    _format("docker-token", "A Docker Hub token", _HIGH, "dckr_", r"dckr_[po]at_([\w-]{20,64}+)"),
    _format("sendgrid-api-key", "A SendGrid API key", _HIGH, "SG.",
            r"SG\.[\w-]{16,32}+\.[\w-]{32,64}+", strict=r"SG\.([\w-]{22}\.[\w-]{43})"),
    _format("digitalocean-token", "A DigitalOcean token", _CRITICAL, "_v1_",
            r"do[por]_v1_([a-f0-9]{64})"),
    _format("shopify-token", "A Shopify token", _HIGH, "shpat_ shpca_ shppa_ shpss_",
            r"shp(?:at|ca|pa|ss)_([a-fA-F0-9]{32})"),
    _format("databricks-token", "A Databricks token", _HIGH, "dapi", r"dapi([a-f0-9]{32})"),
    _format("vault-token", "A HashiCorp Vault token", _HIGH, "hvs.", r"hvs\.([\w-]{24,255}+)"),
    _format("telegram-token", "A Telegram bot token", _HIGH, ":AA", r"[0-9]{8,10}:AA([\w-]{33})"),
    _format("azure-storage-key", "An Azure storage account key", _CRITICAL, "AccountKey=",
            r"AccountKey=(?P<value>[A-Za-z0-9+/]{86}==)",
            strict=r"AccountKey=([A-Za-z0-9+/]{86})=="),
    _format("age-secret-key", "An age secret key", _CRITICAL, "AGE-SECRET-KEY-1",
            r"AGE-SECRET-KEY-1([0-9A-Z]{58})"),
    _format("codeintel-api-key", "A codeintel API key", _HIGH, "ci_live_",
            r"ci_live_[0-9A-Za-z]{36}(?![0-9A-Za-z])", is_real=is_well_formed),
    _format("json-web-token", "A JSON web token", _MEDIUM, "eyJ",
            r"eyJ[\w-]{8,4000}+\.eyJ[\w-]{8,8000}+\.[\w-]{16,2000}+", strict=""),
    _format("authorization-header", "An authorization header's credentials", _HIGH, " ",
            r"(?:[Bb]earer|[Bb]asic)[ ](?=[^\s\"']{0,500}[0-9])"
            r"(?P<value>[A-Za-z0-9+/._~-]{20,2000}+={0,2})", strict="", before=r"\w"),
    _format("connection-string-password", "A password in a connection string", _HIGH, "://",
            r"[A-Za-z][A-Za-z0-9+.-]{1,30}+://[^\s:/@'\"]{0,100}+:"
            r"(?P<value>[^\s/@'\"]{3,200}+)@[\w\[.-]", strict="", before=r"[A-Za-z0-9+.-]"),
)  # fmt: skip


def tokens(text: str, *, strict: bool) -> Iterator[tuple[TokenFormat, re.Match[str]]]:
    """Yield the tokens in a text, in the order of the table.

    :param strict: whether to yield only tokens for which a file is rejected.
    """
    for kind in FORMATS:
        expression = kind.refused if strict else kind.reported
        if expression is not None and any(hint in text for hint in kind.hints):
            for match in expression.finditer(text):
                if not strict or kind.holds(match):
                    yield kind, match


def token_rule(text: str) -> str | None:
    """Return the rule that rejects a text because of a token in it, or None."""
    return next((kind.refusal for kind, _ in tokens(text, strict=True)), None)


def private_keys(text: str) -> Iterator[re.Match[str]]:
    """Yield the first lines of private keys, whether or not a key follows."""
    return (match for match in _KEY_BEGIN.finditer(text) if "PRIVATE KEY" in match[0])


def looks_random(value: str) -> bool:
    """Return whether a token's secret part looks random. Documentation uses words, rows of the
    alphabet or repeated characters instead.
    """
    return _DUMMY.search(value) is None and is_varied(value)


def is_varied(value: str) -> bool:
    """Return whether a value has many different characters, in no order."""
    rows = sum(ord(after) - ord(before) == 1 for before, after in pairwise(value))
    return rows * _RUN < len(value) and len(set(value)) >= min(len(value) // 2, 10)
