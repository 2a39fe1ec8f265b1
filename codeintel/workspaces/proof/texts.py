"""The texts of a revision, read from the database as they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from codeintel.base.concurrency.pace import give_way
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.workspaces.records import in_groups
from codeintel.workspaces.service import Workspaces


class Texts(Mapping[str, str]):
    """Texts by path, none of them kept. Each look lets others run for a moment."""

    def __init__(
        self, workspaces: Workspaces, account_id: str, entries: Iterable[FileEntry]
    ) -> None:
        self._workspaces = workspaces
        self._account_id = account_id
        self._entries = {entry.path: entry for entry in entries}

    def __getitem__(self, path: str) -> str:
        ((_, text),) = self.of([self._entries[path]])
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def size(self, path: str) -> int:
        """The bytes of a file, which need not be read for it."""
        return self._entries[path].size

    def all(self) -> Iterator[tuple[str, str]]:
        """All paths with their texts, in the order of the paths."""
        yield from self.of([self._entries[path] for path in sorted(self._entries)])

    def of(self, entries: Sequence[FileEntry]) -> Iterator[tuple[str, str]]:
        """The paths of some files with their texts, read in parts of a bounded size. What was
        deleted meanwhile is passed over."""
        for some in in_groups(entries):
            digests = {entry.sha256 for entry in some}
            found = self._workspaces.contents(self._account_id, digests)
            for entry in some:
                give_way()
                if entry.sha256 in found:
                    yield entry.path, found[entry.sha256].decode("utf-8", "replace")
