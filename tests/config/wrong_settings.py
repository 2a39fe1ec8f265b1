"""Wrong values of every setting, and what is said to be right instead."""

from __future__ import annotations

from settings_loading import INSTANCE

from codeintel.tiers import Tier

WHOLE = ("", "x", "1.5", "-1", "1e3", None, True, 1.0, [1])
RETENTIONS = tuple(
    f"CODEINTEL_{name}_RETENTION" for name in ("AUDIT", "SESSION", "KEY", "TRUST", "SOURCE_REPORT")
)
SECONDS = ("", "x", "nan", "inf", "-1", None, True, [1])
ORIGIN = (
    *("code.example.org", "ftp://h", "https://", "https://h/path", "https://h?q", "https://h#f"),
    *("https://u:p@h", "https://[", "https://h:port", "https://h:99999", None, 5),
)
RATE = ("", "many", "5", "5/fortnight", "/minute", None, 5)
BAD = {
    "DATABASE_URL": (
        *("nonsense", "mysql://h/d", "postgres://h/d", "postgresql://h:port/d"),
        *("postgresql://u:p@h:w:d@h/d", None, 5),
    ),
    "REDIS_URL": ("nonsense", "http://h", "redis://h:port", "redis://[", None, 5),
    "CODEINTEL_KEY_PEPPER": (None, 5, b"p" * 32),
    "CODEINTEL_SESSION_KEY": (None, 5, b"p" * 32),
    "CODEINTEL_ISSUER_KEY": (None, 5, b"p" * 32),
    "CODEINTEL_OIDC_ISSUERS": ("x", "{}", '["a"]', "[{}]", 5, [{"issuer": "https://id.example"}]),
    "CODEINTEL_SESSION_IDLE": (*SECONDS, "59"),
    "CODEINTEL_SESSION_LIFETIME": (*SECONDS, "59"),
    "CODEINTEL_PUBLIC_URL": ORIGIN,
    "CODEINTEL_ALLOWED_HOSTS": (None, 5),
    "CODEINTEL_TRUSTED_PROXIES": ("nonsense", "10.0.0.1/8", "10.0.0.0/8;::1", None, 5),
    "CODEINTEL_CORS_ORIGINS": (*ORIGIN[:9], "*", "null", "https://a.org,b.org", None, 5),
    "CODEINTEL_DEFAULT_TIER": ("", "GOLD", "FREE,PRO", None, 5),
    "CODEINTEL_DEFAULT_CREDITS": WHOLE,
    "CODEINTEL_TIER_LIMITS_FREE": ("", "5", "5,6,7", "a,b", "-1,5", "1.5,2", None, 5, (True, 1)),
    "CODEINTEL_TIER_LIMITS_PRO": ("5", "5,"),
    "CODEINTEL_TIER_LIMITS_TEAM": ("5", ",5"),
    "CODEINTEL_LIMIT_DEFAULT": RATE,
    "CODEINTEL_LIMIT_FAILED_AUTH": RATE,
    "CODEINTEL_ANALYSIS_PROCESSES": (*WHOLE, "0", "257"),
    "CODEINTEL_ANALYSIS_QUEUE": (*WHOLE, "0"),
    "CODEINTEL_RESULT_CACHE": (*SECONDS, "-1"),
    "CODEINTEL_SOURCES": (
        "GitLab",
        "a b",
        "a_b",
        "--a",
        "a" * 41,
        "a;b",
        ["a", "B"],
        None,
        5,
        b"a",
    ),
    "CODEINTEL_SOURCE_INSTANCES": (
        *("x", "{}", "null", "5", '["a"]', "[" * 50_000, "[[]]", 5, True, {"a": 1}, b"[]"),
        *([{}], [{**INSTANCE, "more": ""}], [{**INSTANCE, 5: ""}], [INSTANCE, {}]),
        *([{**INSTANCE, name: None}] for name in ("name", "kind", "base_url", "token")),
        *([{**INSTANCE, name: ""}] for name in INSTANCE),
        *([{**INSTANCE, "name": name}] for name in ("Work", "a b", "-a", "a" * 41, ["a"])),
        '[{"name": "a", "kind": "gitlab"}]',
    ),
    "CODEINTEL_SEARCH_CACHE": (*SECONDS, "-1"),
    "CODEINTEL_TRUST_FRESH": (*SECONDS, "-1"),
    "CODEINTEL_TRUST_LOOKUPS": RATE,
    "CODEINTEL_TRUST_REQUESTS_PER_HOUR": (*WHOLE, "0"),
    "CODEINTEL_JOB_WORKERS": (*WHOLE, "65"),
    "CODEINTEL_PROOF_INTERVAL": (*SECONDS, "-1"),
    "CODEINTEL_WORKSPACE_BYTES_FREE": WHOLE,
    "CODEINTEL_WORKSPACE_BYTES_PRO": WHOLE,
    "CODEINTEL_WORKSPACE_BYTES_TEAM": WHOLE,
    "CODEINTEL_CONTACT": (
        "a)b",
        "a(b",
        "a\\b",
        "a\nb",
        "\N{LATIN SMALL LETTER E WITH ACUTE}",
        None,
        5,
    ),
    "CODEINTEL_EXECUTION": ("", "on", "true", None, True, 1),
    "CODEINTEL_RUN_TIMEOUT": (*SECONDS, "0.5"),
    "CODEINTEL_RUN_RETENTION": (*SECONDS, "59"),
    "CODEINTEL_JOB_RETENTION": (*SECONDS, "59"),
    **dict.fromkeys(RETENTIONS, (*SECONDS[1:], "59")),
    "CODEINTEL_RUN_RESUME_GRACE": SECONDS,
    "CODEINTEL_HOLD_TTL": (*SECONDS, "0"),
    "CODEINTEL_DRAIN_TIMEOUT": SECONDS,
    "CODEINTEL_LOG_FORMAT": ("", "xml", "text,json", None, True, 5),
    "CODEINTEL_ACCESS_LOG": ("", "maybe", "2", None, 5),
    "CODEINTEL_METRICS_PORT": (*WHOLE, "65536"),
    "CODEINTEL_METRICS_HOST": ("", "a b", "127.0.0", "1", "h:80", "[::1]", "http://h", None, 5),
}
HINTS = {
    "DATABASE_URL": "(text|URL like `postgresql:|begin with `postgresql:|a PostgreSQL or SQLite)",
    "REDIS_URL": "(text|a Redis URL like `redis://)",
    "CODEINTEL_KEY_PEPPER": "text",
    "CODEINTEL_SESSION_KEY": "text",
    "CODEINTEL_ISSUER_KEY": "text",
    "CODEINTEL_OIDC_ISSUERS": "(a JSON list like|an HTTPS URL as|an `audience` in)",
    "CODEINTEL_SESSION_IDLE": "a number of seconds of at least 60",
    "CODEINTEL_SESSION_LIFETIME": "a number of seconds of at least 60",
    "CODEINTEL_PUBLIC_URL": "(text|an origin)",
    "CODEINTEL_ALLOWED_HOSTS": "a comma-separated list",
    "CODEINTEL_TRUSTED_PROXIES": "a comma-separated list",
    "CODEINTEL_CORS_ORIGINS": "(an origin|a comma-separated list)",
    "CODEINTEL_DEFAULT_TIER": "one of FREE, PRO, TEAM",
    "CODEINTEL_DEFAULT_CREDITS": "a whole number of at least 0",
    "CODEINTEL_ANALYSIS_PROCESSES": "a whole number from 1 to 256",
    "CODEINTEL_ANALYSIS_QUEUE": "a whole number of at least 1",
    "CODEINTEL_RESULT_CACHE": "a number of seconds of at least 0",
    "CODEINTEL_SOURCES": "(text|names with commas between them)",
    "CODEINTEL_SOURCE_INSTANCES": (
        "(a JSON list like|no other fields than|a text as `|`.*` in every entry|lower-case)"
    ),
    "CODEINTEL_SEARCH_CACHE": "a number of seconds of at least 0",
    "CODEINTEL_CONTACT": "(text|an e-mail address or a URL)",
    "CODEINTEL_EXECUTION": "(text|`off` or `bubblewrap`)",
    "CODEINTEL_RUN_TIMEOUT": "a number of seconds of at least 1",
    "CODEINTEL_RUN_RETENTION": "a number of seconds of at least 60",
    "CODEINTEL_JOB_RETENTION": "a number of seconds of at least 60",
    **dict.fromkeys(RETENTIONS, "0 or a number of seconds of at least 60"),
    "CODEINTEL_RUN_RESUME_GRACE": "a number of seconds of at least 0",
    "CODEINTEL_HOLD_TTL": "a number of seconds of at least 1",
    "CODEINTEL_DRAIN_TIMEOUT": "a number of seconds of at least 0",
    "CODEINTEL_LIMIT_DEFAULT": "a rate like `6000/minute`",
    "CODEINTEL_LIMIT_FAILED_AUTH": "a rate like `6000/minute`",
    "CODEINTEL_TRUST_FRESH": "a number of seconds of at least 0",
    "CODEINTEL_TRUST_LOOKUPS": "a rate like `6000/minute`",
    "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "a whole number of at least 1",
    "CODEINTEL_JOB_WORKERS": "a whole number from 0 to 64",
    "CODEINTEL_PROOF_INTERVAL": "a number of seconds of at least 0",
    "CODEINTEL_WORKSPACE_BYTES_FREE": "a whole number of at least 0",
    "CODEINTEL_WORKSPACE_BYTES_PRO": "a whole number of at least 0",
    "CODEINTEL_WORKSPACE_BYTES_TEAM": "a whole number of at least 0",
    "CODEINTEL_LOG_FORMAT": "(text|`text` or `json`)",
    "CODEINTEL_ACCESS_LOG": "`true` or `false`",
    "CODEINTEL_METRICS_PORT": "a whole number from 0 to 65535",
    "CODEINTEL_METRICS_HOST": "(text|an address to listen on)",
    **{
        f"CODEINTEL_TIER_LIMITS_{tier}": "two whole numbers, `analysis,transform` per hour"
        for tier in Tier
    },
}
