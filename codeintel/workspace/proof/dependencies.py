"""What a revision depends on directly, by its manifests."""

from __future__ import annotations

from collections.abc import Iterable

from codeintel.trust.assembly import TrustNetwork
from codeintel.workspace.proof.assembling import Dependencies
from codeintel.workspace.proof.dependency_trust import with_trust
from codeintel.workspace.proof.manifests import is_of_interest, manifests
from codeintel.workspace.proof.texts import Texts


class DependencyReader:
    """Reads manifests and, where the account allows it, asks the trust network."""

    def __init__(self, trust: TrustNetwork) -> None:
        self._trust = trust

    def read(self, texts: Texts, left_out: Iterable[str], allowed: bool) -> Dependencies:
        """The dependencies of a revision. May take minutes, in which others run.

        :param texts: of all its files.
        :param left_out: paths of those that are not stored.
        :param allowed: whether names may be looked up.
        """
        files = ((path, texts[path]) for path in sorted(texts) if is_of_interest(path))
        found, asked = with_trust(manifests(files, left_out), self._trust.snapshots, allowed)
        return Dependencies(tuple(found), asked)
