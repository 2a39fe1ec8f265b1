"""The calls between the files of a project: which functions they mean, and their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from codeintel.engine.dataflow.project.index import Entity, Sort
from codeintel.engine.dataflow.project.records import FileSummary, Site, SiteKind
from codeintel.engine.dataflow.project.resolution import Resolver


class Calls:
    """Resolves the sites of all files, each once.

    :ivar total: the number of calls that were looked up.
    :ivar resolved: the number of those whose functions are known.
    :ivar external: the number of those that mean functions of libraries.
    """

    def __init__(self, summaries: Mapping[str, FileSummary], limit: int) -> None:
        self._files = summaries
        self._resolver = Resolver(summaries)
        self._known: dict[tuple[str, int], list[Entity]] = {}
        self._limit = limit
        self.total = self.resolved = self.external = 0
        self.ends: list[str] = []

    @property
    def steps(self) -> int:
        """The number of lookups so far."""
        return self._resolver.steps

    def of(self, path: str, number: int) -> list[Entity]:
        """Return the functions, or for a read the variables, that a site means."""
        key = path, number
        if key not in self._known:
            self._known[key] = self._resolve(path, self._files[path].sites[number])
        return self._known[key]

    def checks(self, path: str, number: int) -> bool:
        """Return whether a function that a site calls checks its arguments."""
        return any(
            each.sort is Sort.FUNCTION and self._resolver.index.function(each).checks
            for each in self.of(path, number)
        )

    def _resolve(self, path: str, site: Site) -> list[Entity]:
        if site.kind is SiteKind.RENDER:
            return []
        if self.total >= self._limit:
            if not self.ends:
                self.ends.append(f"only {self._limit} calls between files were followed")
            return []
        self.total += 1
        if site.kind is SiteKind.READ:
            found = self._resolver.variables(path, site.target)
        else:
            found = self._resolver.callees(path, site.target, site.count)
        if found:
            self.resolved += 1
        elif self._resolver.is_external(path, site.target):
            self.external += 1
        return found

    def writes(self) -> Iterator[tuple[Entity, str, int]]:
        """Yield the variables that get values, each with the file and the number of the write."""
        for path, summary in self._files.items():
            for number, write in enumerate(summary.writes):
                for entity in self._resolver.variables(path, write.target):
                    yield entity, path, number

    def first_parameter(self, entity: Entity) -> int:
        """Return the number of a function's first parameter in its file."""
        return self._resolver.index.function(entity).first

    def parameters(self, entity: Entity) -> int:
        """Return the number of a function's parameters."""
        return len(self._resolver.index.function(entity).parameters)

    def routed(self, path: str, number: int) -> Iterator[tuple[str, int]]:
        """Yield the parameters that a framework fills with parts of an address."""
        site = self._files[path].sites[number]
        names = {each.keyword for each in site.args}
        for callee in self.of(path, number):
            if callee.sort is not Sort.FUNCTION:
                continue
            function = self._resolver.index.function(callee)
            for index, each in enumerate(function.parameters):
                if each.name in names and not _NUMBERS.fullmatch(each.type):
                    yield callee.path, function.first + index

    def matched(self, site: Site, callee: Entity) -> Iterator[tuple[int, tuple[str, int], str]]:
        """Yield for each argument its position, the parameter that gets it, and a description."""
        function = self._resolver.index.function(callee)
        names = {each.name.strip("$:*&"): n for n, each in enumerate(function.parameters)}
        count = len(function.parameters)
        if not count:
            return
        called = function.owner if function.name in _CONSTRUCTORS else function.name
        for position, given in enumerate(site.args):
            index = names.get(given.keyword) if given.keyword else None
            if index is None:
                index = min(position, count - 1)
            name = function.parameters[index].name
            told = f"{called}() as {name}" if name else f"{called}()"
            yield position, (callee.path, function.first + index), told


_NUMBERS = re.compile(r"int|float|bool|UUID|date|Decimal")
_CONSTRUCTORS = frozenset({"__init__", "constructor", "__construct", "initialize"})
