"""The blueprint of all pages, with their templates and styles."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

from flask import Blueprint, request

_STATIC = Path(__file__).parent / "static"
YEAR_SECONDS = 31_536_000
_BUNDLE = re.compile(r"dist/.*-[A-Z0-9]{8}\.(js|css)")
"""A file of the front end's build, whose name changes with what is in it."""


@cache
def digest(name: str) -> str | None:
    """What tells one content of a file from another; None for a file that there is not."""
    file = _STATIC / name
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file.is_file() else None


class Pages(Blueprint):
    """The pages and their files."""

    def get_send_file_max_age(self, filename: str | None) -> int | None:
        """A file whose address changes with what is in it can be kept: each page would ask for the
        styles again, and that counts against the limit of whoever reads it."""
        is_this = filename is not None and (
            request.args.get("v") == digest(filename) or _BUNDLE.fullmatch(filename) is not None
        )
        if is_this:  # and not the address of another release's
            return YEAR_SECONDS
        return super().get_send_file_max_age(filename)


# A folder of its own below /static, so that an application's own static route cannot hide it.
blueprint = Pages(
    "web",
    __name__,
    template_folder="templates",
    static_folder="static",
    static_url_path="/static/web",
)
