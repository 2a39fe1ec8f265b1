"""`codeintel push`: push a folder as a workspace."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

import click
import msgspec

from codeintel.base.wording import counted, size
from codeintel.cli.output import write_json, write_line
from codeintel.cli.remote import service_options
from codeintel.cli.workspaces.folder import (
    SHOWN,
    opened,
    packed,
    proof_line,
    service_address,
    show_files,
    show_left_out,
    told,
    told_skipped,
    too_much,
    workspace_client,
)
from codeintel.cli.workspaces.reasons import from_service, with_reasons
from codeintel.cli.workspaces.refusals import (
    check_above,
    check_conflicts,
    check_held,
    check_texts,
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
    """A push of a folder."""

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
        """Return the identity of the workspace: that of the last push, even if the folder was
        renamed since."""
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
        """Send the files and save the new state.

        :raises Failure: if the service rejects the push.
        :raises Blocked: if the state cannot be saved. Nothing is sent then.
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
        """Return the paths that the push deleted, from the state or the service."""
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
        """Return the response to a rejected push if the service already has the same files, because
        the response to an earlier push was lost.

        :raises Failure: if the service has other files.
        """
        files = error.details.get("files")
        if isinstance(files, list) and files:
            show_files(from_service(files), len(files), err=True)
        if error.code != "revision_conflict" or self._entry is None:
            raise error
        try:
            there = self._client.snapshot(self._entry.session_id)
        except ApiError as gone:
            if gone.status != 404:
                raise
            raise Failure(
                f"Nothing was pushed. The workspace {self._entry.session_id} no longer exists. Run "
                "`codeintel push --force` to create a new workspace."
            ) from None
        if there.digests() != contents.digests:
            raise _conflict(error, self._entry)
        return there.as_pushed()


def with_proof(disk: Disk, answer: Pushed, proof: ProofStatus) -> Pushed:
    """Return the response with the final status of the proof loop. Save the status in the bridge
    file if it belongs to the same revision."""
    if proof.revision != answer.revision:
        return msgspec.structs.replace(answer, proof_loop=proof)
    bridge = {**answer.bridge, "proofLoop": msgspec.to_builtins(proof)}
    save_bridge(disk, bridge)
    return msgspec.structs.replace(answer, proof_loop=proof, bridge=bridge)


def _conflict(error: ApiError, entry: Entry) -> Failure:
    paths = error.details.get("paths")
    named = [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []
    show_files(((path, "") for path in named[:SHOWN]), len(named), err=True)
    return Failure(
        "Nothing was pushed. These files were changed online since your last synchronized revision "
        f"{entry.revision}. To fetch the changes and keep yours, run `codeintel pull`. To replace "
        "them, run `codeintel push --force`."
    )


@click.command(short_help="Push a folder as a workspace.")
@click.argument("folder", metavar="[DIR]", required=False)
@service_options
@click.option("--name", help="The name of the workspace. Default: the name of the folder.")
@click.option(
    "--source", default=SOURCE, show_default=True, help="The client name that the workspace shows."
)
@click.option(
    "--dry-run", is_flag=True, help="List the files that would be pushed, and why others would not."
)
@click.option(
    "--force",
    is_flag=True,
    help="Replace online changes since the last pull. The history keeps them.",
)
@click.option(
    "--untrack",
    is_flag=True,
    help="Delete files from the workspace that are now ignored or excluded. Local files stay.",
)
@click.option(
    "--trust-dependencies/--no-trust-dependencies",
    default=None,
    help="Whether the service may look up dependencies at registries. Default: as before.",
)
@click.option(
    "--wait", is_flag=True, help="Wait for the verdict of the proof loop and show its findings."
)
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
    """Push the files of DIR as a new workspace revision. DIR defaults to the current folder.

    Files that .gitignore, .codeintelignore or .git/info/exclude match are not pushed. Links, binary
    files, files over 1 MiB and files with secrets are not pushed either. Of files with secrets, the
    service analyzes the text without the secrets. Files that are already in the workspace are
    pushed even if a rule matches them, as in Git.

    \b
    Exit status:
      0    pushed, or nothing changed
      1    pushed, and with --wait the proof loop failed
      2    not pushed: wrong usage or input, a conflict, or the service rejected the push
      3    not pushed, because all new or changed files were left out; or
           pushed, and with --wait there is no verdict, or the verdict is incomplete
      130  interrupted with Ctrl+C
    """
    with opened(folder or ".") as disk:
        address = service_address(url)
        state, git = load(disk), git_info(disk.root)
        entry = state.find(address, git, name)
        if folder is None and not state.sessions:
            check_above(disk)
        known = entry.files if entry else {}
        tree = walk(disk.root, () if untrack else known)
        if dry_run:
            contents = packed(disk, tree)
            blocked = [] if untrack else held(known, contents)
            _show_plan(contents, tree, known, blocked, as_json=as_json)
            return
        client = workspace_client(url, key)
        check_conflicts(disk, entry)
        sending = Sending(disk, client, state, git, entry)
        contents = packed(disk, tree)
        if not untrack:
            check_held(held(known, contents), known, contents, force=force)
        check_texts(disk, contents)
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
            _announce(contents, tree, len(data), {} if force else known)
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
            show_report(report, report_address(client, answer.session_id, proof), contents.texts)
        write_line(proof_line(proof))
    sys.exit(verdict(proof) if wait else 0)


def _announce(contents: Pack, tree: Tree, total: int, known: Mapping[str, str]) -> None:
    show_left_out(contents.left_out)
    ignored = f", {tree.ignored:,} ignored" if tree.ignored else ""
    verb = "Comparing" if contents.digests == known else "Sending"
    write_line(f"{verb} {counted(len(contents.texts), 'file')} ({size(total)}){ignored}.", err=True)


def _show(answer: Pushed, contents: Pack, entry: Entry | None, deleted: int) -> None:
    own = {each.path for each in contents.left_out}
    show_left_out([each for each in answer.files.skipped if each.path not in own])
    if entry and (entry.session_id, entry.revision) == (answer.session_id, answer.revision):
        write_line(f"No changes: {answer.session_id} is still at revision {answer.revision}.")
    else:
        counts = f"{answer.files.stored:,} new or changed, {deleted:,} deleted"
        counts += f", {answer.files.unchanged:,} unchanged"
        write_line(f"Revision {answer.revision} of {answer.session_id}: {counts}.")
        if entry is None and answer.revision > 1:
            write_line(
                "This workspace was pushed from another folder before. Different files were "
                "replaced. The history keeps them.",
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
    """Show what a push would do, without contacting the service."""
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
        lists = msgspec.to_builtins({"leftOut": contents.left_out, "blocked": blocked})
        write_json({"files": files, "deleted": deleted, **lists, "ignored": tree.ignored})
        return
    show_files(changes.items(), len(changes))
    show_files(((path, "deleted") for path in deleted), len(deleted))
    show_left_out(contents.left_out)
    if blocked:
        write_line("The push would fail, because the workspace has these files:", err=True)
        show_files(with_reasons(blocked), len(blocked), err=True)
    write_line(
        f"Dry run: {counted(len(changes), 'file')} ({size(contents.size)}) to push, "
        f"{len(contents.left_out):,} excluded, {tree.ignored:,} ignored. Nothing was sent.",
        err=True,
    )
