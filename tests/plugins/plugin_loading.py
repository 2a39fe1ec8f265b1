"""Helpers that load the plugins of an instance and inspect the results, for tests to import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from codeintel.platform.plugins.discovery import shipped
from codeintel.platform.plugins.manager import PluginManager, PluginRecord

BUILT_INS = tuple(each.name for each in shipped())
STATIC, PYTHON = "codeintel_plugins.static", "codeintel_plugins.python"


def load(instance: Path, **config: Any) -> PluginManager:
    return PluginManager(config, instance)


def record(manager: PluginManager, name: str) -> PluginRecord:
    (found,) = [each for each in manager.records if each.name == name]
    return found


def dropped_in(manager: PluginManager) -> list[str]:
    analyzers = manager.registry.analyzers
    return [name for name in analyzers if analyzers.owner(name) not in BUILT_INS]


def added(manager: PluginManager) -> list[PluginRecord]:
    """Return the records of plugins that are not shipped, which follow the shipped ones."""
    assert [each.name for each in manager.records[: len(BUILT_INS)]] == list(BUILT_INS)
    return manager.records[len(BUILT_INS) :]
