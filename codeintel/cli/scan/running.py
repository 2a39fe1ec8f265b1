"""The course of a scan: find the files, analyze them, judge the findings and write the outputs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from codeintel.base.wording import counted
from codeintel.cli.output import is_live, terminal_width, wants_colour, write, write_line
from codeintel.cli.remote import EXIT_INTERRUPTED
from codeintel.cli.scan.comparing import known_of
from codeintel.cli.scan.formats import Format, Output, write as write_outputs
from codeintel.cli.scan.formats.text import render as render_text
from codeintel.cli.scan.policy import ProjectConfig, ProjectError, judge, load_project
from codeintel.cli.scan.progress import Progress
from codeintel.cli.scan.report import PolicyReport
from codeintel.cli.scan.rule_names import misspelled
from codeintel.cli.scan.runners import Collected, Runner
from codeintel.cli.scan.watching import State, state_of, wait_for_change
from codeintel.client.repository.discovery import Discovery, Selection, discover, locate
from codeintel.client.repository.naming import DiscoveryError
from codeintel.server.opening import Failure


class Job(NamedTuple):
    """A scan to run, possibly several times.

    `flags` are the given settings by name. `frames` is None if it depends on the terminal.
    """

    selection: Selection
    flags: dict[str, object]
    outputs: tuple[Output, ...]
    frames: bool | None


class Found(NamedTuple):
    """The files of a scan, with the settings of the project."""

    discovery: Discovery
    config: ProjectConfig


def find(job: Job) -> Found:
    """Find the files of a scan.

    :raises Failure: if a name, a setting or the repository is invalid.
    """
    progress = _progress()
    progress.tell("Finding files")
    try:
        named = locate(job.selection, Path.cwd())
        config = load_project(named.root, job.flags)
        return Found(discover(job.selection, named, config), config)
    except (DiscoveryError, ProjectError) as error:
        raise Failure(str(error)) from None
    finally:
        progress.clear()


@contextmanager
def opened_runner(
    url: str | None, key: str | None, cache: Path | None, processes: int | None
) -> Iterator[Runner]:
    """Yield what analyzes.

    :param url: the address of a service. None for this machine.
    :raises Failure: if it cannot be used.
    """
    if url is not None:
        from codeintel.cli.scan.remote import remote_runner

        with remote_runner(url, key, Path.cwd().name) as remote:
            yield remote
        return
    from codeintel.cli.scan.local import local_runner  # loads the engine

    with local_runner(cache, processes) as runner:
        yield runner


class Scanned(NamedTuple):
    """A report, and the settings, files and results that it was made of."""

    report: PolicyReport
    config: ProjectConfig
    discovery: Discovery
    collected: Collected


def scan_once(job: Job, runner: Runner) -> Scanned:
    """Find the files, analyze them and judge the findings. Nothing is written.

    :raises Failure: if the scan cannot start.
    """
    return scan_found(find(job), runner)


def scan_found(found: Found, runner: Runner) -> Scanned:
    """Analyze files and judge the findings.

    :raises Failure: if the scan cannot start, or there is nothing to compare with.
    """
    discovery, config = found
    collected = _collected(found, runner)
    try:
        known = known_of(
            config, discovery, collected, lambda base: _collected(Found(base, config), runner)
        )
    except (DiscoveryError, ProjectError) as error:
        raise Failure(str(error)) from None
    rules = runner.rules()
    notes = (*discovery.notes, *runner.notes(), *misspelled(config.file, rules))
    report = judge(
        collected.files,
        collected.cross,
        collected.summary(discovery, runner.about(config.model), config.model, notes),
        config,
        known,
        source=discovery.text,
        rules=rules,
        languages={each.path: each.language for each in discovery.files},
        errors=collected.errors,
        is_part=discovery.is_part,
    )
    return Scanned(report, config, discovery, collected)


def watch(job: Job, runner: Runner) -> None:
    """Scan, and scan again after each change, until Ctrl+C. Errors are shown and do not end it."""
    state: State = {}
    found: Found | None = None
    while True:
        if found is not None:  # for the case that it cannot be scanned now
            state = state_of(found.discovery)
        try:
            found = find(job)
            state = state_of(found.discovery)
            write_report(scan_found(found, runner).report, job)
        except Failure as error:
            if found is None:
                raise
            error.show()
        count = counted(len(found.discovery.files), "file")
        write_line(f"Watching {count}. Press Ctrl+C to end.", err=True)
        try:
            wait_for_change(state, partial(state_of, found.discovery))
        except KeyboardInterrupt:
            sys.exit(EXIT_INTERRUPTED)


def write_report(report: PolicyReport, job: Job) -> None:
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


def _collected(found: Found, runner: Runner) -> Collected:
    """Return the results of all files.

    Ctrl+C ends the command. The results so far stay in the cache.
    """
    collected, progress = Collected(), _progress()
    files = found.discovery.files
    try:
        with found.discovery.opened() as read:
            left_out = found.discovery.left_out
            items = runner.scan(files, read, found.config.model, left_out)
            for item in progress.follow(items, collected, len(files)):
                collected.add(item)
    except KeyboardInterrupt:
        done = len(collected.files)
        write_line(f"Interrupted after {done:,} of {len(files):,} files.", err=True)
        sys.exit(EXIT_INTERRUPTED)
    return collected


def _progress() -> Progress:
    return Progress(lambda text: write(text, err=True), live=is_live(sys.stderr))
