"""Published results of OpenSSF Scorecard (https://api.scorecard.dev)."""

from __future__ import annotations

from typing import ClassVar

from codeintel.contracts import Collector, Conversation, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.names import segment
from codeintel_plugins.trust.collectors.scorecards import scorecard, viewer
from codeintel_plugins.trust.collectors.shared.answers import object_of
from codeintel_plugins.trust.collectors.shared.repositories import owner_and_name
from codeintel_plugins.trust.collectors.shipped import Upstream

SCORECARD = Upstream(
    "OpenSSF Scorecard", "CODEINTEL_SCORECARD_URL", "https://api.securityscorecards.dev"
)
PLATFORMS = ("github.com", "gitlab.com")


class Scorecard(Collector):
    """How the repository keeps to practices that make attacks harder."""

    title: ClassVar[str] = "OpenSSF Scorecard"
    gives: ClassVar[tuple[str, ...]] = ("scorecard",)
    needs: ClassVar[tuple[str, ...]] = ("repository",)

    def collects(self, target: Target) -> bool:  # noqa: ARG002 - any may have a repository
        return True

    def collect(self, target: Target, evidence: Evidence) -> Conversation:  # noqa: ARG002
        repository = evidence.known.value("repository")
        for platform in PLATFORMS:
            if place := owner_and_name(repository, platform):
                answer = yield SourceRequest(
                    f"/projects/{platform}/{segment(place[0])}/{segment(place[1])}"
                )
                if answer.status != 404:  # which has no body, and means that nobody ran it
                    result = scorecard(object_of(self, answer), "score")
                    evidence.add("scorecard", result, viewer(repository))


register_settings = SCORECARD.settings()
register_trust_scorers = SCORECARD.collector(Scorecard, "scorecard")
