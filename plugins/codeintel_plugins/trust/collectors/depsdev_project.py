"""Repositories in deps.dev (https://docs.deps.dev/api/v3/#getproject)."""

from __future__ import annotations

from typing import ClassVar

from codeintel.contracts import Collector, Conversation, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.depsdev import DEPSDEV
from codeintel_plugins.trust.collectors.names import repository_of, segment
from codeintel_plugins.trust.collectors.scorecard import scorecard, viewer
from codeintel_plugins.trust.collectors.shipped import count, object_of, part

_COUNTS = {"stars": "starsCount", "forks": "forksCount", "open_issues": "openIssuesCount"}
_COUNTING = ("github.com/", "gitlab.com/")
_HOSTS = (*_COUNTING, "bitbucket.org/")


class DepsDevProject(Collector):
    """The facts of deps.dev about the repository, in case its host or Scorecard do not answer."""

    title: ClassVar[str] = "deps.dev"
    gives: ClassVar[tuple[str, ...]] = (*_COUNTS, "scorecard")
    needs: ClassVar[tuple[str, ...]] = ("repository",)

    def collects(self, target: Target) -> bool:  # noqa: ARG002 - any may have a repository
        return True

    def collect(self, target: Target, evidence: Evidence) -> Conversation:  # noqa: ARG002
        repository = evidence.known.value("repository")
        if repository_of(repository) != repository or not repository.startswith(_HOSTS):
            return
        answer = yield SourceRequest(f"/v3/projects/{segment(repository)}")
        if answer.status == 404:
            return
        project = object_of(self, answer, "projectKey")
        if repository.startswith(_COUNTING):  # of those on Bitbucket it says 0
            for name, key in _COUNTS.items():
                evidence.add(name, count(project, key), f"https://{repository}")
        result = scorecard(part(project, "scorecard"), "overallScore")
        evidence.add("scorecard", result, viewer(repository))


register_trust_scorers = DEPSDEV.collector(DepsDevProject, "depsdev-project")
