"""Asking the APIs: one connection pool, bounded waiting, another try before the first token."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping
from typing import Any

import gevent
import msgspec
from urllib3.exceptions import HTTPError

from codeintel.client.sse import EventTooLarge
from codeintel.contracts import Failed, Model
from codeintel_plugins.openai.answers import Answer, refused_parameter
from codeintel_plugins.openai.connections import Connections, Response
from codeintel_plugins.openai.settings import Endpoint, Options

log = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 5.0
MAX_REFUSAL_BYTES = 16_384
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses after which another try may do better."""


class CannotBegin(Exception):  # noqa: N818 - says what happened
    """An API did not send a first token. `reason` and `message` are as for
    :class:`codeintel.contracts.Failed`. `pause` is the number of seconds that the API requests
    before a retry, or None if a retry would not help.
    """

    def __init__(self, reason: str, message: str, pause: float | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.pause = pause


class Upstream:
    """The endpoints in order, with what was learnt about each."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._connections = {
            each.base_url: Connections(each.base_url, options.connect_timeout)
            for each in options.endpoints
        }
        self._refused: dict[tuple[str, str], frozenset[str]] = {}

    def ask(
        self, messages: list[dict[str, str]], model: Model, note: Callable[[str], None]
    ) -> Answer:
        """Return the answer of the first API that begins one. Its first piece has already arrived.

        All tries together have a time limit. An API that did not respond is not tried again, so
        that time remains for another one.

        :param note: receives a message for readers about the next try.
        :raises CannotBegin: if no API begins an answer.
        """
        last = CannotBegin("upstream_unreachable", "No model is configured.")
        end = time.monotonic() + self._options.begin_timeout
        for number, endpoint in enumerate(self._options.endpoints):
            if number:
                note("The model does not answer. Trying the next one.")
            for attempt in range(self._options.retries + 1):
                try:
                    return self._begin(endpoint, endpoint.models[model], messages, end)
                except CannotBegin as failure:
                    last = failure
                    log.warning("model API at %s: %s", endpoint.host, failure.reason)
                if last.pause is None or attempt == self._options.retries:
                    break
                pause = _jittered(attempt, last.pause)
                if time.monotonic() + pause >= end:
                    break
                gevent.sleep(pause)
            if time.monotonic() >= end:
                break
        raise last

    def _begin(
        self, endpoint: Endpoint, model: str, messages: list[dict[str, str]], end: float
    ) -> Answer:
        """Return an answer with its first piece, before `end` on the monotonic clock."""
        late = CannotBegin("upstream_timeout", "The model did not start to answer in time.")
        longest = min(self._options.first_token_timeout, max(0.001, end - time.monotonic()))
        with gevent.Timeout(longest, late):
            response = self._request(endpoint, model, messages)
            answer = Answer(response, self._options.token_timeout, endpoint.host)
            try:
                answer.begin()
            except (Failed, OSError, EventTooLarge) as error:
                answer.close()
                raise _early(error) from None
            except BaseException:
                answer.close()
                raise
        return answer

    def _request(self, endpoint: Endpoint, model: str, messages: list[dict[str, str]]) -> Response:
        """Return a response with status 200.

        If an API rejects a parameter, the next request omits it, and later ones as well. This is
        stored by API and model, because an API's models differ.
        """
        key = (endpoint.base_url, model)
        refused = self._refused.get(key, frozenset())
        while True:
            sent = self._parameters(refused, model, messages)
            response = self._post(endpoint, sent)
            if response.status == 200:
                if refused:
                    self._refused[key] = self._refused.get(key, frozenset()) | refused
                return response
            body = _start_of(response)
            name = refused_parameter(body, sent) if response.status in {400, 422} else None
            if name is None or name in refused:
                raise _refusal(response)
            refused |= {name}

    def _parameters(
        self, refused: frozenset[str], model: str, messages: list[dict[str, str]]
    ) -> Mapping[str, Any]:
        # OpenAI's newer models only accept the longer name, all other APIs the shorter.
        limit = "max_tokens" if "max_tokens" not in refused else "max_completion_tokens"
        optional = {
            "temperature": self._options.temperature,
            "stream_options": {"include_usage": True},
        }
        wanted = {
            name: value
            for name, value in optional.items()
            if value is not None and name not in refused
        }
        return {
            "model": model,
            "messages": messages,
            "stream": True,
            limit: self._options.max_tokens,
            **wanted,
        }

    def _post(self, endpoint: Endpoint, sent: Mapping[str, Any]) -> Response:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if endpoint.api_key:
            headers["Authorization"] = f"Bearer {endpoint.api_key}"
        try:
            return self._connections[endpoint.base_url].post(
                "/chat/completions",
                msgspec.json.encode(sent),
                headers,
                self._options.first_token_timeout,
            )
        except (HTTPError, OSError) as error:
            raise _early(error) from None


def _early(error: Exception) -> CannotBegin:
    """Return a failure before the first token."""
    if isinstance(error, Failed):
        return CannotBegin(error.reason, error.message, 0.0)
    if isinstance(error, EventTooLarge):
        return CannotBegin("upstream_malformed", "The model's API sent an invalid response.")
    if isinstance(error, TimeoutError):
        return CannotBegin("upstream_timeout", "The model did not start to answer in time.")
    return CannotBegin("upstream_unreachable", "The model's API could not be reached.", 0.0)


def _refusal(response: Response) -> CannotBegin:
    status = response.status
    if status == 429:
        return CannotBegin(
            "upstream_rate_limited", "The model's API is rate limited.", _wanted(response)
        )
    if status in PASSING:
        return CannotBegin(
            "upstream_unavailable", f"The model's API failed (status {status}).", _wanted(response)
        )
    return CannotBegin(
        "upstream_refused", f"The model's API rejected the request (status {status})."
    )


def _wanted(response: Response) -> float | None:
    """Return seconds that the API asks to wait, 0 if it does not say; None for longer than a
    caller should wait."""
    try:
        pause = float(response.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0
    return pause if 0 <= pause <= LONGEST_PAUSE_SECONDS else None


def _jittered(attempt: int, at_least: float) -> float:
    """Return seconds before try `attempt` + 1: growing, and not the same for all who wait."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempt)
    return at_least + random.uniform(longest / 2, longest)  # noqa: S311 - nobody gains by a guess


def _start_of(response: Response) -> bytes:
    """Return the beginning of an error's body; the connection is not used again."""
    body = b""
    try:
        while len(body) < MAX_REFUSAL_BYTES and (data := response.read()):
            body += data
    except OSError:
        pass
    finally:
        response.close()
    return body
