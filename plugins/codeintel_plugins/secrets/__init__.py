"""The secrets analyser: passwords, keys and tokens written into the code, in any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Category,
    Confidence,
    Finding,
    RuleInfo,
    Severity,
)
from codeintel.contracts.secret_tokens import FORMATS
from codeintel_plugins.common.positions import Source
from codeintel_plugins.secrets.scan import Secret, find_secrets
from codeintel_plugins.suppressions.marking import report_worst

_REMEDY = "replace it, and read the new one from the environment or a secret store."
# What is told by more than its looks; severity and confidence are those of a strong value.
_OTHERS = (
    ("private-key", "A private key", Severity.CRITICAL, "CWE-321"),
    ("hard-coded-password", "A password", Severity.HIGH, "CWE-259"),
    ("hard-coded-secret", "A secret", Severity.HIGH, "CWE-798"),
)


class SecretsAnalyzer(Analyzer):
    """Known token formats, and literals given to names such as `password`. Never tells a value."""

    name: ClassVar[str] = "secrets"
    languages: ClassVar[frozenset[str] | None] = None
    version = "1"

    def rules(self) -> Sequence[RuleInfo]:
        known: dict[str, tuple[str, Severity, str]] = {
            kind.rule: (kind.what, kind.severity, "CWE-798")
            for kind in FORMATS
            if kind.reported is not None
        }
        known |= {rule_id: (what, severity, cwe) for rule_id, what, severity, cwe in _OTHERS}
        return tuple(_info(rule_id, *known[rule_id]) for rule_id in sorted(known))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place."""
        source = Source(request.code)
        secrets = find_secrets(source.text, request.language)
        findings = (_finding(secret, source) for secret in secrets)
        yield from report_worst(self.name, findings, request)


def _info(rule_id: str, what: str, severity: Severity, cwe: str) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary=f"{what} is written in the code.",
        cwe=cwe,
        severity=severity,
        confidence=Confidence.HIGH,
        category=Category.SECRETS,
        remedy=_REMEDY.capitalize(),
    )


def _finding(secret: Secret, source: Source) -> Finding:
    return Finding(
        rule_id=secret.rule_id,
        engine=SecretsAnalyzer.name,
        severity=secret.severity,
        confidence=secret.confidence,
        cwe=secret.cwe,
        category=Category.SECRETS,
        message=f"{secret.what} is written in the code: {_REMEDY}",
        range=source.span(secret.start, secret.end),
    )


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the secrets analyser."""
    register(SecretsAnalyzer())
