"""Reject pushes before anything is sent, with the reason and the solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codeintel.cli.remote import EXIT_NOT_COMPLETED
from codeintel.cli.workspaces.folder import (
    SHOWN,
    open_conflicts,
    pushed_above,
    show_files,
    show_left_out,
)
from codeintel.cli.workspaces.reasons import with_reasons
from codeintel.client.workspaces.disk import Disk
from codeintel.client.workspaces.state import Entry
from codeintel.client.workspaces.walk import Pack
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.server.opening import Failure


class AllLeftOut(Failure):
    """Ends a push whose new and changed files were all left out."""

    exit_code = EXIT_NOT_COMPLETED


def check_conflicts(disk: Disk, entry: Entry | None) -> None:
    """Reject a push while server versions of an earlier pull are not merged.

    :raises Failure: for the first conflict.
    """
    for path, other in (open_conflicts(disk, entry) if entry else {}).items():
        raise Failure(
            f"Unresolved conflict: {other} is the server version of {path}. Merge it into {path}, "
            f"delete {other}, and push again."
        )


def check_above(disk: Disk) -> None:
    """Reject a push of a folder whose parent has been pushed.

    :raises Failure: with both commands.
    """
    above = pushed_above(disk.root)
    if above is not None:
        raise Failure(
            f"Nothing was pushed. The parent {above} is already a workspace. To push it, run "
            f"`codeintel push {above}`. To make this folder a separate workspace, run `codeintel "
            "push .`."
        )


def check_held(
    blocked: Sequence[SkippedFile], known: Mapping[str, str], contents: Pack, *, force: bool
) -> None:
    """Reject a push that would delete files from the workspace because they cannot be pushed.

    :param known: the digests of the last push by path.
    :raises AllLeftOut: after listing the files, if no other file has changed.
    :raises Failure: after listing the files.
    """
    if not blocked:
        return
    show_files(with_reasons(blocked[:SHOWN]), len(blocked), err=True)
    paths = {each.path for each in blocked}
    others = {path: digest for path, digest in known.items() if path not in paths}
    advice = "Fix or delete them, or add --untrack to delete them only from the workspace."
    if contents.digests == others and not force:
        raise AllLeftOut(
            "Nothing was pushed. These files were left out, and no other file has changed. The "
            f"workspace keeps their last versions. {advice}"
        )
    raise Failure(
        "Nothing was pushed. The workspace has these files, but their local versions cannot be "
        f"pushed. {advice}"
    )


def check_texts(disk: Disk, contents: Pack) -> None:
    """Reject a push without files.

    :raises AllLeftOut: after listing the files that were left out.
    :raises Failure: if the folder is empty.
    """
    if contents.texts:
        return
    if not contents.left_out:
        raise Failure(f"Nothing was sent. {disk.root} has no files to push.")
    show_left_out(contents.left_out)
    hint = " To analyze a file without storing it, run `codeintel analyze FILE`."
    raise AllLeftOut(
        f"Nothing was sent, because all files in {disk.root} were left out."
        f"{hint if contents.masked else ''}"
    )
