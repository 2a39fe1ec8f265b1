"""Render findings as SARIF results, with the tool components and rules that they refer to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import UNSET, UnsetType

from codeintel.base.version import __version__
from codeintel.contracts import (
    AnalysisResult,
    Category,
    Confidence,
    Finding,
    Fix,
    FlowStep,
    RuleInfo,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.contracts.weaknesses import weakness_name
from codeintel.engine.sarif.artifacts import Artifact, region
from codeintel.engine.sarif.fingerprints import NAME, fingerprints


def results(
    findings: Sequence[Finding],
    artifact: Artifact,
    components: Components,
    tell_suppressed: bool | None = None,
) -> list[dict[str, Any]]:
    """Return `run.results`, in the order of the findings.

    :param tell_suppressed: whether results say if they are suppressed. SARIF requires this for all
        results of a run or for none. None means that these are all results.
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
    """Return whether the code asks for any of the findings to be suppressed."""
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
                "physicalLocation": artifact.step_place(step.range, step.path or ""),
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


Rules = Mapping[str, Iterable[RuleInfo]]
"""The known rules, by the name of their analyzer."""

CWE = "CWE"
_SUPPORTED = [{"name": CWE, "index": 0}]


class Components:
    """The analyzers of one analysis, with their rules that found something and the related
    weaknesses.

    :param rules: the known rules. Other rules are described by their findings.
    :param pages: the address of a service that has pages of these rules, or an empty string.
    """

    def __init__(self, analysis: AnalysisResult, rules: Rules, pages: str = "") -> None:
        self._pages = pages
        self._known = {(engine, rule.id) for engine in rules for rule in rules[engine]}
        self._versions = {report.name: report.version for report in analysis.analyzers}
        found: dict[str, dict[str, list[Finding]]] = {name: {} for name in self._versions}
        for finding in analysis.findings:
            of_engine = found.setdefault(finding.engine, {})
            of_engine.setdefault(finding.rule_id, []).append(finding)
        self._rules = {
            engine: [
                _rule(rule_id, engine, findings[rule_id], rules) for rule_id in sorted(findings)
            ]
            for engine, findings in sorted(found.items())
        }
        self._places = {
            (engine, rule.id): (component, index)
            for component, (engine, of_engine) in enumerate(self._rules.items())
            for index, rule in enumerate(of_engine)
        }
        cwes = {rule.cwe for of_engine in self._rules.values() for rule in of_engine}
        cwes |= {finding.cwe for finding in analysis.findings}
        numbers = {_number(cwe) for cwe in cwes if cwe is not None}
        order = sorted(numbers, key=lambda number: (len(number), number))
        self._taxa = {number: index for index, number in enumerate(order)}

    def tool(self, notifications: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return `run.tool`. Its driver has descriptors of these notifications."""
        driver: dict[str, Any] = {
            "name": "codeintel",
            "version": __version__,
            "semanticVersion": __version__,
            "rules": [],
        }
        if notifications:
            driver["notifications"] = list(notifications)
        return {"driver": driver, "extensions": [self._extension(name) for name in self._rules]}

    def taxonomies(self) -> list[dict[str, Any]]:
        """Return `run.taxonomies`: the weaknesses that rules refer to."""
        if not self._taxa:
            return []
        taxa = [_taxon(number) for number in self._taxa]
        return [
            {
                "name": CWE,
                "organization": "MITRE",
                "shortDescription": {"text": "The Common Weakness Enumeration."},
                "informationUri": "https://cwe.mitre.org/",
                "isComprehensive": False,
                "taxa": taxa,
            }
        ]

    def reference(self, finding: Finding) -> dict[str, Any]:
        """Return a reference to the finding's rule."""
        component, index = self._places[finding.engine, finding.rule_id]
        return {
            "id": finding.rule_id,
            "index": index,
            "toolComponent": {"name": finding.engine, "index": component},
        }

    def taxon(self, cwe: str) -> dict[str, Any]:
        """Return a reference to a weakness."""
        number = _number(cwe)
        return {
            "id": number,
            "index": self._taxa[number],
            "toolComponent": {"name": CWE, "index": 0},
        }

    def _extension(self, name: str) -> dict[str, Any]:
        extension: dict[str, Any] = {"name": name}
        if self._versions.get(name):
            extension["version"] = self._versions[name]
        extension["rules"] = [self._descriptor(name, rule) for rule in self._rules[name]]
        if any(rule.cwe for rule in self._rules[name]):
            extension["supportedTaxonomies"] = _SUPPORTED
        return extension

    def _descriptor(self, engine: str, rule: RuleInfo) -> dict[str, Any]:
        text = rule.summary if rule.remedy is UNSET else rule.remedy
        descriptor: dict[str, Any] = {
            "id": rule.id,
            "shortDescription": message(rule.title or rule.summary),
            "fullDescription": message(rule.summary),
            "help": message(text),
            "defaultConfiguration": {"level": level(rule.severity)},
            "properties": properties(rule.severity, rule.confidence, rule.category, rule.cwe),
        }
        if rule.title:
            descriptor["name"] = rule.title
        if rule.formerly:
            descriptor["deprecatedIds"] = list(rule.formerly)
        if self._pages and (engine, rule.id) in self._known:
            descriptor["helpUri"] = rule_page(self._pages, engine, rule.id)
        if rule.cwe is not None:
            target = self.taxon(rule.cwe)
            descriptor["relationships"] = [{"target": target, "kinds": ["relevant"]}]
        return descriptor


def rule_page(service: str, engine: str, rule_id: str) -> str:
    """Return the address of a rule's page at a service, without a user name and password."""
    parts = urlsplit(service)
    path = "/".join(quote(name, safe="/", errors="replace") for name in (engine, rule_id))
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/docs/rules/{path}", "", ""))


def _rule(rule_id: str, engine: str, findings: Sequence[Finding], rules: Rules) -> RuleInfo:
    """Return the description of a rule.

    If the rule is unknown, describe it by its worst finding.
    """
    known = next((rule for rule in rules.get(engine, ()) if rule.id == rule_id), None)
    if known is not None:
        return known
    worst = min(findings, key=lambda each: (each.severity.rank, each.confidence.rank))
    messages = {finding.message for finding in findings}
    return RuleInfo(
        id=rule_id,
        summary=messages.pop() if len(messages) == 1 else f"{rule_id}, a rule of {engine}.",
        cwe=worst.cwe,
        severity=worst.severity,
        confidence=worst.confidence,
        category=worst.category,
        remedy=next((each.remedy for each in findings if each.remedy is not UNSET), UNSET),
        formerly=worst.formerly,
    )


def _taxon(number: str) -> dict[str, Any]:
    """Return the description of a weakness class, with its name where we know it."""
    taxon: dict[str, Any] = {
        "id": number,
        "helpUri": f"https://cwe.mitre.org/data/definitions/{number}.html",
    }
    if name := weakness_name(f"{CWE}-{number}"):
        taxon |= {"name": name, "shortDescription": message(name)}
    return taxon


def _number(cwe: str) -> str:
    return cwe.removeprefix("CWE-").lstrip("0") or "0"


_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
# The middle of the bands into which readers divide the scale from 0 to 10.
_SECURITY_SEVERITIES = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "1.0",
}
_SECURITY = frozenset({Category.SECURITY, Category.SECRETS})


def level(severity: Severity) -> str:
    """Return `error`, `warning` or `note`."""
    return _LEVELS[severity]


def rank(severity: Severity, confidence: Confidence) -> float:
    """Return a number from 0 to 100, by severity and then by confidence."""
    return 100.0 - 20 * severity.rank - 5 * confidence.rank


def properties(
    severity: Severity, confidence: Confidence, category: Category, cwe: str | None
) -> dict[str, Any]:
    """Return the property bag of a rule: `precision`, `tags`, and a number for the severity of a
    weakness."""
    found: dict[str, Any] = {
        "precision": confidence.value,
        "tags": [category.value],
        "severity": severity.value,
    }
    if category in _SECURITY and category is not Category.SECURITY:
        found["tags"].append(Category.SECURITY.value)
    if cwe is not None:
        found["tags"] += [cwe, f"external/cwe/cwe-{cwe.removeprefix('CWE-').zfill(3)}"]
        found["security-severity"] = _SECURITY_SEVERITIES[severity]
    return found


def message(text: str) -> dict[str, str]:
    """Return a message that is shown literally. Braces and links have a meaning in SARIF."""
    plain = text.replace("{", "{{").replace("}", "}}").replace("](", "] (")
    return {"text": plain or "-"}
