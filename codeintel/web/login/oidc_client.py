"""Authlib's client for signing in at a provider, kept within bounds.

Authlib makes the request with its state, nonce and PKCE, and trades the code for tokens. What it
must know of the provider, and whether the ID token is right, comes from :mod:`codeintel.identity`:
there the keys are bound to their issuer, and kept.
"""

from __future__ import annotations

import logging
import os
from datetime import timedelta
from typing import Any

import gevent
import msgspec
import requests
from authlib.integrations.flask_client import (  # type: ignore[import-untyped]
    FlaskIntegration,
    FlaskOAuth2App,
)
from authlib.integrations.requests_client import OAuth2Session  # type: ignore[import-untyped]
from flask import Flask
from requests.utils import get_environ_proxies

from codeintel.identity.oidc import DEADLINE_SECONDS, InvalidTokenError, Provider
from codeintel.identity.verifier import VerifiedToken, verify_id_token
from codeintel.platform.config import Settings
from codeintel.platform.config.issuers import is_loopback
from codeintel.platform.upstreams.transport import READ_BYTES, Adapter

LOGIN_SECONDS = 600
"""Time limit from the link to the provider until the browser is back."""
MAX_ANSWER_BYTES = 256 * 1024
SCOPE = "openid email profile"

logging.getLogger("authlib").setLevel(logging.INFO)  # lower levels log secrets


def init_login_cookie(app: Flask, settings: Settings) -> None:
    """Use Flask's signed cookie for logins in progress. Sessions have another cookie."""
    is_https = settings.public_url.startswith("https://")
    app.config.update(
        SESSION_COOKIE_NAME="__Host-codeintel-login" if is_https else "codeintel_login",
        SESSION_COOKIE_SECURE=is_https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_PATH="/",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(seconds=LOGIN_SECONDS),
    )


class _Session(OAuth2Session):  # type: ignore[misc] # Authlib has no types
    """Sends Authlib's requests, with limits of time and size, and without redirects."""

    def request(self, method: str, url: str, **more: Any) -> requests.Response:
        self.trust_env = False  # or `.netrc` would have its say
        self.proxies = {} if is_loopback(url) else get_environ_proxies(url)
        self.verify = (
            os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("SSL_CERT_FILE") or True
        )
        for scheme in ("http://", "https://"):
            self.mount(scheme, Adapter(max_retries=0))
        more |= {"allow_redirects": False, "timeout": DEADLINE_SECONDS, "stream": True}
        late = requests.Timeout("timed out")
        with gevent.Timeout(DEADLINE_SECONDS, late), super().request(method, url, **more) as answer:
            body = bytearray()
            for chunk in answer.iter_content(READ_BYTES):
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise requests.RequestException("too large")
        response: requests.Response = answer
        response._content = bytes(body)
        if not isinstance(response.json(), dict):
            raise requests.RequestException("not an object")
        return response


class LoginClient(FlaskOAuth2App):  # type: ignore[misc] # Authlib has no types
    """A provider as Authlib sees it, for one of our requests."""

    client_cls = _Session

    def __init__(self, provider: Provider) -> None:
        entry = provider.entry
        self._provider = provider
        metadata = provider.metadata()
        methods = metadata.token_endpoint_auth_methods_supported
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        super().__init__(
            FlaskIntegration(entry.slug),
            entry.slug,
            client_id=entry.client_id,
            client_secret=entry.client_secret or None,
            authorize_url=metadata.authorization_endpoint,
            access_token_url=metadata.token_endpoint,
            userinfo_endpoint=metadata.userinfo_endpoint,
            client_kwargs={
                "scope": SCOPE,
                "code_challenge_method": "S256",  # even if the provider does not advertise it
                "token_endpoint_auth_method": method if entry.client_secret else "none",
            },
        )
        if not (metadata.authorization_endpoint and metadata.token_endpoint):
            raise provider.unavailable("the discovery document has no authorization endpoint")

    def parse_id_token(self, token: Any, nonce: str, **_: Any) -> VerifiedToken:
        """Verify an ID token. Replaces Authlib's method, which requests keys repeatedly without a
        limit.

        :raises codeintel.identity.oidc.InvalidTokenError: unless the token belongs to this
            login.
        """
        return verify_id_token(str(token["id_token"]), self._provider, nonce)

    def finish(self) -> VerifiedToken | None:
        """Exchange the request's code for the user's token, or None if the provider sent none.

        Providers need not include the email address in the ID token (OpenID Connect Core 1.0, 5.4).
        If it is missing, it is requested.

        :raises authlib.common.errors.AuthlibBaseError: if the login failed.
        :raises requests.RequestException: if the provider does not respond correctly.
        :raises codeintel.identity.oidc.InvalidTokenError: for an invalid ID token.
        """
        token: VerifiedToken | None = self.authorize_access_token().get("userinfo")
        if (
            token is None
            or "email" in token.claims
            or not self.server_metadata["userinfo_endpoint"]
        ):
            return token
        told = self.userinfo()
        if told.get("sub") != token.subject:
            raise InvalidTokenError
        return msgspec.structs.replace(token, claims={**told, **token.claims})
