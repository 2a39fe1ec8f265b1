"""Find, load and register the plugins of one application, each isolated from the others.

An error in a plugin is described for its author.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pluggy
from pluggy import PluginValidationError

from codeintel.base.setting_values import SettingError
from codeintel.platform.plugins import hookspecs
from codeintel.platform.plugins.discovery import (
    Candidate,
    Origin,
    candidates,
    chosen,
    meant,
    unmatched,
)
from codeintel.platform.plugins.registry import Registry, TypedRegistry

if TYPE_CHECKING:
    from codeintel.platform.config import LoadedSettings


def in_one_line(error: BaseException, location: str) -> str:
    """Return the error of a plugin, with the line in its file if it has one."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == location]
    if isinstance(error, SyntaxError) and error.filename == location:
        lines, text = [error.lineno], error.msg
    else:
        text = " ".join(str(error).split())
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"


MANAGER_LOG = __name__
"""The log that names broken plugins."""
log = logging.getLogger(MANAGER_LOG)

PROJECT = "codeintel"
DISABLED = "CODEINTEL_PLUGINS_DISABLED"


@dataclass(frozen=True)
class PluginRecord:
    """A plugin as `codeintel plugins` shows it.

    `error` says why it is not in use, and `advice` what is odd about one in use. A disabled plugin
    was not imported.
    """

    name: str
    origin: Origin
    location: str
    error: str | None
    provides: Mapping[str, tuple[str, ...]]
    advice: str = ""
    disabled: bool = False


@dataclass(frozen=True)
class _Offer:
    """Objects that a plugin has registered, until all hooks were called."""

    owner: str
    registry: TypedRegistry[Any]
    item: Any


class PluginManager:
    """Loads all plugins of one application and collects what they register.

    Hooks are called in pluggy's order: those marked `tryfirst`, then the others in the order in
    which plugins are found, then those marked `trylast`.

    A broken plugin of the operator is logged, listed with its error, and leaves nothing behind. A
    broken built-in plugin raises. So does a name that two plugins claim, because it would be
    unclear which of them answers.

    :param config: all settings, which the hooks get read-only.
    :param instance: its `plugins/*.py` are loaded in sorted order.
    :param origins: where settings were set, for the error about an invalid one.
    :param only: the name of the only plugin to load, disabled or not.
    :raises SettingError: for an invalid value of a built-in plugin's setting.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        instance: Path,
        origins: Mapping[str, str] | None = None,
        *,
        only: str = "",
    ) -> None:
        self.registry = Registry()
        self._given = config
        self._values = dict(config)
        self._config = MappingProxyType(self._values)
        self._instance = instance
        self._origins = origins or {}
        self._only = only
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hookspecs)
        self._offers: list[_Offer] = []
        self._loaded: dict[str, tuple[Candidate, Any]] = {}
        """Plugins by name, with the module."""
        self._errors: dict[Candidate, str] = {}
        found = [each for each in candidates(instance) if only in ("", each.name)]
        self._names = tuple(each.name for each in found)
        off = frozenset() if only else chosen(self._config.get(DISABLED, ()), self._names)
        for each in found:
            if each.name not in off:
                self._load(each)
        # Pluggy calls what was registered last first.
        for candidate, module in reversed(self._loaded.values()):
            with self._isolated(candidate):
                self._register(candidate.name, module)
        for hook_name, registry_for in self.registry.hooks():
            self._call(hook_name, registry_for)
        for offer in self._offers:
            offer.registry.add(offer.item, offer.owner)
        self.records = [self._record(each, each.name in off) for each in found]

    @property
    def config(self) -> Mapping[str, Any]:
        """All settings by name, those of plugins checked and typed."""
        return self._config

    def preview(self, name: str) -> PluginRecord:
        """Return what a plugin would bring, or why it cannot be used.

        The plugin is imported, but nothing of it enters the registry.
        """
        (found, *_) = (each for each in self.records if each.name == name)
        try:
            alone = PluginManager(self._config, self._instance, self._origins, only=name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a built-in's, which nobody needs here
            return replace(found, error=in_one_line(error, found.location))
        return replace(alone.records[0], disabled=found.disabled)

    def check_disabled(self) -> None:
        """Reject names of plugins to disable that no plugin has.

        :raises SettingError: for the first unknown name.
        """
        for wrong in unmatched(self._config.get(DISABLED, ()), self._names):
            near = meant(wrong, self._names)
            there = "Run `codeintel plugins` without this setting to list them."
            raise SettingError(
                f"{DISABLED} (set in {self._origins.get(DISABLED, 'the settings')}) names the "
                f"unknown plugin {wrong}. {f'Did you mean {near}?' if near else there}"
            )

    def _load(self, candidate: Candidate) -> None:
        """Import a plugin, unless another one has its name."""
        if candidate.name in self._loaded:
            error = f"another plugin has the name {candidate.name!r}, so rename one of them"
            self._give_up(candidate, error)
            return
        with self._isolated(candidate):
            module = candidate.load()
            for other, loaded in self._loaded.values():
                if loaded is module:
                    raise ValueError(f"it is the plugin {other.name!r} under another name")
            self._loaded[candidate.name] = candidate, module

    def _register(self, name: str, module: Any) -> None:
        """Register a plugin's hooks with pluggy, which checks them."""
        self._manager.register(module, name)
        self._manager.check_pending()
        for caller in self._manager.get_hookcallers(module) or ():
            for each in caller.get_hookimpls():
                if each.plugin_name == name and (each.wrapper or each.hookwrapper):
                    raise PluginValidationError(
                        module,
                        f"{caller.name} is a wrapper, but registration hooks return nothing to "
                        "wrap. Use tryfirst or trylast",
                    )

    def _call(self, hook_name: str, registry_for: Callable[[Any], TypedRegistry[Any]]) -> None:
        """Call a hook of all plugins.

        This uses pluggy's order but not its call, which stops at the first implementation that
        raises.
        """
        for implementation in reversed(getattr(self._manager.hook, hook_name).get_hookimpls()):
            name = implementation.plugin_name
            candidate, _ = self._loaded[name]
            if candidate in self._errors:  # another hook of the plugin has failed
                continue
            given = {"register": self._registrar(name, registry_for), "config": self._config}
            with self._isolated(candidate):
                implementation.function(*(given[each] for each in implementation.argnames))
                if hook_name == "register_settings":
                    self._parse_settings(name)

    def _registrar(
        self, owner: str, registry_for: Callable[[Any], TypedRegistry[Any]]
    ) -> Callable[[Any], None]:
        """Return the `register` function for a plugin.

        Names are claimed once all hooks were called, because a plugin that breaks at a later hook
        must not have taken another one's name.
        """

        def register(item: Any) -> None:
            registry = registry_for(item)
            registry.check(item, owner)
            self._offers.append(_Offer(owner, registry, item))

        return register

    def _parse_settings(self, plugin: str) -> None:
        """Check the values of the settings that a plugin has declared."""
        for offer in self._offers:
            if offer.owner != plugin or offer.registry is not self.registry.settings:
                continue
            setting = offer.item
            try:
                name, given = setting.name, self._given.get(setting.name, setting.default)
                self._values[name] = setting.parse(given) if name in self._given else given
            except (TypeError, ValueError) as error:
                origin = self._origins.get(name, "the settings")
                raise SettingError(f"{name} (set in {origin}) {error}.") from None

    @contextmanager
    def _isolated(self, candidate: Candidate) -> Iterator[None]:
        """Shield the others from errors of an operator's plugin."""
        try:
            yield
        except BaseException as error:
            if candidate.origin is Origin.BUILT_IN or isinstance(error, KeyboardInterrupt):
                raise
            what = in_one_line(error, candidate.location)
            if isinstance(error, PluginValidationError):
                what = self._misspelt(error) or what
            self._give_up(candidate, what)
            self._forget(candidate.name)

    def _give_up(self, candidate: Candidate, error: str) -> None:
        self._errors[candidate] = error
        if not self._only:
            place = candidate.location
            log.error("plugin %r (%s) is not in use: %s", candidate.name, place, error)
            log.debug("the traceback of plugin %r", candidate.name, exc_info=True)

    def _forget(self, name: str) -> None:
        """Undo everything that a plugin has done so far."""
        if self._manager.has_plugin(name):
            self._manager.unregister(name=name)
        mine = [each for each in self._offers if each.owner == name]
        self._offers = [each for each in self._offers if each.owner != name]
        for offer in mine:
            if offer.registry is self.registry.settings:
                self._values.pop(offer.item.name, None)
                if offer.item.name in self._given:
                    self._values[offer.item.name] = self._given[offer.item.name]
        for owner in {each.owner for each in self._offers}:
            self._parse_settings(owner)  # another plugin may have declared the same setting

    def _misspelt(self, error: PluginValidationError) -> str:
        """Return a message about a plugin's first unknown hook, with the likely one, or an
        empty text.
        """
        hooks = [hook_name for hook_name, _ in self.registry.hooks()]
        for hook in self._manager.get_hookcallers(error.plugin) or ():
            if hook.name not in hooks:
                near = get_close_matches(hook.name, hooks, 1)
                hint = f"did you mean {near[0]}?" if near else f"the hooks are {', '.join(hooks)}"
                return f"unknown hook {hook.name}: {hint}"
        return ""

    def _record(self, candidate: Candidate, disabled: bool) -> PluginRecord:
        name, error = candidate.name, self._errors.get(candidate)
        record = PluginRecord(name, candidate.origin, candidate.location, error, {})
        if disabled or error:
            return replace(record, disabled=disabled)
        provides = {registry.kind: registry.owned_by(name) for registry in self.registry.by_type()}
        provides = {kind: names for kind, names in provides.items() if names}
        return replace(record, provides=provides, advice="" if provides else self._advice(name))

    def _advice(self, name: str) -> str:
        """Return what may be wrong with a plugin that registered nothing.

        If its hooks were called, its settings may have told it to do nothing.
        """
        if self._manager.get_hookcallers(self._manager.get_plugin(name)):
            return ""
        return "registers nothing. Is @hookimpl missing?"


def load_plugins(loaded: LoadedSettings) -> tuple[LoadedSettings, PluginManager]:
    """Return all plugins, and the settings with those that they declare.

    :raises SettingError: for an invalid value of a built-in plugin's setting, or an unknown plugin
        to disable.
    """
    manager = PluginManager(loaded.values, loaded.settings.instance, loaded.origins)
    manager.check_disabled()
    declared = manager.registry.settings
    secrets = [name for name, setting in declared.items() if setting.secret]
    return loaded.with_plugins(manager.config, declared.keys(), secrets), manager
