from __future__ import annotations

import string
from itertools import pairwise

import pytest
from codeintel_plugins.secrets import SecretsAnalyzer, find_secrets, is_placeholder
from hypothesis import given, strategies as st
from static_helpers import findings, is_within, notes, run, text_at

from codeintel.contracts import Severity

SECRETS = SecretsAnalyzer()
MIXED = "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hJ1kL3mN5pQ7rS9tU1vW3xY5z"
UUID = "123e4567-e89b-12d3-a456-426614174000"
HEX = "0123456789abcdef" * 4

# Made up here, and concatenated so that no scanner of repositories reports them.
TOKENS = [
    ("aws-access-key-id", "AKIA" + "QWERTY234567ZXCV", Severity.HIGH),
    ("github-token", "ghp_" + MIXED[:36], Severity.CRITICAL),
    ("github-token", "github_pat_" + MIXED[:22] + "_" + MIXED[:59], Severity.CRITICAL),
    ("gitlab-token", "glpat-" + MIXED[:20], Severity.CRITICAL),
    ("slack-token", "xoxb-" + "1234567890-" + MIXED[:24], Severity.HIGH),
    ("slack-webhook", "hooks.slack.com/services/T0123456/B0123456/" + MIXED[:24], Severity.MEDIUM),
    ("stripe-live-key", "sk_live_" + MIXED[:24], Severity.CRITICAL),
    ("google-api-key", "AIza" + MIXED[:35], Severity.MEDIUM),
    ("google-oauth-secret", "GOCSPX-" + MIXED[:28], Severity.HIGH),
    ("google-access-token", "ya29." + MIXED[:40], Severity.MEDIUM),
    ("anthropic-api-key", "sk-ant-api03-" + MIXED, Severity.CRITICAL),
    ("openai-api-key", "sk-proj-" + MIXED, Severity.CRITICAL),
    ("huggingface-token", "hf_" + MIXED[:34], Severity.HIGH),
    ("npm-token", "npm_" + MIXED[:36], Severity.CRITICAL),
    ("pypi-token", "pypi-AgE" + MIXED, Severity.CRITICAL),
    ("docker-token", "dckr_pat_" + MIXED[:27], Severity.HIGH),
    ("sendgrid-api-key", "SG." + MIXED[:22] + "." + MIXED[:43], Severity.HIGH),
    ("digitalocean-token", "dop_v1_" + HEX, Severity.CRITICAL),
    ("shopify-token", "shpat_" + HEX[:32], Severity.HIGH),
    ("databricks-token", "dapi" + HEX[:32], Severity.HIGH),
    ("vault-token", "hvs." + MIXED[:24], Severity.HIGH),
    ("telegram-token", "123456789:AA" + MIXED[:33], Severity.HIGH),
    ("age-secret-key", "AGE-SECRET-KEY-1" + "Q9ZX" * 14 + "Q9", Severity.CRITICAL),
    ("codeintel-api-key", "ci_live_" + MIXED[:36], Severity.HIGH),
    ("json-web-token", f"eyJ{MIXED[:20]}.eyJ{MIXED[:40]}.{MIXED[:43]}", Severity.MEDIUM),
]


@pytest.mark.parametrize(("rule_id", "token", "severity"), TOKENS)
@pytest.mark.parametrize("code", ["x = '{}'", "# see {} there", "curl {}", "{{'a': {}", "é = f({}"])
def test_known_formats_are_found_anywhere(
    rule_id: str, token: str, severity: Severity, code: str
) -> None:
    text = code.format(token)
    (found,) = findings(run(SECRETS, text, language=None))
    assert (found.rule_id, found.severity, found.cwe) == (rule_id, severity, "CWE-798")
    assert text_at(found.range, text) == token
    assert token not in found.message


STRONG, GUESSABLE, UNSURE = Severity.HIGH, Severity.MEDIUM, Severity.LOW


@pytest.mark.parametrize(
    ("code", "value", "severity"),
    [
        ('password = "Tr0ub4dor&3x!"', "Tr0ub4dor&3x!", STRONG),
        ('password = "hunter2"', "hunter2", GUESSABLE),
        ("self.db_passwd: str = 'hunter2'", "hunter2", GUESSABLE),
        ('DB_PASSWORD = (\n    "hunter2"\n)', "hunter2", GUESSABLE),
        ('config["password"] = "hunter2"', "hunter2", GUESSABLE),
        ('{"password": "hunter2"}', "hunter2", GUESSABLE),
        ("connect(user='me', password=b'hunter2')", "hunter2", GUESSABLE),
        ("def f(password='hunter2'): pass", "hunter2", GUESSABLE),
        ("if password == 'hunter2':", "hunter2", GUESSABLE),
        ("os.environ.get('DB_PASSWORD', 'hunter2')", "hunter2", GUESSABLE),
        ("password = 'hunter2", None, None),
        ('$password => "hunter2"', "hunter2", GUESSABLE),
        ('const apiKey: string = "q8Zr2LmX0pWv";', "q8Zr2LmX0pWv", STRONG),
        ("token := `q8Zr2LmX0pWv`", "q8Zr2LmX0pWv", STRONG),
        ('char secret[] = "q8Zr2LmX0pWv";', "q8Zr2LmX0pWv", STRONG),
        ('SECRET_KEY = "supersecretkey"', "supersecretkey", GUESSABLE),
        (f'api_key = "{HEX[:32]}"', HEX[:32], GUESSABLE),
        (f'SECRET_KEY = "{HEX[:64]}"', HEX[:64], GUESSABLE),
        ('password = "esc\\"aped1"', 'esc\\"aped1', STRONG),
        ("url = 'postgres://app:s3cr3t-pw@db.internal/x'", "s3cr3t-pw", STRONG),
        ("url = 'postgres://app:s3cr3t-pw@localhost/x'", "s3cr3t-pw", UNSURE),
        ("h = 'Authorization: Bearer " + MIXED[:40] + "'", MIXED[:40], STRONG),
    ],
)  # fmt: skip
def test_literals_given_to_telling_names(
    code: str, value: str | None, severity: Severity | None
) -> None:
    found = findings(run(SECRETS, code))
    assert [text_at(f.range, code) for f in found] == ([] if value is None else [value])
    assert all(f.severity is severity and value not in f.message for f in found)


@pytest.mark.parametrize(
    "code",
    [
        f'token = "{UUID}"',
        f'api_key = "{UUID}"',
        f'token = "{HEX[:40]}"',
        f'commit = "{HEX[:40]}"',
        f'password_sha256 = "{HEX[:64]}"',
        'key = "sk_test_' + MIXED[:24] + '"',
        'stripe_secret_key = "sk_test_' + MIXED[:24] + '"',
        'PASSWORD_PROPERTY = "mail.password"',
        'string PasswordKey = "Queue:Password";',
        "password = ''",
        "password = 'changeme'",
        "password = 'xxxxxxxx'",
        "password = '********'",
        "password = '${DB_PASSWORD}'",
        "password = '{{ password }}'",
        "password = '<password>'",
        "password = '{password}'",
        "password = 'DB_PASSWORD'",
        "password = 'your_password_here'",
        "password = 'password'",
        "password = None",
        "password = os.environ['DB_PASSWORD']",
        "password = os.getenv('DB_PASSWORD')",
        "password = getpass('Password: ') or input('Again: ')",
        "{'password': 'string', 'token': 'required'}",
        "password_field = 'user-password-1'",
        "PASSWORD_MIN_LENGTH = '12345678'",
        "password_hash = 'q8Zr2LmX0pWv'",
        "token_url = 'https://example.org/token'",
        "token = 'access_token'",
        "tokenizer = 'q8Zr2LmX0pWv'",
        "secretary = 'q8Zr2LmX0pWv'",
        "token = '/run/secrets/t0ken'",
        "message = 'Enter your password'",
        "('password', 'q8Zr2LmX0pWv')",
        "api_key = 'sk_test_abc'",
        "aws = 'AKIAIOSFODNN7EXAMPLE'",
        "url = 'postgres://user:${PASSWORD}@db/x'",
        "url = 'https://example.org:8080/a@b'",
        "if line == '-----BEGIN RSA PRIVATE KEY-----': pass",
        "key = '-----BEGIN PUBLIC KEY-----\\n" + "A" * 64 + "'",
        "class_ = 'sk-loading-spinner-container-large'",
    ],
)
def test_what_stands_for_a_secret_is_none(code: str) -> None:
    assert findings(run(SECRETS, code)) == []


def test_a_private_key_is_found_whole() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join([MIXED[:64]] * 3)
    code = f'key = """{key}\n-----END RSA PRIVATE KEY-----"""\n'
    (found,) = findings(run(SECRETS, code))
    assert (found.rule_id, found.severity) == ("private-key", Severity.CRITICAL)
    assert text_at(found.range, code) == f"{key}\n"


def test_values_without_quotes_count_where_the_language_has_them() -> None:
    code = "DB_PASSWORD=hunter2!x\nother: 1\n"
    for language, count in (("yaml", 1), ("bash", 1), ("python", 0), (None, 0)):
        assert len(findings(run(SECRETS, code, language=language))) == count
    assert findings(run(SECRETS, "password = read_password\n", language="python")) == []


def test_the_specific_kind_counts() -> None:
    token = "ghp_" + MIXED[:36]
    assert [s.rule_id for s in find_secrets(f"token = '{token}'")] == ["github-token"]
    code = f"token = '{token}'"
    assert [code[found.start : found.end] for found in find_secrets(code)] == [token]


def test_two_secrets_on_a_line_are_two() -> None:
    assert len(find_secrets("connect(password='hunter2', token='q8Zr2LmX0pWv')")) == 2


def test_too_many_are_cut_with_a_note() -> None:
    outputs = run(SECRETS, "password='hunter2'\n" * 2_500)
    assert len(findings(outputs)) == 2_000
    assert "dropped" in notes(outputs)[0]


@given(st.text(alphabet=string.printable + "é𝄞\u2028", max_size=200))
def test_any_text_is_searched(text: str) -> None:
    code = f"password = '{text}'"
    for found in findings(run(SECRETS, code)):
        assert is_within(found.range, code)
    secrets = find_secrets(code)
    assert all(a.end <= b.start for a, b in pairwise(secrets))


@given(st.text(alphabet=string.ascii_letters + string.digits + "!#+-_", min_size=12, max_size=60))
def test_a_value_is_never_told(value: str) -> None:
    for found in findings(run(SECRETS, f"password = '{value}'")):
        assert value not in str(found)


def test_placeholders_are_told_by_their_looks() -> None:
    assert is_placeholder("aaaaaaaaaa")
    assert is_placeholder("%s")
    assert not is_placeholder("correct-horse-battery")
