"""Pages as answers."""

from __future__ import annotations

from flask import Response, request

MAX_AGE = 60
"""Seconds for which a page may be shown again without asking."""


def page_answer(page: str, status: int = 200, *, lasts: bool = False) -> Response:
    """
    :param lasts: whether the page is as good in a minute.
    """
    response = Response(page, status, mimetype="text/html")
    if not lasts:
        response.cache_control.no_store = True
        return response
    response.cache_control.public = True
    response.cache_control.max_age = MAX_AGE
    response.add_etag()
    response.make_conditional(request)
    return response
