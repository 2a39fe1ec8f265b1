"""HTTP to an API: what may come, and what is bounded."""

from __future__ import annotations

import ssl
import time
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from api_connections import CHUNKED, HEAD, WHOLE, Api, connected, read
from codeintel_plugins.openai.connections import MAX_HEAD_BYTES, BrokenOff
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from urllib3.exceptions import HTTPError


def test_the_request() -> None:
    with connected(api := Api(WHOLE)) as post:
        post().close()
    lines = api.requests[0].split(b"\r\n")
    assert lines[0] == b"POST /v1/x HTTP/1.1"
    assert b"Host: localhost:%d" % api.port in lines
    assert {b"Accept: a/b", b"Content-Length: 2", b"Accept-Encoding: identity"} <= {*lines}
    assert lines[-2:] == [b"", b"{}"]


@pytest.mark.parametrize(
    ("pieces", "closes"),
    [
        ((WHOLE,), False),
        ((WHOLE[:9], WHOLE[9:-1], WHOLE[-1:]), False),
        ((CHUNKED + b"1\r\no\r\n1\r\nk\r\n0\r\n\r\n",), False),
        ((CHUNKED + b"1\r\no", b"\r\n1;x=y\r\nk\r\n0\r\nTrailer: x\r\n\r\n"), False),
        ((b"HTTP/1.1 100 Continue\r\nX: 1\r\n\r\n" + WHOLE,), False),
        ((HEAD + b"\r\no", b"k"), True),
        ((b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nok",), True),
    ],
    ids=["length", "in pieces", "chunked", "trailers", "interim", "to the end", "old"],
)
def test_responses(pieces: tuple[bytes, ...], closes: bool) -> None:
    with connected(Api(*pieces, closes=closes)) as post:
        response = post()
        assert (response.status, response.headers["content-type"]) == (200, "text/plain")
        assert "x" not in response.headers
        assert read(response) == b"ok"
        assert response.read() == b""
        response.release()


@pytest.mark.parametrize(
    "piece",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        HEAD,
        b"",
        HEAD + b"X: " + b"x" * 2 * MAX_HEAD_BYTES,
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
    ids=["no HTTP", "half", "nothing", "endless headers", "another protocol"],
)
def test_what_is_no_response(piece: bytes) -> None:
    with connected(Api(piece, closes=True)) as post, pytest.raises(BrokenOff):
        post()


@pytest.mark.parametrize(
    "piece",
    [CHUNKED + b"5\r\nab", CHUNKED + b"2\r\nab\r\n", CHUNKED + b"x", WHOLE[:-1]],
    ids=["in a chunk", "between chunks", "no size", "short"],
)
def test_bodies_that_break_off(piece: bytes) -> None:
    with connected(Api(piece, closes=True)) as post, pytest.raises(BrokenOff):
        response = post()
        try:
            read(response)
        finally:
            response.close()


@pytest.mark.parametrize(
    "piece",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2 * MAX_HEAD_BYTES,
        CHUNKED + b"0\r\nX: " + b"x" * 2 * MAX_HEAD_BYTES,
    ],
    ids=["headers", "trailers"],
)
def test_headers_and_trailers_are_bounded(piece: bytes) -> None:
    with connected(Api(piece)) as post, pytest.raises(BrokenOff), closing(post()) as response:
        read(response)


@pytest.mark.alone
def test_a_part_has_its_time_however_slowly_it_drips() -> None:
    class Drips(Api):
        def finish_request(self, request: Any, _address: object) -> None:
            request.recv(65_536)
            request.sendall(CHUNKED + b"1;")
            with suppress(OSError):
                for _ in range(100):
                    request.sendall(b"x")
                    time.sleep(0.02)

    with connected(Drips(b"")) as post:
        response = post()
        response.set_timeout(0.2)
        begin = time.monotonic()
        with pytest.raises(TimeoutError):
            response.read()
        assert time.monotonic() - begin < 1
        response.close()


@pytest.mark.alone
def test_silence_is_bounded() -> None:
    with connected(Api(HEAD)) as post, pytest.raises(TimeoutError):
        response = post()
    with connected(Api(CHUNKED)) as post:
        response = post()
        response.set_timeout(0.05)
        with pytest.raises(TimeoutError):
            response.read()
        response.close()


def test_tls_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path / "host.pem")
    with (
        connected(Api(WHOLE, tls=certificate), "https") as post,
        pytest.raises((HTTPError, ssl.SSLError)),
    ):
        post()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with connected(Api(WHOLE, tls=certificate), "https") as post:
        response = post()
        assert read(response) == b"ok"
        response.release()


def make_certificate(path: Path) -> Path:
    """Create a key and a self-signed certificate for `localhost`."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
