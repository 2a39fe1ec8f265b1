"""The blueprint of all pages, with their templates, styles and scripts, and pages as answers."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, request, url_for

from codeintel.base.greenlets import letting_others_run

_STATIC = Path(__file__).parent / "static"
YEAR_SECONDS = 31_536_000
_BUNDLE = re.compile(r"dist/.*-[A-Z0-9]{8}\.(js|css|svg)")
"""A file of the front end's build, whose name changes with what is in it."""
log = logging.getLogger(__name__)
FOLDER = "dist"


@cache
def digest(name: str) -> str | None:
    """Return a digest of a file's content, or None if there is no such file."""
    file = _STATIC / name
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else None


class Pages(Blueprint):
    """The pages and their files."""

    def get_send_file_max_age(self, filename: str | None) -> int | None:
        """Let browsers cache a file if its URL changes with its content.

        Otherwise, each page would request the styles again, and that counts against the visitor's
        rate limit.
        """
        is_this = filename is not None and (
            request.args.get("v") == digest(filename) or _BUNDLE.fullmatch(filename) is not None
        )
        if is_this:  # and not the address of another release's
            return YEAR_SECONDS
        return super().get_send_file_max_age(filename)


# A separate folder below /static, so that an application's static route cannot hide it.
blueprint = Pages(
    "web",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/static/web",
)


_DIST = Path(__file__).parent / "static" / FOLDER


def bundle(name: str) -> str:
    """Return the address of a bundle such as `site.js`; empty if the bundles were not built."""
    file = _manifest().get(name)
    return url_for("web.static", filename=f"{FOLDER}/{file}") if file is not None else ""


@cache
def _manifest() -> dict[str, str]:
    """Return the files of the bundles by name. The manifest is read once."""
    try:
        found: dict[str, str] = json.loads((_DIST / "manifest.json").read_bytes())
    except FileNotFoundError:
        log.warning(
            "The front end is not built, so pages run without scripts. Reinstall where npm is "
            "available."
        )
        return {}
    return found


blueprint.add_app_template_global(bundle)


def render_page(name: str, **context: Any) -> str:
    """Render a template, with pauses, because a page with user texts may have many megabytes."""
    template = current_app.jinja_env.get_template(name)
    current_app.update_template_context(context)
    return "".join(letting_others_run(template.generate(context)))


def page_answer(page: str, status: int = 200) -> Response:
    """Return a page as a response. Only the visitor's browser caches it, and revalidates it each
    time, because the header of a page names the signed-in user."""
    response = Response(page, status, mimetype="text/html")
    if status >= 400:
        response.cache_control.no_store = True
    return response
