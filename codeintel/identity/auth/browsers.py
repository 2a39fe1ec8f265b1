"""Browsers: whose session a request's cookie carries, and the token of its forms."""

from __future__ import annotations

import hashlib
import hmac

from flask import Request, Response

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.tiers import Tier
from codeintel.identity.auth.caller import ANONYMOUS, Caller, Proof
from codeintel.identity.auth.session_cookie import SessionCookie
from codeintel.identity.secrets import digest
from codeintel.identity.sessions import Sessions
from codeintel.platform.config import Settings


class Browsers:
    """Finds callers by their sessions, signs browsers in, and protects forms."""

    def __init__(self, sessions: Sessions, settings: Settings, key: bytes) -> None:
        self._sessions = sessions
        self._cookie = SessionCookie(settings)
        self._key = key

    def identify(self, request: Request) -> Caller:
        """The caller of the request's session; anonymous where there is none that goes on."""
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
        """Whether a request has a session's cookie, be the session over or not."""
        return bool(self._cookie.read(request))

    def sign_in(
        self, request: Request, response: Response, account_id: str, how: str, address: str
    ) -> None:
        """Open a session in the browser; the one that it had ends."""
        token = self._sessions.open(
            account_id,
            how,
            agent=request.user_agent.string,
            address=address,
            replacing=self._cookie.read(request),
        )
        self._cookie.set(response, token)

    def sign_out(self, response: Response) -> None:
        """Forget the session in the browser."""
        self._cookie.clear(response)

    def form_token(self, request: Request) -> str:
        """What a form of this session must send back. It ends with the session."""
        token = self._cookie.read(request)
        return hmac.new(self._key, f"form {digest(token)}".encode(), hashlib.sha256).hexdigest()

    def check_form(self, request: Request, sent: str) -> None:
        """
        :param sent: what the form has sent back.
        :raises ServiceError: `csrf_failed`.
        """
        expected = self.form_token(request).encode()
        if not hmac.compare_digest(expected, sent.encode(errors="replace")):
            raise ServiceError(
                ErrorCode.CSRF_FAILED,
                "This form is of another session, which may have ended: load its page again.",
            )


class SessionAuthenticator:
    """Sessions in the chain: no credential of an API request is one, but what they opened ends with
    them."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def claims(self, credential: object) -> bool:  # noqa: ARG002 - the chain's signature
        return False

    def authenticate(self, credential: object) -> None:  # noqa: ARG002
        return None

    def is_valid(self, caller: Caller) -> bool:
        return caller.session_id is None or self._sessions.is_active(caller.session_id)
