"""`codeintel pull`: fetch online edits of a workspace."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path

import click
import msgspec

from codeintel.base.wording import counted
from codeintel.cli.output import write_json, write_line
from codeintel.cli.remote import service_options
from codeintel.cli.workspaces.folder import (
    SHOWN,
    is_empty,
    not_pushed,
    open_conflicts,
    opened,
    show_files,
    snapshot_of,
    told,
    workspace_client,
)
from codeintel.client.workspaces.api import Snapshot, WorkspaceClient
from codeintel.client.workspaces.disk import Blocked, Disk
from codeintel.client.workspaces.git import git_info
from codeintel.client.workspaces.state import (
    Conflict,
    Entry,
    Identity,
    Plan,
    State,
    Step,
    carry_out,
    in_order,
    in_step,
    load,
    look_at,
    plan,
    save,
)
from codeintel.client.workspaces.walk import folders_above
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.server.opening import Failure

REPLACED = "/.codeintel/replaced"
BESIDE = ".remote"
LINK = "a symbolic link is in the way. Remove or rename it, then pull again"
_MAX_KEPT_BYTES = 64 * 1024 * 1024
EXIT_CONFLICTS = 1


class Choice(Enum):
    """Ways to handle conflicts: skip, take the server version, or write it next to yours."""

    NONE = auto()
    THEIRS = auto()
    BESIDE = auto()


class Unsolved(msgspec.Struct, frozen=True):
    """A file that was not changed, and the reason."""

    path: str
    why: str


class PullResult(msgspec.Struct, kw_only=True, rename="camel"):
    """The outcome of a pull. `kept` are files with local changes only. `beside` maps files to the
    server versions next to them. `digests` are the files that match the server now."""

    revision: int
    written: list[str]
    deleted: list[str]
    kept: list[str]
    conflicts: list[Unsolved]
    beside: dict[str, str] = {}
    digests: dict[str, str] = {}


class Pulling:
    """A pull into a folder.

    :param entry: the last synchronized state, or None for an empty folder.
    """

    def __init__(
        self,
        disk: Disk,
        client: WorkspaceClient,
        snapshot: Snapshot,
        entry: Entry | None,
        choice: Choice,
    ) -> None:
        self._disk = disk
        self._client = client
        self._snapshot = snapshot
        self._base = entry.files if entry else {}
        self._choice = choice

    def plan(self, files: Mapping[str, FileEntry]) -> PullResult:
        """Return the outcome without changing anything."""
        return self._outcome(self._planned(files))

    def run(self, files: Mapping[str, FileEntry], stamp: str) -> PullResult:
        """Pull. All contents are fetched and verified before the first file is written.

        :param stamp: the name of the folder for replaced versions.
        """
        made = self._planned(files)
        wanted = [step.entry for step in made.steps if step.entry]
        if self._choice is not Choice.NONE:
            wanted += [each.step.entry for each in made.conflicts if each.step and each.step.entry]
        session = self._snapshot.session.session_id
        contents = self._client.contents(session, self._snapshot.revision.number, wanted)
        done = Plan([], made.kept, [])
        beside: dict[str, str] = {}
        for conflict in made.conflicts:
            unsolved = self._solve(conflict, contents, stamp, beside)
            if unsolved is not None:
                done.conflicts.append(unsolved)
            elif self._choice is Choice.THEIRS and conflict.step:
                done.steps.append(conflict.step)
            elif conflict.path not in beside:
                done.kept.append(conflict.path)
        for step in in_order(made.steps):
            late = carry_out(self._disk, step, contents)
            done.steps.append(step) if late is None else done.conflicts.append(late)
        outcome = self._outcome(done)
        outcome.beside = beside
        outcome.digests = in_step(self._base, files, [each.path for each in done.conflicts])
        return outcome

    def _planned(self, files: Mapping[str, FileEntry]) -> Plan:
        seen = look_at(self._disk, {*self._base, *files})
        made = plan(self._base, seen, files)
        return made._replace(conflicts=[self._told_link(each, files) for each in made.conflicts])

    def _told_link(self, conflict: Conflict, files: Mapping[str, FileEntry]) -> Conflict:
        """Return a conflict with advice for a symbolic link. A link at the path itself can be
        replaced and kept. A link in a parent folder leads to files outside the folder."""
        path = conflict.path
        if conflict.step is not None:
            return conflict
        if self._disk.is_link(path):
            step = Step(path, None, files[path]) if self._choice is Choice.THEIRS else None
            return Conflict(path, f"{LINK}, or take the server version with --theirs", step)
        if any(self._disk.is_link(above) for above in folders_above(path)):
            return Conflict(path, LINK, None)
        return conflict

    def _solve(
        self,
        conflict: Conflict,
        contents: Mapping[str, bytes],
        stamp: str,
        beside: dict[str, str],
    ) -> Conflict | None:
        """Resolve a conflict as the user chose. Return the conflict if that fails."""
        step = conflict.step
        if step is None or self._choice is Choice.NONE:
            return conflict
        try:
            if self._choice is Choice.BESIDE:
                if step.entry is not None:
                    other = step.path + BESIDE
                    found = self._disk.look(other)
                    if found is not None and found.sha256 != step.entry.sha256:
                        return Conflict(step.path, f"{other} is in the way", None)
                    self._disk.write(other, contents[step.entry.sha256])
                    beside[step.path] = other
                return None
            if self._disk.is_link(step.path):
                self._disk.move_link(step.path, f"{REPLACED}/{stamp}{step.path}")
            mine = self._disk.read(step.path, _MAX_KEPT_BYTES)
            if mine is not None:
                self._disk.write(f"{REPLACED}/{stamp}{step.path}", mine)
        except Blocked as blocked:
            return Conflict(step.path, str(blocked), None)
        return carry_out(self._disk, step, contents)

    def _outcome(self, made: Plan) -> PullResult:
        return PullResult(
            revision=self._snapshot.revision.number,
            written=sorted(step.path for step in made.steps if step.entry is not None),
            deleted=sorted(step.path for step in made.steps if step.entry is None),
            kept=made.kept,
            conflicts=[Unsolved(each.path, each.why) for each in made.conflicts],
        )


def show(outcome: PullResult, waiting: Mapping[str, str], *, dry_run: bool) -> None:
    """Show the outcome of a pull.

    :param waiting: the server versions next to their files, including those of earlier pulls.
    """
    for word, paths in (
        ("written", outcome.written),
        ("deleted", outcome.deleted),
        ("kept, changed locally", outcome.kept),
    ):
        shown = paths if dry_run else paths[:SHOWN]
        show_files(((path, word) for path in shown), len(paths))
    for path, other in outcome.beside.items():
        write_line(f"  {path}  changed in both places. The server version is {other}.")
    show_files(
        ((each.path, each.why) for each in outcome.conflicts), len(outcome.conflicts), err=True
    )
    begin = "Dry run for revision" if dry_run else "Revision"
    conflicts = len(outcome.conflicts) + len(outcome.beside)
    write_line(
        f"{begin} {outcome.revision}: {len(outcome.written):,} written, "
        f"{len(outcome.deleted):,} deleted, {len(outcome.kept):,} kept, "
        f"{counted(conflicts, 'conflict')}."
    )
    if waiting:
        write_line(
            f"{counted(len(waiting), 'server version')} next to your files as NAME{BESIDE}. Merge "
            f"each into your file, delete NAME{BESIDE}, and push.",
            err=True,
        )
    if outcome.conflicts:
        write_line(
            "Files in conflict were not changed. To write the server version next to yours, use "
            "--write-conflicts. To take the server version, use --theirs. To keep yours, run "
            "`codeintel push --force`.",
            err=True,
        )


@click.command(short_help="Fetch online edits of a workspace.")
@click.argument("folder", metavar="[DIR]", required=False)
@service_options
@click.option(
    "--revision", type=click.IntRange(1), help="Fetch this revision. Default: the newest."
)
@click.option(
    "--theirs",
    is_flag=True,
    help="Take the server version in conflicts. Yours is kept in .codeintel/replaced.",
)
@click.option(
    "--write-conflicts",
    is_flag=True,
    help="Write the server version next to yours as NAME.remote in conflicts.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change, without changing anything.")
@click.option("--session", help="The session to fetch. Needs --into.")
@click.option("--into", help="A new or empty folder for the session. Needs --session.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def pull(
    folder: str | None,
    url: str,
    key: str | None,
    revision: int | None,
    theirs: bool,
    write_conflicts: bool,
    dry_run: bool,
    session: str | None,
    into: str | None,
    as_json: bool,
) -> None:
    """Update DIR to the newest revision of its workspace. DIR defaults to the current folder.

    Local changes are kept. Online changes are written. Files with both kinds of changes are listed
    as conflicts and not changed. The command writes only inside DIR. New files are not executable.

    \b
    Exit status:
      0    updated
      1    updated, but there are conflicts or unmerged server versions
      2    not updated: wrong usage, or the service failed
      130  interrupted with Ctrl+C
    """
    if theirs and write_conflicts:
        raise click.UsageError("Choose one of --theirs and --write-conflicts.")
    if (session is None) != (into is None) or (into is not None and folder is not None):
        raise click.UsageError("Use --session and --into together, without DIR.")
    if into is not None and dry_run:
        raise click.UsageError("--dry-run does not work with --into.")
    client = workspace_client(url, key)
    choice = Choice.THEIRS if theirs else Choice.BESIDE if write_conflicts else Choice.NONE
    with _place(folder, into) as place, opened(place) as disk, told():
        state = load(disk)
        entry = None if into is not None else _known(disk, state, client.url)
        if entry is not None:
            snapshot = snapshot_of(client, entry, revision)
        else:
            snapshot = client.snapshot(session or "", revision)
        files = _checked(snapshot)
        pulling = Pulling(disk, client, snapshot, entry, choice)
        outcome = pulling.plan(files) if dry_run else pulling.run(files, _stamp())
        waiting = open_conflicts(disk, entry) if entry else {}
        if not dry_run:
            new = _entry(disk, client.url, entry, snapshot, outcome)
            save(disk, state.with_entry(new), snapshot.bridge)
            waiting = new.conflicts
    if as_json:
        write_json({"sessionId": snapshot.session.session_id, **msgspec.to_builtins(outcome)})
    else:
        show(outcome, waiting, dry_run=dry_run)
    sys.exit(EXIT_CONFLICTS if outcome.conflicts or waiting else 0)


def _known(disk: Disk, state: State, url: str) -> Entry:
    """Return the session of the folder's branch.

    :raises Failure: if there is no session.
    """
    git = git_info(disk.root)
    entry = state.find(url, git)
    if entry is not None:
        return entry
    failure = not_pushed(disk.root, url, git.branch, "pull")
    raise Failure(
        f"{failure.message} To fetch a session into a new folder, use --session and --into."
    )


@contextmanager
def _place(folder: str | None, into: str | None) -> Iterator[str]:
    """Yield the folder to write to. Remove a new folder if nothing was written to it."""
    if into is None:
        yield folder or "."
        return
    is_new = not os.path.lexists(into)
    try:
        yield _new_folder(into)
    except BaseException:
        if is_new:
            with suppress(OSError):  # not empty
                Path(into).rmdir()
        raise


def _new_folder(name: str) -> str:
    """Create a folder, or check that it is empty.

    :raises Failure: if the folder cannot be created or is not empty.
    """
    path = Path(name)
    try:
        path.mkdir(exist_ok=True)
        empty = is_empty(path)
    except OSError as error:
        raise Failure(f"Cannot create {name}: {error.strerror}.") from None
    if not empty:
        raise Failure(f"{name} is not empty. Name a new folder, or run `codeintel pull {name}`.")
    return name


def _checked(snapshot: Snapshot) -> dict[str, FileEntry]:
    try:
        return snapshot.by_path()
    except ValueError as error:
        raise Failure(
            f"The response of the service is invalid: {error}. Nothing was written."
        ) from None


def _entry(
    disk: Disk, url: str, entry: Entry | None, snapshot: Snapshot, outcome: PullResult
) -> Entry:
    """Return the new state. With conflicts, the folder stays at its previous revision."""
    session = snapshot.session
    if entry is not None:
        revision = entry.revision if outcome.conflicts else snapshot.revision.number
        conflicts = {**open_conflicts(disk, entry), **outcome.beside}
        return msgspec.structs.replace(
            entry, revision=revision, files=outcome.digests, conflicts=conflicts
        )
    git = git_info(disk.root)
    return Entry(
        url=url,
        session_id=session.session_id,
        revision=snapshot.revision.number,
        identity=Identity(
            name=session.name,
            local_root_name=session.local_root_name,
            branch_name=session.branch_name,
            remote_url=session.remote_url,
        ),
        branch=git.branch,
        remote=git.remote,
        files=outcome.digests,
    )


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
