"""The decorator of every API endpoint: who calls, how often, with what body; then the view."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from flask import Response, current_app, g, request

from codeintel.auth.caller import ANONYMOUS, Caller
from codeintel.auth.credentials import read_credential, unauthorized
from codeintel.errors import ErrorCode, ServiceError
from codeintel.http.address import client_address, limit_key
from codeintel.http.body import read_json
from codeintel.http.operation import Operation
from codeintel.http.query import read_query
from codeintel.services import Services

View = TypeVar("View", bound=Callable[..., Response])


def services() -> Services:
    """The services of the current application."""
    return cast(Services, current_app.extensions["codeintel"])


def endpoint(operation: Operation) -> Callable[[View], View]:
    """Make a view an API endpoint.

    The view is called with `caller=` the :class:`Caller` and, where the operation has a type for
    it, `query=` the checked parameters and `body=` the checked body. Authentication comes before
    they are read.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(**arguments: Any) -> Response:
            arguments["caller"] = _admit(operation)
            if operation.query is not None:
                arguments["query"] = read_query(request, operation.query)
            if operation.body is not None:
                arguments["body"] = read_json(request, operation.body)
            return view(**arguments)

        wrapped.operation = operation  # type: ignore[attr-defined]
        return cast(View, wrapped)

    return decorate


def exempt(operation: Operation) -> Callable[[View], View]:
    """Document a view without authentication and limits: for what must answer when those cannot."""

    def decorate(view: View) -> View:
        view.operation = operation  # type: ignore[attr-defined]
        view.exempt = True  # type: ignore[attr-defined]
        return view

    return decorate


def remote_key() -> str:
    """What the client's address is counted under."""
    address = client_address(
        request.remote_addr or "",
        request.headers.get("X-Forwarded-For", ""),
        services().settings.trusted_proxies,
    )
    return limit_key(address)


def _admit(operation: Operation) -> Caller:
    caller = _identify()
    if caller.is_anonymous and operation.authenticated:
        raise _failed_authentication(
            unauthorized(
                "This endpoint needs an API key: send it as `Authorization: Bearer <key>` or "
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


def _identify() -> Caller:
    if "Authorization" not in request.headers and "X-Api-Key" not in request.headers:
        return ANONYMOUS
    try:
        return services().callers.identify(read_credential(request))
    except ServiceError as error:
        raise _failed_authentication(error) from None


def _failed_authentication(error: ServiceError) -> ServiceError:
    """Count a 401 against the address; past the limit the answer becomes 429."""
    if error.code is not ErrorCode.UNAUTHORIZED:
        return error
    state = services().limits.hit_failed_auth(remote_key())
    g.limit = state
    return state.refusal() if state.exceeded else error
