"""Where a visitor goes on: a path of this service, whatever the request says."""

from __future__ import annotations

import re

START = "/"
FIRST_PAGE = "/account?notice=signed-in"
"""Where somebody gets who signed in and came from nowhere in particular."""
MAX_CHARACTERS = 2_048
# One slash that no other follows, and nothing that browsers drop or read as a slash.
_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]*\Z")
_ROUND = ("/signin", "/signout", "/auth/")


def safe_path(text: str) -> str:
    """The path with its query if it is one of this service, else the start page."""
    return text if len(text) <= MAX_CHARACTERS and _PATH.match(text) else START


def path_after_sign_in(text: str) -> str:
    """The same; pages that sign in or out are none to come back to."""
    path = safe_path(text)
    return START if path.startswith(_ROUND) else path


def page_after_sign_in(path: str) -> str:
    """Where to send somebody who has just signed in and wanted to go to `path`, which is safe."""
    return FIRST_PAGE if path == START else path
