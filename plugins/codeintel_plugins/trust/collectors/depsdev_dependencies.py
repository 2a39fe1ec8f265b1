"""Resolved dependencies in deps.dev (https://docs.deps.dev/api/v3/#getdependencies)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from codeintel.contracts import Collector, Conversation, Ecosystem, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.depsdev import (
    DEPSDEV,
    SYSTEMS,
    package_path,
    page,
    version_of,
)
from codeintel_plugins.trust.collectors.names import segment
from codeintel_plugins.trust.collectors.shipped import MAX_ROWS, line, object_of, part, rows, whole

_NEVER_RESOLVED = frozenset({Ecosystem.NUGET, Ecosystem.GEM})


class DepsDevDependencies(Collector):
    """The dependencies that installing the assessed version adds."""

    title: ClassVar[str] = "deps.dev"
    gives: ClassVar[tuple[str, ...]] = ("dependencies",)
    needs: ClassVar[tuple[str, ...]] = ("version",)

    def collects(self, target: Target) -> bool:
        return target.ecosystem in SYSTEMS and target.ecosystem not in _NEVER_RESOLVED

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        version: Any = evidence.known.value("version")
        path = package_path(target)
        if not isinstance(version, str) or not segment(version) or not path:
            return
        version = version_of(target, version)
        answer = yield SourceRequest(f"{path}/versions/{segment(version)}:dependencies")
        # For some hours after a release they are not worked out yet, which is no failure.
        if answer.status != 404:
            graph = Graph(object_of(self, answer))
            evidence.add("dependencies", graph.fact(), f"{page(target, version)}/dependencies")


register_trust_scorers = DEPSDEV.collector(DepsDevDependencies, "depsdev-dependencies")


MAX_DIRECT = 500
MAX_EDGES = 2_000


class Graph:
    """A dependency graph.

    Nodes are versions of packages. The first one is the package itself. Edges name nodes by their
    indexes. There may be cycles, and the same version more than once.

    A bundled package keeps the name that deps.dev makes up for it, such as `a>1.0.0>b`. It need not
    be the package that the registry has under its last part.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        nodes = document.get("nodes")
        listed = nodes[:MAX_ROWS] if isinstance(nodes, list) else []
        self._keys = [part(node, "versionKey") for node in listed]
        self._names = [line(key.get("name")) for key in self._keys]
        self._versions = [line(key.get("version"), 100) for key in self._keys]
        self._is_direct = [
            isinstance(node, dict) and node.get("relation") == "DIRECT" for node in listed
        ]
        self._edges = list(self._read_edges(document.get("edges")))
        self._is_fine = (
            not document.get("error")
            and all(isinstance(node, dict) and not node.get("errors") for node in listed)
            and all(self._names)
            and listed == nodes
            and len(self._edges) < MAX_ROWS
        )

    def fact(self) -> dict[str, Any] | None:
        """Return the displayed facts, or None if the graph does not even have the package
        itself."""
        if not self._names or not self._names[0]:
            return None
        direct, edges = self._direct(), self._between_packages()
        is_whole = len(direct) <= MAX_DIRECT and len(edges) <= MAX_EDGES
        return {
            "direct": direct[:MAX_DIRECT],
            "edges": edges[:MAX_EDGES],
            "count": len({name for name in self._names if name} - {self._names[0]}),
            "isComplete": self._is_fine and is_whole,
        }

    def _read_edges(self, listed: Any) -> Iterator[tuple[int, int, str]]:
        """Yield the edges between nodes that exist and have names."""
        for row in rows(listed):
            ends = self._end(row, "fromNode"), self._end(row, "toNode")
            if all(end is not None and self._names[end] for end in ends):
                yield ends[0] or 0, ends[1] or 0, line(row.get("requirement"))

    def _end(self, row: Mapping[str, Any], key: str) -> int | None:
        # A zero is left out by some that write such messages as JSON.
        return whole(row.get(key, 0), 0, len(self._names) - 1)

    def _direct(self) -> list[dict[str, str]]:
        """Return the direct dependencies by name, with the requested versions."""
        asked = {place: text for start, place, text in reversed(self._edges) if start == 0}
        places = [place for place, is_direct in enumerate(self._is_direct) if is_direct]
        found = {
            (self._names[place], self._versions[place]): asked.get(place, "")
            for place in sorted({*asked, *places}, reverse=True)
            if place and self._names[place]
        }
        return [
            {"name": name, "version": version, "requirement": found[name, version]}
            for name, version in sorted(found)
        ]

    def _between_packages(self) -> list[list[str]]:
        """Return the edges between different packages, once each, the nearest to the root first."""
        depths = self._depths()
        found: dict[tuple[str, str], tuple[int, str]] = {}
        for start, end, requirement in self._edges:
            pair = self._names[start], self._names[end]
            if pair[0] != pair[1]:
                near = (depths.get(start, len(self._names)), requirement)
                found[pair] = min(found.get(pair, near), near)
        ordered = sorted((depth, *pair, text) for pair, (depth, text) in found.items())
        return [list(row) for row in islice(((a, b, text) for _, a, b, text in ordered), MAX_ROWS)]

    def _depths(self) -> dict[int, int]:
        """Return steps from the root to each node."""
        following: dict[int, list[int]] = {}
        for start, end, _ in self._edges:
            following.setdefault(start, []).append(end)
        depths, waiting = {0: 0}, deque([0])
        while waiting:
            node = waiting.popleft()
            for end in following.get(node, ()):
                if end not in depths:
                    depths[end] = depths[node] + 1
                    waiting.append(end)
        return depths
