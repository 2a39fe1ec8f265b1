"""The errors that callers can get: a closed set of codes, each with its HTTP status."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """All values of `error.code`. A new value is an addition to the API and belongs in the change
    log.
    """

    INVALID_JSON = "invalid_json"
    INVALID_REQUEST = "invalid_request"
    UNSUPPORTED_WITHOUT_MODEL = "unsupported_without_model"
    CONFLICTING_CREDENTIALS = "conflicting_credentials"
    UNAUTHORIZED = "unauthorized"
    INSUFFICIENT_CREDITS = "insufficient_credits"
    INSUFFICIENT_SCOPE = "insufficient_scope"
    ACCOUNT_REQUIRED = "account_required"
    STORAGE_LIMIT_EXCEEDED = "storage_limit_exceeded"
    CROSS_ORIGIN = "cross_origin"
    CSRF_FAILED = "csrf_failed"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    KEY_NOT_ACTIVE = "key_not_active"
    REVISION_CONFLICT = "revision_conflict"
    CONTENTS_MISSING = "contents_missing"
    EVENTS_GONE = "events_gone"
    SIGN_IN_LINK_INVALID = "sign_in_link_invalid"
    REQUEST_TIMEOUT = "request_timeout"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    URI_TOO_LONG = "uri_too_long"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    RATE_LIMIT_EXCEEDED = "rate_limit_exceeded"
    INTERNAL_ERROR = "internal_error"
    DATABASE_UNAVAILABLE = "database_unavailable"
    DRAINING = "draining"
    OVERLOADED = "overloaded"
    EVENTS_UNAVAILABLE = "events_unavailable"
    UPSTREAMS_UNAVAILABLE = "upstreams_unavailable"
    IDENTITY_PROVIDER_UNAVAILABLE = "identity_provider_unavailable"

    @property
    def status(self) -> int:
        """The HTTP status of the error."""
        return _STATUS[self]

    @property
    def meaning(self) -> str:
        """A sentence for the documentation."""
        return _MEANING[self]


_TABLE: tuple[tuple[ErrorCode, int, str], ...] = (
    (ErrorCode.INVALID_JSON, 400, "The body is not JSON."),
    (ErrorCode.INVALID_REQUEST, 400, "A field or parameter is invalid. `details.path` names it."),
    (
        ErrorCode.UNSUPPORTED_WITHOUT_MODEL,
        400,
        "The operation needs a model, and none is configured. See the capabilities.",
    ),
    (
        ErrorCode.CONFLICTING_CREDENTIALS,
        400,
        "`Authorization` and `x-api-key` carry different credentials.",
    ),
    (ErrorCode.UNAUTHORIZED, 401, "The credential is missing, invalid, expired or revoked."),
    (
        ErrorCode.INSUFFICIENT_CREDITS,
        402,
        "The account has too few credits. `details` has `price` and `available`.",
    ),
    (ErrorCode.INSUFFICIENT_SCOPE, 403, "The key lacks the scope in `details.required`."),
    (
        ErrorCode.ACCOUNT_REQUIRED,
        403,
        "The caller is authenticated but has no account. The operator can invite them.",
    ),
    (
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        403,
        "The account's workspaces are full. `details` has `limit`, `stored` and `needed`.",
    ),
    (
        ErrorCode.CROSS_ORIGIN,
        403,
        "A browser sent the request from another site, or did not name the site.",
    ),
    (ErrorCode.CSRF_FAILED, 403, "The form belongs to another session. Reload the page."),
    (ErrorCode.NOT_FOUND, 404, "The address does not exist, or the account may not see it."),
    (ErrorCode.METHOD_NOT_ALLOWED, 405, "The address does not support this method."),
    (ErrorCode.REQUEST_TIMEOUT, 408, "The body did not arrive in time."),
    (
        ErrorCode.IDEMPOTENCY_CONFLICT,
        409,
        "The `Idempotency-Key` was already used with another body.",
    ),
    (
        ErrorCode.KEY_NOT_ACTIVE,
        409,
        "The key is expired, revoked or replaced, so it cannot be rotated.",
    ),
    (
        ErrorCode.REVISION_CONFLICT,
        409,
        "The workspace has a newer revision, which changed `details.paths`.",
    ),
    (
        ErrorCode.CONTENTS_MISSING,
        409,
        "Results that a scan would reuse are gone. Send the contents in `details.missing`.",
    ),
    (
        ErrorCode.EVENTS_GONE,
        410,
        "The run's events have been deleted. Its state and result are at `details.run`.",
    ),
    (
        ErrorCode.SIGN_IN_LINK_INVALID,
        410,
        "The sign-in link was used, has expired, or was replaced by a newer one.",
    ),
    (ErrorCode.PAYLOAD_TOO_LARGE, 413, "The body exceeds the limit in `details`."),
    (
        ErrorCode.URI_TOO_LONG,
        414,
        "The path with its parameters is longer than 8,190 bytes.",
    ),
    (ErrorCode.UNSUPPORTED_MEDIA_TYPE, 415, "The body has the wrong media type, or is encoded."),
    (ErrorCode.RATE_LIMIT_EXCEEDED, 429, "Too many requests. Wait `Retry-After` seconds."),
    (ErrorCode.INTERNAL_ERROR, 500, "The service failed. Search its log for the request id."),
    (ErrorCode.DATABASE_UNAVAILABLE, 503, "The database cannot be reached. Try again."),
    (ErrorCode.DRAINING, 503, "This process is shutting down. Try again to reach another one."),
    (ErrorCode.OVERLOADED, 503, "The queue is full. Wait `Retry-After` seconds."),
    (
        ErrorCode.EVENTS_UNAVAILABLE,
        503,
        "Another process has the run, and its events cannot be reached now. Try again.",
    ),
    (
        ErrorCode.UPSTREAMS_UNAVAILABLE,
        503,
        "No registry of the package can be reached. Wait `Retry-After` seconds.",
    ),
    (
        ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE,
        503,
        "The provider that issued the token cannot be reached. Wait `Retry-After` seconds.",
    ),
)
_STATUS = {code: status for code, status, _ in _TABLE}
_MEANING = {code: meaning for code, _, meaning in _TABLE}


class ServiceError(Exception):
    """An error that the caller receives. `message` says what was wrong and what to do.

    `details` must hold nothing secret. `retry_after` is in whole seconds.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.retry_after = retry_after
