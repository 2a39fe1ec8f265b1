"""Asking one source over HTTP: bounded in time and size, and nowhere but where it is configured."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import gevent
import requests
from requests.adapters import HTTPAdapter
from requests.exceptions import ConnectionError as NotConnected
from requests.exceptions import RequestException, SSLError, Timeout
from requests.utils import get_environ_proxies

from codeintel import __version__
from codeintel.contracts import SearchSource, SourceAnswer, SourceError, SourceProblem

CONNECTIONS = 32
MAX_BODY_BYTES = 8 * 1024 * 1024
READ_BYTES = 65_536


class Fetcher:
    """A connection pool for one source.

    Neither `.netrc` nor a redirect can send the source's token elsewhere: both are ignored.

    :param contact: where the operator of the registry can complain, sent as part of `User-Agent`.
    """

    def __init__(self, source: SearchSource, contact: str = "") -> None:
        self._source = source
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.proxies = get_environ_proxies(source.base_url)
        bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("SSL_CERT_FILE")
        self._session.verify = bundle or True
        self._session.headers["User-Agent"] = (
            f"codeintel/{__version__} ({contact or 'self-hosted'})"
        )
        self._session.mount(source.base_url, HTTPAdapter(pool_maxsize=CONNECTIONS, max_retries=0))

    def ask(self, query: str, limit: int, seconds: float) -> SourceAnswer:
        """The answer to a search, whatever its status.

        :raises SourceError: if there is none within so many seconds, or one over 8 MiB.
        """
        late = SourceError(
            SourceProblem.TIMEOUT, f"{self._title} did not answer within {seconds:g} s."
        )
        with gevent.Timeout(seconds, late):
            return self._ask(query, limit, seconds, late)

    @property
    def _title(self) -> str:
        return self._source.title or self._source.name

    def _ask(self, query: str, limit: int, seconds: float, late: SourceError) -> SourceAnswer:
        request = self._source.request(query, limit)
        url = f"{self._source.base_url}{request.path}"
        if not request.path.startswith("/") or _host(url) != _host(self._source.base_url):
            raise SourceError(SourceProblem.BROKEN, f"{self._title} would be asked elsewhere.")
        try:
            with self._session.get(
                url,
                params=dict(request.parameters),
                headers=dict(request.headers),
                timeout=seconds,
                stream=True,
                allow_redirects=False,
            ) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return SourceAnswer(response.status_code, headers, self._body(response))
        except Timeout:
            raise late from None
        except SSLError:
            raise SourceError(
                SourceProblem.UNREACHABLE,
                f"{self._title} cannot be reached safely: its certificate is not trusted.",
            ) from None
        except NotConnected:
            raise SourceError(
                SourceProblem.UNREACHABLE, f"{self._title} cannot be reached."
            ) from None
        except (RequestException, OSError):
            raise SourceError(
                SourceProblem.UNREACHABLE, f"The connection to {self._title} broke off."
            ) from None

    def _body(self, response: requests.Response) -> bytes:
        body = bytearray()
        for chunk in response.iter_content(READ_BYTES):
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise SourceError(
                    SourceProblem.MALFORMED, f"{self._title} answered with more than 8 MiB."
                )
        return bytes(body)


def _host(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port
