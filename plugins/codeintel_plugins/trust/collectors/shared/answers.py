"""From an answer to the document in it, or to the error that it means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from codeintel.contracts import Collector, SourceAnswer, SourceError, SourceProblem

REDIRECTS = frozenset({301, 302, 303, 307, 308})


def checked(collector: Collector, answer: SourceAnswer) -> SourceAnswer:
    """The answer, if its status is 200.

    :raises SourceError: naming the upstream, otherwise. How long to wait is not in it: that takes
        a clock, see :meth:`codeintel.contracts.Collector.pause`.
    """
    if collector.is_limit(answer):
        raise SourceError(
            SourceProblem.RATE_LIMITED,
            f"{collector.title} has had too many requests of this service.",
        )
    if answer.status != 200:
        raise _refusal(collector.title, answer.status, has_token=bool(collector.token))
    return answer


def rows_of(collector: Collector, answer: SourceAnswer) -> list[Any]:
    """The list in an answer.

    :raises SourceError: if it is no answer, or no list.
    """
    found = checked(collector, answer).json()
    return found if isinstance(found, list) else malformed(collector)


def object_of(collector: Collector, answer: SourceAnswer, *needed: str) -> Mapping[str, Any]:
    """The object in an answer.

    :param needed: keys of objects or texts that are never missing.
    :raises SourceError: if it is no answer, or no such object.
    """
    found = checked(collector, answer).json()
    if not isinstance(found, dict):
        malformed(collector)
    if not all(found.get(key) and isinstance(found[key], dict | str) for key in needed):
        malformed(collector)
    return found


def malformed(collector: Collector) -> NoReturn:
    """
    :raises SourceError: always.
    """
    raise SourceError(
        SourceProblem.MALFORMED, f"{collector.title} answered with what it does not document."
    )


def _refusal(title: str, status: int, *, has_token: bool) -> SourceError:
    if status == 401 or (status == 403 and has_token):
        text = (
            "does not accept the token of this service"
            if has_token
            else "wants a token, and none is set"
        )
        return SourceError(SourceProblem.UNAUTHORIZED, f"{title} {text}.")
    if status >= 500:
        return SourceError(SourceProblem.UNAVAILABLE, f"{title} failed (status {status}).")
    if status in REDIRECTS:
        return SourceError(
            SourceProblem.UNAVAILABLE, f"{title} has moved (status {status}): set its new URL."
        )
    if status < 400:
        return SourceError(
            SourceProblem.MALFORMED, f"{title} answered without a document (status {status})."
        )
    if status in {404, 405, 410}:
        return SourceError(
            SourceProblem.UNAVAILABLE,
            f"{title} has nothing at this address (status {status}): check its URL.",
        )
    return SourceError(SourceProblem.REFUSED, f"{title} refuses this question (status {status}).")
