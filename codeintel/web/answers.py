"""Pages as answers."""

from __future__ import annotations

from flask import Response


def page_answer(page: str, status: int = 200) -> Response:
    """A page. Nobody but the visitor's own browser keeps it, and that asks each time: the header of
    a page says who is signed in."""
    response = Response(page, status, mimetype="text/html")
    if status >= 400:
        response.cache_control.no_store = True
    return response
