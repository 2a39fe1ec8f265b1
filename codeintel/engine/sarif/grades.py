"""Severity and confidence in the terms of SARIF and of those who read it."""

from __future__ import annotations

from typing import Any

from codeintel.contracts import Category, Confidence, Severity

_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
# In the middle of the bands that readers cut the scale from 0 to 10 into.
_SECURITY_SEVERITIES = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "1.0",
}
_SECURITY = frozenset({Category.SECURITY, Category.SECRETS})


def level(severity: Severity) -> str:
    """`error`, `warning` or `note`."""
    return _LEVELS[severity]


def rank(severity: Severity, confidence: Confidence) -> float:
    """From 0 to 100: first by severity, then by confidence."""
    return 100.0 - 20 * severity.rank - 5 * confidence.rank


def properties(
    severity: Severity, confidence: Confidence, category: Category, cwe: str | None
) -> dict[str, Any]:
    """What a rule says of itself in its property bag: `precision`, `tags`, and a number for the
    severity of a weakness."""
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
