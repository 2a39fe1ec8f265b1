"""Tables of rules: model, severity, confidence and subject of each rule.

A line is `model rule severity confidence CWE category summary`. The model is `f` for a rule that
both models have and `p` for a rule of `pro` alone. `-` means that no weakness class fits. The
category is the name of its member, in lower case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codeintel.contracts import Category, Confidence, Finding, Model, Range, RuleInfo, Severity


class Rule(NamedTuple):
    """Metadata of one rule. `cwe` is like `CWE-89`."""

    id: str
    severity: Severity
    confidence: Confidence
    cwe: str | None
    category: Category
    summary: str = ""
    models: frozenset[Model] = frozenset(Model)

    def finding(self, engine: str, message: str, place: Range) -> Finding:
        """Return a finding by this rule."""
        return Finding(
            rule_id=self.id,
            engine=engine,
            severity=self.severity,
            confidence=self.confidence,
            cwe=self.cwe,
            category=self.category,
            message=message,
            range=place,
        )

    def info(self, languages: tuple[str, ...] | None = None) -> RuleInfo:
        """Return the rule as a listing has it."""
        return RuleInfo(
            id=self.id,
            summary=self.summary,
            cwe=self.cwe,
            severity=self.severity,
            confidence=self.confidence,
            category=self.category,
            languages=languages,
        )


def read_table(table: str) -> dict[str, Rule]:
    """Return the rules of a table by id.

    :raises ValueError: for a line that is no rule, or a second one with the same id.
    """
    rules: dict[str, Rule] = {}
    for rule in _rules(table):
        if rule.id in rules:
            raise ValueError(f"two lines for {rule.id}")
        rules[rule.id] = rule
    return rules


def _rules(table: str) -> Iterator[Rule]:
    for line in table.strip().splitlines():
        model, name, severity, confidence, cwe, category, summary = line.split(maxsplit=6)
        yield Rule(
            id=name,
            severity=Severity(severity),
            confidence=Confidence(confidence),
            cwe=None if cwe == "-" else cwe,
            category=Category[category.upper()],
            summary=summary,
            models={"f": frozenset(Model), "p": frozenset({Model.PRO})}[model],
        )


def listing(
    rules: Iterable[Rule], languages: Mapping[str, tuple[str, ...]] | None = None
) -> Sequence[RuleInfo]:
    """Return the rules for an analyzer's :meth:`rules`, in order of id.

    :param languages: by id, of the rules that hold for some languages only.
    """
    known = languages or {}
    return tuple(rule.info(known.get(rule.id)) for rule in sorted(rules))
