"""The scripts of pages: bundled when the package is built. Pages do without where they are not."""

from __future__ import annotations

import json
import logging
from functools import cache
from pathlib import Path

from flask import url_for

from codeintel.web.blueprint import blueprint

log = logging.getLogger(__name__)

FOLDER = "dist"
_DIST = Path(__file__).parent / "static" / FOLDER


def bundle(name: str) -> str:
    """The address of a bundle such as `site.js`, which changes with what is in it; empty where the
    bundles were not built."""
    file = _manifest().get(name)
    return url_for("web.static", filename=f"{FOLDER}/{file}") if file is not None else ""


@cache
def _manifest() -> dict[str, str]:
    """The files of the bundles by name, as they were when the process began to need them."""
    try:
        found: dict[str, str] = json.loads((_DIST / "manifest.json").read_bytes())
    except FileNotFoundError:
        log.warning(
            "The front end was not built, so pages work without scripts: install again where npm "
            "can be reached."
        )
        return {}
    return found


blueprint.add_app_template_global(bundle)
