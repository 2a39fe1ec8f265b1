"""Results of OpenSSF Scorecard (https://api.scorecard.dev), also as deps.dev repeats them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from codeintel.contracts import Collector, Conversation, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.names import owner_and_name, segment
from codeintel_plugins.trust.collectors.shipped import (
    Upstream,
    line,
    object_of,
    part,
    real,
    rows,
    time,
    web_url,
    whole,
)

SCORECARD = Upstream(
    "OpenSSF Scorecard", "CODEINTEL_SCORECARD_URL", "https://api.securityscorecards.dev"
)
PLATFORMS = ("github.com", "gitlab.com")


class Scorecard(Collector):
    """How well the repository follows practices that make attacks harder."""

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
                if answer.status != 404:  # it has no body, and means that Scorecard has no result
                    result = scorecard(object_of(self, answer), "score")
                    evidence.add("scorecard", result, viewer(repository))


register_settings = SCORECARD.settings()
register_trust_scorers = SCORECARD.collector(Scorecard, "scorecard")


MAX_CHECKS = 100
HIGHEST = 10
DID_NOT_RUN = -1
_CHECK = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,59}")


def scorecard(result: Mapping[str, Any], score: str) -> dict[str, Any] | None:
    """Return a result as a fact, or None if it has no date.

    The score is None if the tool gave none (-1), and if no check ran, because its 0 is then the
    mean of an empty list. -1 in a check stays.

    :param score: the key of the aggregate.
    """
    date = time(result.get("date"))
    if date is None:
        return None
    checks = dict(_checks(result))
    has_run = any(check["score"] != DID_NOT_RUN for check in checks.values())
    return {
        "date": date,
        "version": line(part(result, "scorecard").get("version"), 100),
        "score": real(result, score, HIGHEST) if has_run else None,
        "checks": checks,
    }


def viewer(repository: str) -> str:
    """Return the URL of the repository's web page."""
    return f"https://scorecard.dev/viewer/?uri={repository}"


def _checks(result: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the checks. The set differs by version of the tool."""
    for row in islice(rows(result.get("checks")), MAX_CHECKS):
        name, score = row.get("name"), whole(row.get("score"), DID_NOT_RUN, HIGHEST)
        if isinstance(name, str) and _CHECK.fullmatch(name) and score is not None:
            url = web_url(part(row, "documentation").get("url"))
            yield name, {"score": score, "reason": line(row.get("reason")), "url": url}
