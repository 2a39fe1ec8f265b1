"""Known vulnerabilities of a version in OSV (https://google.github.io/osv.dev/post-v1-query/)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from codeintel.contracts import (
    Collector,
    Conversation,
    Ecosystem,
    Evidence,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel_plugins.trust.collectors.advisories import Package, advisories
from codeintel_plugins.trust.collectors.names import spelling
from codeintel_plugins.trust.collectors.shipped import Upstream, malformed, object_of

OSV = Upstream("OSV", "CODEINTEL_OSV_URL", "https://api.osv.dev")
NAMES = {
    Ecosystem.NPM: "npm",
    Ecosystem.PYPI: "PyPI",
    Ecosystem.CARGO: "crates.io",
    Ecosystem.GOLANG: "Go",
    Ecosystem.MAVEN: "Maven",
    Ecosystem.NUGET: "NuGet",
    Ecosystem.GEM: "RubyGems",
    Ecosystem.COMPOSER: "Packagist",
    Ecosystem.GITHUB: "GitHub Actions",
}
"""As OSV writes them, letter case included (https://ossf.github.io/osv-schema/#affectedpackage)."""
MAX_PAGES = 10
MAX_TOKEN = 4_096
_WITHOUT_V = frozenset({Ecosystem.GOLANG, Ecosystem.GITHUB})
"""Whose versions OSV keeps without the `v` that their tags begin with."""


class Osv(Collector):
    """Advisories that affect the judged version. Half a list is none: each page has to come."""

    title: ClassVar[str] = "OSV"
    gives: ClassVar[tuple[str, ...]] = ("advisories",)
    needs: ClassVar[tuple[str, ...]] = ("version",)

    def collects(self, target: Target) -> bool:
        return target.ecosystem in NAMES

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        version = evidence.known.value("version")
        if not isinstance(version, str) or not version:
            return
        package = package_of(target)
        question = _question(package, target, version)
        found: list[Any] = []
        tokens: set[str] = set()
        for _ in range(MAX_PAGES):
            document = object_of(self, (yield _asked(question)))
            found += self._vulnerabilities(document)
            token = document.get("next_page_token")
            if not token:
                break
            # A page may be empty, and yet not the last.
            question["page_token"] = self._token(token, tokens)
        else:
            raise SourceError(
                SourceProblem.UNAVAILABLE, f"OSV has more than {MAX_PAGES} pages of results."
            )
        merged = advisories(found, package)
        # Of repositories it knows only those that are actions: nothing found says nothing.
        if merged or target.ecosystem is not Ecosystem.GITHUB:
            evidence.add("advisories", merged, page(package))

    def _vulnerabilities(self, document: Mapping[str, Any]) -> list[Any]:
        """Return the vulnerabilities of a page, which has no such list if it is empty."""
        found = document.get("vulns")
        return found if isinstance(found, list) else [] if found is None else malformed(self)

    def _token(self, token: Any, seen: set[str]) -> str:
        """Return the token of the next page. Reject tokens that occurred before."""
        if not isinstance(token, str) or len(token) > MAX_TOKEN or token in seen:
            malformed(self)
        seen.add(token)
        return token


def _question(package: Package, target: Target, version: str) -> dict[str, Any]:
    """Build the query. The version is a separate field, because OSV rejects it in the package
    URL as well."""
    if target.ecosystem in _WITHOUT_V:
        version = version.removeprefix("v")
    named = {"name": package.name, "ecosystem": package.ecosystem}
    return {"package": named, "version": version}


def _asked(question: Mapping[str, Any]) -> SourceRequest:
    return SourceRequest("/v1/query", body=json.dumps(question, sort_keys=True).encode())


def package_of(target: Target) -> Package:
    """Return a package as OSV names it."""
    return Package(NAMES[target.ecosystem], spelling(target), target.ecosystem)


def page(package: Package) -> str:
    """Return the web page with the list of a package's advisories."""
    asked = urlencode({"ecosystem": package.ecosystem, "q": package.name}, errors="replace")
    return f"https://osv.dev/list?{asked}"


register_settings = OSV.settings()
register_trust_scorers = OSV.collector(Osv, "osv")
