"""The client against recorded answers: events, refusals, and what is no answer."""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import responses

from codeintel import __version__
from codeintel.client import ApiError, Client, ClientError, ConnectionFailed, StreamBroken

URL = "https://code.example.org"
STREAM = f"{URL}/api/v1/analyze/stream"
KEY = "ci_live_secretsecretsecret"
CREATED = {"type": "run.created", "sequence": 1, "runId": "run_1"}
COMPLETED = {"type": "run.completed", "sequence": 2, "runId": "run_1", "creditsCharged": 1}


def sse(*events: object) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events)


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


def stream(service: responses.RequestsMock, body: Any, **more: Any) -> None:
    service.post(STREAM, body=body, content_type="text/event-stream; charset=utf-8", **more)


def analyze(**more: Any) -> list[dict[str, Any]]:
    return list(Client(URL, KEY).analyze("x = 1\n", **more))


def test_events_are_yielded_up_to_the_last_one(service: responses.RequestsMock) -> None:
    odd = {"type": "of.tomorrow", "runId": "run_1", "new": [1]}
    stream(service, ": ping\n\n" + sse(CREATED, odd, COMPLETED, CREATED))
    assert analyze() == [CREATED, odd, COMPLETED]


def test_request(service: responses.RequestsMock) -> None:
    stream(service, sse(COMPLETED))
    analyze(language="python", prompt="look", model="pro")
    sent = service.calls[0].request
    assert json.loads(sent.body or b"") == {
        "code": "x = 1\n",
        "language": "python",
        "prompt": "look",
        "model": "pro",
    }
    assert sent.headers["Authorization"] == f"Bearer {KEY}"
    assert sent.headers["Accept"] == "text/event-stream"
    assert sent.headers["User-Agent"] == f"codeintel/{__version__}"


def test_what_is_not_given_is_not_sent(service: responses.RequestsMock) -> None:
    stream(service, sse(COMPLETED))
    analyze()
    assert json.loads(service.calls[0].request.body or b"") == {"code": "x = 1\n", "model": "flash"}


def test_a_path_before_the_api_is_kept(service: responses.RequestsMock) -> None:
    service.post(
        f"{URL}/code/api/v1/analyze/stream", sse(COMPLETED), content_type="text/event-stream"
    )
    assert list(Client(f"{URL}/code/", KEY).analyze("x"))


def test_netrc_does_not_replace_the_key(
    service: responses.RequestsMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine code.example.org login someone password else\n")
    monkeypatch.setenv("NETRC", str(netrc))
    stream(service, sse(COMPLETED))
    analyze()
    assert service.calls[0].request.headers["Authorization"] == f"Bearer {KEY}"


def test_refusal(service: responses.RequestsMock) -> None:
    service.post(
        STREAM,
        status=429,
        headers={"Retry-After": "17"},
        json={
            "error": {"code": "rate_limit_exceeded", "message": "Too many.", "details": {"n": 1}},
            "meta": {"version": "1.0.0", "requestId": "abc"},
        },
    )
    with pytest.raises(ApiError) as caught:
        analyze()
    error = caught.value
    assert (error.status, error.code, error.message) == (429, "rate_limit_exceeded", "Too many.")
    assert (error.details, error.request_id, error.retry_after) == ({"n": 1}, "abc", 17)


@pytest.mark.parametrize(
    ("status", "body", "headers", "text"),
    [
        (502, "<h1>Bad gateway</h1>", {}, "502 (Bad Gateway)"),
        (500, "[" * 100_000, {}, "500 (Internal Server Error)"),
        (400, '{"error": "no"}', {}, "400 (Bad Request)"),
        (599, "x" * 200_000, {}, "599 (an unknown status)"),
        (200, "<title>Hello</title>", {}, "did not answer with a stream of events"),
        (
            302,
            "",
            {"Location": "//u:p@evil.example/?token=1"},
            "redirects to https://evil.example.",
        ),
        (307, "", {"Location": "https://[evil"}, "an invalid address"),
    ],
)
def test_answers_that_are_not_the_services_own(
    service: responses.RequestsMock, status: int, body: str, headers: dict[str, str], text: str
) -> None:
    service.post(STREAM, body, status=status, headers={**headers, "X-Request-Id": "r1"})
    with pytest.raises(ApiError) as caught:
        analyze()
    assert text in str(caught.value)
    assert (caught.value.status, caught.value.code) == (status, None)
    assert caught.value.request_id == "r1"
    assert len(service.calls) == 1


@pytest.mark.parametrize(
    ("value", "seconds"), [("0", 0), (" 5 ", 5), ("-1", None), ("soon", None), ("9" * 99, None)]
)
def test_retry_after(service: responses.RequestsMock, value: str, seconds: int | None) -> None:
    service.post(STREAM, status=503, headers={"Retry-After": value})
    with pytest.raises(ApiError) as caught:
        analyze()
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (requests.exceptions.ConnectTimeout("x"), "did not answer in time"),
        (requests.exceptions.ReadTimeout("x"), "accepted the request and did not answer in time"),
        (requests.exceptions.ProxyError("x"), "proxy"),
        (requests.exceptions.SSLError("x"), "secure connection to"),
        (requests.exceptions.ConnectionError("x"), "cannot be reached"),
    ],
)
def test_no_connection(service: responses.RequestsMock, error: Exception, text: str) -> None:
    service.post(STREAM, body=error)
    with pytest.raises(ConnectionFailed, match=text) as caught:
        analyze()
    assert URL in str(caught.value)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", "ended before the run did"),
        (sse(CREATED), "ended before the run did"),
        (sse(COMPLETED).rstrip("\n"), "ended before the run did"),
        ("data: {\n\n", "not JSON"),
        ("data: " + "[" * 100_000 + "\n\n", "not JSON"),
        ("data: 1\n\n", "without a type"),
        ('data: {"type": 1}\n\n', "without a type"),
        ("data: " + "x" * 17_000_000, "cannot be read"),
    ],
)
def test_broken_streams(service: responses.RequestsMock, body: str, text: str) -> None:
    stream(service, body)
    with pytest.raises(StreamBroken, match=text) as caught:
        analyze()
    assert caught.value.run_id == ("run_1" if "run.created" in body else None)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "code.example.org",
        "ftp://x",
        "https://",
        "http://[x",
        "http://h:99999",
        "http://h\r\nx",
        "https://u:p@h",
        "https://h/?q",
        "https://h/#f",
    ],
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(ValueError, match="The URL must"):
        Client(url, KEY)


@pytest.mark.parametrize("key", ["", "a b", "a\nb", "schlüssel", "a\x7f"])
def test_keys_that_are_none_are_not_quoted(key: str) -> None:
    with pytest.raises(ValueError, match="The API key") as caught:
        Client(URL, key)
    assert not key or key not in str(caught.value)


def test_no_error_holds_the_key(service: responses.RequestsMock) -> None:
    service.post(STREAM, body=requests.exceptions.ConnectionError("refused"))
    service.post(STREAM, status=500)
    stream(service, "data: 1\n\n")
    for _ in range(3):
        with pytest.raises(ClientError) as caught:
            analyze()
        text = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__dict__)
        assert KEY not in text
