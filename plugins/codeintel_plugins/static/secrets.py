"""The secrets analyser: passwords, keys and tokens written into the code, in any language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Note,
    Reported,
)
from codeintel_plugins.static.positions import Source
from codeintel_plugins.static.secret_scan import Secret, find_secrets

_MAX_FINDINGS = 2_000


class SecretsAnalyzer(Analyzer):
    """Known token formats, and literals given to names such as `password`. Never tells a value."""

    name: ClassVar[str] = "secrets"
    languages: ClassVar[frozenset[str] | None] = None
    version = "1"

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place."""
        source = Source(request.code)
        secrets = find_secrets(source.text, request.language)
        for secret in secrets[:_MAX_FINDINGS]:
            yield Reported(_finding(secret, source))
        if len(secrets) > _MAX_FINDINGS:
            yield Note(
                "There are more secrets than can be reported: the rest is left out.", truncated=True
            )


def _finding(secret: Secret, source: Source) -> Finding:
    return Finding(
        rule_id=secret.rule_id,
        engine=SecretsAnalyzer.name,
        severity=secret.severity,
        confidence=secret.confidence,
        cwe=secret.cwe,
        message=f"{secret.what} is written in the code: replace it, and read the new one from the "
        "environment or a secret store.",
        range=source.span(secret.start, secret.end),
    )
