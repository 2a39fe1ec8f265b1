"""What `push`, `pull` and `status` share: the folder, its state, and how its files are shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from codeintel.base.wording import counted, size
from codeintel.cli.common import table, write, write_line
from codeintel.cli.remote import client_with_key, new_client, told_failures
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
"""Files of a list that are shown where it is only told in passing."""
_BAR_FROM = 200


@contextmanager
def opened(folder: str) -> Iterator[Disk]:
    """The folder that a command is about. What is wrong with it or its state ends the command."""
    root = Path(folder).resolve()
    try:
        disk = Disk(root)
    except OSError as error:
        raise Failure(f"{folder} cannot be opened: {error.strerror}. Name a folder.") from None
    with disk:
        try:
            yield disk
        except BadState as error:
            raise Failure(str(error)) from None
        except Blocked as error:
            raise Failure(f"The folder .codeintel cannot be used: {error}.") from None


@contextmanager
def told() -> Iterator[None]:
    """End the command where the service refuses, cannot be reached, or is none to be trusted."""
    with told_failures():
        try:
            yield
        except BadContent as error:
            raise Failure(f"{error} Nothing was written.") from None


def workspace_client(url: str, key: str | None) -> WorkspaceClient:
    """A client for the workspaces of a service.

    :raises Failure: without a key, or for a URL or key that cannot be one.
    """
    client_with_key(url, key, SCOPE)
    return WorkspaceClient(url, key)


def service_address(url: str) -> str:
    """The service's address as the state has it.

    :raises Failure: if it cannot be one.
    """
    return new_client(url, None).url


def packed(disk: Disk, tree: Tree) -> Pack:
    """The files of a folder, read with a progress bar where that takes a while.

    :raises Failure: if they are too many, with what to do about it.
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
    """Show the largest folders; the failure says what to do."""
    rows = [(each.path, f"{each.files:,}", size(each.size)) for each in error.folders]
    write(table(("largest folders", "files", "size"), rows), err=True)
    example = error.folders[0].path if error.folders else "/data/"
    return Failure(
        f"Nothing was sent: {disk.root} has {counted(error.files, 'file')} of {size(error.size)} "
        f"that no rule leaves out; a push takes {MAX_FILES:,} of {size(MAX_TOTAL_BYTES)}. Leave "
        "some out by lines in a file .codeintelignore, which reads like .gitignore, for example "
        f"`{example}`, with `--untrack` if they had been pushed; or push a folder below."
    )


def show_left_out(left_out: Sequence[SkippedFile], *, err: bool = True) -> None:
    """List what is not pushed, with the reasons."""
    if left_out:
        write_line(f"Left out ({len(left_out):,}):", err=err)
        show_files(((each.path, each.reason) for each in left_out[:SHOWN]), len(left_out), err=err)


def show_files(files: Iterable[tuple[str, str]], total: int, *, err: bool = False) -> None:
    """List files, each with a word about it.

    :param total: how many there are, where not all are given.
    """
    count = 0
    for path, about in files:
        write_line(f"  {path}  {about}" if about else f"  {path}", err=err)
        count += 1
    if total > count:
        write_line(f"  and {total - count:,} more", err=err)


def told_skipped(contents: Pack) -> tuple[LeftOutFile, ...]:
    """What is left out, as the service takes it: of files with secrets the text without them, as
    far as the push has room for it."""
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
    """How the proof loop stands, in a line."""
    line = f"Proof loop: {status.status} (revision {status.revision})"
    if status.done is not msgspec.UNSET and status.total is not msgspec.UNSET:
        line += f", {status.done:,} of {status.total:,} files"
    for more in (status.note, status.reason):
        if more is not msgspec.UNSET and more:
            line += f": {more}"
    return line if line.endswith(".") else f"{line}."


def open_conflicts(disk: Disk, entry: Entry) -> dict[str, str]:
    """The files of which a pull has put the service's version beside, where that still is."""
    return {path: other for path, other in entry.conflicts.items() if disk.look(other)}


def pushed_above(root: Path) -> str | None:
    """The nearest folder above that has been pushed, as a user would name it."""
    for above in root.parents:
        if (above / STATE_PATH[1:]).is_file():
            return os.path.relpath(above)
    return None


def not_pushed(root: Path, url: str, branch: str, command: str) -> Failure:
    """What to do about a folder that has no session, for a command that needs one."""
    on = f", for the branch {branch}" if branch else ""
    text = f"This folder has not been pushed to {url}{on}"
    above = pushed_above(root)
    if above is None:
        return Failure(f"{text}: `codeintel push` does that.")
    return Failure(f"{text}; the folder {above} has been pushed: `codeintel {command} {above}`.")


def snapshot_of(client: WorkspaceClient, entry: Entry, revision: int | None = None) -> Snapshot:
    """The session of a folder, which may be gone.

    :raises Failure: if it is, with what to do.
    """
    try:
        return client.snapshot(entry.session_id, revision)
    except ApiError as error:
        if error.status != 404:
            raise
        if revision is not None:
            snapshot_of(client, entry)  # then it is the revision that is not there
            raise
        raise Failure(
            f"The session {entry.session_id} is not there any more; your files are as they were. "
            "`codeintel push --force` begins another one with them."
        ) from None


def is_empty(folder: Path) -> bool:
    """Whether nothing is in a folder."""
    with os.scandir(folder) as entries:
        return next(entries, None) is None
