"""What is told of a login that came to nothing, and what to do about it."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response

from codeintel.base.errors import ServiceError
from codeintel.web.answers import render_page
from codeintel.web.markup import inline


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
        """Of an error that the provider or Authlib has told (RFC 6749, 4.1.2.1)."""
        if error == "access_denied":
            return cls(
                HTTPStatus.FORBIDDEN,
                "You were not signed in",
                "The provider says that signing in was refused or called off.",
            )
        if error in {"mismatching_state", "invalid_grant", "login_required"}:
            return cls.expired()
        if error in {"temporarily_unavailable", "server_error"}:
            return cls(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "The provider is out of reach",
                "It says that it cannot sign anybody in now: try again later.",
            )
        return cls.not_believed()

    @classmethod
    def expired(cls) -> Refusal:
        """Of a login that was not begun in this browser, or too long ago."""
        return cls(
            HTTPStatus.BAD_REQUEST,
            "This login is over",
            "It took longer than ten minutes, was finished already, or began in another browser.",
        )

    @classmethod
    def not_believed(cls) -> Refusal:
        """Of an answer that proves nothing."""
        return cls(
            HTTPStatus.BAD_REQUEST,
            "The login could not be finished",
            "The provider's answer is not what it should be. If it happens again, tell whoever "
            "runs this service: its log says more.",
        )

    @classmethod
    def account_required(cls, provider: str) -> Refusal:
        """Of somebody whom nobody knows here."""
        return cls(
            HTTPStatus.FORBIDDEN,
            "You have no account here",
            f"{provider} knows you, but this service does not. Ask whoever runs it for an "
            "invitation: sign in with its link, then sign in here once more to connect the two.",
            can_repeat=False,
        )

    @classmethod
    def unavailable(cls, error: ServiceError) -> Refusal:
        """Of a provider that does not answer. Who is signed in already stays so."""
        return cls(
            HTTPStatus.SERVICE_UNAVAILABLE,
            "The provider is out of reach",
            error.message,
            retry_after=error.retry_after,
        )

    def page(self, begin_again: str) -> Response:
        """It as a page.

        :param begin_again: address at which the login begins.
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
