"""Pages as answers."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from codeintel.base.concurrency.pace import letting_others_run


def render_page(name: str, **context: Any) -> str:
    """A page from its template, written with pauses: one with other people's texts on it may be of
    many megabytes."""
    template = current_app.jinja_env.get_template(name)
    current_app.update_template_context(context)
    return "".join(letting_others_run(template.generate(context)))


def page_answer(page: str, status: int = 200) -> Response:
    """A page. Nobody but the visitor's own browser keeps it, and that asks each time: the header of
    a page says who is signed in."""
    response = Response(page, status, mimetype="text/html")
    if status >= 400:
        response.cache_control.no_store = True
    return response
