"""`codeintel status`: compare a folder with its workspace."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from codeintel.cli.output import write_json, write_line
from codeintel.cli.remote import service_options
from codeintel.cli.workspaces.folder import (
    SHOWN,
    not_pushed,
    open_conflicts,
    opened,
    packed,
    proof_line,
    service_address,
    show_files,
    snapshot_of,
    told,
    workspace_client,
)
from codeintel.cli.workspaces.reasons import in_words
from codeintel.client import ApiError
from codeintel.client.workspaces.api import Differences, Snapshot, WorkspaceClient
from codeintel.client.workspaces.git import git_info
from codeintel.client.workspaces.state import Entry, load
from codeintel.client.workspaces.walk import Pack, Tree, held, walk
from codeintel.contracts.workspaces.records import SkippedFile


class Local(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Local changes since the last synchronization. `blocked` are files of the session whose local
    versions cannot be pushed. `left_out` and `ignored` are counts."""

    added: list[str]
    changed: list[str]
    deleted: list[str]
    blocked: list[SkippedFile]
    left_out: int
    ignored: int


@click.command(short_help="Compare a folder with its workspace.")
@click.argument("folder", metavar="[DIR]", default=".")
@service_options
@click.option(
    "--local",
    "local_only",
    is_flag=True,
    help="Compare only with the last synchronized state, without the service.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def status(folder: str, url: str, key: str | None, local_only: bool, as_json: bool) -> None:
    """Show local changes, online changes and the status of the proof loop.

    DIR defaults to the current folder.

    \b
    Exit status:
      0    shown
      2    not shown: wrong usage, a folder that was never pushed, or the service failed
    """
    with opened(folder) as disk:
        address = service_address(url)
        git = git_info(disk.root)
        entry = load(disk).find(address, git)
        if entry is None:
            raise not_pushed(disk.root, address, git.branch, "status")
        tree = walk(disk.root, entry.files)
        local = _local(entry, packed(disk, tree), tree)
        entry = msgspec.structs.replace(entry, conflicts=open_conflicts(disk, entry))
    there = changes = None
    if not local_only:
        with told():
            client = workspace_client(url, key)
            there = snapshot_of(client, entry)
            changes = _changes(client, entry, there)
    if as_json:
        write_json(_document(entry, local, there, changes))
    else:
        _show(entry, local, there, changes)


def _changes(client: WorkspaceClient, entry: Entry, there: Snapshot) -> Differences | None:
    """Return the online changes, or None if the service no longer has the local revision."""
    newest = there.session.revision
    if newest == entry.revision:
        return Differences(changed=[], deleted=[])
    try:
        return client.changes(entry.session_id, entry.revision, newest)
    except ApiError as error:
        if error.status != 404:
            raise
        return None


def _local(entry: Entry, contents: Pack, tree: Tree) -> Local:
    here, known = contents.digests, entry.files
    blocked = held(known, contents)
    return Local(
        added=sorted(here.keys() - known.keys()),
        changed=sorted(path for path in here.keys() & known.keys() if here[path] != known[path]),
        deleted=sorted(known.keys() - here.keys() - {each.path for each in blocked}),
        blocked=blocked,
        left_out=len(contents.left_out),
        ignored=tree.ignored,
    )


def _document(
    entry: Entry, local: Local, there: Snapshot | None, changes: Differences | None
) -> dict[str, Any]:
    document = {
        "sessionId": entry.session_id,
        "url": entry.url,
        "revision": entry.revision,
        "local": msgspec.to_builtins(local),
        "conflicts": entry.conflicts,
    }
    if there is not None:
        document |= {
            "newestRevision": there.session.revision,
            "changes": msgspec.to_builtins(changes),
            "proofLoop": msgspec.to_builtins(there.proof_loop),
            "environmentUrl": there.session.environment_url,
            "editorUri": there.session.editor_uri,
            "reportsUrl": there.session.reports_url,
        }
    return document


def _show(entry: Entry, local: Local, there: Snapshot | None, changes: Differences | None) -> None:
    name = entry.identity.name or entry.session_id
    branch = f", branch {entry.branch}" if entry.branch else ""
    write_line(f"{name}{branch}: workspace {entry.session_id}, revision {entry.revision}.")
    for word, paths in (
        ("added", local.added),
        ("changed", local.changed),
        ("deleted", local.deleted),
    ):
        show_files(((path, word) for path in paths[:SHOWN]), len(paths))
    blocked = [
        (each.path, f"can no longer be pushed. {in_words(each.reason)}") for each in local.blocked
    ]
    show_files(blocked[:SHOWN], len(blocked))
    write_line(
        f"Local: {len(local.added):,} added, {len(local.changed):,} changed, "
        f"{len(local.deleted):,} deleted, {local.left_out:,} excluded, {local.ignored:,} ignored."
    )
    for path, other in entry.conflicts.items():
        write_line(f"Conflict: {path}. The server version is {other}.")
    if there is None:
        return
    newest = there.session.revision
    if newest == entry.revision:
        write_line("Online: no changes.")
    else:
        if changes is not None:
            differing = [(entry.path, "changed online") for entry in changes.changed]
            differing += [(path, "deleted online") for path in changes.deleted]
            differing.sort()
            show_files(differing[:SHOWN], len(differing))
        write_line(f"Online: revision {newest} is newer. To fetch it, run `codeintel pull`.")
    write_line(proof_line(there.proof_loop))
    write_line(f"Edit:    {there.session.environment_url}")
    write_line(f"Reports: {there.session.reports_url}")
