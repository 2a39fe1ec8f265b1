"""The cookie that carries a session's token."""

from __future__ import annotations

from flask import Request, Response

from codeintel.platform.config import Settings

MAX_TOKEN_CHARACTERS = 100
PLAIN, SECURE = "codeintel_session", "__Host-codeintel"
"""Browsers take the second only over HTTPS, for one host alone and the whole of it."""


class SessionCookie:
    """Reads and sets it. By HTTPS, it never travels without."""

    def __init__(self, settings: Settings) -> None:
        self._secure = settings.public_url.startswith("https://")
        self._lifetime = int(settings.session_lifetime)
        self.name = SECURE if self._secure else PLAIN

    def read(self, request: Request) -> str:
        """The token of a request's session; empty if it has none that could be one."""
        token = request.cookies.get(self.name, "")
        return token if len(token) <= MAX_TOKEN_CHARACTERS else ""

    def set(self, response: Response, token: str) -> None:
        """Keep a token in the browser, for as long as the session can last."""
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
        """Take it out of the browser."""
        response.delete_cookie(
            self.name, path="/", secure=self._secure, httponly=True, samesite="Lax"
        )
