"""What can go wrong between a client and the service. No message ever holds the API key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """Any failure of a call to the service; the text is a sentence for people."""


class ConnectionFailed(ClientError):  # noqa: N818 - says what happened
    """The service was not reached, or did not answer: nothing is known to have been started."""


class StreamBroken(ClientError):  # noqa: N818 - says what happened
    """The stream of events stopped, or made no sense, before the run's last event.

    `run_id` names the run, or is None if the stream broke before its first event. `is_lost` tells
    that the connection is what failed: the run may go on.
    """

    def __init__(self, message: str, run_id: str | None = None, *, is_lost: bool = False) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.is_lost = is_lost


class ApiError(ClientError):
    """The service answered, but not with what was asked for.

    `status` is the HTTP status. `code` is `error.code` of the answer, or None where the answer was
    not the service's own (a proxy's page, a redirect). `retry_after` is in whole seconds, None if
    the answer does not say.
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
