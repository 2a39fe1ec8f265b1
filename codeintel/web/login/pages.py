"""`/auth/login` and `/auth/callback/<provider>` sign in at a provider (OpenID Connect, with a
code and PKCE). `/auth/connect` adds an identity to the account of a signed-in user. A failed
login gets a page with the reason."""

from __future__ import annotations

import logging
from http import HTTPStatus
from urllib.parse import quote, urlencode

import msgspec
import requests
from authlib.common.errors import AuthlibBaseError  # type: ignore[import-untyped]
from flask import Response, request, session
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import actor, client, services
from codeintel.http.protection import LOOPBACK
from codeintel.identity.audit import Actor
from codeintel.identity.auth.caller import Caller
from codeintel.identity.auth.jwt import told_email
from codeintel.identity.oidc import InvalidTokenError, Provider
from codeintel.identity.verifier import VerifiedToken
from codeintel.web.blueprint import blueprint, render_page
from codeintel.web.login.oidc_client import LoginClient
from codeintel.web.login.require_login import (
    page_after_sign_in,
    path_after_sign_in,
    signed_in,
    visitor,
)
from codeintel.web.text import inline

log = logging.getLogger(__name__)
_TOLD = frozenset(
    {
        *("access_denied", "account_selection_required", "consent_required", "invalid_client"),
        *("invalid_grant", "invalid_request", "invalid_scope", "login_required", "server_error"),
        *("mismatching_state", "temporarily_unavailable", "unauthorized_client"),
        *("interaction_required", "unsupported_response_type"),
    }
)
"""Errors that go into the log; who asks for the page of a login's end can send any text as one."""
_NEXT, _PENDING = "next", "pending"
"""What the cookie of a login holds besides what Authlib puts there."""


class Refusal(Exception):  # noqa: N818 - a page, not an error
    """Ends a login.

    :param can_repeat: whether it may come to something the next time.
    """

    def __init__(
        self,
        status: HTTPStatus,
        heading: str,
        message: str,
        *,
        can_repeat: bool = True,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(heading)
        self._status = status
        self._heading = heading
        self._message = message
        self._can_repeat = can_repeat
        self._retry_after = retry_after

    @classmethod
    def of(cls, error: str) -> Refusal:
        """Build the refusal for an error of the provider or Authlib (RFC 6749, 4.1.2.1)."""
        if error == "access_denied":
            return cls(
                HTTPStatus.FORBIDDEN,
                "You were not signed in",
                "The provider reported that the sign-in was denied or canceled.",
            )
        if error in {"mismatching_state", "invalid_grant", "login_required"}:
            return cls.expired()
        if error in {"temporarily_unavailable", "server_error"}:
            return cls(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "The provider is unavailable",
                "The provider cannot process sign-ins at the moment. Try again later.",
            )
        return cls.not_believed()

    @classmethod
    def expired(cls) -> Refusal:
        """Build the refusal for a login that did not begin in this browser, or began too long
        ago."""
        return cls(
            HTTPStatus.BAD_REQUEST,
            "This sign-in has expired",
            "It took longer than 10 minutes, was already completed, or started in another browser.",
        )

    @classmethod
    def not_believed(cls) -> Refusal:
        """Build the refusal for an invalid response."""
        return cls(
            HTTPStatus.BAD_REQUEST,
            "The sign-in failed",
            "The provider sent an invalid response. If this happens again, ask the operator of "
            "this service to check its log.",
        )

    @classmethod
    def account_required(cls, provider: str) -> Refusal:
        """Build the refusal for an identity without an account."""
        return cls(
            HTTPStatus.FORBIDDEN,
            "You have no account here",
            f"Your {provider} identity is not connected to an account. Ask the operator for a "
            f"sign-in link. Then sign in with {provider} again to connect it.",
            can_repeat=False,
        )

    @classmethod
    def unavailable(cls, error: ServiceError) -> Refusal:
        """Build the refusal for a provider that does not respond. Existing sessions stay valid."""
        return cls(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "The provider is unavailable",
            error.message,
            retry_after=error.retry_after,
        )

    def page(self, begin_again: str) -> Response:
        """Return the refusal as a page.

        :param begin_again: URL at which the login begins.
        """
        page = render_page(
            "login_refused.html",
            status=self._status.value,
            heading=self._heading,
            message=inline(self._message),
            again=begin_again if self._can_repeat else "",
        )
        response = Response(page, self._status, mimetype="text/html")
        response.headers["Cache-Control"] = "private, no-store"
        if self._retry_after is not None:
            response.headers["Retry-After"] = str(self._retry_after)
        return response


class _Connection(msgspec.Struct, frozen=True):
    """An identity that waits for its owner's word."""

    account_id: str
    issuer: str
    subject: str
    email: str


def login_links(next_path: str) -> list[tuple[str, str]]:
    """Return the name and login URL of each provider.

    :param next_path: the path after signing in.
    """
    return [
        (each.entry.name, _begin(each, next=next_path))
        for each in services().providers
        if each.entry.client_id
    ]


@blueprint.get("/auth/login")
def auth_login() -> BaseResponse:
    """Redirect to the provider. Links may lead here. Forms may not, because their content
    security policy keeps them on this site."""
    provider = _provider(request.args.get("provider", ""))
    session.clear()  # of an earlier login that came to nothing
    session.permanent = True  # which is to say: for some minutes
    session[_NEXT] = path_after_sign_in(request.args.get("next", ""))
    callback = f"{_origin()}/auth/callback/{quote(provider.entry.slug)}"
    response: BaseResponse = LoginClient(provider).authorize_redirect(callback)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@blueprint.get("/auth/callback/<provider>")
def auth_callback(provider: str) -> Response:
    """Handle the provider's redirect: sign in, or show the reason why not."""
    chosen = _provider(provider)
    try:
        token, next_path = _finish(chosen)
        return _sign_in(token, chosen, next_path)
    except Refusal as refusal:
        return refusal.page(_begin(chosen))
    except ServiceError as error:
        if error.code is not ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE:
            raise
        return Refusal.unavailable(error).page(_begin(chosen))


@blueprint.post("/auth/connect")
@signed_in
def auth_connect(caller: Caller) -> Response:
    """Join the identity of the last login to the account, as its owner has confirmed."""
    kept = session.get(_PENDING)
    session.clear()
    pending = msgspec.convert(kept, _Connection) if kept is not None else None
    if pending is None or pending.account_id != caller.account_id:
        return Refusal.expired().page("/account")
    services().identities.join(
        caller.account_id, pending.issuer, pending.subject, pending.email, actor(caller)
    )
    return Response(status=303, headers={"Location": "/account?notice=connected"})


def _finish(provider: Provider) -> tuple[VerifiedToken, str]:
    """Return the user's token and the next path. The login's cookie is valid for one try.

    :raises Refusal: if the login failed.
    """
    next_path = path_after_sign_in(str(session.get(_NEXT, "")))
    try:
        _check_issuer(provider)
        token = LoginClient(provider).finish()
    except AuthlibBaseError as error:
        told = error.error if error.error in _TOLD else "another error"
        log.info("a login at %r failed: %s", provider.entry.name, told)
        raise Refusal.of(str(error.error)) from None
    except requests.RequestException as error:
        raise provider.unavailable(f"token error: {type(error).__name__}") from None
    except InvalidTokenError:
        token = None
    finally:
        session.clear()
    if token is None:
        log.warning("the provider %r sent no valid ID token", provider.entry.name)
        raise Refusal.not_believed()
    return token, next_path


def _check_issuer(provider: Provider) -> None:
    """Refuse another provider's answer (RFC 9207).

    :raises Refusal: for such a one.
    """
    told = request.args.get("iss")
    is_told = provider.metadata().authorization_response_iss_parameter_supported
    if (told is not None or is_told) and told != provider.entry.issuer:
        raise Refusal.expired()


def _sign_in(token: VerifiedToken, provider: Provider, next_path: str) -> Response:
    """Start a session for the account of the identity."""
    identities, caller = services().identities, visitor()
    account_id = identities.find(token.issuer, token.subject)
    email, is_verified = told_email(token.claims)
    if account_id is None and not caller.is_anonymous:
        return _ask(_Connection(caller.account_id, token.issuer, token.subject, email), provider)
    if account_id is None and provider.entry.signup:
        by = Actor(f"provider:{provider.entry.slug}", client())
        is_vouched = is_verified and provider.entry.vouches_for(email)
        account_id = identities.sign_up(token.issuer, token.subject, email, is_vouched, by).id
    if account_id is None:
        raise Refusal.account_required(provider.entry.name)
    response = Response(status=303, headers={"Location": page_after_sign_in(next_path)})
    services().browsers.sign_in(request, response, account_id, token.issuer, client())
    return response


def _ask(pending: _Connection, provider: Provider) -> Response:
    """Ask whether to add the identity to the account.

    Without the question, another site could send a signed-in visitor to the provider with the
    session of another person, who could then sign in to the visitor's account.
    """
    session.permanent = True
    session[_PENDING] = msgspec.to_builtins(pending)
    page = render_page(
        "connect.html", provider=provider.entry.name, identity=pending.email or pending.subject
    )
    response = Response(page, mimetype="text/html")
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _provider(slug: str) -> Provider:
    """:raises ServiceError: `not_found`."""
    found = [each for each in services().providers if each.entry.client_id]
    for each in found:
        if each.entry.slug == slug or (not slug and len(found) == 1):
            return each
    raise ServiceError(ErrorCode.NOT_FOUND, "This sign-in provider is not configured.")


def _begin(provider: Provider, **more: str) -> str:
    """Return the URL at which a login begins."""
    return f"/auth/login?{urlencode({'provider': provider.entry.slug, **more})}"


def _origin() -> str:
    """Return the service's own origin. Request headers only count on this machine.

    :raises ServiceError: `invalid_request` if the operator has not set it.
    """
    public_url = services().settings.public_url
    if public_url:
        return public_url
    if request.host.rpartition(":")[0] in LOOPBACK or request.host in LOOPBACK:
        return f"{request.scheme}://{request.host}"
    raise ServiceError(
        ErrorCode.INVALID_REQUEST,
        "The address of this service is not configured. The operator must set "
        "`CODEINTEL_PUBLIC_URL`.",
    )
