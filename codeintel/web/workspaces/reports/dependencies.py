"""Manifests of a report with what the trust network says. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec import UNSET

from codeintel.contracts import Ecosystem
from codeintel.workspaces.proof.shapes import Dependency, Manifest

_ECOSYSTEMS = frozenset(Ecosystem)
TrustPage = Callable[[str], str]
"""From a package, such as `pypi:requests`, to the address of its page."""


@dataclass(frozen=True)
class DependencyRow:
    """A dependency. `score` is told beside its interval; `told` says why there is none; `page` is
    that of the package, empty where nobody is to be asked."""

    name: str
    requirement: str
    group: str
    page: str
    score: str
    interval: str
    told: str
    concerns: tuple[str, ...]


@dataclass(frozen=True)
class ManifestView:
    """A manifest with its dependencies."""

    path: str
    ecosystem: str
    problem: str
    rows: tuple[DependencyRow, ...]


def manifest_view(manifest: Manifest, trust_page: TrustPage) -> ManifestView:
    """One of them."""
    return ManifestView(
        path=manifest.path,
        ecosystem=manifest.ecosystem,
        problem="" if manifest.problem is UNSET else manifest.problem,
        rows=tuple(
            _dependency(each, manifest.ecosystem, trust_page) for each in manifest.dependencies
        ),
    )


def _dependency(each: Dependency, ecosystem: str, trust_page: TrustPage) -> DependencyRow:
    is_private = each.private is not UNSET
    trust = each.trust
    told = "Not asked"
    if each.private is not UNSET:
        told = f"Never asked: {each.private}"
    elif trust is not UNSET and trust.unknown is not UNSET:
        told = trust.unknown
    has_page = not is_private and ecosystem in _ECOSYSTEMS
    return DependencyRow(
        name=each.name,
        requirement=each.requirement,
        group=each.group,
        page=trust_page(f"{ecosystem}:{each.name}") if has_page else "",
        score="" if trust is UNSET or trust.score is UNSET else f"{trust.score:.0f}",
        interval=""
        if trust is UNSET or trust.low is UNSET or trust.high is UNSET
        else f"{trust.low:.0f} to {trust.high:.0f}",
        told=told,
        concerns=() if trust is UNSET else trust.concerns,
    )
