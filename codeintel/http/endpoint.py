"""The decorator of API endpoints: it authenticates, counts and validates a request, then calls the
view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flask import Response, current_app, g, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.address import client_address, limit_key
from codeintel.http.operation import EVENT_STREAM, Operation
from codeintel.http.requests.body import read_json
from codeintel.http.requests.json_shape import check_shape
from codeintel.http.requests.query import read_query
from codeintel.identity.audit import Actor
from codeintel.identity.auth.browsers import require_same_origin
from codeintel.identity.auth.caller import ANONYMOUS, Caller, read_credential, unauthorized
from codeintel.platform.limits.concurrency import Holds

if TYPE_CHECKING:
    from codeintel.app import Services


REFUSED_BODY_BYTES = 65_536
"""The bytes of a rejected body that count as another request."""
SESSION_REALM = 'Cookie realm="codeintel", form-action="/signin"'
View = TypeVar("View", bound=Callable[..., Response])


def services() -> Services:
    """Return the services of the current application."""
    return cast("Services", current_app.extensions["codeintel"])


def endpoint(operation: Operation) -> Callable[[View], View]:
    """Make a view an API endpoint. The view gets `caller=` as a :class:`Caller`. If the operation
    has types for them, it also gets `query=` with the validated parameters and `body=` with the
    validated body. Authentication happens first.
    """

    is_stream = any(each.media_type == EVENT_STREAM for each in operation.answers.values())

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(**arguments: Any) -> Response:
            arguments["caller"] = caller = _admit(operation)
            if is_stream:
                # Check this before the body is read and a run begins, which would cost credits.
                place = services().concurrency.open_stream(caller.account_id, remote_key())
                return held_while_sent(lambda: respond(arguments), place)
            return respond(arguments)

        def respond(arguments: dict[str, Any]) -> Response:
            try:
                return answer(arguments)
            except ServiceError as error:
                _count_refused_body(error)
                raise

        def answer(arguments: dict[str, Any]) -> Response:
            if operation.query is not None:
                arguments["query"] = read_query(request, operation.query)
            if operation.body is not None:
                arguments["body"] = read_json(
                    request,
                    operation.body,
                    operation.body_limit,
                    partial(check_shape, services().pool.texts, arguments["caller"].account_id),
                    optional=operation.body_optional,
                )
            return view(**arguments)

        wrapped.operation = operation  # type: ignore[attr-defined]
        return cast(View, wrapped)

    return decorate


def exempt(operation: Operation) -> Callable[[View], View]:
    """Register a view without authentication and limits, because it must answer when those fail."""

    def decorate(view: View) -> View:
        view.operation = operation  # type: ignore[attr-defined]
        view.exempt = True  # type: ignore[attr-defined]
        return view

    return decorate


def remote_key() -> str:
    """Return the key under which the client's address is counted."""
    return limit_key(client())


def client() -> str:
    """Return the address of the client, behind trusted proxies."""
    return client_address(
        request.remote_addr or "",
        request.headers.get("X-Forwarded-For", ""),
        services().settings.trusted_proxies,
    )


def actor(caller: Caller) -> Actor:
    """Return the caller for the audit log."""
    return Actor(f"session:{caller.session_id}" if caller.session_id else caller.proof, client())


def _admit(operation: Operation) -> Caller:
    caller = _identify_session() if operation.session else _identify()
    if caller.is_anonymous and operation.authenticated:
        raise _failed_authentication(
            unauthorized(
                "This endpoint needs an API key. Send it as `Authorization: Bearer <key>` or "
                "`x-api-key: <key>`."
            )
        )
    g.caller = caller
    state = services().limits.hit_default(caller.account_id or remote_key())
    g.limit = state
    if state.exceeded:
        raise state.refusal()
    if operation.scope is not None:
        caller.require(operation.scope)
    return caller


def _count_refused_body(error: ServiceError) -> None:
    """Count a rejected large body as several requests. Reading it takes as long as that, and no
    other limit keeps a client from sending it repeatedly.
    """
    cost = g.get("body_bytes", 0) // REFUSED_BODY_BYTES
    if cost and error.code.status < HTTPStatus.INTERNAL_SERVER_ERROR:
        g.limit = services().limits.hit_default(g.caller.account_id or remote_key(), cost)


def _identify() -> Caller:
    if "Authorization" not in request.headers and "X-Api-Key" not in request.headers:
        return ANONYMOUS
    try:
        return services().callers.identify(read_credential(request))
    except ServiceError as error:
        raise _failed_authentication(error) from None


def _identify_session() -> Caller:
    """Return the caller by the session's cookie alone.

    :raises ServiceError: `unauthorized`, also for a key or token; `cross_origin`.
    """
    g.realm = SESSION_REALM
    if "Authorization" in request.headers or "X-Api-Key" in request.headers:
        raise _failed_authentication(
            unauthorized("This endpoint accepts only a browser session, not an API key or token.")
        )
    browsers = services().browsers
    caller = browsers.identify(request)
    if caller.is_anonymous:
        refusal = unauthorized("This endpoint needs a session. Sign in at /signin.")
        raise _failed_authentication(refusal) if browsers.carries_one(request) else refusal
    require_same_origin(request, services().settings.public_url)
    return caller


def _failed_authentication(error: ServiceError) -> ServiceError:
    """Count a 401 against the address; past the limit the answer becomes 429."""
    if error.code is not ErrorCode.UNAUTHORIZED:
        return error
    return count_failure() or error


def count_failure() -> ServiceError | None:
    """Count a failed authentication against the client's address. Return the refusal if there were
    too many.
    """
    g.limit = services().limits.hit_failed_auth(remote_key())
    return g.limit.refusal() if g.limit.exceeded else None


class _Held:
    """The pieces of a response. The server always closes them at the end."""

    def __init__(self, pieces: Any, holds: Holds) -> None:
        self._pieces = pieces
        self._next: Iterator[bytes] = iter(pieces)
        self._holds = holds

    def __iter__(self) -> _Held:
        return self

    def __next__(self) -> bytes:
        return next(self._next)

    def close(self) -> None:
        try:
            if hasattr(self._pieces, "close"):
                self._pieces.close()
        finally:
            self._holds.release()


def held_while_sent(make: Callable[[], Response], holds: Holds) -> Response:
    """Return the response of `make`. Release the holds when the response is sent or the connection
    closes, or immediately if the response is not a stream.
    """
    try:
        response = make()
    except BaseException:
        holds.release()
        raise
    if response.is_streamed:
        response.response = _Held(response.response, holds)
    else:
        holds.release()
    return response
