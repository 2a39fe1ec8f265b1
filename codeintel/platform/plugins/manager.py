"""One application's plugins: found, loaded, asked to register, each isolated from the others."""

from __future__ import annotations

import importlib
import logging
import sys
import traceback
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pluggy
from pluggy import PluginValidationError

from codeintel.base.setting_values import SettingError
from codeintel.platform.plugins import hookspecs
from codeintel.platform.plugins.registry import DuplicateNameError, Registry

if TYPE_CHECKING:
    from codeintel.platform.config import LoadedSettings

MANAGER_LOG = __name__
"""The log in which it says which plugins are broken."""
log = logging.getLogger(MANAGER_LOG)

PROJECT = "codeintel"
ENTRY_POINT_GROUP = "codeintel.plugins"
BUILTINS = "codeintel_plugins"


class Origin(StrEnum):
    """How a plugin got here."""

    BUILT_IN = "built-in"
    ENTRY_POINT = "entry point"
    DROP_IN = "drop-in"


@dataclass(frozen=True)
class PluginRecord:
    """One plugin as `codeintel plugins` shows it. `error` says why it is not in use, `advice` what
    is odd about one that is."""

    name: str
    origin: Origin
    location: str
    error: str | None
    provides: Mapping[str, tuple[str, ...]]
    advice: str = ""


class PluginManager:
    """Loads all plugins of one application and collects what they register.

    A broken plugin of the operator's is logged, listed with its error and leaves nothing behind. A
    broken built-in raises, and so does a name that two plugins claim: nobody could tell which of
    the two would answer.

    :param config: all settings, handed to the hooks read-only.
    :param instance: its `plugins/*.py` are loaded in sorted order.
    :param origins: where settings were set, for the error about a wrong one.
    :raises SettingError: for a wrong value of a built-in's setting.
    """

    def __init__(
        self, config: Mapping[str, Any], instance: Path, origins: Mapping[str, str] | None = None
    ) -> None:
        self.registry = Registry()
        self.records: list[PluginRecord] = []
        self._values = dict(config)
        self._config = MappingProxyType(self._values)
        self._origins = origins or {}
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hookspecs)
        for dotted in importlib.import_module(BUILTINS).BUILTIN_MODULES:
            self._load(dotted, Origin.BUILT_IN, dotted, partial(importlib.import_module, dotted))
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
            self._load(point.name, Origin.ENTRY_POINT, point.value, point.load)
        for path in sorted((instance / "plugins").glob("*.py")):
            self._load(path.stem, Origin.DROP_IN, str(path), partial(_import_file, path))

    @property
    def config(self) -> Mapping[str, Any]:
        """All settings by name, those of plugins checked and typed."""
        return self._config

    def _load(self, name: str, origin: Origin, location: str, load: Callable[[], Any]) -> None:
        record = PluginRecord(name, origin, location, None, {})
        if self._manager.has_plugin(name):
            error = f"another plugin has the name {name!r}: rename one of the two"
            log.error("plugin %r (%s) is not in use: %s", name, location, error)
            self.records.append(replace(record, error=error))
            return
        try:
            self._manager.register(load(), name)
            self._manager.check_pending()
            self._collect(name)
        except DuplicateNameError:
            raise
        except BaseException as error:
            if origin is Origin.BUILT_IN or isinstance(error, KeyboardInterrupt):
                raise
            what = _in_one_line(error, location)
            if isinstance(error, PluginValidationError):
                what = self._misspelt(error) or what
            log.error("plugin %r (%s) is not in use: %s", name, location, what)
            log.debug("the traceback of plugin %r", name, exc_info=True)
            self._forget(name)
            record = replace(record, error=what)
        else:
            provides = {shelf.kind: shelf.owned_by(name) for shelf in self.registry.shelves()}
            record = replace(record, provides={k: v for k, v in provides.items() if v})
            if not record.provides:
                record = replace(record, advice=self._advice(name))
        self.records.append(record)

    def _misspelt(self, error: PluginValidationError) -> str:
        """A plugin's first hook that does not exist, with the one that may be meant; nothing where
        all exist."""
        hooks = [hook_name for hook_name, _ in self._hooks()]
        for hook in self._manager.get_hookcallers(error.plugin) or ():
            if hook.name not in hooks:
                near = get_close_matches(hook.name, hooks, 1)
                meant = f"is {near[0]} meant?" if near else f"there are {', '.join(hooks)}"
                return f"there is no hook {hook.name}: {meant}"
        return ""

    def _collect(self, name: str) -> None:
        """Call the plugin's registration hooks.

        One plugin at a time and not through pluggy's own call, which stops at the first
        implementation that raises.
        """
        for hook_name, registrar in self._hooks():
            for implementation in getattr(self._manager.hook, hook_name).get_hookimpls():
                if implementation.plugin_name == name:
                    given = {"register": registrar(name), "config": self._config}
                    implementation.function(*(given[arg] for arg in implementation.argnames))
            if hook_name == "register_settings":
                self._parse_settings(name)

    def _parse_settings(self, plugin: str) -> None:
        """Check the values of the settings that a plugin has declared."""
        for name in self.registry.settings.owned_by(plugin):
            setting = self.registry.settings[name]
            try:
                given = self._values.get(name, setting.default)
                self._values[name] = setting.parse(given) if name in self._values else given
            except (TypeError, ValueError) as error:
                origin = self._origins.get(name, "the settings")
                raise SettingError(f"{name} (set in {origin}) {error}.") from None

    def _hooks(self) -> tuple[tuple[str, Callable[[str], Callable[[Any], None]]], ...]:
        """The hooks in the order in which they are called, with what makes their `register`."""
        return (
            ("register_settings", self.registry.settings.registrar),
            ("register_analyzers", self.registry.analyzers.registrar),
            ("register_language_detectors", self.registry.detectors.registrar),
            ("register_engines", self.registry.engines.registrar),
            ("register_search_sources", self.registry.sources.registrar),
            ("register_transformations", self.registry.transformation_registrar),
            ("register_trust_scorers", self.registry.trust_registrar),
        )

    def _advice(self, name: str) -> str:
        """What may be wrong with a plugin that registered nothing. One whose hooks were called may
        have been told by its settings to do nothing."""
        if self._manager.get_hookcallers(self._manager.get_plugin(name)):
            return ""
        return "registers nothing: is @hookimpl missing?"

    def _forget(self, name: str) -> None:
        if self._manager.has_plugin(name):
            self._manager.unregister(name=name)
        for shelf in self.registry.shelves():
            shelf.discard_owner(name)


def _in_one_line(error: BaseException, location: str) -> str:
    """What went wrong in a plugin, and the line in its file, where it has one."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == location]
    if isinstance(error, SyntaxError) and error.filename == location:
        lines, text = [error.lineno], error.msg
    else:
        text = " ".join(str(error).split())
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"


def load_plugins(loaded: LoadedSettings) -> tuple[LoadedSettings, PluginManager]:
    """All plugins, and the settings with what they declare.

    :raises SettingError: for a wrong value of a built-in's setting.
    """
    manager = PluginManager(loaded.values, loaded.settings.instance, loaded.origins)
    declared = manager.registry.settings
    secrets = [name for name, setting in declared.items() if setting.secret]
    return loaded.with_plugins(manager.config, declared.keys(), secrets), manager


def _import_file(path: Path) -> Any:
    """Import a file under a name of its own: `json.py` in the folder shadows nothing, and neither
    does a file of the same name in another application's."""
    name = f"codeintel_dropin_{path.stem}_{zlib.crc32(bytes(path)):08x}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and others look up what annotations mean
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
