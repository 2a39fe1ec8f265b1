"""Resolved dependencies in deps.dev (https://docs.deps.dev/api/v3/#getdependencies)."""

from __future__ import annotations

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
from codeintel_plugins.trust.collectors.shared.answers import object_of
from codeintel_plugins.trust.collectors.shared.graph import Graph

_NEVER_RESOLVED = frozenset({Ecosystem.NUGET, Ecosystem.GEM})


class DepsDevDependencies(Collector):
    """What installing the judged version brings along."""

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
