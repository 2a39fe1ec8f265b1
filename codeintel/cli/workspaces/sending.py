"""Sending a workspace, and remembering what came of it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from codeintel.cli.workspaces.folder import SHOWN, show_files, told
from codeintel.client import ApiError, ConnectionFailed
from codeintel.client.workspaces.api import Pushed, WorkspaceClient
from codeintel.client.workspaces.disk import Disk
from codeintel.client.workspaces.git import GitInfo
from codeintel.client.workspaces.state import Entry, Identity, State, make_ready, save, save_bridge
from codeintel.client.workspaces.walk import Pack
from codeintel.contracts.workspaces.local_paths import is_folder_name
from codeintel.contracts.workspaces.records import ProofStatus
from codeintel.server.opening import Failure

MAX_NAME_CHARACTERS = 200


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
