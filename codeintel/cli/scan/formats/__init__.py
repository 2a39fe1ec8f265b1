"""The output formats of a scan. Each is a pure function of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from codeintel.cli.scan.report import PolicyReport
from codeintel.cli.source import replace_file
from codeintel.cli.suggestions import did_you_mean

Render = Callable[[PolicyReport], str]


class Format(StrEnum):
    """The formats."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    RDJSON = "rdjson"
    JUNIT = "junit"
    HTML = "html"


_MODULES: Mapping[Format, str] = {
    Format.TEXT: "text",
    Format.JSON: "json_document",
    Format.SARIF: "sarif_file",
    Format.GITHUB: "github",
    Format.GITLAB: "gitlab",
    Format.RDJSON: "rdjson",
    Format.JUNIT: "junit",
    Format.HTML: "html_page",
}


class Output(NamedTuple):
    """A format, and the file to write it to. None means standard output."""

    format: Format
    path: Path | None = None


def parse_output(given: str) -> Output:
    """Return the output of an option: `sarif=scan.sarif`, or `sarif` for standard output.

    :raises click.BadParameter: if the format is unknown.
    """
    name, _, path = given.partition("=")
    try:
        format_ = Format(name.strip().lower())
    except ValueError:
        known = [each.value for each in Format]
        told = f'Unknown format "{name}".{did_you_mean(name, known)} Use {", ".join(known)}.'
        raise click.BadParameter(told, param_hint="--output") from None
    return Output(format_, Path(path) if path and path != "-" else None)


def render(report: PolicyReport, format_: Format) -> str:
    """Return the report in a format."""
    made: Render = import_module(f"{__name__}.{_MODULES[format_]}").render
    return made(report)


def write(
    report: PolicyReport, outputs: Iterable[Output], show: Callable[[str], None]
) -> list[Path]:
    """Write the report in several formats. Return the files that were written.

    :param show: writes text to standard output.
    :raises Failure: if a file cannot be written.
    """
    written = []
    for output in outputs:
        text = render(report, output.format)
        if output.path is None:
            show(text)
        else:
            replace_file(output.path, text.encode("utf-8", "backslashreplace"))
            written.append(output.path)
    return written
