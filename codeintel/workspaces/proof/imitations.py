"""Dependencies whose names imitate popular packages, found without a network.

The names are compared with the lists of popular names that ship with the trust network. A private
name is not compared, because its package does not come from a public registry.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import Category, Confidence, Finding, Severity
from codeintel.contracts.findings import Range
from codeintel.contracts.positions import LineTable
from codeintel.trust.names import Suspicion, suspicion
from codeintel.workspaces.proof.shapes import Dependency, Manifest, ReportedFinding

ENGINE = "trust"
RULE = "imitated-name"
_ALMOST_CERTAIN = 0.9
_REMEDY = "Check the name in the registry. If you meant `{target}`, correct the name."


def imitations(
    manifests: Iterable[Manifest], texts: Mapping[str, str]
) -> tuple[ReportedFinding, ...]:
    """Return a finding for each dependency whose name imitates a popular one, by manifest.

    :param texts: of the manifests, by path.
    """
    return tuple(found for each in manifests for found in _of_manifest(each, texts))


def _of_manifest(manifest: Manifest, texts: Mapping[str, str]) -> Iterator[ReportedFinding]:
    suspects = {}
    for each in letting_others_run(manifest.dependencies):
        found = _suspicion(manifest.ecosystem, each)
        if found is not None:
            suspects[each.name] = found
    if not suspects:
        return
    lines = LineTable(texts.get(manifest.path, ""))
    for name, found in suspects.items():
        key = f"{ENGINE}\n{manifest.path}\n{RULE}\n{name}".encode("utf-8", "replace")
        yield ReportedFinding(
            path=manifest.path,
            finding=_finding(name, found, _place(lines, name)),
            fingerprint=hashlib.sha256(key).hexdigest(),
            excerpt=name,
        )


def _suspicion(ecosystem: str, dependency: Dependency) -> Suspicion | None:
    if dependency.private is not UNSET:
        return None
    found = suspicion(ecosystem, dependency.name)
    return found if found is not None and found.suspicious and found.is_famous else None


def _finding(name: str, found: Suspicion, place: Range) -> Finding:
    return Finding(
        rule_id=RULE,
        engine=ENGINE,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH if found.probability >= _ALMOST_CERTAIN else Confidence.MEDIUM,
        cwe="CWE-1357",
        category=Category.SECURITY,
        message=f"`{name}` imitates the popular package `{found.target}`: {found.edit.detail}.",
        range=place,
        remedy=_REMEDY.format(target=found.target),
    )


def _place(lines: LineTable, name: str) -> Range:
    """Return the first place of a name in its manifest, or the beginning of the file."""
    found = re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", lines.text, re.IGNORECASE)
    if found is None:
        return Range(1, 1, 1, 1)
    return lines.span(found.start(), found.end())
