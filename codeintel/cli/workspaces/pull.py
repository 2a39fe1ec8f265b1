"""`codeintel pull`: fetch what was changed in a workspace."""

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
from codeintel.cli.common import write_json, write_line
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
LINK = "a symbolic link is in the way: remove or rename it and pull again"
_MAX_KEPT_BYTES = 64 * 1024 * 1024
EXIT_CONFLICTS = 1


class Choice(Enum):
    """What becomes of conflicts: they are left, the service's version is taken, or it is put
    beside."""

    NONE = auto()
    THEIRS = auto()
    BESIDE = auto()


class Unsolved(msgspec.Struct, frozen=True):
    """A file that was left as it is, and why."""

    path: str
    why: str


class Outcome(msgspec.Struct, kw_only=True, rename="camel"):
    """What a pull came to, or would come to. `kept` are changed here only; `beside` are the paths
    of the service's versions by those of the files; `digests` is what is in step now."""

    revision: int
    written: list[str]
    deleted: list[str]
    kept: list[str]
    conflicts: list[Unsolved]
    beside: dict[str, str] = {}
    digests: dict[str, str] = {}


class Pulling:
    """One pull into a folder.

    :param entry: as the folder was last in step; None for an empty folder.
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

    def plan(self, files: Mapping[str, FileEntry]) -> Outcome:
        """What would be done; nothing is."""
        return self._outcome(self._planned(files))

    def run(self, files: Mapping[str, FileEntry], stamp: str) -> Outcome:
        """Do it. All contents are there, and proven, before the first file is written.

        :param stamp: names the folder for versions that are replaced.
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
        """A conflict with a link, and the way out of it: to replace one at the path itself loses
        nothing, for it can be kept; what is behind one on the way is none of ours."""
        path = conflict.path
        if conflict.step is not None:
            return conflict
        if self._disk.is_link(path):
            step = Step(path, None, files[path]) if self._choice is Choice.THEIRS else None
            return Conflict(path, f"{LINK}, or take the service's file with --theirs", step)
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
        """Do with a conflict as was asked; the conflict if it stays one."""
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

    def _outcome(self, made: Plan) -> Outcome:
        return Outcome(
            revision=self._snapshot.revision.number,
            written=sorted(step.path for step in made.steps if step.entry is not None),
            deleted=sorted(step.path for step in made.steps if step.entry is None),
            kept=made.kept,
            conflicts=[Unsolved(each.path, each.why) for each in made.conflicts],
        )


def show(outcome: Outcome, waiting: Mapping[str, str], *, dry_run: bool) -> None:
    """Tell people what a pull came to.

    :param waiting: the service's versions that stand beside those of the files, of earlier pulls,
        too.
    """
    for word, paths in (
        ("written", outcome.written),
        ("deleted", outcome.deleted),
        ("kept, changed here", outcome.kept),
    ):
        shown = paths if dry_run else paths[:SHOWN]
        show_files(((path, word) for path in shown), len(paths))
    for path, other in outcome.beside.items():
        write_line(f"  {path}  changed in both places: the service's version is {other}")
    show_files(
        ((each.path, each.why) for each in outcome.conflicts), len(outcome.conflicts), err=True
    )
    would = "Nothing was done; it would be" if dry_run else "Done"
    write_line(
        f"Revision {outcome.revision}. {would}: {len(outcome.written):,} written, "
        f"{len(outcome.deleted):,} deleted, {len(outcome.kept):,} kept, "
        f"{len(outcome.conflicts) + len(outcome.beside):,} in conflict"
        + (f", {len(outcome.beside):,} written beside." if outcome.beside else ".")
    )
    if waiting:
        write_line(
            f"{counted(len(waiting), 'file')} of the service's stand beside yours as NAME{BESIDE}: "
            f"put into yours what is right, delete NAME{BESIDE}, and push.",
            err=True,
        )
    if outcome.conflicts:
        write_line(
            "Conflicts are left as they are: --write-conflicts puts the service's version beside "
            "yours, --theirs takes it, and `codeintel push --force` puts yours there.",
            err=True,
        )


@click.command(short_help="Fetch what was changed in a workspace.")
@click.argument("folder", metavar="[DIR]", required=False)
@service_options
@click.option("--revision", type=click.IntRange(1), help="An older revision than the newest.")
@click.option(
    "--theirs",
    is_flag=True,
    help="In conflicts take the service's version; yours is kept below .codeintel/replaced.",
)
@click.option(
    "--write-conflicts",
    is_flag=True,
    help="In conflicts write the service's version beside yours, as NAME.remote.",
)
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@click.option("--session", help="The session to fetch, with --into.")
@click.option("--into", help="An empty or a new folder to fetch a session into.")
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
    """Bring DIR, the current folder by default, up to the newest revision of its workspace.

    What was changed here only is kept, what was changed there only is written, and what was changed
    in both places is left alone and named. Nothing outside of DIR is touched, and no new file can
    be executed.

    \b
    Exit status:
      0    done
      1    done, but for conflicts, or versions put beside yours are still there
      2    nothing was done: wrong usage, or the service refused or sent what cannot be
      130  interrupted
    """
    if theirs and write_conflicts:
        raise click.UsageError("--theirs and --write-conflicts exclude each other.")
    if (session is None) != (into is None) or (into is not None and folder is not None):
        raise click.UsageError("--session and --into go together, and without DIR.")
    if into is not None and dry_run:
        raise click.UsageError("--dry-run is for a folder that is in use, not for a new one.")
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
    """The session of the folder's branch.

    :raises Failure: if there is none.
    """
    git = git_info(disk.root)
    entry = state.find(url, git)
    if entry is not None:
        return entry
    failure = not_pushed(disk.root, url, git.branch, "pull")
    raise Failure(f"{failure.message} --session and --into fetch a session into a new folder.")


@contextmanager
def _place(folder: str | None, into: str | None) -> Iterator[str]:
    """The folder to write to. A new one is gone again if nothing could be written to it."""
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
    """:raises Failure: if it can be none, or has something in it."""
    path = Path(name)
    try:
        path.mkdir(exist_ok=True)
        empty = is_empty(path)
    except OSError as error:
        raise Failure(f"{name} cannot be made: {error.strerror}.") from None
    if not empty:
        raise Failure(f"{name} is not empty: name a new folder, or pull in the one you have.")
    return name


def _checked(snapshot: Snapshot) -> dict[str, FileEntry]:
    try:
        return snapshot.by_path()
    except ValueError as error:
        raise Failure(
            f"The service's answer cannot be used: {error}. Nothing was written."
        ) from None


def _entry(
    disk: Disk, url: str, entry: Entry | None, snapshot: Snapshot, outcome: Outcome
) -> Entry:
    """What to remember. While there are conflicts the folder is not in step with the revision."""
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
