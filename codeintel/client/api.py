"""The client, with a method for each function of the service."""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import quote, urlencode, urlsplit

import requests
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, ReadTimeoutError

from codeintel.base.version import __version__
from codeintel.client.answers import (
    ConnectionFailed,
    RunEvents,
    StreamBroken,
    answer_data,
    api_error,
    connection_failed,
    is_event_stream,
)

CONNECT_SECONDS = 10.0
HEARTBEAT_SECONDS = 15.0
READ_SECONDS = 3 * HEARTBEAT_SECONDS
READ_BYTES = 65_536
RESUME_PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds before each attempt to resume reading. Their sum is less than a run waits for a reader.
"""
_PASSING = frozenset({429, 502, 503, 504})
Method = Literal["GET", "POST", "DELETE"]
_JSON = {"Accept": "application/json"}
EVENTS = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
"""The request headers for a stream of events."""
FILE_HEADER = "X-Codeintel-File"
"""Names the file that a run is about, percent-encoded."""
_SENT = {**EVENTS, "Content-Type": "application/json"}


class Bearer(AuthBase):
    """Authenticates a request with the key.

    `requests` overwrites the header with the credentials in a `.netrc` file, but only for a request
    without `auth`.
    """

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class Anonymous(AuthBase):
    """Sends no credential, not even from a `.netrc` file."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class Session(requests.Session):
    """Never follows redirects. With `allow_redirects=False`, `requests` still reads the whole body
    of a redirect, of any length, and fails on an invalid target.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        return None


def service_url(url: str) -> str:
    """Return the URL without a trailing slash."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isprintable() or " " in url:
        raise ValueError("The URL must be one like `https://code.example.org`.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("The URL must not have a user name, password, query or fragment.")
    return url.rstrip("/")


def credential(key: str) -> str:
    """Return the key if it can be sent in a header. The HTTP libraries would quote an invalid one
    in their errors.
    """
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("The API key is empty or has invalid characters.")
    return key


def proxies(url: str) -> dict[str, str]:
    """Return extra proxy settings for `requests`: no proxy for this machine."""
    host = urlsplit(url).hostname or ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost" or host.endswith(".localhost")
    return {"no_proxy": host} if local else {}


class Client:
    """Calls a service, with or without an API key.

    Proxies and certificate bundles come from the environment as for `requests`, but a service on
    this machine is never called through a proxy. Redirects are not followed, so the key goes to the
    named service only.

    :param url: the address of the service, like `https://code.example.org`.
    :param key: an API key, or None for public endpoints.
    :param resume_pauses: seconds before each attempt to resume a run after a lost connection.
    :raises ValueError: if the URL or the key is invalid. The text names the expected format.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        connect_timeout: float = CONNECT_SECONDS,
        read_timeout: float = READ_SECONDS,
        resume_pauses: Sequence[float] = RESUME_PAUSES,
    ) -> None:
        self.url = service_url(url)
        self._auth = Anonymous() if key is None else Bearer(credential(key))
        self._timeout = (connect_timeout, read_timeout)
        self._pauses = resume_pauses

    def analyze(
        self,
        code: str,
        language: str | None = None,
        prompt: str | None = None,
        model: str = "flash",
        file: str | None = None,
    ) -> Generator[dict[str, Any], None, None]:
        """Analyze code and yield the run's events as they arrive, including the last.

        The request is sent when the first event is read. A lost connection is resumed at the same
        event. If you close the iterator, the service cancels the run. Events of unknown types are
        yielded, too.

        :param file: the file's name or path, for the list of runs.
        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        :raises StreamBroken: if the stream ends before the run does.
        """
        body = {"code": code, "model": model}
        if language is not None:
            body["language"] = language
        if prompt is not None:
            body["prompt"] = prompt
        return self._stream("/api/v1/analyze/stream", body, file)

    def transform(
        self,
        code: str,
        transformation: str,
        *,
        language: str | None = None,
        target: str | None = None,
        options: Mapping[str, Any] | None = None,
        instructions: str | None = None,
        model: str = "flash",
        file: str | None = None,
    ) -> Generator[dict[str, Any], None, None]:
        """Transform code and yield the run's events, as :meth:`analyze` does."""
        given = {
            "language": language,
            "targetLanguage": target,
            "options": dict(options) if options else None,
            "instructions": instructions,
        }
        body = {"code": code, "transformation": transformation, "model": model}
        more = {name: value for name, value in given.items() if value is not None}
        return self._stream("/api/v1/transform/stream", {**body, **more}, file)

    def rules(self) -> list[Any]:
        """Return the rules in the service's capabilities.

        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        """
        return self.capabilities("rules")

    def capabilities(self, kind: str) -> list[Any]:
        """Return a list of the service's capabilities, such as `languages` or `transformations`.

        :raises ApiError: if the service rejects the request.
        :raises ConnectionFailed: if the service cannot be reached.
        """
        listed = self._data("/api/v1/capabilities").get(kind)
        return listed if isinstance(listed, list) else []

    def search(
        self, query: str, *, sources: str | None = None, limit: int | None = None
    ) -> dict[str, Any]:
        """Search registries. The service's answer is returned unchanged.

        :param sources: names separated by commas. None for the service's default.
        :param limit: the maximum number of results of each source.
        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        """
        given = {"q": query, "sources": sources, "limit": limit}
        parameters = {name: str(value) for name, value in given.items() if value is not None}
        return self._data(f"/api/v1/search?{urlencode(parameters)}")

    def _data(self, path: str) -> dict[str, Any]:
        with self._asked("GET", path) as response:
            return answer_data(response, self.url)

    def _stream(
        self, path: str, body: Mapping[str, Any], file: str | None
    ) -> Generator[dict[str, Any], None, None]:
        named = {FILE_HEADER: quote(file)} if file else {}
        return self._followed("POST", path, _SENT | named, json.dumps(body).encode())

    def _followed(
        self,
        method: Method,
        path: str,
        headers: Mapping[str, str] = EVENTS,
        body: bytes | None = None,
    ) -> Generator[dict[str, Any], None, None]:
        """Yield the events of a run to its end, over several connections if needed."""
        events = RunEvents()
        with Session() as session:
            response = self._send(session, method, path, headers, body)
            if not is_event_stream(response):
                with response:
                    raise api_error(response, self.url)
            fruitless = 0
            while not events.ended:
                before = events.last
                try:
                    with response:
                        yield from self._read(response, events)
                except StreamBroken as broken:
                    fruitless = 0 if events.last > before else fruitless + 1
                    if not broken.is_lost or fruitless > len(self._pauses):
                        raise
                    response = self._resumed(session, events, broken)

    def _read(
        self, response: requests.Response, events: RunEvents
    ) -> Generator[dict[str, Any], None, None]:
        """Yield the events of a connection, up to the run's last."""
        for chunk in self._chunks(response, events):
            for event in events.feed(chunk):
                yield event
                if events.ended:
                    return
        text = "The connection ended before the run did."
        raise StreamBroken(text, events.run_id, is_lost=True)

    def _resumed(
        self, session: requests.Session, events: RunEvents, broken: StreamBroken
    ) -> requests.Response:
        """Return a connection that continues after the last event, if the service still has the
        run.

        :raises StreamBroken: the given error, if the run cannot be resumed.
        """
        for pause in self._pauses if events.last else ():
            time.sleep(pause)
            try:
                response = self._send(
                    session,
                    "GET",
                    f"/api/v1/runs/{events.run_id}/events",
                    {**EVENTS, "Last-Event-ID": str(events.last)},
                )
            except ConnectionFailed:
                continue
            if is_event_stream(response):
                events.begin_again()
                return response
            response.close()
            if response.status_code not in _PASSING:
                break
        raise broken

    @contextmanager
    def _asked(
        self,
        method: Method,
        path: str,
        headers: Mapping[str, str] = _JSON,
        body: bytes | None = None,
    ) -> Iterator[requests.Response]:
        """Send a request as :meth:`_send` does, over a new connection."""
        with Session() as session, self._send(session, method, path, headers, body) as response:
            yield response

    def _send(
        self,
        session: requests.Session,
        method: Method,
        path: str,
        headers: Mapping[str, str] = _JSON,
        body: bytes | None = None,
    ) -> requests.Response:
        """Send a request and return the response, with only the headers read.

        :raises ConnectionFailed: if the service does not answer.
        """
        try:
            return session.request(
                method,
                self.url + path,
                data=body,
                auth=self._auth,
                headers={"User-Agent": f"codeintel/{__version__}", **headers},
                allow_redirects=False,
                proxies=proxies(self.url),
                stream=True,
                timeout=self._timeout,
            )
        except requests.RequestException as error:
            raise connection_failed(error, self.url) from error

    def _chunks(self, response: requests.Response, events: RunEvents) -> Iterator[bytes]:
        # Not iter_content(): it waits for a whole chunk, or for the end if the answer has none.
        while True:
            try:
                chunk: bytes = response.raw.read1(READ_BYTES, decode_content=True)
            except ReadTimeoutError as error:
                text = f"The service has sent nothing for {self._timeout[1]:g} seconds."
                raise StreamBroken(text, events.run_id, is_lost=True) from error
            except HTTPError as error:
                text = "The connection was lost before the run ended."
                raise StreamBroken(text, events.run_id, is_lost=True) from error
            if not chunk:
                return
            yield chunk
