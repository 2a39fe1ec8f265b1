"""What is told of a connection that failed."""

from __future__ import annotations

from collections.abc import Iterator
from socket import gaierror
from ssl import SSLCertVerificationError

from requests.exceptions import (
    ConnectionError as NotConnected,
    ContentDecodingError,
    ProxyError,
    SSLError,
    Timeout,
)
from urllib3.exceptions import ReadTimeoutError

from codeintel.contracts import SourceError, SourceProblem

_TOLD = {
    ProxyError: "The proxy on the way to {} cannot be used.",
    SSLCertVerificationError: "{} cannot be reached safely: its certificate is not trusted.",
    SSLError: "{} cannot be reached safely: it does not speak TLS as it should.",
    gaierror: "{} cannot be reached: its host name is not known.",
    NotConnected: "{} cannot be reached.",
}
"""The first that fits; others have broken off."""


def is_late(error: Exception) -> bool:
    """Whether it took too long."""
    return has_cause(error, Timeout, ReadTimeoutError)


def failure(title: str, error: Exception) -> SourceError:
    """An error of requests or of what is below it, for people.

    :param title: of the registry.
    """
    if has_cause(error, ContentDecodingError):
        return SourceError(
            SourceProblem.MALFORMED, f"{title} answered with what cannot be unpacked."
        )
    told = (words for kind, words in _TOLD.items() if has_cause(error, kind))
    words = next(told, "The connection to {} broke off.")
    return SourceError(SourceProblem.UNREACHABLE, words.format(title))


def has_cause(error: Exception, *kinds: type[Exception]) -> bool:
    """Whether an error, or one that it came from, is of a kind."""
    return any(isinstance(each, kinds) for each in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
