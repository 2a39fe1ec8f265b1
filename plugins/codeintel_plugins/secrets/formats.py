"""The formats of tokens that can be told by their looks, from their issuers' documentation.

Each expression begins at the start of a run of its own characters and repeats only a bounded number
of times, without backtracking: that keeps the search linear on hostile text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from codeintel.contracts import Severity

_CRITICAL, _HIGH, _MEDIUM, _LOW = Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM, Severity.LOW


class Format(NamedTuple):
    """A kind of secret. The value is the expression's first group, or all of it; `hint` is a part
    without which no value can be, so that looking for it spares the expression."""

    rule_id: str
    what: str
    severity: Severity
    hint: str
    expression: re.Pattern[str]


def _format(
    rule_id: str, what: str, severity: Severity, hint: str, body: str, before: str = r"[\w-]"
) -> Format:
    return Format(rule_id, what, severity, hint, re.compile(f"(?<!{before})(?:{body})"))


# Where a provider has test keys and live keys, only the live ones can do harm: the others are left
# out.
FORMATS: tuple[Format, ...] = (
    _format("aws-access-key-id", "An AWS access key ID", _HIGH, "A",
            r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])"),
    _format("github-token", "A GitHub token", _CRITICAL, "gh", r"gh[pousr]_[A-Za-z0-9]{36,255}+"),
    _format("github-token", "A GitHub token", _CRITICAL, "github_pat_",
            r"github_pat_[A-Za-z0-9_]{22,255}+"),
    _format("gitlab-token", "A GitLab token", _CRITICAL, "gl",
            r"gl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,255}+"),
    _format("slack-token", "A Slack token", _HIGH, "xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,255}+"),
    _format("slack-webhook", "A Slack webhook address", _MEDIUM, "hooks.slack.com",
            r"hooks\.slack\.com/services/T\w{6,20}+/B\w{6,20}+/\w{16,40}+"),
    _format("stripe-live-key", "A live Stripe key", _CRITICAL, "k_live_",
            r"[rs]k_live_[A-Za-z0-9]{16,255}+"),
    _format("google-api-key", "A Google API key", _MEDIUM, "AIza", r"AIza[\w-]{35}(?![\w-])"),
    _format("google-oauth-secret", "A Google OAuth client secret", _HIGH, "GOCSPX-",
            r"GOCSPX-[\w-]{24,40}+"),
    _format("google-access-token", "A Google access token", _MEDIUM, "ya29.",
            r"ya29\.[\w-]{20,500}+"),
    _format("anthropic-api-key", "An Anthropic API key", _CRITICAL, "sk-ant-",
            r"sk-ant-[\w-]{20,255}+"),
    _format("openai-api-key", "An OpenAI API key", _CRITICAL, "sk-",
            r"sk-(?!ant-)(?=[\w-]{0,200}[0-9])(?:proj-|svcacct-|admin-)?[\w-]{20,255}+"),
    _format("huggingface-token", "A Hugging Face token", _HIGH, "hf_", r"hf_[A-Za-z0-9]{30,64}+"),
    _format("npm-token", "An npm token", _CRITICAL, "npm_", r"npm_[A-Za-z0-9]{36,64}+"),
    _format("pypi-token", "A PyPI token", _CRITICAL, "pypi-", r"pypi-AgE[\w-]{50,500}+"),
    _format("docker-token", "A Docker Hub token", _HIGH, "dckr_", r"dckr_[po]at_[\w-]{20,64}+"),
    _format("sendgrid-api-key", "A SendGrid API key", _HIGH, "SG.",
            r"SG\.[\w-]{16,32}+\.[\w-]{32,64}+"),
    _format("digitalocean-token", "A DigitalOcean token", _CRITICAL, "_v1_",
            r"do[por]_v1_[a-f0-9]{64}"),
    _format("shopify-token", "A Shopify token", _HIGH, "shp",
            r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _format("databricks-token", "A Databricks token", _HIGH, "dapi", r"dapi[a-f0-9]{32}"),
    _format("vault-token", "A HashiCorp Vault token", _HIGH, "hvs.", r"hvs\.[\w-]{24,255}+"),
    _format("telegram-token", "A Telegram bot token", _HIGH, ":AA", r"[0-9]{8,10}:AA[\w-]{33}"),
    _format("azure-storage-key", "An Azure storage account key", _CRITICAL, "AccountKey=",
            r"AccountKey=([A-Za-z0-9+/]{86}==)"),
    _format("age-secret-key", "An age secret key", _CRITICAL, "AGE-SECRET-KEY-",
            r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _format("codeintel-api-key", "A codeintel API key", _HIGH, "ci_live_",
            r"ci_live_[0-9A-Za-z]{36}(?![0-9A-Za-z])"),
    _format("json-web-token", "A JSON web token", _MEDIUM, "eyJ",
            r"eyJ[\w-]{8,4000}+\.eyJ[\w-]{8,8000}+\.[\w-]{16,2000}+"),
    _format("authorization-header", "An authorization header's credentials", _HIGH, " ",
            r"(?:[Bb]earer|[Bb]asic)[ ](?=[^\s\"']{0,500}[0-9])([A-Za-z0-9+/._~-]{20,2000}+={0,2})",
            before=r"\w"),
    _format("connection-string-password", "A password in a connection string", _HIGH, "://",
            r"[A-Za-z][A-Za-z0-9+.-]{1,30}+://[^\s:/@'\"]{0,100}+:([^\s/@'\"]{3,200}+)@[\w\[.-]",
            before=r"[A-Za-z0-9+.-]"),
)  # fmt: skip
