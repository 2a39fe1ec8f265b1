"""The signals of the score, each with the weight that `weights.toml` publishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from codeintel import hookimpl
from codeintel.contracts import Scorer
from codeintel_plugins.trust.scorers.maintenance import (
    Age,
    ContributorDepth,
    Maintainers,
    NotArchived,
    NotDeprecated,
    ReleaseRecency,
    RepositoryActivity,
)
from codeintel_plugins.trust.scorers.provenance import (
    Attestation,
    License,
    LookalikeName,
    ProvenRepository,
    SourceRepository,
)
from codeintel_plugins.trust.scorers.security import CHECKS, KnownAdvisories, ScorecardCheck
from codeintel_plugins.trust.scorers.weighted import Weighted, published_weights

SIGNALS: dict[str, type[Weighted]] = {
    "known-advisories": KnownAdvisories,
    "release-recency": ReleaseRecency,
    "repository-activity": RepositoryActivity,
    "not-deprecated": NotDeprecated,
    "not-archived": NotArchived,
    "attestation": Attestation,
    "source-repository": SourceRepository,
    "proven-repository": ProvenRepository,
    "license": License,
    "maintainers": Maintainers,
    "contributor-depth": ContributorDepth,
    "age": Age,
    "lookalike-name": LookalikeName,
}


def scorers() -> Iterator[Scorer]:
    """Yield a scorer for each weight, in the order in which the weights are published."""
    for weight in published_weights():
        check = CHECKS.get(weight.id)
        yield ScorecardCheck(weight, check) if check is not None else SIGNALS[weight.id](weight)


@hookimpl
def register_trust_scorers(register: Callable[[Scorer], None]) -> None:
    for scorer in scorers():
        register(scorer)
