"""Invisible errors of a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

_REPORT = """
document.addEventListener("securitypolicyviolation", (event) => window.__refusedByPolicy(
  `${event.effectiveDirective} refused ${event.blockedURI}: ${event.sourceFile}:${event.lineNumber}`
));
"""
_LEFT = "net::ERR_ABORTED"
"""Of what a page had not yet received when it was left, as people do."""


class Watch:
    """Collects errors in the console and of scripts, what the content security policy refused, and
    requests that failed or went elsewhere, of all pages of a context."""

    def __init__(self, context: BrowserContext, url: str, expected: tuple[str, ...]) -> None:
        self._url = url
        self._troubles: list[str] = []
        self._expected = expected
        context.expose_binding("__refusedByPolicy", self._refused)
        context.add_init_script(_REPORT)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    @property
    def troubles(self) -> list[str]:
        """Return all messages without any of the expected texts."""
        return [each for each in self._troubles if not any(part in each for part in self._expected)]

    def _refused(self, source: Any, text: str) -> None:
        self._troubles.append(f"policy: {text} on {source['page'].url}")

    def _console(self, message: ConsoleMessage) -> None:
        # A response with an error is reported by `_response`, with its status and URL.
        if message.type in {"error", "warning"} and "Failed to load resource" not in message.text:
            self._troubles.append(f"console: {message.text} at {_where(message.page)}")

    def _error(self, error: WebError) -> None:
        self._troubles.append(f"script: {error.error} at {_where(error.page)}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self._url, "data:", "blob:")):
            self._troubles.append(f"request: {request.url} is elsewhere")

    def _failed(self, request: Request) -> None:
        if request.failure == _LEFT:
            return
        self._troubles.append(f"request: {request.method} {request.url} failed: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            request = response.request
            self._troubles.append(f"response: {response.status} {request.method} {request.url}")


def _where(page: Page | None) -> str:
    return page.url if page is not None else "a worker"
