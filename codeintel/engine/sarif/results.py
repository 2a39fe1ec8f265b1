"""Findings as SARIF results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from codeintel.contracts import Finding, Fix, FlowStep, StepKind, Suppression
from codeintel.engine.sarif.artifacts import Artifact, region
from codeintel.engine.sarif.fingerprints import NAME, fingerprints
from codeintel.engine.sarif.grades import level, rank
from codeintel.engine.sarif.messages import message
from codeintel.engine.sarif.rules import Components


def results(
    findings: Sequence[Finding],
    artifact: Artifact,
    components: Components,
    tell_suppressed: bool | None = None,
) -> list[dict[str, Any]]:
    """`run.results`, in the order of the findings.

    :param tell_suppressed: whether they say if they are suppressed. SARIF wants all of a run to say
        it, or none: None if these are all.
    """
    hashes = artifact.fingerprints
    if not hashes and artifact.code is not None:
        hashes = fingerprints(findings, artifact.code)
    if tell_suppressed is None:
        tell_suppressed = has_suppressed(findings)
    found = []
    for at, finding in enumerate(findings):
        result = _result(finding, artifact, components)
        if at < len(hashes):
            result["partialFingerprints"] = {NAME: hashes[at]}
        if tell_suppressed:
            result["suppressions"] = _suppressions(finding.suppression, artifact)
        found.append(result)
    return found


def has_suppressed(findings: Iterable[Finding]) -> bool:
    """Whether the code asks for one of them not to be reported."""
    return any(finding.suppression is not UNSET for finding in findings)


def _result(finding: Finding, artifact: Artifact, components: Components) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule_id,
        "rule": components.reference(finding),
        "level": level(finding.severity),
        "kind": "fail",
        "rank": rank(finding.severity, finding.confidence),
        "message": message(finding.message),
        "locations": [{"physicalLocation": artifact.place(finding.range)}],
        "properties": _properties(finding),
    }
    if finding.cwe is not None:
        result["taxa"] = [components.taxon(finding.cwe)]
    if finding.flow is not UNSET and finding.flow:
        result["codeFlows"] = [_code_flow(finding.flow, artifact)]
    if finding.fix is not UNSET and finding.fix.edits:
        result["fixes"] = [_fix(finding.fix, artifact)]
    return result


def _properties(finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "category": finding.category.value,
    }
    if finding.remedy is not UNSET:
        found["remedy"] = finding.remedy
    if finding.also is not UNSET:
        found["relatedRules"] = [
            {"ruleId": ref.rule_id, "engine": ref.engine} for ref in finding.also
        ]
    return found


def _code_flow(steps: Sequence[FlowStep], artifact: Artifact) -> dict[str, Any]:
    locations = [
        {
            "location": {
                "physicalLocation": artifact.place(step.range),
                "message": message(step.message),
            },
            "kinds": [step.kind.value],
            "executionOrder": number,
            "importance": "important" if step.kind is StepKind.STEP else "essential",
        }
        for number, step in enumerate(steps, 1)
    ]
    return {"threadFlows": [{"locations": locations}]}


def _fix(fix: Fix, artifact: Artifact) -> dict[str, Any]:
    replacements = []
    for edit in fix.edits:
        replacement: dict[str, Any] = {"deletedRegion": region(edit.range)}
        if edit.content:
            replacement["insertedContent"] = {"text": edit.content}
        replacements.append(replacement)
    return {
        "description": message(fix.message),
        "artifactChanges": [
            {"artifactLocation": artifact.location(), "replacements": replacements}
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _suppressions(suppression: Suppression | UnsetType, artifact: Artifact) -> list[dict[str, Any]]:
    if suppression is UNSET:
        return []
    return [
        {
            "kind": "inSource",
            "justification": f"`{suppression.comment}` on line {suppression.line}",
            "location": {"physicalLocation": artifact.line(suppression.line)},
        }
    ]
