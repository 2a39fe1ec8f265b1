"""The secrets analyser: passwords, keys and tokens written into the code, in any language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Category,
    Finding,
)
from codeintel_plugins.common.bounds import report_worst
from codeintel_plugins.common.positions import Source
from codeintel_plugins.secrets.scan import Secret, find_secrets


class SecretsAnalyzer(Analyzer):
    """Known token formats, and literals given to names such as `password`. Never tells a value."""

    name: ClassVar[str] = "secrets"
    languages: ClassVar[frozenset[str] | None] = None
    version = "1"

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place."""
        source = Source(request.code)
        secrets = find_secrets(source.text, request.language)
        findings = (_finding(secret, source) for secret in secrets)
        yield from report_worst(self.name, findings, request)


def _finding(secret: Secret, source: Source) -> Finding:
    return Finding(
        rule_id=secret.rule_id,
        engine=SecretsAnalyzer.name,
        severity=secret.severity,
        confidence=secret.confidence,
        cwe=secret.cwe,
        category=Category.SECRETS,
        message=f"{secret.what} is written in the code: replace it, and read the new one from the "
        "environment or a secret store.",
        range=source.span(secret.start, secret.end),
    )
