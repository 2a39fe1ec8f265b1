"""Use gunicorn as a library."""

from __future__ import annotations

from typing import Any

from gunicorn.app.base import BaseApplication

from codeintel.server import gunicorn as defaults


class Application(BaseApplication):
    """The service, configured by :mod:`codeintel.server.gunicorn` and the given values."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Apply the service's settings for gunicorn, then the given ones."""
        for name in self.cfg.settings:
            if hasattr(defaults, name):
                self.cfg.set(name, getattr(defaults, name))
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Return the WSGI application. Each worker creates one."""
        from codeintel.app import create_app

        return create_app()


def run(host: str, port: int, workers: int) -> None:
    """Serve until a signal arrives."""
    address = f"[{host}]" if ":" in host else host
    bind = [f"{address}:{port}", *defaults.figures_at]
    Application({"bind": bind, "workers": workers}).run()
