"""Browsers: the session cookie, form tokens and the check of origins."""

from __future__ import annotations

import hashlib
import hmac
from urllib.parse import urlsplit

from flask import Request, Response

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.auth.caller import ANONYMOUS, Caller, Proof
from codeintel.identity.secrets import digest
from codeintel.identity.sessions import Sessions
from codeintel.platform.config import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_TOKEN_CHARACTERS = 100
PLAIN, SECURE = "codeintel_session", "__Host-codeintel"
"""Browsers accept the second name only over HTTPS, for a single host and all of its paths."""


class SessionCookie:
    """Reads and sets the session cookie. With HTTPS, it is never sent over HTTP."""

    def __init__(self, settings: Settings) -> None:
        self._secure = settings.public_url.startswith("https://")
        self._lifetime = int(settings.session_lifetime)
        self.name = SECURE if self._secure else PLAIN

    def read(self, request: Request) -> str:
        """Return the token of a request's session, or an empty text if it has no plausible
        token.
        """
        token = request.cookies.get(self.name, "")
        return token if len(token) <= MAX_TOKEN_CHARACTERS else ""

    def set(self, response: Response, token: str) -> None:
        """Store a token in the browser for the session's lifetime."""
        response.set_cookie(
            self.name,
            token,
            max_age=self._lifetime,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="Lax",
        )

    def clear(self, response: Response) -> None:
        """Delete the cookie in the browser."""
        response.delete_cookie(
            self.name, path="/", secure=self._secure, httponly=True, samesite="Lax"
        )


class Browsers:
    """Identifies callers by their sessions, signs browsers in, and protects forms."""

    def __init__(self, sessions: Sessions, settings: Settings, key: bytes) -> None:
        self._sessions = sessions
        self._cookie = SessionCookie(settings)
        self._key = key

    def identify(self, request: Request) -> Caller:
        """Return the caller of the request's session. Anonymous without an active session."""
        token = self._cookie.read(request)
        match = self._sessions.find(token) if token else None
        if match is None:
            return ANONYMOUS
        return Caller(
            proof=Proof.SESSION,
            account_id=match.account_id,
            tier=Tier(match.tier),
            unlimited=match.unlimited,
            session_id=match.session_id,
            email=match.email,
        )

    def carries_one(self, request: Request) -> bool:
        """Return whether a request has a session cookie, even of an ended session."""
        return bool(self._cookie.read(request))

    def sign_in(
        self, request: Request, response: Response, account_id: str, how: str, address: str
    ) -> None:
        """Open a session in the browser and end its previous one."""
        token = self._sessions.open(
            account_id,
            how,
            agent=request.user_agent.string,
            address=address,
            replacing=self._cookie.read(request),
        )
        self._cookie.set(response, token)

    def sign_out(self, response: Response) -> None:
        """Delete the session's cookie in the browser."""
        self._cookie.clear(response)

    def form_token(self, request: Request) -> str:
        """Return the token that forms of this session must send. It expires with the session."""
        token = self._cookie.read(request)
        return hmac.new(self._key, f"form {digest(token)}".encode(), hashlib.sha256).hexdigest()

    def check_form(self, request: Request, sent: str) -> None:
        """Check the token of a form.

        :param sent: the token that the form sent.
        :raises ServiceError: `csrf_failed`.
        """
        expected = self.form_token(request).encode()
        if not hmac.compare_digest(expected, sent.encode(errors="replace")):
            raise ServiceError(
                ErrorCode.CSRF_FAILED,
                "This form belongs to another session, which may have ended. Reload the page.",
            )


class SessionAuthenticator:
    """Validates sessions within the chain. API requests never authenticate with one, but streams
    that a session opened end with it.
    """

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def claims(self, credential: object) -> bool:  # noqa: ARG002 - the chain's signature
        return False

    def authenticate(self, credential: object) -> None:  # noqa: ARG002
        return None

    def is_valid(self, caller: Caller) -> bool:
        return caller.session_id is None or self._sessions.is_active(caller.session_id)


def require_same_origin(request: Request, public_url: str) -> None:
    """Reject a request that changes something and does not come from the service's own pages.

    :param public_url: the origin of the service. If empty, the request's host counts.
    :raises ServiceError: `cross_origin`, also if the browser sends no origin at all.
    """
    if request.method in SAFE_METHODS:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None and site != "same-origin":
        raise _refusal("The request came from another site. Use the service's own pages.")
    if origin is not None and not _is_own(origin, request, public_url):
        raise _refusal("The request came from another site. Use the service's own pages.")
    if site is None and origin is None:
        raise _refusal(
            "The request does not name its origin. Send `Origin` with the service's own origin, as "
            "browsers do."
        )


def _is_own(origin: str, request: Request, public_url: str) -> bool:
    """Return whether an origin is the service's own. Without a public URL the scheme is ignored,
    because a proxy may have terminated HTTPS.
    """
    if public_url and origin == public_url:
        return True
    host = urlsplit(origin).netloc
    is_loopback = not public_url or urlsplit(origin).hostname in {"localhost", "127.0.0.1", "::1"}
    return is_loopback and host == request.host


def _refusal(message: str) -> ServiceError:
    return ServiceError(ErrorCode.CROSS_ORIGIN, message)
