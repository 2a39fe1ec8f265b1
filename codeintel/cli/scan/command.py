"""`codeintel scan`: analyze a repository, on this machine or by a service."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from codeintel.cli.output import is_live, terminal_width, wants_colour, write, write_line
from codeintel.cli.remote import EXIT_INTERRUPTED
from codeintel.cli.scan.cache import cache_folder
from codeintel.cli.scan.comparing import known_of
from codeintel.cli.scan.formats import Format, Output, parse_output, write as write_outputs
from codeintel.cli.scan.formats.text import render as render_text
from codeintel.cli.scan.policy import ProjectConfig, ProjectError, judge, load_project
from codeintel.cli.scan.progress import Progress
from codeintel.cli.scan.report import PolicyReport
from codeintel.cli.scan.runners import Collected, Runner
from codeintel.cli.source import STDIN, check_writable
from codeintel.cli.suggestions import Choice
from codeintel.client.repository.discovery import Discovery, Selection, discover, locate
from codeintel.client.repository.naming import DiscoveryError, names_in
from codeintel.contracts import Confidence, Model, Severity
from codeintel.server.opening import Failure

_NO_SEVERITY = "none"


class Job(NamedTuple):
    """A scan to run, possibly several times."""

    selection: Selection
    flags: dict[str, object]
    outputs: tuple[Output, ...]
    frames: bool | None


@click.command(short_help="Scan a repository.")
@click.argument("paths", nargs=-1)
@click.option(
    "--changed",
    metavar="[REF]",
    is_flag=False,
    flag_value="",
    default=None,
    help="Only files that differ from HEAD, or from the last common commit with REF.",
)
@click.option("--staged", is_flag=True, help="Only staged files, with their staged contents.")
@click.option(
    "--local", is_flag=True, help="Scan on this machine, even if CODEINTEL_URL names a service."
)
@click.option(
    "--url",
    envvar="CODEINTEL_URL",
    show_envvar=True,
    help="Scan by the service at this address. Default: scan on this machine.",
)
@click.option(
    "--key",
    envvar="CODEINTEL_API_KEY",
    show_envvar=True,
    help="The API key. Prefer the variable: other users can see command lines.",
)
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
    help="Only findings that this file does not list can fail the scan. Write it with "
    "`codeintel baseline`.",
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
            "baseline": str(Path(baseline).absolute()) if baseline else None,
            "severity": severity.lower() if severity else None,
            "confidence": confidence.lower() if confidence else None,
            "honor-suppressions": honor_suppressions,
        },
        _outputs(outputs),
        frames,
    )
    cache = None if no_cache else cache_folder()
    with _runner(None if local else url, key, cache, processes) as runner:
        report = run_once(job, runner)
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


@contextmanager
def _runner(
    url: str | None, key: str | None, cache: Path | None, processes: int | None
) -> Iterator[Runner]:
    if url is not None:
        raise Failure(f"{url} cannot scan yet. Add --local." if key else "No API key.")
    from codeintel.cli.scan.local import local_runner

    with local_runner(cache, processes) as runner:
        yield runner


def run_once(job: Job, runner: Runner) -> PolicyReport:
    """Scan, write the outputs and return the report.

    :raises Failure: if the scan cannot start.
    """
    progress = Progress(lambda text: write(text, err=True), live=is_live(sys.stderr))
    progress.tell("Finding files")
    try:
        named = locate(job.selection, Path.cwd())
        config = load_project(named.root, job.flags)
        discovery = discover(job.selection, named, config)
    except (DiscoveryError, ProjectError) as error:
        progress.clear()
        raise Failure(str(error)) from None
    progress.clear()
    collected = _collected(discovery, config, runner, progress)
    try:
        known = known_of(
            config, discovery, collected, lambda files: _collected(files, config, runner, progress)
        )
    except (DiscoveryError, ProjectError) as error:
        raise Failure(str(error)) from None
    notes = (*discovery.notes, *runner.notes())
    report = judge(
        collected.files,
        collected.cross,
        collected.summary(discovery, runner.about(config.model), config.model, notes),
        config,
        known,
        source=discovery.text,
        rules=runner.rules(),
        languages={each.path: each.language for each in discovery.files},
    )
    _write(report, job)
    return report


def _collected(
    discovery: Discovery, config: ProjectConfig, runner: Runner, progress: Progress
) -> Collected:
    """Return the results of all files.

    Ctrl+C ends the command. The results so far stay in the cache.
    """
    collected = Collected()
    total = len(discovery.files)
    try:
        with discovery.opened() as read:
            items = runner.scan(discovery.files, read, config.model)
            for item in progress.follow(items, collected, total):
                collected.add(item)
    except KeyboardInterrupt:
        progress.clear()
        done = len(collected.files)
        write_line(f"Interrupted after {done:,} of {total:,} files.", err=True)
        sys.exit(EXIT_INTERRUPTED)
    return collected


def _write(report: PolicyReport, job: Job) -> None:
    """Write all outputs. Only text on a terminal has colors."""
    is_terminal = sys.stdout.isatty()
    others = []
    for output in job.outputs:
        if output.format is Format.TEXT and output.path is None:
            frames = is_terminal if job.frames is None else job.frames
            colour = wants_colour(sys.stdout)
            write(render_text(report, frames=frames, colour=colour, width=terminal_width()))
        else:
            others.append(output)
    for path in write_outputs(report, others, write):
        write_line(f"Wrote {path}.", err=True)
