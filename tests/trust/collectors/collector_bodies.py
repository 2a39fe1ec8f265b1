"""The collectors under test, and answers as their upstreams give them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codeintel_plugins.trust.collectors.depsdev import DepsDev
from codeintel_plugins.trust.collectors.depsdev_dependencies import DepsDevDependencies
from codeintel_plugins.trust.collectors.depsdev_project import DepsDevProject
from codeintel_plugins.trust.collectors.ecosystems import Ecosystems
from codeintel_plugins.trust.collectors.github import GitHub, GitHubRepository
from codeintel_plugins.trust.collectors.osv import Osv
from codeintel_plugins.trust.collectors.osv_malware import OsvMalware
from codeintel_plugins.trust.collectors.scorecard import Scorecard

from codeintel.contracts import Collector, Ecosystem, SourceAnswer, SourceRequest, Target
from codeintel.testing.conversations import Conversed, converse

BODIES = Path(__file__).parent / "bodies"
KIT = Target(Ecosystem.NPM, "@example-scope/kit")
LEGIT = Target(Ecosystem.GITHUB, "example-dev/legit")
JINJA = Target(Ecosystem.PYPI, "jinja-like", "3.1.4")
CRATE = Target(Ecosystem.CARGO, "examplecrate")
PLACES: dict[str, tuple[type[Collector], str]] = {
    "depsdev": (DepsDev, "https://api.deps.dev"),
    "depsdev-dependencies": (DepsDevDependencies, "https://api.deps.dev"),
    "depsdev-project": (DepsDevProject, "https://api.deps.dev"),
    "ecosystems": (Ecosystems, "https://packages.ecosyste.ms"),
    "osv": (Osv, "https://api.osv.dev"),
    "osv-malware": (OsvMalware, "https://api.osv.dev"),
    "scorecard": (Scorecard, "https://api.securityscorecards.dev"),
    "github": (GitHub, "https://api.github.com"),
    "github-repository": (GitHubRepository, "https://api.github.com"),
}


def collector(name: str, url: str = "", token: str = "") -> Collector:
    make, usual = PLACES[name]
    return make(name, url or usual, token=token)


def body(name: str) -> bytes:
    return (BODIES / f"{name}.json").read_bytes()


def document(name: str) -> Any:
    """Return one of `bodies`, by its name without `.json`."""
    return json.loads(body(name))


def answer(found: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> SourceAnswer:
    text = found if isinstance(found, str) else json.dumps(found)
    return SourceAnswer(status, headers or {}, b"" if found is None else text.encode())


def collected(
    name: str, target: Target, *answers: Any, known: Mapping[str, Any] | None = None, **place: str
) -> Conversed:
    """Return the results of a collector whose questions get these answers, in order.

    Answers are documents with status 200, or complete answers.
    """
    sent = [each if isinstance(each, SourceAnswer) else answer(each) for each in answers]
    return converse(collector(name, **place), target, known or {}, sent)


def paths(found: Conversed) -> list[str]:
    return [request.path for request in found.asked]


def question(request: SourceRequest) -> Any:
    """Return the body of a POST request."""
    return json.loads(request.body)
