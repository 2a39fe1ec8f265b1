"""Loading the plugins in spite of what is wrong with their settings."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codeintel.operations.doctor.errors import Unavailable
from codeintel.operations.doctor.redaction import Redactor
from codeintel.platform.config import LoadedSettings, SettingError

if TYPE_CHECKING:
    from codeintel.platform.plugins.manager import PluginManager

_NAME = re.compile(r"[A-Z][A-Z0-9_]+")


@dataclass(frozen=True)
class Loaded:
    """The plugins, and the settings with what they declare.

    :param wrong: what is wrong with their settings, which have their defaults here.
    """

    settings: LoadedSettings
    manager: PluginManager
    wrong: tuple[SettingError, ...]


class Collision(Unavailable):
    """Two plugins claim the same name: the text says which."""


def load(loaded: LoadedSettings, environ: Mapping[str, str], redactor: Redactor) -> Loaded:
    """Load the plugins as the service does; each setting that they refuse is left out.

    :raises Unavailable: if they cannot be loaded whatever is left out; nobody else reports it.
    """
    from codeintel.platform.plugins.manager import load_plugins
    from codeintel.platform.plugins.registry import DuplicateNameError

    wrong: list[SettingError] = []
    given = loaded.values
    while True:
        try:
            with _leaving_nothing():
                settings, manager = load_plugins(loaded)
        except SettingError as error:
            wrong.append(error)
            loaded = _without_cause(loaded, error)
        except DuplicateNameError as error:
            raise Collision(f"Two plugins collide: {error}.") from None
        else:
            redactor.learn(settings, environ, given)
            return Loaded(settings, manager, tuple(wrong))


def _without_cause(loaded: LoadedSettings, error: SettingError) -> LoadedSettings:
    """The settings without the one that an error begins with.

    :raises Unavailable: if that is none, or has been left out before.
    """
    name = _NAME.match(str(error))
    if name is None or name[0] not in loaded.values:
        raise Unavailable(str(error))
    values = {each: value for each, value in loaded.values.items() if each != name[0]}
    return replace(loaded, values=values)


@contextmanager
def _leaving_nothing() -> Iterator[None]:
    """Write neither byte code beside drop-in files nor a log: broken plugins are reported."""
    from codeintel.platform.plugins.manager import log

    before, was_off = sys.dont_write_bytecode, log.disabled
    sys.dont_write_bytecode = log.disabled = True
    try:
        yield
    finally:
        sys.dont_write_bytecode, log.disabled = before, was_off
