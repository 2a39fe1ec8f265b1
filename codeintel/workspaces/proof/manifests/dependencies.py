"""What a revision depends on directly, by its manifests. Worker processes read them; one that takes
too long is passed over and reported."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from codeintel.base.concurrency.pace import letting_others_run
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextFunction, TextWorkError
from codeintel.platform.workers.text_pool import TextPool
from codeintel.trust.assembly import TrustNetwork
from codeintel.workspaces.proof.assembling import Dependencies
from codeintel.workspaces.proof.manifests.reader import is_of_interest, manifests, reading
from codeintel.workspaces.proof.manifests.trust import with_trust
from codeintel.workspaces.proof.shapes import Manifest
from codeintel.workspaces.proof.texts import Texts
from codeintel.workspaces.text.secret_scan import in_parts

if TYPE_CHECKING:
    from codeintel.platform.workers.text_pool import TextPool

log = logging.getLogger(__name__)

TIMES_AS_DEAR = 16
"""A character of a manifest costs up to 3 µs: so many times as much as one of other texts."""
TRIES = 3
"""Worker processes for the manifests of one revision: each time without the file at which the one
before was ended."""


class ManifestPart(msgspec.Struct, frozen=True):
    """Files with their texts. `left_out` are paths that the workspace has beside, `unread` those of
    files that are not to be read."""

    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []


class ManifestStep(msgspec.Struct, frozen=True):
    """What is read now; at last the manifests."""

    path: str = ""
    found: list[Manifest] = []


def steps(parts: Iterable[ManifestPart]) -> Iterator[ManifestStep]:
    """Read the files of all parts together."""
    files: list[tuple[str, str]] = []
    left_out: list[str] = []
    unread: list[str] = []
    for part in parts:
        files += part.files
        left_out += part.left_out
        unread += part.unread
    for step in reading(files, left_out, unread):
        yield ManifestStep(path=step) if isinstance(step, str) else ManifestStep(found=step)


MANIFESTS = TextFunction(
    "manifests", steps, ManifestPart, ManifestStep, seconds=5.0, most_seconds=60.0
)


Files = Iterable[tuple[str, str]]


def read_manifests(
    texts: TextPool, account_id: str, files: Callable[[], Files], left_out: Iterable[str], size: int
) -> list[Manifest]:
    """The manifests among some files, as
    :func:`codeintel.workspaces.proof.manifests.reader.manifests` has them. Of a file that takes too
    long its `problem` says so, and if it may configure a registry, all names are taken to be
    private: nothing is looked up that it might have hidden.

    :param files: gives path and text of those that are of interest; it may be asked again.
    :param size: characters of all of them.
    """
    left_out, unread = list(left_out), list[str]()
    size *= TIMES_AS_DEAR
    for _ in range(TRIES):
        path = ""
        try:
            for step in texts.run(account_id, MANIFESTS, _parts(files(), left_out, unread), size):
                path = step.path
            return step.found
        except TextWorkError as error:
            if not path:
                break
            log.warning("a manifest was not read: %s", error or "it took too long")
            unread.append(path)
    # Nothing more is tried: by their names alone they can be told of.
    return manifests(files(), left_out, [path for path, _ in files()])


def _parts(files: Files, left_out: list[str], unread: list[str]) -> Iterator[ManifestPart]:
    yield ManifestPart(left_out=left_out, unread=unread)
    for some in in_parts(files):
        yield ManifestPart(files=some)


class DependencyReader:
    """Reads manifests and, where the account allows it, asks the trust network."""

    def __init__(self, trust: TrustNetwork, workers: TextPool) -> None:
        self._trust = trust
        self._workers = workers

    def read(
        self, account_id: str, texts: Texts, left_out: Iterable[str], allowed: bool
    ) -> Dependencies:
        """The dependencies of a revision. May take minutes, in which others run.

        :param texts: of all its files.
        :param left_out: paths of those that are not stored.
        :param allowed: whether names may be looked up.
        """
        paths = [path for path in letting_others_run(sorted(texts)) if is_of_interest(path)]
        size = sum(texts.size(path) + FILE_CHARACTERS for path in paths)

        def files() -> Iterator[tuple[str, str]]:
            return ((path, texts[path]) for path in paths)

        read = read_manifests(self._workers, account_id, files, left_out, size)
        found, asked = with_trust(read, self._trust.snapshots, allowed)
        return Dependencies(tuple(found), asked)
