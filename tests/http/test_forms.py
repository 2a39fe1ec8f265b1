"""Forms are received within limits, because anonymous clients can send them."""

from __future__ import annotations

import io
from typing import Any

import gevent
import pytest
from flask import Flask, Request
from flask.testing import FlaskClient
from hypothesis import given, strategies as st
from werkzeug.test import EnvironBuilder, TestResponse

from codeintel.http.requests import body
from codeintel.http.requests.forms import MAX_FORM_BYTES, MAX_FORM_FIELDS, parse_large

OWN = {"Sec-Fetch-Site": "same-origin"}
FORM = "application/x-www-form-urlencoded"


class _Endless(io.RawIOBase):
    """A body without an end; it counts what is taken of it."""

    taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.taken += len(buffer)
        assert self.taken <= 2 * MAX_FORM_BYTES, "there seems to be no bound"
        return len(buffer)


class _Slow(io.RawIOBase):
    """A body that does not come."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        gevent.sleep(10)
        raise AssertionError(f"waited to the end for {len(buffer)}")


CHUNKED = {
    "wsgi.input_terminated": True,
    "CONTENT_LENGTH": "",
    "HTTP_TRANSFER_ENCODING": "chunked",
}


def send(client: FlaskClient, stream: io.IOBase, **environ: Any) -> TestResponse:
    """Send a form to a public page."""
    environ["wsgi.input"] = stream
    return client.post("/theme", content_type=FORM, headers=OWN, environ_overrides=environ)


def test_a_form_without_an_end_is_not_taken(client: FlaskClient) -> None:
    stream = _Endless()
    assert send(client, stream, **CHUNKED).status_code == 413
    assert stream.taken <= MAX_FORM_BYTES + 1


def test_a_form_that_announces_too_much_is_not_read(client: FlaskClient) -> None:
    stream = _Endless()
    assert send(client, stream, CONTENT_LENGTH=str(MAX_FORM_BYTES + 1)).status_code == 413
    assert stream.taken == 0


def test_a_form_that_does_not_come(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_SECONDS", 0.05)
    assert send(client, _Slow(), CONTENT_LENGTH="100").status_code == 408


def test_fields_are_counted(client: FlaskClient) -> None:
    few, many = ("&".join(["a=1"] * number) for number in (MAX_FORM_FIELDS, MAX_FORM_FIELDS + 1))
    for text, status in ((few, 303), (many, 413)):
        answer = client.post("/theme", data=text, content_type=FORM, headers=OWN)
        assert answer.status_code == status


@pytest.mark.parametrize("is_chunked", [True, False])
def test_what_was_sent_is_read(client: FlaskClient, is_chunked: bool) -> None:
    sent = b"theme=dark&next=%2Fsearch%3Fq%3D%26"
    told = CHUNKED if is_chunked else {"CONTENT_LENGTH": str(len(sent))}
    answer = send(client, io.BytesIO(sent), **told)
    assert (answer.status_code, answer.location) == (303, "/search?q=&")


def test_the_longest_code_fits(app: Flask) -> None:
    from codeintel.contracts.analysis import MAX_CODE_CHARACTERS

    sent = {"theme": "dark", "next": "/search", "code": "\U0001f600" * MAX_CODE_CHARACTERS}
    assert app.test_client().post("/theme", data=sent, headers=OWN).location == "/search"


@given(
    st.lists(
        st.sampled_from(
            [
                *(b"a", b"=", b"&", b"+", b"%", b"%4", b"%41", b"%2B", b"%C3%A9", b"%ff"),
                *(b"\xc3\xa9", b"%f0%9f%98%80", b"x" * 8_190, b"%0A" * 2_731, b"%e2%82%ac" * 999),
            ]
        ),
        max_size=30,
    )
)
def test_large_forms_are_parsed_as_small_ones_are(pieces: list[bytes]) -> None:
    raw = b"".join(pieces)
    environ = EnvironBuilder(
        method="POST",
        content_type=FORM,
        input_stream=io.BytesIO(raw),
        content_length=len(raw),
    ).get_environ()
    small, large = Request(environ), Request(environ)
    parse_large(large, raw)
    assert [*large.form.lists()] == [*small.form.lists()]
    assert not large.files and large.stream.read() == b""


def test_a_form_that_is_no_utf_8_has_no_fields() -> None:
    request = Request(EnvironBuilder(method="POST").get_environ())
    parse_large(request, b"a=\xff")
    assert not request.form
