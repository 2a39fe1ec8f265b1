"""Helpers for `push`, `pull` and `status`: the folder, its state, and lists of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from codeintel.base.wording import counted, size
from codeintel.cli.output import table, write, write_line
from codeintel.cli.remote import client_with_key, new_client, told_failures
from codeintel.cli.workspaces.reasons import with_reasons
from codeintel.client import ApiError
from codeintel.client.workspaces.api import Snapshot, WorkspaceClient
from codeintel.client.workspaces.disk import BadContent, Blocked, Disk
from codeintel.client.workspaces.state import STATE_PATH, BadState, Entry
from codeintel.client.workspaces.walk import MAX_SKIPPED, Pack, TooMuch, Tree, pack
from codeintel.contracts.workspaces.records import (
    MAX_FILES,
    MAX_TOTAL_BYTES,
    LeftOutFile,
    ProofStatus,
    SkippedFile,
)
from codeintel.contracts.workspaces.selection import most_telling_first
from codeintel.server.opening import Failure

SCOPE = "workspace:write"
SHOWN = 20
"""The number of files to show in a list that is not the main output."""
_BAR_FROM = 200


@contextmanager
def opened(folder: str) -> Iterator[Disk]:
    """Open a folder. Errors of the folder or its state end the command with a message."""
    root = Path(folder).resolve()
    try:
        disk = Disk(root)
    except OSError as error:
        raise Failure(f"Cannot open {folder}: {error.strerror}. Name a folder.") from None
    with disk:
        try:
            yield disk
        except BadState as error:
            raise Failure(str(error)) from None
        except Blocked as error:
            raise Failure(f"Cannot use the folder .codeintel: {error}.") from None


@contextmanager
def told() -> Iterator[None]:
    """End the command with a message if the service fails or sends invalid content."""
    with told_failures():
        try:
            yield
        except BadContent as error:
            raise Failure(f"{error} Nothing was written.") from None


def workspace_client(url: str, key: str | None) -> WorkspaceClient:
    """Return a client for the workspaces of a service.

    :raises Failure: without a key, or if the URL or the key is invalid.
    """
    client_with_key(url, key, SCOPE)
    return WorkspaceClient(url, key)


def service_address(url: str) -> str:
    """Return the address of the service as the state stores it.

    :raises Failure: if the address is invalid.
    """
    return new_client(url, None).url


def packed(disk: Disk, tree: Tree) -> Pack:
    """Read the files of a folder. Show a progress bar if there are many.

    :raises Failure: if the folder is too large to push.
    """
    hidden = len(tree.sizes) < _BAR_FROM or not sys.stderr.isatty()
    try:
        with click.progressbar(
            list(tree.sizes), label="Reading", file=sys.stderr, hidden=hidden
        ) as paths:
            return pack(disk.root, tree, paths)
    except TooMuch as error:
        raise too_much(error, disk) from None


def too_much(error: TooMuch, disk: Disk) -> Failure:
    """Show the largest folders. Return the error."""
    rows = [(each.path, f"{each.files:,}", size(each.size)) for each in error.folders]
    write(table(("largest folders", "files", "size"), rows), err=True)
    example = error.folders[0].path if error.folders else "/data/"
    return Failure(
        f"Nothing was sent. {disk.root} has {counted(error.files, 'file')} ({size(error.size)}) to "
        f"push. The limit is {MAX_FILES:,} files and {size(MAX_TOTAL_BYTES)}. Push a subfolder, or "
        f"exclude files in .codeintelignore, which works like .gitignore, for example `{example}`. "
        "If excluded files were pushed before, add --untrack."
    )


def show_left_out(left_out: Sequence[SkippedFile], *, err: bool = True) -> None:
    """List the files that are not pushed, with reasons."""
    if left_out:
        write_line(f"Not pushed ({counted(len(left_out), 'file')}):", err=err)
        show_files(with_reasons(left_out[:SHOWN]), len(left_out), err=err)


def show_files(files: Iterable[tuple[str, str]], total: int, *, err: bool = False) -> None:
    """List files, each with a remark.

    :param total: the number of files, if not all are given.
    """
    count = 0
    for path, about in files:
        write_line(f"  {path}  {about}" if about else f"  {path}", err=err)
        count += 1
    if total > count:
        write_line(f"  {total - count:,} more", err=err)


def told_skipped(contents: Pack) -> tuple[LeftOutFile, ...]:
    """Return the files that are not pushed, for the service. For files with secrets, include the
    text without the secrets if the push has room for it."""
    room = 0
    if contents.masked:
        room = MAX_TOTAL_BYTES * 9 // 10 - len(msgspec.json.encode(contents.texts))
    told = []
    for each in most_telling_first(contents.left_out)[:MAX_SKIPPED]:
        text = contents.masked.get(each.path, "")
        room -= len(msgspec.json.encode(text))
        sent = text if room >= 0 else ""
        told.append(LeftOutFile(each.path, each.reason, each.line, text=sent))
    return tuple(told)


def proof_line(status: ProofStatus) -> str:
    """Return the status of the proof loop in one line."""
    line = f"Report: {status.status} (revision {status.revision})"
    if status.done is not msgspec.UNSET and status.total is not msgspec.UNSET:
        line += f", {status.done:,} of {status.total:,} files"
    for more in (status.note, status.reason):
        if more is not msgspec.UNSET and more:
            line += f": {more}"
    return line if line.endswith(".") else f"{line}."


def open_conflicts(disk: Disk, entry: Entry) -> dict[str, str]:
    """Return the files with a conflict, and the path of the server version next to each."""
    return {path: other for path, other in entry.conflicts.items() if disk.look(other)}


def pushed_above(root: Path) -> str | None:
    """Return the relative path of the nearest parent folder that has been pushed."""
    for above in root.parents:
        if (above / STATE_PATH[1:]).is_file():
            return os.path.relpath(above)
    return None


def not_pushed(root: Path, url: str, branch: str, command: str) -> Failure:
    """Return the error for a folder without a session."""
    on = f", for the branch {branch}" if branch else ""
    text = f"This folder has not been pushed to {url}{on}"
    above = pushed_above(root)
    if above is None:
        return Failure(f"{text}. Run `codeintel push` first.")
    return Failure(f"{text}. Its parent {above} has: run `codeintel {command} {above}`.")


def snapshot_of(client: WorkspaceClient, entry: Entry, revision: int | None = None) -> Snapshot:
    """Return the session of a folder.

    :raises Failure: if the session no longer exists.
    """
    try:
        return client.snapshot(entry.session_id, revision)
    except ApiError as error:
        if error.status != 404:
            raise
        if revision is not None:
            snapshot_of(client, entry)  # raises if the session is missing, not the revision
            raise
        raise Failure(
            f"The workspace {entry.session_id} no longer exists. Your files are unchanged. Run "
            "`codeintel push --force` to create a new workspace with them."
        ) from None


def is_empty(folder: Path) -> bool:
    """Return whether a folder is empty."""
    with os.scandir(folder) as entries:
        return next(entries, None) is None
