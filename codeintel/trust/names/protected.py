"""Names that the caller protects, such as those of its own dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.candidates import famous_candidates
from codeintel.trust.names.ecosystems import (
    OWNED,
    bare_name,
    canonical_ecosystem,
    registry_spelling,
)
from codeintel.trust.names.owners.owned import owned_name
from codeintel.trust.names.protected_owners import ProtectedOwners
from codeintel.trust.names.spelling.distances import scope_of
from codeintel.trust.names.tables import UNRANKED, FamousNames


class ProtectedNames:
    """Names that are honest, and that others must not imitate, however few people know them.

    :param ecosystem: such as `npm`, or an alias.
    :param names: as their authors write them, in no order.
    """

    def __init__(self, ecosystem: str, names: Iterable[str]) -> None:
        self.ecosystem = canonical_ecosystem(ecosystem)
        every = {
            self._spelled(name): bare_name(self.ecosystem, name)
            for each in names
            if (name := each.strip())
        }
        parts = [(name, owned_name(self.ecosystem, name)) for name in every.values()]
        # Where each name has an owner, what has none is a path.
        plain = [name for name, each in parts if each is None and self._may_be_plain]
        self._spellings = frozenset(every)
        self._names = FamousNames(self.ecosystem, [(UNRANKED, name) for name in plain])
        self._owners = ProtectedOwners(
            self.ecosystem, [each for _, each in parts if each is not None]
        )

    def count(self, *, owners: bool) -> int:
        """How many names there are, or how many owners and scopes."""
        return len(self._names.scopes) + self._owners.count if owners else len(self._spellings)

    def has(self, name: str) -> bool:
        """Whether the registry takes the name for a protected one, of whatever version."""
        return self._spelled(name) in self._spellings

    def candidates(self, name: str) -> Iterator[Candidate]:
        """The protected names that a name resembles, in no order; none for one of an owner who has
        protected ones."""
        parts = owned_name(self.ecosystem, name)
        if parts is not None:
            found = self._owners.candidates(parts)
        elif self.ecosystem == "npm" and scope_of(name) in self._names.scopes:
            return
        else:
            found = famous_candidates(self._names, name)
        for each in found:
            yield msgspec.structs.replace(each, is_protected=True)

    @property
    def _may_be_plain(self) -> bool:
        return self.ecosystem not in OWNED or self.ecosystem == "docker"

    def _spelled(self, name: str) -> str:
        return registry_spelling(self.ecosystem, bare_name(self.ecosystem, name.strip()))
