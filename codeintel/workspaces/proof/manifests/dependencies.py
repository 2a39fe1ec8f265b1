"""What a revision depends on directly, by its manifests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.base.concurrency.pace import letting_others_run
from codeintel.platform.workers.text_functions import FILE_CHARACTERS
from codeintel.platform.workers.text_pool import TextPool
from codeintel.trust.assembly import TrustNetwork
from codeintel.workspaces.proof.assembling import Dependencies
from codeintel.workspaces.proof.manifests.reader import is_of_interest
from codeintel.workspaces.proof.manifests.trust import with_trust
from codeintel.workspaces.proof.manifests.work import read_manifests
from codeintel.workspaces.proof.texts import Texts


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
