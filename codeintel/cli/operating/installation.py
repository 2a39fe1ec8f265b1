"""`codeintel config`, `doctor`, `plugins` and `openapi`: show the installation and settings."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from codeintel.base.wording import counted
from codeintel.cli import instance, output
from codeintel.server.opening import Failure, services_of

if TYPE_CHECKING:
    from codeintel.contracts import Setting
    from codeintel.operations.doctor.results import Finding, Status
    from codeintel.platform.config import LoadedSettings
    from codeintel.platform.plugins.manager import PluginRecord


MASK = "***"
# Match up to the last `@`: SQLAlchemy accepts passwords with `@` and slashes.
_URL_PASSWORD = re.compile(r"(?P<start>^[a-z][a-z0-9+.-]*://[^:/?#@]*):.*@", re.IGNORECASE)
_QUERY_SECRET = re.compile(
    r"(?P<start>[?&][^=&]*(?:pass|pwd|secret|token|key)[^=&]*=)[^&]*", re.IGNORECASE
)
_HEADERS = ("status", "check", "found")
FAILED = 1


class Row(NamedTuple):
    """A setting as it is shown."""

    name: str
    value: str
    origin: str
    help: str


@click.command(short_help="Show all settings.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--project",
    is_flag=True,
    help="Show the settings of scans in .codeintel.toml of the repository around this folder.",
)
@click.option("--schema", is_flag=True, help="With --project, print the JSON schema of the file.")
def config(as_json: bool, project: bool, schema: bool) -> None:
    """Show all settings with their values, sources and meanings. Secrets are masked.

    The environment takes precedence over `codeintel.cfg` in the instance folder, which takes
    precedence over the defaults. With --project, the environment takes precedence over
    `.codeintel.toml`.
    """
    if schema and not project:
        raise click.UsageError("--schema needs --project.")
    if project:
        from codeintel.cli.scan.project import show_project

        show_project(as_json=as_json, schema=schema)
        return
    from codeintel.platform.config import SettingError, load_settings
    from codeintel.platform.plugins.manager import load_plugins

    try:
        loaded, plugins = load_plugins(load_settings())
    except SettingError as error:
        raise Failure(str(error)) from None
    rows = [*shown(loaded), *shown_of_plugins(loaded, plugins.registry.settings.values())]
    if as_json:
        output.write_json({"settings": [row._asdict() for row in rows]})
    else:
        headers = ("name", "value", "from", "meaning")
        cells = [row._replace(value=row.value or "-") for row in rows]
        output.write(output.table(headers, cells, output.terminal_width()))
    for warning in warnings(loaded):
        output.write_line(warning, err=True)


def shown(loaded: LoadedSettings) -> Iterator[Row]:
    """Return the settings as text."""
    from codeintel.platform.config import SETTINGS

    for info in SETTINGS:
        given = getattr(loaded.settings, info.attribute)
        value = _as_text(given)
        if info.secret:
            value = masked(value) if isinstance(given, str) else MASK if given else ""
        yield Row(info.name, value, loaded.origins.get(info.name, "default"), info.help)


def shown_of_plugins(loaded: LoadedSettings, declared: Iterable[Setting]) -> Iterator[Row]:
    """Return the settings of plugins as text."""
    for setting in declared:
        value = _as_text(loaded.values.get(setting.name, setting.default))
        if setting.secret:
            value = MASK if value else ""
        origin = loaded.origins.get(setting.name, "default")
        yield Row(setting.name, value, origin, setting.help)


def warnings(loaded: LoadedSettings) -> Iterator[str]:
    """Return warnings about unknown settings in the file."""
    from codeintel.platform.config import SETTINGS

    known = [info.name for info in SETTINGS]
    for name in loaded.unknown:
        origin = loaded.origins[name]
        if not origin.endswith("codeintel.cfg"):
            continue  # the environment also has variables of the client and of other programs
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        if close:
            yield f"Unknown setting {name} in {origin}. Did you mean {close[0]}?"
        else:
            yield f"Unknown setting {name} in {origin}. Only a plugin can use it."


def masked(value: str) -> str:
    """Mask a secret. Of a URL, mask only the password."""
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
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:g}"
    return str(value)


@click.command(short_help="Check the installation and suggest fixes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--offline", is_flag=True, help="Do not contact registries, models or identity providers."
)
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def doctor(*, as_json: bool, offline: bool, strict: bool) -> None:
    """Check the installation and suggest fixes.

    The command checks the settings, the instance folder, the database, Redis, plugins, upstream
    services, the machine and the stored data. It changes nothing, shows no secrets, and takes at
    most 10 seconds. Run it as the user of the service, in the same environment.

    \b
    Exit status:
      0    no errors
      1    at least one error, or with --strict a warning
    """
    from codeintel.operations.doctor.checks import CHECKS, counts, examine
    from codeintel.operations.doctor.installation import look_at
    from codeintel.operations.doctor.results import Status

    findings = examine(look_at(offline=offline), CHECKS)
    found = counts(findings)
    bad = found[Status.ERROR] + (found[Status.WARNING] if strict else 0)
    if as_json:
        output.write_json(_diagnosis(findings, found))
    else:
        output.write(output.table(_HEADERS, [*_rows(findings)], output.terminal_width()))
        output.write_line(_summary({str(status): found[status] for status in Status}))
    if bad:
        sys.exit(FAILED)


def _diagnosis(findings: Sequence[Finding], found: Mapping[Status, int]) -> dict[str, object]:
    return {
        "counts": found,
        "findings": [
            {
                "check": each.check,
                "status": each.status,
                "found": each.found,
                "fix": each.fix or None,
            }
            for each in findings
        ],
    }


def _rows(findings: Sequence[Finding]) -> Iterator[tuple[str, ...]]:
    """Return the findings, each followed by its fix. A run of findings can share a fix."""
    for each, following in zip_longest(findings, findings[1:]):
        yield each.status, each.check, each.found
        if each.fix and (following is None or following.fix != each.fix):
            yield "", "", f"-> {each.fix}"


def _summary(found: Mapping[str, int]) -> str:
    errors, warnings = found["error"], found["warning"]
    told = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}, {found['skipped']} skipped"
    return f"{told}." if errors or warnings else f"No problems found ({told})."


@click.command(short_help="List the plugins.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plugins(as_json: bool) -> None:
    """List the plugins with their source, what they provide, and errors of broken plugins.

    This command also imports the plugins in CODEINTEL_PLUGINS_DISABLED, to show what they would
    provide. The service does not import them.

    The exit status is 0 even if a plugin is broken, because the service runs without it.
    """
    with instance.look_at_app(at_plugins=True) as app:
        loaded = services_of(app).plugins
        # Disabled plugins are imported only here, to show what they would provide.
        brings = {each.name: loaded.preview(each.name) for each in loaded.records if each.disabled}
        records = list(loaded.records)
    if as_json:
        output.write_json(
            {"plugins": [_document(record, brings.get(record.name)) for record in records]}
        )
    else:
        rows = [_row(record, brings.get(record.name)) for record in records]
        headers = ("name", "status", "origin", "location", "provides")
        output.write(
            output.table(headers, rows, output.terminal_width()) if rows else "No plugins.\n"
        )
    broken = [record.name for record in records if record.error]
    if broken:
        output.write_line(f"Broken plugins, which are not used: {', '.join(broken)}.", err=True)


def _document(record: PluginRecord, brings: PluginRecord | None) -> dict[str, object]:
    return {
        "name": record.name,
        "origin": record.origin,
        "location": record.location,
        "error": record.error,
        "advice": record.advice or None,
        "provides": {kind: list(names) for kind, names in record.provides.items()},
        "disabled": record.disabled,
        "would_provide": brings and {kind: list(names) for kind, names in brings.provides.items()},
    }


def _row(record: PluginRecord, brings: PluginRecord | None) -> tuple[str, ...]:
    """Return the cells of a plugin. The last one is what it provides, or its error."""
    status = "disabled" if record.disabled else "broken" if record.error else "ok"
    what = _told(record)
    if brings is not None:
        what = f"would be broken: {brings.error}" if brings.error else f"would add {_told(brings)}"
    return record.name, status, record.origin, record.location, what


def _told(record: PluginRecord) -> str:
    kinds = (f"{kind}: {', '.join(names)}" for kind, names in record.provides.items() if names)
    return record.error or record.advice or "; ".join(kinds) or "-"


@click.command(short_help="Print the OpenAPI document.")
def openapi() -> None:
    """Print the OpenAPI document as JSON, including endpoints of plugins.

    Its server is the setting CODEINTEL_PUBLIC_URL. If that is empty, the server is the one that
    serves the document.
    """
    with instance.look_at_app(at_plugins=False) as app:
        from codeintel.http.openapi.document import document

        output.write_json(document(app, services_of(app).settings.public_url))
