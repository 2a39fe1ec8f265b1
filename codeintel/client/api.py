"""The client: one method for each thing that the service does."""

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
"""Seconds before each try to go on reading: all within the time that a run waits for a reader."""
_PASSING = frozenset({429, 502, 503, 504})
Method = Literal["GET", "POST"]
_JSON = {"Accept": "application/json"}
EVENTS = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
"""Headers of a request for a stream of events."""
FILE_HEADER = "X-Codeintel-File"
"""Names the file that a run is about, percent-encoded."""
_SENT = {**EVENTS, "Content-Type": "application/json"}


class Bearer(AuthBase):
    """Sets the key as the credential.

    An object of this kind, rather than a header, because `requests` overwrites the header with
    what a `.netrc` file has for the host, and asks that file only when a request has no `auth`.
    """

    def __init__(self, key: str) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._key}"
        return request


class Anonymous(AuthBase):
    """Sends no credential, not even one that a `.netrc` file has for the host."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class Session(requests.Session):
    """Takes no answer for a redirect. With `allow_redirects=False` alone, `requests` still reads
    the whole body of one, of any length, and fails on a target that is no URL."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        return None


def service_url(url: str) -> str:
    """The URL without a slash at its end."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isprintable() or " " in url:
        raise ValueError("The URL must be one like `https://code.example.org`.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("The URL must have no user name, password, query or fragment.")
    return url.rstrip("/")


def credential(key: str) -> str:
    """The key, if it can stand in a header: the libraries below quote a bad one in their errors."""
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("The API key is empty, or has characters that no key has.")
    return key


def proxies(url: str) -> dict[str, str]:
    """What `requests` is told about proxies besides the environment's: none for this machine."""
    host = urlsplit(url).hostname or ""
    try:
        local = ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = host == "localhost" or host.endswith(".localhost")
    return {"no_proxy": host} if local else {}


class Client:
    """Calls one service, with one API key or without.

    Proxies and certificate bundles come from the environment as for `requests`, but a service on
    this machine is never called through a proxy. Redirects are not followed: the key goes to the
    named service and nowhere else.

    :param url: where the service is, like `https://code.example.org`.
    :param key: an API key; None for what needs none.
    :param resume_pauses: seconds before each try to go on reading a run after a lost connection.
    :raises ValueError: if either cannot be one; the text says what would be right.
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
        """Analyze code and yield the run's events as they arrive, the last one included.

        The request is sent when the first event is asked for. A connection that is lost is made
        anew, and goes on where it was. Closing the iterator hangs up, upon which the service
        cancels the run. Types of events that are not known here are yielded too.

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
        """The rules that the service lists, as its capabilities have them.

        :raises ApiError: if the service refuses.
        :raises ConnectionFailed: if it cannot be reached.
        """
        rules = self._data("/api/v1/capabilities").get("rules")
        return rules if isinstance(rules, list) else []

    def search(
        self, query: str, *, sources: str | None = None, limit: int | None = None
    ) -> dict[str, Any]:
        """Search registries. What the service answers is passed on as it is.

        :param sources: their names, with commas between them; the service's choice if None.
        :param limit: most results of each.
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
        events = RunEvents()
        named = {FILE_HEADER: quote(file)} if file else {}
        with Session() as session:
            response = self._send(session, "POST", path, _SENT | named, json.dumps(body).encode())
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
        """The events of one connection, to the run's last."""
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
        """A connection that goes on behind the last event, if the service still has the run.

        :raises StreamBroken: the one given, if there is none to be had.
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
        """As :meth:`_send`, over a connection of its own."""
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
        """The answer to a request, of which nothing but the headers was read.

        :raises ConnectionFailed: if there is none.
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
                text = (
                    f"The service has sent nothing for {self._timeout[1]:g} s, no heartbeat even."
                )
                raise StreamBroken(text, events.run_id, is_lost=True) from error
            except HTTPError as error:
                text = "The connection was lost before the run ended."
                raise StreamBroken(text, events.run_id, is_lost=True) from error
            if not chunk:
                return
            yield chunk
