"""Dependencies that imitate popular packages are findings of a report, without a network."""

from __future__ import annotations

import json

import pytest
from msgspec import UNSET
from proof_work import push, work_off
from support import MakeApp, User, make_user

from codeintel.app import Services
from codeintel.contracts import Confidence, Severity
from codeintel.contracts.findings import Range
from codeintel.contracts.workspaces.records import ProofState
from codeintel.workspaces.proof.imitations import ENGINE, imitations
from codeintel.workspaces.proof.shapes import Dependency, Manifest, ReportedFinding


def manifest(ecosystem: str, *names: str, private: str = "") -> Manifest:
    return Manifest(
        path="/deps",
        ecosystem=ecosystem,
        dependencies=tuple(
            Dependency(name=each, requirement="", group="runtime", private=private or UNSET)
            for each in names
        ),
    )


def found_in(text: str, *manifests: Manifest) -> list[tuple[str, Range]]:
    found = imitations(manifests, {"/deps": text})
    return [(each.excerpt, each.finding.range) for each in found]


@pytest.mark.parametrize(
    ("ecosystem", "name", "target"),
    [
        ("pypi", "numpyy", "numpy"),
        ("pypi", "djnago", "django"),
        ("npm", "expresss", "express"),
        ("npm", "lodahs", "lodash"),
        ("cargo", "serdee", "serde"),
    ],
)
def test_names_one_slip_away_from_a_popular_one(ecosystem: str, name: str, target: str) -> None:
    (each,) = imitations([manifest(ecosystem, name)], {"/deps": f"x = 1\n{name} = 2\n"})
    finding = each.finding
    assert (finding.severity, finding.cwe, finding.engine) == (Severity.HIGH, "CWE-1357", ENGINE)
    assert finding.confidence is not Confidence.LOW
    assert finding.message.startswith(f"`{name}` imitates the popular package `{target}`: ")
    assert f"`{target}`" in str(finding.remedy)
    assert finding.range == Range(2, 1, 2, 1 + len(name))


@pytest.mark.parametrize(
    ("ecosystem", "name"),
    [
        ("pypi", "requests"),
        ("pypi", "our-company-billing"),
        ("pypi", "httpx2"),
        ("npm", "express"),
        ("maven", "com.example:numpyy"),
    ],
)
def test_names_that_imitate_nothing(ecosystem: str, name: str) -> None:
    assert found_in(name, manifest(ecosystem, name)) == []


def test_private_names_are_not_compared() -> None:
    assert found_in("numpyy", manifest("pypi", "numpyy", private="It is your own.")) == []


def test_the_place_is_the_name_and_not_a_part_of_another() -> None:
    text = 'numpyy-toolbelt\n  "Numpyy": "1"\n'
    assert found_in(text, manifest("pypi", "numpyy")) == [("numpyy", Range(2, 4, 2, 10))]
    assert found_in("", manifest("pypi", "numpyy")) == [("numpyy", Range(1, 1, 1, 1))]
    twice = manifest("pypi", "numpyy", "numpyy")  # as a runtime and a development dependency
    assert len(found_in("numpyy", twice)) == 1


def trusted(services: Services, user: User) -> list[ReportedFinding]:
    """Return the findings about dependencies in the newest report."""
    assert work_off(services) == 1
    (session,) = services.workspaces.sessions(user.account.id).sessions
    report = services.proof.report(session)
    assert not report.trust_asked
    return [each for each in report.findings if each.finding.engine == ENGINE]


def test_a_report_has_them_without_a_lookup(make_app: MakeApp) -> None:
    services: Services = make_app({}).extensions["codeintel"]
    user = make_user(services)
    files = {
        "/package.json": json.dumps({"dependencies": {"expresss": "^4", "lodash": "^4"}}, indent=2),
        "/requirements.txt": "flask==3.1\nnumpyy==2.32\n",
    }
    session = push(services, user, files)
    found = trusted(services, user)
    assert [(each.path, each.excerpt, each.finding.range.start_line) for each in found] == [
        ("/package.json", "expresss", 3),
        ("/requirements.txt", "numpyy", 2),
    ]
    assert services.proof.report(session).summary.status is ProofState.FAILED

    files["/requirements.txt"] = "# pinned\n" + files["/requirements.txt"]
    push(services, user, files, base_revision=1)
    assert [str(each.comparison) for each in trusted(services, user)] == ["same", "same"]
