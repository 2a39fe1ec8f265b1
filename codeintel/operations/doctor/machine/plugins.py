"""Plugins: what is broken, what collides, what lies there and is not loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codeintel.operations.doctor.errors import Unavailable
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.machine.plugin_loading import Collision
from codeintel.operations.doctor.results import Finding, error, ok, or_ok, warning
from codeintel.platform.plugins.manager import PluginRecord

LOADED, ABANDONED = "plugins.loaded", "plugins.abandoned"


def look_at_plugins(installation: Installation) -> Iterator[Finding]:
    """Load them, as the service does at its start."""
    try:
        plugins = installation.plugins.get()
    except Collision as collision:
        yield error(LOADED, f"{collision} The service does not start.", "Remove one of the two.")
    except Unavailable as why:
        yield error(LOADED, f"The plugins cannot be loaded: {why}", "Correct that setting first.")
    else:
        records = plugins.manager.records
        broken = [each for each in records if each.error]
        for each in broken:
            yield error(
                LOADED,
                f"{each.name} ({each.location}) is not in use: {each.error}.",
                "Correct or remove it, then restart the service: it runs without it.",
            )
        if not broken:
            off = sum(each.disabled for each in records)
            yield ok(LOADED, f"{len(records) - off} plugins{f', and {off} disabled' * bool(off)}.")
        yield from or_ok(
            [*_idle(records), *_never_loaded(installation.settings.instance / "plugins")],
            ABANDONED,
            "All that lies there is in use.",
        )


def _idle(records: list[PluginRecord]) -> Iterator[Finding]:
    for each in records:
        if each.advice:
            yield warning(
                ABANDONED,
                f"{each.name} ({each.location}) {each.advice}",
                "Add the marker, or remove the plugin.",
            )


def _never_loaded(folder: Path) -> Iterator[Finding]:
    """Only files whose names end in `.py` are loaded."""
    if not folder.is_dir():
        return
    left = sorted(
        each.name
        for each in folder.iterdir()
        if each.name != "__pycache__" and (each.suffix != ".py" or not each.is_file())
    )
    if left:
        yield warning(
            ABANDONED,
            f"{', '.join(left)} in {folder}: only files that end in .py are loaded.",
            "Move what is not in use elsewhere; install a plugin of several files as a "
            "distribution (docs/hooks.md).",
        )
