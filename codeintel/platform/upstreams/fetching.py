"""Call one upstream over HTTP, with limits on time, size and address, and explain its failures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address
from socket import gaierror
from ssl import SSLCertVerificationError
from typing import Any
from urllib.parse import urlencode, urlsplit

import gevent
import requests
from requests.exceptions import (
    ConnectionError as NotConnected,
    ContentDecodingError,
    ProxyError,
    RequestException,
    SSLError,
    Timeout,
)
from requests.utils import get_environ_proxies
from urllib3.exceptions import HTTPError, ReadTimeoutError

from codeintel.base.version import __version__
from codeintel.contracts import (
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
)
from codeintel.platform.upstreams.transport import Adapter, Stale

_TOLD = {
    ProxyError: "The proxy for {} cannot be used.",
    SSLCertVerificationError: (
        "{} cannot be reached securely, because its certificate is not trusted."
    ),
    SSLError: "{} cannot be reached securely, because its TLS is broken.",
    gaierror: "{} cannot be reached, because its host name is unknown.",
    NotConnected: "{} cannot be reached.",
}
"""The first match counts. Other connections have broken off."""


def is_late(error: Exception) -> bool:
    """Return whether an error was a timeout."""
    return has_cause(error, Timeout, ReadTimeoutError)


def failure(title: str, error: Exception) -> SourceError:
    """Return an error of requests, or of the layers below it, as a readable text.

    :param title: of the registry.
    """
    if has_cause(error, ContentDecodingError):
        return SourceError(
            SourceProblem.MALFORMED, f"{title} sent a response that cannot be unpacked."
        )
    told = (words for kind, words in _TOLD.items() if has_cause(error, kind))
    words = next(told, "The connection to {} broke off.")
    return SourceError(SourceProblem.UNREACHABLE, words.format(title))


def has_cause(error: Exception, *kinds: type[Exception]) -> bool:
    """Return whether an error, or one of its causes, is of a kind."""
    return any(isinstance(each, kinds) for each in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


CONNECTIONS = 32
MAX_BODY_BYTES = 8 * 1024 * 1024
REFUSAL_SECONDS = 0.5
MAX_REFUSAL_BYTES = 65_536
"""Of a response without results, only the start is read."""
READ_BYTES = 65_536


_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
"""Matches a path that leads out of its base."""


class Fetcher:
    """A connection pool for one upstream.

    Neither `.netrc` nor a redirect can send a token elsewhere, because they are ignored. Nor can a
    proxy, whose `localhost` is another machine, for an upstream on this one.

    :param base_url: the URL that all requests are below.
    :param title: displayed name of the upstream.
    :param contact: where its operator can complain, sent as part of `User-Agent`.
    """

    def __init__(self, base_url: str, title: str, contact: str = "") -> None:
        self._base_url = base_url
        self._title = title
        self._adapter = Adapter(pool_maxsize=CONNECTIONS, max_retries=0)
        self._proxies = {} if _is_here(base_url) else get_environ_proxies(base_url)
        self._verify: bool | str = (
            os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("SSL_CERT_FILE") or True
        )
        self._headers = {
            "User-Agent": f"codeintel/{__version__} ({contact or 'self-hosted'})",
            "Accept-Encoding": "gzip",
            "Accept": "*/*",
            "Connection": "keep-alive",
        }

    def send(self, request: SourceRequest, seconds: float) -> SourceAnswer:
        """Send a request and return the answer, with any status.

        :raises SourceError: if there is no answer within this number of seconds, or one over 8 MiB.
        """
        late = SourceError(
            SourceProblem.TIMEOUT, f"{self._title} did not answer within {round(seconds, 2):g} s."
        )
        with gevent.Timeout(seconds, late):
            return self._answer(request, seconds, late)

    def _answer(self, request: SourceRequest, seconds: float, late: SourceError) -> SourceAnswer:
        url = f"{self._base_url}{request.path}"
        is_below = request.path.startswith("/") and not _DOTS.search(request.path)
        if not is_below or _host(url) != _host(self._base_url):
            raise SourceError(
                SourceProblem.BROKEN, f"The plugin may only call {self._title} below its base URL."
            )
        try:
            with self._head(url, request, seconds) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return SourceAnswer(response.status_code, headers, self._body(response))
        except (RequestException, HTTPError, OSError) as error:
            raise (late if is_late(error) else failure(self._title, error)) from None

    def _head(self, url: str, request: SourceRequest, seconds: float) -> requests.Response:
        """Return the head of the answer.

        Try again if a kept-alive connection was just being closed.
        """
        prepared = requests.PreparedRequest()
        prepared.prepare_method("POST" if request.body else "GET")
        prepared.url = _quoted(url)
        if request.parameters:
            prepared.url += f"?{urlencode(request.parameters)}"
        prepared.prepare_headers({**self._headers, **request.headers})
        if request.body:
            prepared.headers["Content-Type"] = "application/json"
            prepared.headers["Content-Length"] = str(len(request.body))
            prepared.body = request.body
        prepared.hooks = {}
        try:
            return self._transmit(prepared, seconds)
        except NotConnected as error:
            if not has_cause(error, Stale):
                raise
        return self._transmit(prepared, seconds)

    def _transmit(self, request: requests.PreparedRequest, seconds: float) -> requests.Response:
        """Send a request through the adapter itself.

        A session would store cookies, follow redirects and look for settings, which are all
        unwanted. It would also take as long as everything else together.
        """
        return self._adapter.send(
            request, stream=True, timeout=seconds, verify=self._verify, proxies=self._proxies
        )

    def _body(self, response: requests.Response) -> bytes:
        body = bytearray()
        if (
            response.status_code != 200
        ):  # its problem is known, and reading its text must not delay it
            quietly: Any = False  # the name of gevent's parameter
            with gevent.Timeout(REFUSAL_SECONDS, quietly), suppress(RequestException, HTTPError):
                for chunk in response.iter_content(READ_BYTES):
                    body += chunk
                    if len(body) >= MAX_REFUSAL_BYTES:
                        break
            return bytes(body)
        for chunk in response.iter_content(READ_BYTES):
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise SourceError(
                    SourceProblem.MALFORMED, f"{self._title} sent a response of more than 8 MiB."
                )
        return bytes(body)


@lru_cache(maxsize=1_024)
def _quoted(url: str) -> str:
    """Return the URL as it is sent."""
    prepared = requests.PreparedRequest()
    prepared.prepare_url(url, None)
    return prepared.url or ""


def _is_here(url: str) -> bool:
    """Return whether a URL leads to this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _host(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port
