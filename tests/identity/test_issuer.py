"""The built-in issuer: its key, its tokens, what it publishes."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask.testing import FlaskClient
from hypothesis import given, strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey
from support import MakeApp, User

from codeintel.app import Services
from codeintel.base.version import DEFAULT_URL
from codeintel.cli import main
from codeintel.identity.audit import AuditKind
from codeintel.identity.issuer import _ORDER, BuiltinIssuer, _made_from, load_issuer_key
from codeintel.platform.config import SettingError, Settings

PEPPER = b"a pepper of these tests"
URL = "https://code.example.org"


@pytest.fixture(scope="module")
def issuer() -> BuiltinIssuer:
    return BuiltinIssuer(load_issuer_key(Settings(), PEPPER), URL)


def pem(key: Any) -> str:
    return str(key.as_pem(private=True).decode())


def test_the_key_is_made_from_the_pepper() -> None:
    made = load_issuer_key(Settings(), PEPPER)
    assert made == load_issuer_key(Settings(), PEPPER), "the same in every process"
    assert made != load_issuer_key(Settings(), PEPPER + b"!")


@given(st.binary(min_size=32, max_size=32))
def test_any_secret_makes_a_key(secret: bytes) -> None:
    assert ECKey.import_key(_made_from(secret)).is_private


@pytest.mark.parametrize("number", [0, 1, _ORDER - 2, _ORDER - 1, _ORDER, 2**256 - 1])
def test_the_edges_of_secrets(number: int) -> None:
    key = serialization.load_pem_private_key(_made_from(number.to_bytes(32)).encode(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    assert 1 <= key.private_numbers().private_value < _ORDER


@pytest.mark.parametrize("in_one_line", [False, True])
def test_a_key_of_the_operators_own(in_one_line: bool) -> None:
    own = pem(ECKey.generate_key("P-256"))
    text = own.strip().replace("\n", "\\n") if in_one_line else own
    assert BuiltinIssuer(load_issuer_key(Settings(issuer_key=text), PEPPER), URL).jwks() == (
        BuiltinIssuer(own, URL).jwks()
    )


def test_a_key_as_openssl_writes_it() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    ).decode()
    assert "EC PRIVATE KEY" in text
    assert BuiltinIssuer(load_issuer_key(Settings(issuer_key=text), PEPPER), URL).sign("acc_1")


@pytest.mark.parametrize(
    "text",
    [
        "secret-text",
        "-----BEGIN PRIVATE KEY-----\nsecret-text\n-----END PRIVATE KEY-----",
        pem(ECKey.generate_key("P-384")),
        pem(RSAKey.generate_key(2048)),
        ECKey.generate_key("P-256").as_pem(private=False).decode(),
    ],
)
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(SettingError, match="CODEINTEL_ISSUER_KEY must be") as caught:
        load_issuer_key(Settings(issuer_key=text), PEPPER)
    for line in text.splitlines():
        assert line not in str(caught.value)


def test_a_token(issuer: BuiltinIssuer) -> None:
    token, ends = issuer.sign("acc_1", 90)
    read = jwt.decode(token, KeySet.import_key_set(issuer.jwks()), algorithms=["ES256"])
    now = time.time()
    assert read.header["typ"] == "at+jwt"
    assert (read.claims["iss"], read.claims["sub"], read.claims["aud"]) == (
        URL,
        "acc_1",
        "codeintel",
    )
    assert read.claims["exp"] == ends.timestamp() == read.claims["iat"] + 90
    assert abs(read.claims["iat"] - now) < 60
    assert ends.tzinfo is UTC
    assert issuer.sign("acc_1", 90)[0] != token


@pytest.mark.parametrize("seconds", [0, -1, 3_601])
def test_how_long_a_token_lives_at_most(issuer: BuiltinIssuer, seconds: int) -> None:
    with pytest.raises(ValueError, match="1 to 3600"):
        issuer.sign("acc_1", seconds)


def test_no_private_part_is_published(issuer: BuiltinIssuer) -> None:
    [key] = issuer.jwks()["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "use", "alg"}
    assert key["kid"] == ECKey.import_key(key).thumbprint()


def test_its_documents_are_public(make_app: MakeApp) -> None:
    client: FlaskClient = make_app({"CODEINTEL_PUBLIC_URL": URL}).test_client()
    base = "http://127.0.0.1"
    answer = client.get("/.well-known/openid-configuration", base_url=base)
    assert answer.json == {
        "issuer": URL,
        "jwks_uri": f"{URL}/.well-known/jwks.json",
        "response_types_supported": [],
        "grant_types_supported": [],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    }
    keys = client.get("/.well-known/jwks.json", base_url=base)
    assert [key["kty"] for key in keys.get_json()["keys"]] == ["EC"]
    for each in (answer, keys):
        assert each.status_code == 200
        assert each.headers["Cache-Control"] == "public, max-age=300"


def test_the_command_makes_a_token(
    client: FlaskClient, services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(services.settings.instance))
    done = CliRunner().invoke(main, ["token", user.account.email, "--ttl", "120"])
    assert done.exit_code == 0, done.output
    token = done.stdout.removesuffix("\n")
    assert token.count(".") == 2
    assert not any(character.isspace() for character in token)
    assert f"Valid until {datetime.now(UTC):%Y-}" in done.stderr
    answer = client.get("/api/v1/account", headers={"Authorization": f"Bearer {token}"})
    assert answer.get_json()["data"]["email"] == user.account.email
    [event] = [
        each
        for each in services.audit.events(user.account.id)
        if each.kind is AuditKind.TOKEN_ISSUED
    ]
    assert event.details == {"seconds": 120}
    assert token not in repr(event)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody@example.org"], "No account exists"),
        (["user@example.org", "--ttl", "3601"], "3600"),
        (["user@example.org", "--ttl", "0"], "3600"),
    ],
)
def test_no_token(
    services: Services,
    user: User,  # noqa: ARG001 - who has an account
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(services.settings.instance))
    done = CliRunner().invoke(main, ["token", *arguments])
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_the_name_without_a_public_url(services: Services) -> None:
    assert services.issuer.url == DEFAULT_URL
