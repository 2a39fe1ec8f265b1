"""Names that the caller protects, such as those of its own dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from codeintel.trust.names.candidates import Candidate, famous_candidates
from codeintel.trust.names.ecosystems import OWNED, canonical_ecosystem
from codeintel.trust.names.owners import OwnedName, owned_name, owner_candidates
from codeintel.trust.names.shapes import Edit, EditKind
from codeintel.trust.names.spelling import scope_of
from codeintel.trust.names.tables import UNRANKED, FamousNames

# Where a name is that of a repository, of which anybody can make a fork with the same name.
_REPOSITORIES = frozenset({"github", "github_actions", "go"})
# A repository of the same name is as likely a fork that is meant as one that is not.
_EVEN = 0.5


class ProtectedNames:
    """Names that are honest, and that others must not imitate, however few people know them.

    :param ecosystem: such as `npm`, or an alias.
    :param names: as their authors write them, in no order.
    """

    def __init__(self, ecosystem: str, names: Iterable[str]) -> None:
        self.ecosystem = canonical_ecosystem(ecosystem)
        every = list(dict.fromkeys(name for each in names if (name := each.strip())))
        self._all = self._table(every)
        parts = [(name, self._parts(name)) for name in every]
        self._names = self._table([name for name, owned in parts if owned is None])
        self._owned = [(name, owned) for name, owned in parts if owned is not None]
        self._owners = self._table(list(dict.fromkeys(each.owner for _, each in self._owned)))
        self._repositories = {_repository(owned): name for name, owned in reversed(self._owned)}

    def has(self, name: str) -> bool:
        """Whether the registry takes the name for a protected one."""
        return self._all.has(name)

    def candidates(self, name: str) -> Iterator[Candidate]:
        """The protected names that a name resembles, in no order; none for one of an owner who has
        protected ones."""
        parts = self._parts(name)
        if parts is not None:
            found = self._of_others(parts)
        elif self.ecosystem == "npm" and scope_of(name) in self._names.scopes:
            return
        else:
            found = famous_candidates(self._names, name)
        for each in found:
            yield msgspec.structs.replace(each, is_protected=True)

    def _parts(self, name: str) -> OwnedName | None:
        return owned_name(self.ecosystem, name) if self.ecosystem in OWNED else None

    def _table(self, names: list[str]) -> FamousNames:
        return FamousNames(self.ecosystem, [(UNRANKED, name) for name in names])

    def _of_others(self, parts: OwnedName) -> Iterator[Candidate]:
        if self._owners.has(parts.owner):
            return
        yield from owner_candidates(parts, self._owners)
        target = self._repositories.get(_repository(parts))
        if target is not None and self.ecosystem in _REPOSITORIES:
            own = self._parts(target)
            owner = own.owner if own else ""
            edit = Edit(EditKind.SCOPE, f"`{parts.owner}` is in the place of the owner `{owner}`")
            yield Candidate(
                target, UNRANKED, edit, parts.owner, owner, 0, owns=True, probability=_EVEN
            )


def _repository(parts: OwnedName) -> str:
    """The repository of a name without its owner: a path in it, or a version, is not its name."""
    return parts.rest.strip("/:").partition("/")[0].partition("@")[0].lower()
