"""The output formats of `codeintel analyze`: text, JSON, SARIF and GitHub annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from codeintel.base.wording import printable
from codeintel.cli.outcome import (
    Filter,
    ReceivedRun,
    as_count,
    as_object,
    as_text,
    severity_rank,
    worst_first,
)
from codeintel.cli.output import json_text
from codeintel.cli.render import Piece, Renderer, ending, summary_line, unchecked
from codeintel.cli.source import STDIN, SourceFile
from codeintel.client import Client, ClientError
from codeintel.contracts import Confidence, RuleInfo, Severity

_FOLDED = Filter(confidence=Confidence.MEDIUM)
"""What text shows by default."""
_ESCAPED = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_ESCAPED_PROPERTY = {**_ESCAPED, ":": "%3A", ",": "%2C"}


class Format(StrEnum):
    """The output formats."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


class Report:
    """Writes the outcome of an analysis in one of the formats.

    :param file: the file argument; `name` is the name to show.
    :param fail_on: the threshold of --fail-on. Findings that reach it are always shown.
    :param folds: whether text leaves out findings of low confidence.
    """

    def __init__(
        self,
        outcome: ReceivedRun,
        source: SourceFile,
        client: Client,
        renderer: Renderer,
        *,
        file: str,
        name: str,
        fail_on: Severity | None,
        folds: bool,
    ) -> None:
        self._outcome = outcome
        self._source = source
        self._client = client
        self._renderer = renderer
        self._file = file
        self._name = name
        self._fail_on = fail_on
        self._folds = folds

    def pieces(self, format_: Format, notes: Sequence[str]) -> Iterator[Piece]:
        """Return the output, with remarks for standard error.

        :param notes: sentences about findings that a filter left out.
        """
        if format_ is Format.TEXT:
            shown, folded = self._shown()
            yield from self._renderer.end(self._outcome, shown, [*notes, *folded])
            return
        if format_ is Format.GITHUB:
            yield from self._renderer.remarks([*unchecked(self._outcome.result or {})])
            shown, folded = self._shown()
            yield from (Piece(annotation(each, self._name)) for each in shown)
            told = [summary_line(self._outcome), *self._gaps(), *notes, *folded]
        else:
            yield from self._renderer.remarks()
            is_json = format_ is Format.JSON
            yield Piece(json_text(self._outcome.document() if is_json else self._sarif()))
            told = list(notes)
        yield from (Piece(f"{line}\n", err=True) for line in told)
        yield from ending(self._outcome)

    def _shown(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the findings to show, worst first, and sentences about the others."""
        findings = sorted(self._outcome.findings, key=worst_first)
        if not self._folds:
            return findings, []
        selection = _FOLDED.split(findings)
        decisive = [each for each in selection.unsure if self._is_decisive(each)]
        rest = [each for each in selection.unsure if each not in decisive]
        kept = sorted([*selection.kept, *decisive], key=worst_first)
        return kept, [*selection._replace(unsure=rest).notes(_FOLDED)]

    def _is_decisive(self, finding: Mapping[str, Any]) -> bool:
        return self._fail_on is not None and severity_rank(finding) <= self._fail_on.rank

    def _gaps(self) -> Iterator[str]:
        for gap in unchecked(self._outcome.result or {}):
            yield f"Not checked: {gap}"

    def _sarif(self) -> dict[str, Any]:
        """Return a SARIF log. Without a result, it has the findings that were streamed."""
        from codeintel.engine.sarif import Artifact, file_uri, sarif_log

        uri = "stdin" if self._file == STDIN else file_uri(self._file, Path.cwd())
        unfinished = "".join(piece.text for piece in ending(self._outcome)).strip()
        analysis = self._outcome.result or {"findings": self._outcome.findings}
        artifact = Artifact(uri, self._source.code, self._source.data)
        rules = _listed_rules(self._client) if self._outcome.findings else {}
        return sarif_log(analysis, artifact, rules, unfinished=unfinished, service=self._client.url)


def annotation(finding: Mapping[str, Any], name: str) -> str:
    """Return a finding as a workflow command of GitHub Actions, with its line break."""
    place = as_object(finding.get("range"))
    start, end = as_count(place.get("startLine")), as_count(place.get("endLine"))
    properties = {"file": name, "line": str(start), "endLine": str(end)}
    if start == end:  # GitHub takes columns only within a line
        properties["col"] = str(as_count(place.get("startColumn")))
        properties["endColumn"] = str(as_count(place.get("endColumn")))
    rule, cwe = as_text(finding.get("ruleId")), as_text(finding.get("cwe"))
    properties["title"] = f"{rule} {cwe}".strip()
    message = " ".join(filter(None, (as_text(finding.get("message")), _remedy(finding))))
    return workflow_command(_level(finding), properties, message)


def workflow_command(level: str, properties: Mapping[str, str], message: str) -> str:
    """Return a workflow command of GitHub Actions, with its line break.

    :param level: `error`, `warning` or `notice`.
    """
    told = ",".join(
        f"{key}={_escaped(printable(value), _ESCAPED_PROPERTY)}"
        for key, value in properties.items()
    )
    return f"::{level} {told}::{_escaped(printable(message), _ESCAPED)}\n"


def _remedy(finding: Mapping[str, Any]) -> str:
    remedy = as_text(finding.get("remedy"))
    return f"Fix: {remedy}" if remedy else ""


def _level(finding: Mapping[str, Any]) -> str:
    rank = severity_rank(finding)
    if rank <= Severity.HIGH.rank:
        return "error"
    return "warning" if rank == Severity.MEDIUM.rank else "notice"


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)


def _listed_rules(client: Client) -> dict[str, list[RuleInfo]]:
    """Return the rules of the service by analyzer. If the service fails, return none."""
    rules: dict[str, list[RuleInfo]] = {}
    with suppress(ClientError):
        for rule in client.rules():
            with suppress(msgspec.ValidationError):
                analyzer = as_text(as_object(rule).get("analyzer"))
                rules.setdefault(analyzer, []).append(msgspec.convert(rule, RuleInfo))
    return rules
