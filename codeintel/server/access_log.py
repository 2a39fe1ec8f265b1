"""The logs of gunicorn: its own log, and the optional access log."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger as GunicornLogger

from codeintel.base import logging as logs
from codeintel.base.logging import FIELDS, one_line
from codeintel.http.address import client_address
from codeintel.identity.links import shown_path
from codeintel.platform.config import try_settings

_KEPT = frozenset("hltmsUHbBTDMLpra")
"""The fields of gunicorn that a line may contain. The others are headers and variables with
possible secrets, such as user names, in which some clients send a key. They become `-`.
"""
_REFUSED = "Invalid request from ip="


class Logger(GunicornLogger):
    """Keeps secrets out of the access log: tokens of sign-in links, credentials, search queries,
    referrers and the text of malformed requests.

    gunicorn's own entries use the service's log format, unless gunicorn writes them to a file.
    """

    def setup(self, cfg: Any) -> None:
        """Set up the handlers, at startup and whenever gunicorn reloads its settings."""
        super().setup(cfg)
        self._settings = try_settings()[0].settings
        self._is_json = self._settings.log_format == logs.JSON
        if cfg.errorlog == "-":
            self.error_log.propagate = True
            self.error_log.handlers = []
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            if self._is_json or handler in self.error_log.handlers:
                handler.setFormatter(logs.formatter(self._settings.log_format))

    def atoms(self, resp: Any, req: Any, environ: Any, request_time: Any) -> Any:
        """Return the fields of a line."""
        found: Any = super().atoms(resp, req, environ, request_time)
        shown = {name: value for name, value in found.items() if name in _KEPT}
        path = shown_path(environ.get("PATH_INFO") or "")
        version = environ.get("SERVER_PROTOCOL", "")
        shown["U"], shown["q"] = path, ""
        shown["r"] = f"{environ.get('REQUEST_METHOD', '')} {path} {version}"
        return {
            name: one_line(value) if isinstance(value, str) else value
            for name, value in shown.items()
        }

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Write the entry for a response."""
        if not self._is_json or not self.access_log_enabled:
            super().access(resp, req, environ, request_time)
            return
        atoms = self.atoms(resp, req, environ, request_time)
        entry = {
            "address": client_address(
                environ.get("REMOTE_ADDR", ""),
                environ.get("HTTP_X_FORWARDED_FOR", ""),
                self._settings.trusted_proxies,
            ),
            "method": atoms["m"],
            "path": atoms["U"],
            "protocol": atoms["H"],
            "status": int(atoms["s"]),
            "bytes": atoms["B"],
            "seconds": request_time.total_seconds(),
            "user_agent": atoms["a"],
        }
        self.access_log.info("%s %s", atoms["r"], atoms["s"], extra={FIELDS: entry})

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        """Log a warning. For a malformed request, log only the sender."""
        if isinstance(msg, str) and msg.startswith(_REFUSED):
            msg = msg.partition(": ")[0]
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Log an exception without gunicorn's message, which may contain the request's URL."""
        told = msg.partition("%s")[0].rstrip() if isinstance(msg, str) else "It failed"
        super().exception(told, **kwargs)
