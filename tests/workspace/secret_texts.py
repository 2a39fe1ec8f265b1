"""Fake tokens of every format."""

from __future__ import annotations

import random
import string

from codeintel.base.key_format import make_token

RANDOM = random.Random(17)
BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def some_text(count: int, alphabet: str = BASE62) -> str:
    return "".join(RANDOM.choice(alphabet) for _ in range(count))


def base32(count: int) -> str:
    return some_text(count, string.ascii_uppercase + "234567")


# Concatenated here, so that this file contains no token.
TOKENS = (
    ("aws-access-key", "AKIA" + base32(16)),
    ("aws-access-key", "ASIA" + base32(16)),
    ("aws-access-key", 'aws_secret_access_key = "' + some_text(40)),
    ("github-token", "ghp_" + some_text(36)),
    ("github-token", "gho_" + some_text(36)),
    ("github-token", "github_pat_" + some_text(22) + "_" + some_text(59)),
    ("gitlab-token", "glpat-" + some_text(20)),
    ("slack-token", "xoxb-" + some_text(12, string.digits) + "-" + some_text(24)),
    ("slack-token", f"xapp-1-A0{base32(8)}-{some_text(13, string.digits)}-{some_text(64, HEX)}"),
    (
        "slack-webhook",
        f"https://hooks.slack.com/services/T{base32(8)}/B{base32(8)}/{some_text(24)}",
    ),
    ("stripe-live-key", "sk_live_" + some_text(24)),
    ("stripe-live-key", "rk_live_" + some_text(99)),
    ("google-api-key", "AIza" + some_text(35)),
    ("google-oauth-secret", "GOCSPX-" + some_text(28)),
    ("anthropic-api-key", "sk-ant-api03-" + some_text(93)),
    ("openai-api-key", "sk-proj-" + some_text(120)),
    ("openai-api-key", "sk-" + some_text(20) + "T3BlbkFJ" + some_text(20)),
    ("huggingface-token", "hf_" + some_text(34)),
    ("npm-token", "npm_" + some_text(36)),
    ("pypi-token", "pypi-AgE" + some_text(150)),
    ("docker-token", "dckr_pat_" + some_text(27)),
    ("sendgrid-api-key", f"SG.{some_text(22)}.{some_text(43)}"),
    ("digitalocean-token", "dop_v1_" + some_text(64, HEX)),
    ("shopify-token", "shpat_" + some_text(32, HEX)),
    ("databricks-token", "dapi" + some_text(32, HEX)),
    ("vault-token", "hvs." + some_text(90)),
    ("telegram-token", "1103284756:AA" + some_text(33)),
    ("azure-storage-key", "AccountKey=" + some_text(86) + "=="),
    ("age-secret-key", "AGE-SECRET-KEY-1" + base32(58)),
    ("codeintel-api-key", make_token()),
)
