"""`codeintel pull`: fetch what was changed in a workspace."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from codeintel.cli.common import write_json
from codeintel.cli.remote import service_options
from codeintel.cli.workspaces.folder import (
    is_empty,
    not_pushed,
    open_conflicts,
    opened,
    snapshot_of,
    told,
    workspace_client,
)
from codeintel.cli.workspaces.pulling import Choice, Outcome, Pulling, show
from codeintel.client.workspaces.api import Snapshot
from codeintel.client.workspaces.disk import Disk
from codeintel.client.workspaces.git import git_info
from codeintel.client.workspaces.state import Entry, Identity, State, load, save
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.server.opening import Failure

EXIT_CONFLICTS = 1


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
