"""The repository of a package of deps.dev, its proof, and its facts."""

from __future__ import annotations

from typing import Any

import pytest
from collector_bodies import KIT, answer, collected, document, paths
from depsdev_kit import kit

from codeintel.testing.conversations import Conversed


def related(name: str, how: str, kind: str = "SOURCE_REPO") -> dict[str, Any]:
    return {"projectKey": {"id": name}, "relationProvenance": how, "relationType": kind}


def linked(url: str, label: str = "SOURCE_REPO") -> dict[str, str]:
    return {"label": label, "url": url}


def attested(name: str, verified: bool = True) -> dict[str, Any]:
    return {"sourceRepository": f"https://{name}", "verified": verified, "url": "https://h/a"}


A, B = "github.com/o/a", "github.com/o/b"


@pytest.mark.parametrize(
    ("version", "repository", "proof"),
    [
        ({"relatedProjects": [related(A, "UNVERIFIED_METADATA")]}, A, "declared"),
        ({"relatedProjects": [related(A, "UNVERIFIED_METADATA", "ISSUE_TRACKER")]}, None, None),
        (
            {
                "relatedProjects": [
                    related(B, "UNVERIFIED_METADATA"),
                    related(A, "SLSA_ATTESTATION"),
                ],
                "attestations": [attested(A)],
            },
            A,
            "attested",
        ),
        (
            {
                "relatedProjects": [related(A, "SLSA_ATTESTATION")],
                "attestations": [attested(A, verified=False)],
            },
            A,
            "declared",
        ),
        ({"relatedProjects": [related(A, "SLSA_ATTESTATION")]}, A, "declared"),
        (
            {
                "relatedProjects": [related(A, "UNVERIFIED_METADATA")],
                "slsaProvenances": [attested(B)],
            },
            B,
            "attested",
        ),
        (
            {
                "relatedProjects": [related(A, "PYPI_PUBLISH_ATTESTATION")],
                "attestations": [attested("github.com/O/A")],
            },
            A,
            "attested",
        ),
        (
            {"relatedProjects": [related(B, "UNVERIFIED_METADATA"), related(A, "GO_ORIGIN")]},
            A,
            "attested",
        ),
        ({"attestations": [attested(B)], "links": [linked(f"https://{A}")]}, B, "attested"),
        ({"links": [linked("git+ssh://git@github.com/o/a.git")]}, A, "declared"),
        ({"links": [linked(f"https://{A}", "HOMEPAGE")]}, None, None),
    ],
)
def test_which_repository_and_what_proves_it(
    version: Any, repository: str | None, proof: str | None
) -> None:
    found = kit({"versionKey": {"version": "1.2.6"}, **version}).values
    assert (found.get("repository"), found.get("repository_proof")) == (repository, proof)


@pytest.mark.parametrize(
    ("version", "fact"),
    [
        ({"attestations": [attested(A), attested(B, False)]}, (1, 2, A)),
        ({"attestations": [attested(A)], "slsaProvenances": [attested(A)] * 2}, (1, 1, A)),
        ({"attestations": None, "slsaProvenances": [attested(A), attested(A)]}, (2, 2, A)),
        ({"attestations": [{"verified": True, "type": "publish"}, attested(B)]}, (2, 2, B)),
        ({"attestations": [attested(A, False)]}, (0, 1, None)),
        ({"attestations": [{"verified": "true"}]}, (0, 1, None)),
    ],
)
def test_attestations(version: Any, fact: tuple[int, int, str | None]) -> None:
    found = kit({"versionKey": {"version": "1.2.6"}, **version}).values["attestations"]
    assert (found["verified"], found["total"], found["repository"]) == fact


def project(repository: Any, *answers: Any) -> Conversed:
    return collected("depsdev-project", KIT, *answers, known={"repository": repository})


def test_a_project_with_a_scorecard() -> None:
    found = project("github.com/example-org/lisp", document("depsdev_project"))
    assert paths(found) == ["/v3/projects/github.com%2Fexample-org%2Flisp"]
    scorecard = found.values["scorecard"]
    assert {name: found.values[name] for name in ("stars", "forks", "open_issues")} == {
        "stars": 978,
        "forks": 50,
        "open_issues": 0,
    }
    assert (scorecard["date"], scorecard["score"]) == ("2025-03-10T00:00:00Z", 3.8)
    assert scorecard["version"] == "v5.1.1-14-g9c2d4b23"
    assert {name: check["score"] for name, check in scorecard["checks"].items()} == {
        "Maintained": 0,
        "Dangerous-Workflow": -1,
        "Packaging": -1,
        "Code-Review": 6,
        "License": 10,
        "Vulnerabilities": 10,
    }
    assert scorecard["checks"]["Code-Review"]["reason"].startswith("Found 6/10")
    assert scorecard["checks"]["Code-Review"]["url"].endswith("#code-review")


def test_a_project_without_a_scorecard() -> None:
    found = project("gitlab.com/example-group/tool", document("depsdev_project.no_scorecard"))
    assert found.values == {"stars": 0, "forks": 0, "open_issues": 3}


def test_bitbucket_counts_nothing() -> None:
    found = project("bitbucket.org/o/r", {"projectKey": {"id": "x"}, "starsCount": 0})
    assert (len(found.asked), found.values) == (1, {})


@pytest.mark.parametrize("repository", ["codeberg.org/o/r", "github.com", "https://github.com/o/r"])
def test_projects_elsewhere_are_not_asked_for(repository: str) -> None:
    assert project(repository).asked == ()


def test_a_project_that_nobody_knows_is_no_error() -> None:
    found = project(A, answer("project not found\n", 404))
    assert (found.error, found.values, found.evidence.is_unknown) == (None, {}, False)
