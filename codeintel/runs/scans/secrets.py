"""Secrets in the files of a scan: each file with one has a critical finding, which never repeats
the secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from codeintel.contracts import Category, Confidence, Finding, Range, Severity
from codeintel.contracts.positions import LineTable
from codeintel.contracts.workspaces.selection import masked, secret_rule
from codeintel.platform.workers.text_functions import TextFunction

ENGINE = "scan"
_BY_NAME_RULE = "dotenv"
_HOLDS = (
    "The file contains a secret ({rule}). Revoke the secret, and read the new one from the "
    "environment or a secret store."
)
_BY_NAME = "Files of this name contain secret settings. Add it to .gitignore."
File = tuple[str, str]
"""A path with its text."""


class FoundSecret(msgspec.Struct, frozen=True, array_like=True):
    """The rule that finds a secret in a file, or an empty text, and the line of the secret.

    The line is 0 if no secret has a recognizable format.
    """

    rule: str
    line: int = 0


def found_secrets(files: Iterable[File]) -> Iterator[FoundSecret]:
    """Yield what each file holds."""
    for path, text in files:
        rule = secret_rule(path, text)
        yield FoundSecret(rule, masked(path, text).line) if rule else FoundSecret("")


SCAN_SECRETS = TextFunction("scan_secrets", found_secrets, File, FoundSecret, seconds=20.0)
"""Runs in worker processes. Its place must be among the functions of the pool."""


def with_secret(findings: Sequence[Finding], found: FoundSecret, lines: LineTable) -> list[Finding]:
    """Return the findings of a file with its secret as a critical one.

    If an analyzer has found a secret at the same line, its finding becomes critical instead. The
    range of a new finding is the whole line, so that neither its excerpt nor its fingerprint shows
    the secret.
    """
    if not found.rule:
        return list(findings)
    line = min(max(found.line, 1), len(lines))
    same = [each for each in findings if found.line and _is_secret_at(each, line)]
    if same:
        return [
            msgspec.structs.replace(each, severity=Severity.CRITICAL) if each in same else each
            for each in findings
        ]
    return [*findings, _finding(found.rule, Range(line, 1, line, len(lines.line(line)) + 1))]


def _finding(rule: str, where: Range) -> Finding:
    by_name = rule == _BY_NAME_RULE  # based on the file's name alone: it may contain no secret
    return Finding(
        rule_id=rule,
        engine=ENGINE,
        severity=Severity.MEDIUM if by_name else Severity.CRITICAL,
        confidence=Confidence.MEDIUM if by_name else Confidence.HIGH,
        cwe="CWE-798",
        category=Category.SECRETS,
        message=_BY_NAME if by_name else _HOLDS.format(rule=rule),
        range=where,
    )


def _is_secret_at(finding: Finding, line: int) -> bool:
    at = finding.range
    return finding.category is Category.SECRETS and at.start_line <= line <= at.end_line
