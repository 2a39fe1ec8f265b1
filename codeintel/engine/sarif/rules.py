"""Tool components and their rules: who found what, by which rule, of which weakness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

from msgspec import UNSET

from codeintel.base.version import __version__
from codeintel.contracts import AnalysisResult, Finding, RuleInfo
from codeintel.engine.sarif.grades import level, properties
from codeintel.engine.sarif.messages import message

Rules = Mapping[str, Iterable[RuleInfo]]
"""What is known about rules, by the name of their analyser."""

CWE = "CWE"
_SUPPORTED = [{"name": CWE, "index": 0}]


class Components:
    """The analysers of one analysis with those of their rules that found something, and the
    weaknesses that these are about.

    :param rules: what is known about rules; of others their findings tell.
    :param pages: the address of a service that has pages of these rules; none if empty.
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
        """`run.tool`, its driver with descriptors of these notifications."""
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
        """`run.taxonomies`: the weaknesses that are referred to."""
        if not self._taxa:
            return []
        taxa = [
            {"id": number, "helpUri": f"https://cwe.mitre.org/data/definitions/{number}.html"}
            for number in self._taxa
        ]
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
        """A reference to the finding's rule."""
        component, index = self._places[finding.engine, finding.rule_id]
        return {
            "id": finding.rule_id,
            "index": index,
            "toolComponent": {"name": finding.engine, "index": component},
        }

    def taxon(self, cwe: str) -> dict[str, Any]:
        """A reference to a weakness."""
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
            "shortDescription": message(rule.summary),
            "help": message(text),
            "defaultConfiguration": {"level": level(rule.severity)},
            "properties": properties(rule.severity, rule.confidence, rule.category, rule.cwe),
        }
        if self._pages and (engine, rule.id) in self._known:
            descriptor["helpUri"] = rule_page(self._pages, engine, rule.id)
        if rule.cwe is not None:
            target = self.taxon(rule.cwe)
            descriptor["relationships"] = [{"target": target, "kinds": ["relevant"]}]
        return descriptor


def rule_page(service: str, engine: str, rule_id: str) -> str:
    """Where a service describes a rule. A name and password in its address are left out."""
    parts = urlsplit(service)
    path = "/".join(quote(name, safe="/", errors="replace") for name in (engine, rule_id))
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, f"{parts.path.rstrip('/')}/docs/rules/{path}", "", ""))


def _rule(rule_id: str, engine: str, findings: Sequence[Finding], rules: Rules) -> RuleInfo:
    """What is known about a rule; else what its worst finding says, which may be one of many."""
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
    )


def _number(cwe: str) -> str:
    return cwe.removeprefix("CWE-").lstrip("0") or "0"
