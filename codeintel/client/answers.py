"""Parse the answers of the API: data, errors and events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec
import requests

from codeintel.client.sse import EventTooLarge, ServerSentEvent, SseParser

TERMINAL = frozenset({"run.completed", "run.incomplete", "run.failed", "run.cancelled"})
MAX_ERROR_BYTES = 4 * 1024 * 1024
"""An error may list the digests of all files of a scan."""
MAX_DATA_BYTES = 32 * 1024 * 1024
MAX_RETRY_DIGITS = 9


class ClientError(Exception):
    """Any failure of a call to the service. The text is a readable sentence."""


class ConnectionFailed(ClientError):  # noqa: N818 - says what happened
    """The service could not be reached or did not answer. It may have started a run."""


class StreamBroken(ClientError):  # noqa: N818 - says what happened
    """The stream of events stopped or became invalid before the run's last event.

    `run_id` names the run. It is None if the stream broke before its first event. `is_lost` is true
    if the connection failed, so that the run may still be active.
    """

    def __init__(self, message: str, run_id: str | None = None, *, is_lost: bool = False) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.is_lost = is_lost


class ApiError(ClientError):
    """The service answered with an error.

    `status` is the HTTP status. `code` is `error.code` of the answer, or None if the service did
    not write the answer itself (a proxy's page, a redirect). `retry_after` is in whole seconds, or
    None if the answer does not say.
    """

    def __init__(
        self,
        status: int,
        code: str | None,
        message: str,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.request_id = request_id
        self.retry_after = retry_after


class RunEvents:
    """Reads one run's events; `ended` is true once the last one has been read."""

    def __init__(self) -> None:
        self._parser = SseParser()
        self.run_id: str | None = None
        self.last = 0
        """The number of the last event, or 0 if events have no numbers."""
        self.ended = False

    def begin_again(self) -> None:
        """Start over on another connection, which repeats an incomplete event."""
        self._parser = SseParser()

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """Yield the events that the next bytes of the stream complete.

        :raises StreamBroken: if the bytes are not events of a run.
        """
        try:
            frames = self._parser.feed(chunk)
        except EventTooLarge as error:
            raise StreamBroken(f"The stream cannot be read: {error}.", self.run_id) from None
        for frame in frames:
            event = self._event(frame)
            number = event.get("sequence")
            if isinstance(number, int) and number <= self.last:
                continue  # the event arrived before the connection was lost
            self.last = number if isinstance(number, int) else self.last
            self.ended = event["type"] in TERMINAL
            yield event

    def _event(self, frame: ServerSentEvent) -> dict[str, Any]:
        try:
            event = msgspec.json.decode(frame.data)
        except (msgspec.DecodeError, RecursionError):
            raise StreamBroken("The stream has an event that is not JSON.", self.run_id) from None
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise StreamBroken("The stream has an event without a type.", self.run_id)
        if isinstance(event.get("runId"), str):
            self.run_id = event["runId"]
        return event


def is_event_stream(response: requests.Response) -> bool:
    """Return whether the response is a stream of events."""
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    return response.status_code == 200 and media_type.strip().lower() == "text/event-stream"


def api_error(response: requests.Response, url: str) -> ApiError:
    """Return the error for any other answer, without quoting foreign bodies."""
    status = response.status_code
    answer = _object(_decode(_body(response)))
    error, meta = _object(answer.get("error")), _object(answer.get("meta"))
    code, message = _text(error.get("code")), _text(error.get("message"))
    return ApiError(
        status,
        code,
        message if code and message else _without_envelope(response, url),
        _object(error.get("details")),
        _text(meta.get("requestId")) or response.headers.get("X-Request-Id"),
        _retry_after(response.headers.get("Retry-After", "")),
    )


def connection_failed(error: requests.RequestException, url: str) -> ConnectionFailed:
    """Return the error for a request without an answer, with the system's reason if it has one."""
    if isinstance(error, requests.exceptions.ProxyError):
        what = f"The proxy to {url} cannot be used"
    elif isinstance(error, requests.exceptions.SSLError):
        what = f"A secure connection to {url} failed"
    elif isinstance(error, requests.exceptions.ReadTimeout):
        what = f"{url} accepted the request and did not answer in time"
    elif isinstance(error, requests.exceptions.Timeout):
        what = f"{url} did not answer in time"
    else:
        what = f"{url} cannot be reached"
    reason = _reason(error)
    return ConnectionFailed(f"{what}: {reason}." if reason else f"{what}.")


def _without_envelope(response: requests.Response, url: str) -> str:
    status = response.status_code
    location = response.headers.get("Location", "")
    if 300 <= status < 400 and location:
        return (
            f"{url} redirects to {_origin(url, location)}. The redirect was not followed, because "
            "the API key would be sent there. If that is the service, use its address as the URL."
        )
    if status == 200:
        return f"{url} did not answer with a stream of events. Check the URL."
    phrase = HTTPStatus(status).phrase if status in list(HTTPStatus) else "an unknown status"
    return f"{url} answered {status} ({phrase}) without an error of codeintel. Check the URL."


def _origin(url: str, location: str) -> str:
    """Return the target of a redirect without path and query, which may hold secrets."""
    try:
        parts = urlsplit(urljoin(url, location))
    except ValueError:
        return "an invalid address"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def answer_data(response: requests.Response, url: str) -> dict[str, Any]:
    """Return `data` of the service's answer.

    :raises ApiError: if the service did not write the answer, or for an error.
    """
    if response.status_code not in {200, 201}:
        raise api_error(response, url)
    data = _object(_decode(_body(response, MAX_DATA_BYTES))).get("data")
    if not isinstance(data, dict):
        raise not_ours(url)
    return data


def answer_object(response: requests.Response, url: str) -> dict[str, Any]:
    """Return the JSON object of an answer without an envelope.

    :raises ApiError: if the service did not write the answer, or for an error.
    """
    if response.status_code not in {200, 201, 202}:
        raise api_error(response, url)
    answer = _decode(_body(response, MAX_DATA_BYTES))
    if not isinstance(answer, dict):
        raise not_ours(url)
    return answer


def answer_bytes(response: requests.Response, url: str, most: int) -> bytes:
    """Return the bytes of a file from the service, or none if they exceed `most`.

    :raises ApiError: for an error.
    """
    if response.status_code != 200:
        raise api_error(response, url)
    return _body(response, most)


def not_ours(url: str) -> ApiError:
    """Return the error for an answer that the service cannot have written."""
    text = f"{url} did not answer like codeintel. Check the URL."
    return ApiError(200, None, text)


def _body(response: requests.Response, most: int = MAX_ERROR_BYTES) -> bytes:
    body = b""
    try:
        for piece in response.iter_content(65_536):
            body += piece
            if len(body) > most:
                return b""
    except requests.RequestException:
        return b""  # only the status is known
    return body


def _decode(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _retry_after(value: str) -> int | None:
    """Return whole seconds. Dates, which only proxies send, are ignored."""
    value = value.strip()
    digits = value.isascii() and value.isdigit() and len(value) <= MAX_RETRY_DIGITS
    return int(value) if digits else None


def _reason(error: BaseException) -> str:
    """Return the system's message, from the chain of causes."""
    cause: BaseException | None = error
    for _ in range(20):
        if cause is None:
            break
        text = getattr(cause, "strerror", None)
        if isinstance(text, str) and text:
            return text.rstrip(".")
        cause = cause.__cause__ or cause.__context__
    return ""
