"""`codeintel push`: push a folder as a workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click
import msgspec

from codeintel.base.wording import counted, size
from codeintel.cli.common import write_json, write_line
from codeintel.cli.remote import service_options
from codeintel.cli.workspaces.folder import (
    SHOWN,
    open_conflicts,
    opened,
    packed,
    proof_line,
    pushed_above,
    service_address,
    show_files,
    show_left_out,
    told,
    told_skipped,
    too_much,
    workspace_client,
)
from codeintel.cli.workspaces.report import (
    report_address,
    report_on,
    show_report,
    verdict,
    wait_for_proof,
)
from codeintel.client import ApiError, ConnectionFailed
from codeintel.client.workspaces.api import Pushed, WorkspaceClient
from codeintel.client.workspaces.disk import Disk
from codeintel.client.workspaces.git import GitInfo, git_info
from codeintel.client.workspaces.state import (
    Entry,
    Identity,
    State,
    load,
    make_ready,
    save,
    save_bridge,
)
from codeintel.client.workspaces.walk import Pack, TooMuch, Tree, held, walk
from codeintel.contracts.workspaces.paths import is_folder_name
from codeintel.contracts.workspaces.records import MAX_TOTAL_BYTES, ProofStatus, SkippedFile
from codeintel.server.opening import Failure
from codeintel.workspaces.requests import SyncBody

MAX_NAME_CHARACTERS = 200
SOURCE = "codeintel-cli"


class Sending:
    """One push of a folder."""

    def __init__(
        self,
        disk: Disk,
        client: WorkspaceClient,
        state: State,
        git: GitInfo,
        entry: Entry | None,
    ) -> None:
        self._disk = disk
        self._client = client
        self._state = state
        self._git = git
        self._entry = entry
        self._identity = Identity()

    def identity(self, name: str | None) -> Identity:
        """What the workspace is told from others by: as in the last push, though the folder may
        have another name by now."""
        if self._entry is not None:
            self._identity = self._entry.identity
        else:
            folder = self._disk.root.name[:MAX_NAME_CHARACTERS]
            folder = folder if is_folder_name(folder) and folder.isprintable() else ""
            self._identity = Identity(
                name=name or folder,
                local_root_name=folder,
                branch_name=self._git.branch,
                remote_url=self._git.remote,
            )
        return self._identity

    def send(self, data: bytes, contents: Pack) -> Pushed:
        """Send it, and remember what came of it.

        :raises Failure: if the service does not take it.
        :raises Blocked: if nothing can be remembered; then nothing was sent.
        """
        make_ready(self._disk)
        with told():
            try:
                answer = self._client.push(data)
            except ApiError as error:
                answer = self._settled(error, contents)
        skipped = {each.path for each in answer.files.skipped}
        digests = {path: sha for path, sha in contents.digests.items() if path not in skipped}
        entry = Entry(
            url=self._client.url,
            session_id=answer.session_id,
            revision=answer.revision,
            identity=self._identity,
            branch=self._git.branch,
            remote=self._git.remote,
            files=digests,
        )
        save(self._disk, self._state.with_entry(entry), answer.bridge)
        return answer

    def deleted(self, answer: Pushed, contents: Pack, *, force: bool) -> list[str]:
        """The paths that a push has deleted: by what is remembered, and if it replaced what nothing
        is remembered of, as the service knows it."""
        entry = self._entry
        if entry is not None and entry.session_id != answer.session_id:
            return []
        if (force or entry is None) and answer.revision > 1:
            if entry is not None and entry.revision == answer.revision:
                return []
            with suppress(ApiError, ConnectionFailed):
                last = answer.revision
                return self._client.changes(answer.session_id, last - 1, last).deleted
        return sorted(entry.files.keys() - contents.digests.keys()) if entry else []

    def _settled(self, error: ApiError, contents: Pack) -> Pushed:
        """The answer that a refused push comes to where the service has these very files already,
        because the answer to an earlier push was lost.

        :raises Failure: where it has not.
        """
        files = error.details.get("files")
        if isinstance(files, list) and files:
            show_files(_named(files), len(files), err=True)
        if error.code != "revision_conflict" or self._entry is None:
            raise error
        try:
            there = self._client.snapshot(self._entry.session_id)
        except ApiError as gone:
            if gone.status != 404:
                raise
            raise Failure(
                f"Nothing was pushed: the session {self._entry.session_id} is not there any more. "
                "`codeintel push --force` begins another one."
            ) from None
        if there.digests() != contents.digests:
            raise _conflict(error, self._entry)
        return there.as_pushed()


def with_proof(disk: Disk, answer: Pushed, proof: ProofStatus) -> Pushed:
    """An answer with how the proof loop has ended, which is put into the bridge file, too, unless
    it is of another revision."""
    if proof.revision != answer.revision:
        return msgspec.structs.replace(answer, proof_loop=proof)
    bridge = {**answer.bridge, "proofLoop": msgspec.to_builtins(proof)}
    save_bridge(disk, bridge)
    return msgspec.structs.replace(answer, proof_loop=proof, bridge=bridge)


def _named(files: list[Any]) -> list[tuple[str, str]]:
    return [
        (str(each.get("path")), str(each.get("reason"))) for each in files if isinstance(each, dict)
    ]


def _conflict(error: ApiError, entry: Entry) -> Failure:
    paths = error.details.get("paths")
    named = [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    show_files(((path, "") for path in named[:SHOWN]), len(named), err=True)
    return Failure(
        f"Nothing was pushed: since revision {entry.revision}, which this folder is in step with, "
        "these files were changed online. `codeintel pull` fetches them and keeps your changes; "
        "`codeintel push --force` replaces them."
    )


@click.command(short_help="Push a folder as a workspace.")
@click.argument("folder", metavar="[DIR]", required=False)
@service_options
@click.option("--name", help="What to call the workspace; by default as the folder.")
@click.option(
    "--source", default=SOURCE, show_default=True, help="The kind of client to be named by."
)
@click.option("--dry-run", is_flag=True, help="Only list what would go and what not, and why.")
@click.option(
    "--force",
    is_flag=True,
    help="Replace what was changed online since the last pull; it stays in the history.",
)
@click.option(
    "--untrack",
    is_flag=True,
    help="Delete there what was pushed before and is ignored or left out by now; it stays here.",
)
@click.option(
    "--trust-dependencies/--no-trust-dependencies",
    default=None,
    help="Whether names of dependencies may be looked up at registries; by default as before.",
)
@click.option("--wait", is_flag=True, help="Wait for the verdict of the proof loop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def push(
    folder: str | None,
    url: str,
    key: str | None,
    name: str | None,
    source: str,
    dry_run: bool,
    force: bool,
    untrack: bool,
    trust_dependencies: bool | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Push the files of DIR, the current folder by default, as the next revision of a workspace.

    What .gitignore, .codeintelignore and .git/info/exclude name stays here, and so do links, binary
    files, files over 1 MiB, and files that hold secrets: of these the service analyses the text
    without the secret. What the workspace has goes although a rule names it by now, as with Git.

    \b
    Exit status:
      0    pushed, or nothing had changed
      1    pushed, and with --wait the proof loop failed
      2    nothing was pushed: wrong usage or input, a conflict, or the service refused
      3    pushed, and with --wait there is no verdict, or it is incomplete: files were left out
      130  interrupted
    """
    with opened(folder or ".") as disk:
        address = service_address(url)
        state, git = load(disk), git_info(disk.root)
        entry = state.find(address, git, name)
        if folder is None and not state.sessions:
            _check_above(disk)
        known = entry.files if entry else {}
        tree = walk(disk.root, () if untrack else known)
        if dry_run:
            contents = packed(disk, tree)
            blocked = [] if untrack else held(known, contents)
            _show_plan(contents, tree, known, blocked, as_json=as_json)
            return
        client = workspace_client(url, key)
        _check_conflicts(disk, entry)
        sending = Sending(disk, client, state, git, entry)
        contents = packed(disk, tree)
        if not untrack:
            _check_held(held(known, contents))
        if not contents.texts:
            show_left_out(contents.left_out)
            hint = " `codeintel analyze FILE` looks at a file without storing it."
            raise Failure(
                f"Nothing was sent: there is no file in {disk.root} to push."
                f"{hint if contents.masked else ''}"
            )
        body = SyncBody(
            files=contents.texts,
            source=source,
            base_revision=entry.revision if entry and not force else None,
            skipped=told_skipped(contents),
            trust_dependencies=trust_dependencies,
            **msgspec.structs.asdict(sending.identity(name)),
        )
        data = msgspec.json.encode(body)
        if len(data) > MAX_TOTAL_BYTES:
            raise too_much(TooMuch({path: tree.sizes[path] for path in contents.texts}), disk)
        if not as_json:
            _announce(contents, tree, len(data))
        answer = sending.send(data, contents)
        deleted = sending.deleted(answer, contents, force=force)
        if not as_json:
            _show(answer, contents, entry, len(deleted))
        proof, report = answer.proof_loop, None
        if wait:
            proof = wait_for_proof(client, answer.session_id, proof)
            answer = with_proof(disk, answer, proof)
            report = report_on(client, answer.session_id, proof)
    if as_json:
        document = {**msgspec.to_builtins(answer), "deleted": deleted, "ignored": tree.ignored}
        write_json(document if report is None else {**document, "report": report})
    else:
        if report is not None:
            show_report(report, report_address(client, answer.session_id, proof))
        write_line(proof_line(proof))
    sys.exit(verdict(proof) if wait else 0)


def _check_conflicts(disk: Disk, entry: Entry | None) -> None:
    """:raises Failure: while versions that a pull put beside others are still there."""
    for path, other in (open_conflicts(disk, entry) if entry else {}).items():
        raise Failure(
            f"{other} is the service's version of {path}, of a conflict: put into {path} what is "
            "right, delete the other, and push again."
        )


def _check_above(disk: Disk) -> None:
    """:raises Failure: in a folder below one that has been pushed."""
    above = pushed_above(disk.root)
    if above is not None:
        raise Failure(
            f"Nothing was pushed: this folder is within {above}, which has been pushed. "
            f"`codeintel push {above}` pushes that; `codeintel push .` makes this folder a "
            "workspace of its own."
        )


def _check_held(blocked: Sequence[SkippedFile]) -> None:
    """:raises Failure: for files that the workspace has, and that would be deleted there."""
    if blocked:
        named = [(each.path, each.reason) for each in blocked]
        show_files(named[:SHOWN], len(named), err=True)
        raise Failure(
            "Nothing was pushed: the workspace has these files, and as they are here now they "
            "cannot be pushed. Put them right; or delete them here, or push with --untrack, which "
            "deletes them there and leaves them here."
        )


def _announce(contents: Pack, tree: Tree, total: int) -> None:
    show_left_out(contents.left_out)
    ignored = f", {tree.ignored:,} ignored" if tree.ignored else ""
    count = counted(len(contents.texts), "file")
    write_line(f"Sending {count}, {size(total)}{ignored}.", err=True)


def _show(answer: Pushed, contents: Pack, entry: Entry | None, deleted: int) -> None:
    own = {each.path for each in contents.left_out}
    show_left_out([each for each in answer.files.skipped if each.path not in own])
    if entry and (entry.session_id, entry.revision) == (answer.session_id, answer.revision):
        write_line(f"Nothing has changed: revision {answer.revision} of {answer.session_id}.")
    else:
        counts = f"{answer.files.stored:,} new or changed, {deleted:,} deleted"
        counts += f", {answer.files.unchanged:,} unchanged"
        write_line(f"Revision {answer.revision} of {answer.session_id}: {counts}.")
        if entry is None and answer.revision > 1:
            write_line(
                "This workspace had been pushed from elsewhere: what was different there is "
                "replaced, and stays in the history.",
                err=True,
            )
    write_line(f"Edit:    {answer.environment_url}")
    write_line(f"Reports: {answer.reports_url}")
    if answer.editor_uri != answer.environment_url:
        write_line(f"Clone:   {answer.editor_uri}")


def _show_plan(
    contents: Pack,
    tree: Tree,
    known: Mapping[str, str],
    blocked: Sequence[SkippedFile],
    *,
    as_json: bool,
) -> None:
    """What a push would do; nothing is asked of the service."""
    changes = {
        path: "new" if path not in known else "changed" if known[path] != digest else "unchanged"
        for path, digest in contents.digests.items()
    }
    deleted = sorted(known.keys() - changes.keys() - {each.path for each in blocked})
    if as_json:
        files = [
            {"path": path, "size": tree.sizes[path], "sha256": contents.digests[path], "change": to}
            for path, to in changes.items()
        ]
        left_out = msgspec.to_builtins(contents.left_out)
        document = {"files": files, "deleted": deleted, "leftOut": left_out}
        refused = msgspec.to_builtins(blocked)
        write_json({**document, "blocked": refused, "ignored": tree.ignored})
        return
    show_files(changes.items(), len(changes))
    show_files(((path, "deleted") for path in deleted), len(deleted))
    show_left_out(contents.left_out)
    if blocked:
        write_line("The push would be refused, for the workspace has of these:", err=True)
        show_files(((each.path, each.reason) for each in blocked), len(blocked), err=True)
    write_line(
        f"{counted(len(changes), 'file')} of {size(contents.size)} would go, "
        f"{len(contents.left_out):,} are left out, {tree.ignored:,} ignored. Nothing was sent.",
        err=True,
    )
