"""One application's plugins: found, loaded, asked to register, each isolated from the others. What
goes wrong in one is told in words for its author."""

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
from codeintel.platform.plugins.registry import Registry, Shelf

if TYPE_CHECKING:
    from codeintel.platform.config import LoadedSettings


def in_one_line(error: BaseException, location: str) -> str:
    """What went wrong in a plugin, and the line in its file, where it has one."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == location]
    if isinstance(error, SyntaxError) and error.filename == location:
        lines, text = [error.lineno], error.msg
    else:
        text = " ".join(str(error).split())
    place = f" (line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}: {text}{place}" if text else f"{type(error).__name__}{place}"


MANAGER_LOG = __name__
"""The log in which it says which plugins are broken."""
log = logging.getLogger(MANAGER_LOG)

PROJECT = "codeintel"
DISABLED = "CODEINTEL_PLUGINS_DISABLED"


@dataclass(frozen=True)
class PluginRecord:
    """One plugin as `codeintel plugins` shows it. `error` says why it is not in use, `advice` what
    is odd about one that is. One that is disabled was not imported."""

    name: str
    origin: Origin
    location: str
    error: str | None
    provides: Mapping[str, tuple[str, ...]]
    advice: str = ""
    disabled: bool = False


@dataclass(frozen=True)
class _Offer:
    """What a plugin has registered, until all hooks were called."""

    owner: str
    shelf: Shelf[Any]
    item: Any


class PluginManager:
    """Loads all plugins of one application and collects what they register.

    Hooks are called in pluggy's order: those marked `tryfirst`, then the others in the order in
    which plugins are found, then those marked `trylast`.

    A broken plugin of the operator's is logged, listed with its error and leaves nothing behind. A
    broken built-in raises, and so does a name that two plugins claim: nobody could tell which of
    the two would answer.

    :param config: all settings, handed to the hooks read-only.
    :param instance: its `plugins/*.py` are loaded in sorted order.
    :param origins: where settings were set, for the error about a wrong one.
    :param only: the name of the plugin to load, disabled or not; all others are left out.
    :raises SettingError: for a wrong value of a built-in's setting.
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
        """By name, with the module."""
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
        for hook_name, shelf_of in self.registry.hooks():
            self._call(hook_name, shelf_of)
        for offer in self._offers:
            offer.shelf.add(offer.item, offer.owner)
        self.records = [self._record(each, each.name in off) for each in found]

    @property
    def config(self) -> Mapping[str, Any]:
        """All settings by name, those of plugins checked and typed."""
        return self._config

    def preview(self, name: str) -> PluginRecord:
        """What a plugin would bring, or why it could not be used. It is imported, and nothing of it
        comes into the registry."""
        (found, *_) = (each for each in self.records if each.name == name)
        try:
            alone = PluginManager(self._config, self._instance, self._origins, only=name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a built-in's, which nobody needs here
            return replace(found, error=in_one_line(error, found.location))
        return replace(alone.records[0], disabled=found.disabled)

    def check_disabled(self) -> None:
        """Refuse names of plugins to disable that no plugin has.

        :raises SettingError: for the first of them.
        """
        for wrong in unmatched(self._config.get(DISABLED, ()), self._names):
            near = meant(wrong, self._names)
            there = "without it `codeintel plugins` lists them."
            raise SettingError(
                f"{DISABLED} (set in {self._origins.get(DISABLED, 'the settings')}) names {wrong}, "
                f"which is no plugin: {f'did you mean {near}?' if near else there}"
            )

    def _load(self, candidate: Candidate) -> None:
        """Import a plugin, unless another one has its name."""
        if candidate.name in self._loaded:
            error = f"another plugin has the name {candidate.name!r}: rename one of the two"
            self._give_up(candidate, error)
            return
        with self._isolated(candidate):
            module = candidate.load()
            for other, loaded in self._loaded.values():
                if loaded is module:
                    raise ValueError(f"it is the plugin {other.name!r} under another name")
            self._loaded[candidate.name] = candidate, module

    def _register(self, name: str, module: Any) -> None:
        """Make a plugin's hooks known to pluggy, which checks them."""
        self._manager.register(module, name)
        self._manager.check_pending()
        for caller in self._manager.get_hookcallers(module) or ():
            for each in caller.get_hookimpls():
                if each.plugin_name == name and (each.wrapper or each.hookwrapper):
                    raise PluginValidationError(
                        module,
                        f"{caller.name} is a wrapper, and registration hooks return nothing that "
                        "could be wrapped: use tryfirst or trylast",
                    )

    def _call(self, hook_name: str, shelf_of: Callable[[Any], Shelf[Any]]) -> None:
        """Call a hook of all plugins.

        In pluggy's order and not through its own call, which stops at the first implementation that
        raises.
        """
        for implementation in reversed(getattr(self._manager.hook, hook_name).get_hookimpls()):
            name = implementation.plugin_name
            candidate, _ = self._loaded[name]
            if candidate in self._errors:  # another implementation of it has failed
                continue
            given = {"register": self._registrar(name, shelf_of), "config": self._config}
            with self._isolated(candidate):
                implementation.function(*(given[each] for each in implementation.argnames))
                if hook_name == "register_settings":
                    self._parse_settings(name)

    def _registrar(
        self, owner: str, shelf_of: Callable[[Any], Shelf[Any]]
    ) -> Callable[[Any], None]:
        """The `register` function that a plugin is given. Names are claimed once all hooks were
        called: a plugin that breaks at a later hook must not have taken another one's."""

        def register(item: Any) -> None:
            shelf = shelf_of(item)
            shelf.check(item, owner)
            self._offers.append(_Offer(owner, shelf, item))

        return register

    def _parse_settings(self, plugin: str) -> None:
        """Check the values of the settings that a plugin has declared."""
        for offer in self._offers:
            if offer.owner != plugin or offer.shelf is not self.registry.settings:
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
        """Keep what a plugin of the operator's raises from the others."""
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
        """Take back all that a plugin has done so far."""
        if self._manager.has_plugin(name):
            self._manager.unregister(name=name)
        mine = [each for each in self._offers if each.owner == name]
        self._offers = [each for each in self._offers if each.owner != name]
        for offer in mine:
            if offer.shelf is self.registry.settings:
                self._values.pop(offer.item.name, None)
                if offer.item.name in self._given:
                    self._values[offer.item.name] = self._given[offer.item.name]
        for owner in {each.owner for each in self._offers}:
            self._parse_settings(owner)  # another one may have declared the same

    def _misspelt(self, error: PluginValidationError) -> str:
        """A plugin's first hook that does not exist, with the one that may be meant; nothing where
        all exist."""
        hooks = [hook_name for hook_name, _ in self.registry.hooks()]
        for hook in self._manager.get_hookcallers(error.plugin) or ():
            if hook.name not in hooks:
                near = get_close_matches(hook.name, hooks, 1)
                hint = f"is {near[0]} meant?" if near else f"there are {', '.join(hooks)}"
                return f"there is no hook {hook.name}: {hint}"
        return ""

    def _record(self, candidate: Candidate, disabled: bool) -> PluginRecord:
        name, error = candidate.name, self._errors.get(candidate)
        record = PluginRecord(name, candidate.origin, candidate.location, error, {})
        if disabled or error:
            return replace(record, disabled=disabled)
        provides = {shelf.kind: shelf.owned_by(name) for shelf in self.registry.shelves()}
        provides = {kind: names for kind, names in provides.items() if names}
        return replace(record, provides=provides, advice="" if provides else self._advice(name))

    def _advice(self, name: str) -> str:
        """What may be wrong with a plugin that registered nothing. One whose hooks were called may
        have been told by its settings to do nothing."""
        if self._manager.get_hookcallers(self._manager.get_plugin(name)):
            return ""
        return "registers nothing: is @hookimpl missing?"


def load_plugins(loaded: LoadedSettings) -> tuple[LoadedSettings, PluginManager]:
    """All plugins, and the settings with what they declare.

    :raises SettingError: for a wrong value of a built-in's setting, and for the name of a plugin to
        disable that no plugin has.
    """
    manager = PluginManager(loaded.values, loaded.settings.instance, loaded.origins)
    manager.check_disabled()
    declared = manager.registry.settings
    secrets = [name for name, setting in declared.items() if setting.secret]
    return loaded.with_plugins(manager.config, declared.keys(), secrets), manager
