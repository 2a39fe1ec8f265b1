"""Which files are not stored because of secrets in them."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from secret_texts import HEX, RANDOM, TOKENS, base32, some_text

from codeintel.contracts.secret_tokens import FORMATS
from codeintel.contracts.workspaces.selection import secret_rule


def test_every_format_has_its_token() -> None:
    assert {rule for rule, _ in TOKENS} == {
        kind.refusal for kind in FORMATS if kind.refused is not None
    }


@pytest.mark.parametrize(("rule", "token"), TOKENS, ids=[rule for rule, _ in TOKENS])
def test_tokens(rule: str, token: str) -> None:
    assert secret_rule("/src/app.py", f'# first\nTOKEN = "{token}"\n') == rule
    assert secret_rule("/a.txt", token) == rule
    assert secret_rule("/.env.example", f"TOKEN={token}\n") == rule


@pytest.mark.parametrize(
    "token",
    [
        "AKIAIOSFODNN7" + "EXAMPLE",
        "AKIA" + "A" * 16,
        "AKIA" + base32(16) + "X",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
        "ghp_" + "x" * 36,
        "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "ghp_" + "1234" * 9,
        "xghp_" + some_text(36),
        "ghp_" + some_text(20),
        "glpat-" + "your-token-goes-here-1",
        "sk_test_" + some_text(24),
        "pk_live_" + some_text(24),
        "sk-learn-" + "some-words-that-are-long-enough-for-a-token-but-no-secret",
        "sk-ant-api03-" + "your-key-here" * 5,
        "AIza" + "SyExample" + some_text(26),
        "npm_" + "config_registry_and_other_long_names",
        "ci_live_" + "0" * 36,
        "ci_live_" + some_text(36),
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + some_text(43),
        "a" * 40,
        some_text(64, HEX),
    ],
)
def test_what_only_looks_like_a_token(token: str) -> None:
    assert secret_rule("/src/app.py", f'TOKEN = "{token}"\n') is None


def _pem(key: object, kind: serialization.PrivateFormat) -> str:
    none = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, kind, none).decode()


_KINDS = serialization.PrivateFormat
_RSA = rsa.generate_private_key(65537, 2048)
KEYS = {
    "rsa": _pem(_RSA, _KINDS.TraditionalOpenSSL),
    "pkcs8": _pem(_RSA, _KINDS.PKCS8),
    "ec": _pem(ec.generate_private_key(ec.SECP256R1()), _KINDS.TraditionalOpenSSL),
    "ed25519": _pem(ed25519.Ed25519PrivateKey.generate(), _KINDS.PKCS8),
    "openssh": _pem(ed25519.Ed25519PrivateKey.generate(), _KINDS.OpenSSH),
    "encrypted": _RSA.private_bytes(
        serialization.Encoding.PEM,
        _KINDS.TraditionalOpenSSL,
        serialization.BestAvailableEncryption(b"secret"),
    ).decode(),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_private_keys(key: str) -> None:
    in_json = key.replace("\n", "\\n")
    for path, text in (
        ("/deploy/server.pem", key),
        ("/deploy/server.key", f"\n{key}"),
        ("/service-account.json", f'{{"private_key": "{in_json}"}}'),
        ("/app.py", f'KEY = """{key}"""\n'),
        ("/windows.pem", key.replace("\n", "\r\n")),
    ):
        assert secret_rule(path, text) == "private-key", path


def test_putty_and_pgp_keys() -> None:
    body = base64.b64encode(RANDOM.randbytes(600)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    putty = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 12\n{lines}\n"
    assert secret_rule("/key.ppk", putty) == "private-key"
    pgp = "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n" + lines
    assert secret_rule("/secring.asc", pgp) == "private-key"


def test_what_is_no_private_key() -> None:
    public = _RSA.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    begin, end = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    for text in (
        public.decode(),
        f'if text.startswith("{begin}") and text.endswith("{end}"):\n    pass\n',
        f"{begin}\n...\n{end}\n",
        f"{begin}\nMIIEpAIBAAKCAQEA...\n{end}\n",
        f"{begin}\n{'A' * 64}\n{end}\n",
        begin,
    ):
        assert secret_rule("/docs/keys.pem", text) is None


@pytest.mark.parametrize(
    "name", [".env", ".env.local", ".env.production", ".ENV", ".env-old", ".env_ci", ".envrc"]
)
def test_dotenv(name: str) -> None:
    assert secret_rule(f"/{name}", "") == "dotenv"
    assert secret_rule(f"/apps/web/{name}", "A=1\n") == "dotenv"


@pytest.mark.parametrize(
    "path",
    [
        "/.env.example",
        "/.env.sample",
        "/a/.env.template",
        "/.env.local.example",
        "/.ENV.Example",
        "/env",
        "/.environment.ts",
        "/prod.env.ts",
        "/.env/readme.md",
        "/id_rsa.pub",
        "/id_rsa.py",
    ],
)
def test_names_that_are_no_secret(path: str) -> None:
    assert secret_rule(path, "A=1\n") is None


def test_names_of_ssh_keys() -> None:
    for name in ("id_rsa", "id_ed25519", "ID_ECDSA", "id_ed25519_sk"):
        assert secret_rule(f"/home/.ssh/{name}", "") == "private-key"


@pytest.mark.parametrize(
    ("path", "rule", "text", "harmless"),
    [
        (
            "/.npmrc",
            "registry-credentials",
            "//npm.corp.example/:_authToken=f3kQ9-zz\n",
            "registry=https://npm.corp.example/\n//npm.corp.example/:_authToken=${NPM_TOKEN}\n",
        ),
        ("/a/.npmrc", "registry-credentials", "_auth = dXNlcjpwYXNz\n", "save-exact=true\n"),
        ("/.yarnrc.yml", "registry-credentials", "npmAuthToken: zzzz-1\n", "nodeLinker: pnp\n"),
        (
            "/.pypirc",
            "registry-credentials",
            "[pypi]\nusername = ada\npassword = hunter22\n",
            "[pypi]\nusername = ada\npassword = %(PW)s\n",
        ),
        (
            "/pip.conf",
            "registry-credentials",
            "[global]\nindex-url = https://ada:hunter22@pypi.corp.example/simple\n",
            "[global]\nindex-url = https://${U}:${P}@pypi.corp.example/simple\n",
        ),
        (
            "/.netrc",
            "netrc",
            "machine h.example\nlogin ada\npassword hunter22\n",
            "machine h.example login ada\n",
        ),
        ("/.git-credentials", "stored-credentials", "https://ada:hunter22@h.example\n", ""),
        ("/.pgpass", "stored-credentials", "db.example:5432:*:ada:hunter22\n", "# host:port\n"),
        (
            "/x/.docker/config.json",
            "stored-credentials",
            '{"auths": {"h": {"auth": "YWRhOnB3"}}}',
            '{"auths": {"h": {}}, "credsStore": "pass"}',
        ),
        (
            "/.aws/credentials",
            "stored-credentials",
            "[default]\naws_secret_access_key = abcd\n",
            "[default]\nregion = eu-west-1\n",
        ),
    ],
)
def test_files_of_credentials(path: str, rule: str, text: str, harmless: str) -> None:
    assert secret_rule(path, text) == rule
    assert secret_rule(path, harmless) is None
    assert secret_rule("/notes.txt", text) is None


@pytest.mark.service
def test_sources_of_the_service_itself_hold_none() -> None:
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        pytest.skip("not in a checkout of git")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "codeintel", "plugins", "frontend", "docs"],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    ).stdout
    names = listed.split("\0")[:-1]
    assert len(names) > 500
    for name in names:
        try:
            text = (root / name).read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        assert secret_rule(f"/{name}", text) is None, name
