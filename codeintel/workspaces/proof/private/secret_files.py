"""Which of the files that were left out hold secrets, and what is found in them. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from codeintel.contracts import Category, Confidence, Finding, Range, Severity
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.contracts.workspaces.secrets import RULES
from codeintel.workspaces.proof.shapes import ReportedFinding

ENGINE = "workspace"
_HOLDS = (
    "The file holds a secret ({rule}) and was not stored: replace the secret, and read the new one "
    "from the environment or a secret store."
)
_BY_NAME = (
    "A file of this name holds settings that are secret, and was not stored: have .gitignore name "
    "it."
)


def secret_files(skipped: Iterable[SkippedFile]) -> tuple[SkippedFile, ...]:
    """Those whose reason is a rule for secrets, by path. Clients that look for secrets themselves
    name the same rules."""
    found = (each for each in skipped if each.reason in RULES)
    return tuple(sorted(found, key=lambda each: each.path))


def secret_findings(secrets: Iterable[SkippedFile]) -> tuple[ReportedFinding, ...]:
    """A finding for each file with a secret. It tells the rule and never the value.

    A secret is critical. Only `dotenv` is told by the file's name alone: such a file may hold none.
    """
    return tuple(_reported(each) for each in secrets)


def _reported(file: SkippedFile) -> ReportedFinding:
    by_name = file.reason == "dotenv"
    finding = Finding(
        rule_id=file.reason,
        engine=ENGINE,
        severity=Severity.MEDIUM if by_name else Severity.CRITICAL,
        confidence=Confidence.MEDIUM if by_name else Confidence.HIGH,
        cwe="CWE-798",
        category=Category.SECRETS,
        message=_BY_NAME if by_name else _HOLDS.format(rule=file.reason),
        range=Range(file.line, 1, file.line, 1),
    )
    key = f"{ENGINE}\n{file.path}\n{file.reason}".encode("utf-8", "replace")
    digest = hashlib.sha256(key).hexdigest()
    return ReportedFinding(path=file.path, finding=finding, fingerprint=digest, excerpt="")
