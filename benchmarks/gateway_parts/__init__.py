"""The parts of `benchmarks/gateway.py`."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module


def use_fast_loop() -> None:
    """uvloop for asyncio, where it is installed: more of the machine is left for the services."""
    with suppress(ImportError):
        import_module("uvloop").install()
