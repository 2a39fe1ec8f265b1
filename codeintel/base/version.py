"""The versions of the package and of its API, and the default address of both sides."""

from __future__ import annotations

__version__ = "0.1.0"
API_VERSION = "1.0.0"
DEFAULT_URL = "http://127.0.0.1:8000"
"""The default address of `codeintel serve`, and of commands such as `codeintel analyze`."""
