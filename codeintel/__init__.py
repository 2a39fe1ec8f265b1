"""codeintel: a self-hosted code intelligence service.

What is public here: :func:`create_app`, the :data:`hookimpl` marker for plugins and the two version
strings. Plugin authors find the shapes they build on in :mod:`codeintel.contracts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

from codeintel.base.version import API_VERSION, __version__

if TYPE_CHECKING:
    from codeintel.app import create_app

hookimpl = pluggy.HookimplMarker("codeintel")

__all__ = ["API_VERSION", "__version__", "create_app", "hookimpl"]


def __getattr__(name: str) -> Any:
    # The server patches the standard library for gevent before anything else is imported, and
    # worker processes want no web framework at all: so importing the package imports no Flask.
    if name == "create_app":
        from codeintel.app import create_app

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
