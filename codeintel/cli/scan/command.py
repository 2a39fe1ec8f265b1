"""`codeintel scan`: analyze a repository, on this machine or by a service."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from codeintel.cli.scan.cache import cache_folder
from codeintel.cli.scan.comparing import NO_BASELINE
from codeintel.cli.scan.formats import Format, Output, parse_output
from codeintel.cli.scan.options import where_options
from codeintel.cli.scan.running import (
    Job,
    opened_runner,
    scan_once,
    watch as watch_files,
    write_report,
)
from codeintel.cli.source import STDIN, check_writable
from codeintel.cli.suggestions import Choice
from codeintel.client.repository.discovery import Selection
from codeintel.client.repository.naming import names_in
from codeintel.contracts import Confidence, Model, Severity

_NO_SEVERITY = "none"


def _outputs_for_shells(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Return the values of --output that a shell proposes."""
    names = [name for format_ in Format for name in (format_.value, f"{format_.value}=")]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command(short_help="Scan a repository.")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--changed",
    metavar="[REF]",
    is_flag=False,
    flag_value="",
    default=None,
    help="Only files that differ from HEAD, or from the last common commit with REF.",
)
@click.option("--staged", is_flag=True, help="Only staged files, with their staged contents.")
@where_options
@click.option(
    "--model",
    type=Choice([model.value for model in Model]),
    help="The depth of the analysis. Default: flash.",
)
@click.option(
    "--fail-on",
    type=Choice([*(each.value for each in Severity), _NO_SEVERITY], case_sensitive=False),
    help="Exit with status 1 if a finding has this severity or a worse one. Default: high.",
)
@click.option(
    "--base",
    metavar="REF",
    help="Only findings that this commit does not have can fail the scan. REF... means the last "
    "common commit of REF and HEAD.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    help="Only findings that this file does not list can fail the scan. Write it with `codeintel "
    "baseline`. Default: .codeintel-baseline.jsonl, if it exists. none: no baseline.",
)
@click.option(
    "--severity",
    type=Choice([each.value for each in Severity], case_sensitive=False),
    help="Report only findings of this severity or worse.",
)
@click.option(
    "--min-confidence",
    "--confidence",
    "confidence",
    type=Choice([each.value for each in Confidence], case_sensitive=False),
    help="Report only findings of this confidence or higher. Default: medium.",
)
@click.option(
    "--honor-suppressions/--no-honor-suppressions",
    "--honour-suppressions/--no-honour-suppressions",
    default=None,
    help="Do not count findings with a suppression comment such as nosec.",
)
@click.option(
    "--output",
    "-o",
    "outputs",
    multiple=True,
    metavar="FORMAT[=FILE]",
    shell_complete=_outputs_for_shells,
    help=f"Write this format, to standard output or a file. Formats: {', '.join(Format)}. Repeat "
    "it for several. Default: text.",
)
@click.option(
    "--frames/--no-frames",
    default=None,
    help="Show the code of each finding in text. Default: only on a terminal.",
)
@click.option("--no-cache", is_flag=True, help="Neither use nor store results of earlier scans.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    help="Concurrent worker processes of a scan on this machine. Default: one for each CPU.",
)
@click.option("--watch", is_flag=True, help="Scan again after each change of a file, until Ctrl+C.")
def scan(
    paths: tuple[str, ...],
    changed: str | None,
    staged: bool,
    local: bool,
    url: str | None,
    key: str | None,
    model: str | None,
    fail_on: str | None,
    base: str | None,
    baseline: str | None,
    severity: str | None,
    confidence: str | None,
    honor_suppressions: bool | None,
    outputs: tuple[str, ...],
    frames: bool | None,
    no_cache: bool,
    processes: int | None,
    watch: bool,
) -> None:
    """Scan PATHS: files, folders or patterns. Default: the current folder.

    With - as the only path, the names of the files come from standard input. Git's ignore rules
    and .codeintelignore apply. The settings of the project are in .codeintel.toml at the top of the
    repository. Without --url, everything stays on this machine.

    \b
    Exit status:
      0    no finding reaches --fail-on, and everything was checked
      1    a finding reaches --fail-on
      2    not scanned: wrong usage or input, or the service rejected the request
      3    no finding reaches --fail-on, but some checks could not run
      130  interrupted with Ctrl+C
      141  the reader of the output ended early, as head does
    """
    job = Job(
        _selection(paths, changed, staged=staged),
        {
            "model": model,
            "fail-on": fail_on.lower() if fail_on else None,
            "base": base,
            "baseline": _from_here(baseline),
            "severity": severity.lower() if severity else None,
            "confidence": confidence.lower() if confidence else None,
            "honor-suppressions": honor_suppressions,
        },
        _outputs(outputs),
        frames,
    )
    if watch and (staged or job.selection.names is not None):
        raise click.UsageError("--watch works neither with --staged nor with standard input.")
    cache = None if no_cache else cache_folder()
    with opened_runner(None if local else url, key, cache, processes) as runner:
        if watch:
            watch_files(job, runner)
        report = scan_once(job, runner).report
        write_report(report, job)
    sys.exit(report.exit_status)


def _selection(paths: tuple[str, ...], changed: str | None, *, staged: bool) -> Selection:
    if changed is not None and staged:
        raise click.UsageError("Use either --changed or --staged.")
    names = None
    if STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("Use - as the only path: the names come from standard input.")
        names = tuple(names_in(sys.stdin.buffer.read()))
    return Selection(
        () if names is not None else paths,
        names,
        changed=changed is not None,
        since=changed or None,
        staged=staged,
    )


def _from_here(path: str | None) -> str | None:
    """Return the path of an option, which is relative to the current folder."""
    return path if path is None or path == NO_BASELINE else str(Path(path).absolute())


def _outputs(given: tuple[str, ...]) -> tuple[Output, ...]:
    """Return the outputs. Text goes to standard output if nothing else does."""
    outputs = [parse_output(each) for each in given]
    shown = [each for each in outputs if each.path is None]
    if len(shown) > 1:
        raise click.UsageError("Only one --output can go to standard output. Name files.")
    for each in outputs:
        if each.path is not None:
            check_writable(each.path)
    return tuple(outputs) if shown else (Output(Format.TEXT), *outputs)
