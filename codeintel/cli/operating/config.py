"""`codeintel config`: show the settings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from codeintel.cli import common
from codeintel.cli.output.text import table
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.contracts import Setting
    from codeintel.platform.config import LoadedSettings

MASK = "***"
# The last `@` counts: SQLAlchemy takes a password that has others, or a slash.
_URL_PASSWORD = re.compile(r"(?P<start>^[a-z][a-z0-9+.-]*://[^:/?#@]*):.*@", re.IGNORECASE)
_QUERY_SECRET = re.compile(
    r"(?P<start>[?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=)[^&]*", re.IGNORECASE
)


class Row(NamedTuple):
    """One setting as it is shown."""

    name: str
    value: str
    origin: str
    help: str


@click.command(short_help="Show the settings.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def config(as_json: bool) -> None:
    """Show every setting: its value, where that was set, what it means. Secrets are masked.

    Settings come from their defaults, `codeintel.cfg` in the instance folder and the environment;
    the latter win.
    """
    from codeintel.platform.config import SettingError, load_settings
    from codeintel.platform.plugins.manager import load_plugins

    try:
        loaded, plugins = load_plugins(load_settings())
    except SettingError as error:
        raise Failure(str(error)) from None
    rows = [*shown(loaded), *shown_of_plugins(loaded, plugins.registry.settings.values())]
    if as_json:
        common.write_json({"settings": [row._asdict() for row in rows]})
    else:
        headers = ("name", "value", "from", "meaning")
        cells = [row._replace(value=row.value or "-") for row in rows]
        common.write(table(headers, cells, common.terminal_width()))
    for warning in warnings(loaded):
        common.write_line(warning, err=True)


def shown(loaded: LoadedSettings) -> Iterator[Row]:
    """The settings as text."""
    from codeintel.platform.config import SETTINGS

    for info in SETTINGS:
        given = getattr(loaded.settings, info.attribute)
        value = _as_text(given)
        if info.secret:
            value = masked(value) if isinstance(given, str) else MASK if given else ""
        yield Row(info.name, value, loaded.origins.get(info.name, "default"), info.help)


def shown_of_plugins(loaded: LoadedSettings, declared: Iterable[Setting]) -> Iterator[Row]:
    """The settings that plugins declare, as text."""
    for setting in declared:
        value = _as_text(loaded.values.get(setting.name, setting.default))
        if setting.secret:
            value = MASK if value else ""
        origin = loaded.origins.get(setting.name, "default")
        yield Row(setting.name, value, origin, setting.help)


def warnings(loaded: LoadedSettings) -> Iterator[str]:
    """What looks like a mistake in the names set in the file."""
    from codeintel.platform.config import SETTINGS

    known = [info.name for info in SETTINGS]
    for name in loaded.unknown:
        origin = loaded.origins[name]
        if not origin.endswith("codeintel.cfg"):
            continue  # the environment also has names for the client and for other programs
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        if close:
            yield f"{name} in {origin} is no setting: did you mean {close[0]}?"
        else:
            yield f"{name} in {origin} is no setting of the core: only a plugin can use it."


def masked(value: str) -> str:
    """A secret as it may be shown: a URL without its password, of anything else nothing."""
    if not value:
        return ""
    if "://" not in value:
        return MASK
    value = _URL_PASSWORD.sub(rf"\g<start>:{MASK}@", value)
    return _QUERY_SECRET.sub(rf"\g<start>{MASK}", value)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(str(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
