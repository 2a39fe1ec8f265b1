"""Shipped collectors follow the contract, and collectors that break it fail."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count, cycle, repeat
from typing import Any

import pytest
from collector_bodies import CRATE, JINJA, KIT, LEGIT, body, collector

from codeintel.contracts import (
    Collector,
    Conversation,
    Ecosystem,
    Evidence,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel.testing.collectors import NAMES, CollectorContract

REPOSITORY = b'{"full_name": "example-dev/legit", "stargazers_count": 5}'
OF_LEGIT = {"repository": "github.com/example-dev/legit"}


class TestDepsDev(CollectorContract):
    collector, target = collector("depsdev"), KIT
    bodies = body("depsdev_package"), body("depsdev_version")


class TestDepsDevDependencies(CollectorContract):
    collector, target = collector("depsdev-dependencies"), KIT
    known: Mapping[str, Any] = {"version": "1.2.6"}
    bodies = (body("depsdev_dependencies"),)


class TestDepsDevProject(CollectorContract):
    collector, target, known = collector("depsdev-project"), KIT, OF_LEGIT
    bodies = (body("depsdev_project"),)


class TestEcosystems(CollectorContract):
    collector, target = collector("ecosystems"), CRATE
    bodies = (body("ecosystems_lookup"),)


class TestEcosystemsOfRepositories(CollectorContract):
    collector, target = (
        collector("ecosystems"),
        Target(Ecosystem.GITHUB, "example-org/examplecrate"),
    )
    bodies = (body("ecosystems_lookup"),)


class TestOsv(CollectorContract):
    collector, target = collector("osv"), JINJA
    known: Mapping[str, Any] = {"version": "3.1.4"}
    bodies = body("osv_query"), body("osv_query.empty")


class TestScorecard(CollectorContract):
    collector, target, known = collector("scorecard"), KIT, OF_LEGIT
    bodies = (body("scorecard"),)


class TestGitHub(CollectorContract):
    collector, target = collector("github"), LEGIT
    bodies = REPOSITORY, body("github_releases"), body("github_contributors")


class TestGitHubRepository(CollectorContract):
    collector, target, known = collector("github-repository"), KIT, OF_LEGIT
    bodies = REPOSITORY, body("github_contributors")


class Sloppy(Collector):
    """A valid collector, except for the given violation."""

    title = "Sloppy"
    gives = ("stars",)
    needs = ("repository",)

    def __init__(self, **wrong: Any) -> None:
        super().__init__("sloppy", "https://h")
        self.wrong = wrong
        self.calls = count(1)  # which copies share
        for name in ("name", "base_url", "title", "gives", "needs", "interval"):
            setattr(self, name, wrong.get(name, getattr(self, name)))

    def collects(self, target: Target) -> bool:  # noqa: ARG002
        return next(self.wrong.get("collects", repeat(True)))

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        if not isinstance(evidence.known.value("repository"), str) and "asks" not in self.wrong:
            return
        made = {"name": target.name, "token": self.token, "calls": next(self.calls)}
        asked = SourceRequest(
            self.wrong.get("path", "/x").format(**made),
            {"q": self.wrong.get("parameter", "{name}").format(**made)},
            {"Authorization": self.wrong.get("header", "Bearer {token}").format(**made)},
            self.wrong.get("body", "").format(**made).encode(),
        )
        came = yield asked
        while self.wrong.get("asks") == "for ever":
            came = yield asked
        if self.wrong.get("takes") != came.status and came.status != 200:
            raise SourceError(SourceProblem.REFUSED, self.wrong.get("says", "Sloppy refuses."))
        self._add(came, evidence)

    def _add(self, came: SourceAnswer, evidence: Evidence) -> None:
        if self.wrong.get("reads") == "anything":
            evidence.add("stars", 5)
            return
        found = came.json() if came.status == 200 else {}
        if not isinstance(found, dict | list):
            text = came.body.decode() if self.wrong.get("says") else ""
            raise SourceError(SourceProblem.MALFORMED, f"Sloppy is broken. {text}")
        if "raises" in self.wrong and found != {"good": 1}:
            raise self.wrong["raises"]
        if found == {"good": 1}:
            found = self.wrong.get("found", ("stars", 5, "https://h/x"))
            if found is not None:
                evidence.add(*found)
            if self.wrong.get("unknown"):
                evidence.unknown()

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        told: float | None = self.wrong.get("pause", super().pause(answer, now))
        return told

    def is_limit(self, answer: SourceAnswer) -> bool:
        return bool(self.wrong.get("is_limit", super().is_limit(answer)))


def contract(sloppy: Sloppy) -> CollectorContract:
    class Contract(CollectorContract):
        collector, target, known = sloppy, KIT, OF_LEGIT
        bodies = (b'{"good": 1}',)

    return Contract()


PLACE = "test_it_has_a_name_and_a_place"
SAYS = "test_it_says_what_it_gives_and_needs"
KNOWS = "test_it_says_which_packages_it_knows"
FINDS = "test_it_finds_facts"
SAME = "test_the_same_answers_tell_the_same"
NEEDS = "test_without_what_it_needs_it_asks_nothing"
ANYTHING = "test_what_it_needs_may_be_anything"
BELOW = "test_requests_stay_below_the_base"
NONE = "test_what_is_no_document_is_an_error"
STRANGE = "test_a_strange_document_does_no_harm"
BROKEN = "test_a_broken_document_is_an_error"
STATUS = "test_any_status_is_understood"
ENDS = "test_it_comes_to_an_end"
LIMIT = "test_a_status_tells_the_limit"
PAUSE = "test_a_pause_is_never_nonsense"
TESTS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys((PLACE, SAYS, KNOWS, FINDS, SAME, NEEDS, BROKEN, ENDS, LIMIT), ()),
    ANYTHING: (5,),
    BELOW: ("a/../b",),
    NONE: ('"words-of-the-upstream"',),
    STRANGE: ("[null]",),
    STATUS: (500,),
    PAUSE: ("abc",),
}
"""With an argument for those that have a table."""


def test_the_table_has_every_test() -> None:
    assert TESTS.keys() == {name for name in vars(CollectorContract) if name.startswith("test_")}


@pytest.mark.parametrize("test", TESTS)
def test_a_good_collector_passes(test: str) -> None:
    getattr(contract(Sloppy()), test)(*TESTS[test])


@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        (PLACE, {"name": "A collector"}),
        (PLACE, {"title": ""}),
        (PLACE, {"base_url": "https://h/"}),
        (PLACE, {"base_url": "ftp://h"}),
        (PLACE, {"interval": -1}),
        (SAYS, {"gives": ()}),
        (SAYS, {"gives": ("stars", "stars")}),
        (SAYS, {"gives": ("Stars",)}),
        (SAYS, {"gives": ("repository",)}),
        (SAYS, {"needs": ("version",)}),
        (KNOWS, {"collects": repeat(False)}),
        (KNOWS, {"collects": cycle([True, True, False])}),
        (FINDS, {"found": None}),
        (FINDS, {"found": ("forks", 5)}),
        (FINDS, {"found": ("stars", 2**53)}),
        (FINDS, {"found": ("stars", (1, 2))}),
        (FINDS, {"found": ("stars", "two\nlines")}),
        (FINDS, {"found": ("stars", "x" * 2_001)}),
        (FINDS, {"found": ("stars", [1] * 5_001)}),
        (FINDS, {"found": ("stars", 5, "javascript:alert(1)")}),
        (FINDS, {"found": ("stars", 5, "https://user@h/x")}),
        (FINDS, {"unknown": True}),
        (FINDS, {"path": "x"}),
        (FINDS, {"path": "//elsewhere.test/x"}),
        (FINDS, {"path": "/a/../b"}),
        (FINDS, {"path": "/%2e%2e/b"}),
        (FINDS, {"path": "/x?a=b"}),
        (FINDS, {"path": "/{token}"}),
        (FINDS, {"parameter": "{token}"}),
        (FINDS, {"body": '"{token}"'}),
        (FINDS, {"header": "Bearer\n{token}"}),
        (SAME, {"path": "/{calls}"}),
        (NEEDS, {"asks": "always"}),
        (ANYTHING, {"asks": "always", "reads": "anything", "gives": ("forks",)}),
        (BELOW, {"path": "/{name}"}),
        (NONE, {"reads": "anything"}),
        (NONE, {"says": "what came"}),
        (BROKEN, {"reads": "anything"}),
        (STATUS, {"takes": 500}),
        (STATUS, {"says": "words-of-the-upstream"}),
        (ENDS, {"asks": "for ever"}),
        (LIMIT, {"is_limit": True}),
        (LIMIT, {"is_limit": False}),
        (PAUSE, {"pause": -1.0}),
        (PAUSE, {"pause": float("nan")}),
        (PAUSE, {"pause": float("inf")}),
    ],
)
def test_a_bad_collector_does_not_pass(test: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        getattr(contract(Sloppy(**wrong)), test)(*TESTS[test])


@pytest.mark.parametrize("error", [ValueError, KeyError, RecursionError, AttributeError])
def test_a_collector_raises_nothing_else(error: type[Exception]) -> None:
    with pytest.raises(error):
        contract(Sloppy(raises=error())).test_a_strange_document_does_no_harm("[null]")


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, b"x", "\ud800"])
def test_what_json_has_not_does_not_pass(value: Any) -> None:
    with pytest.raises((TypeError, ValueError, AssertionError)):
        contract(Sloppy(found=("stars", value))).test_it_finds_facts()


def test_names_that_lead_elsewhere_are_among_those_tried() -> None:
    assert {".", "..", "a/../../b"} <= set(NAMES)
