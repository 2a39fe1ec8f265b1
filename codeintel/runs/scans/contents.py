"""Analyze the content of one file of a scan."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence

from msgspec import UNSET

from codeintel.contracts import AnalysisResult, AnalysisTask, Engine, Finding, Model, Severity
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.contracts.positions import LineTable
from codeintel.contracts.scans.records import MAX_SCAN_FILE_BYTES, Cause, FoundFile
from codeintel.contracts.workspaces.selection import secret_name
from codeintel.engine.sarif.fingerprints import fingerprints
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.runs.scans.analysis import ContentAnalysis, unfinished
from codeintel.runs.scans.results import ContentResult, ResultKey, by_position
from codeintel.runs.scans.secrets import SCAN_SECRETS, FoundSecret, with_secret

log = logging.getLogger(__name__)

MAX_FINDINGS = 500
"""Maximum number of findings of one file. The worst are kept."""
_OMITTED = "{:,} of {:,} findings are left out. The worst are listed."
_SECRETS = "secrets that make a file critical were not checked"
_TOO_LARGE = f"larger than {MAX_SCAN_FILE_BYTES // (1024 * 1024)} MiB"
_NOTHING = AnalysisResult(
    language=None, engine="", summary="", findings=(), metrics={}, analyzers=()
)
"""The result of a file of an unknown language, before its secrets are added."""
_VERSION = 2
"""Increases when equal findings lead to another :class:`ContentResult`."""


class FileAnalysis:
    """Analyzes files with one engine and one model.

    :param turn: the name under which the work waits for worker processes.
    :param seconds: time limit for a file of up to 100,000 characters.
    """

    def __init__(
        self,
        analysis: ContentAnalysis,
        pool: AnalyzerPool,
        engine: Engine,
        model: Model,
        turn: str,
        seconds: float,
    ) -> None:
        self._analysis = analysis
        self._pool = pool
        self._engine = engine
        self._model = model
        self._turn = turn
        self._seconds = seconds
        self._made_by: dict[tuple[str | None, str], str] = {}

    def key(self, file: FoundFile) -> ResultKey:
        """Return the identity of a file's result.

        It depends on the file's name only if the name may tell that the file has secrets.
        """
        kind = file.language, secret_name(file.path)
        if kind not in self._made_by:
            by = self._analysis.made_by(self._engine, file.language, self._model)
            facts = f"{_VERSION}\n{by}\n{kind[1]}".encode("utf-8", "replace")
            self._made_by[kind] = hashlib.sha256(facts).hexdigest()
        return ResultKey(file.sha256, self._made_by[kind])

    def content(self, file: FoundFile, text: str) -> ContentResult:
        """Return the result of a file's content. It has a cause if a check could not run.

        Without a language, only secrets are checked.
        """
        lines = LineTable(text)
        if not text or text.isspace():
            return ContentResult(lines=_number(lines) if text else 0)
        if len(text.encode("utf-8", "surrogatepass")) > MAX_SCAN_FILE_BYTES:
            return ContentResult(lines=_number(lines), unchecked=(_TOO_LARGE,), cause=Cause.SIZE)
        if file.language is None:
            return self._made(file.path, lines, _NOTHING)
        task = AnalysisTask(text, file.language, "", self._model)
        seconds = self._seconds * max(1.0, len(text) / MAX_CODE_CHARACTERS)
        outcome = self._analysis.outcome(self._engine, task, self._turn, seconds)
        if outcome.result is None:
            reason = (outcome.reason,)
            return ContentResult(lines=_number(lines), unchecked=reason, cause=outcome.cause)
        return self._made(file.path, lines, outcome.result)

    def _made(self, path: str, lines: LineTable, result: AnalysisResult) -> ContentResult:
        secret = self._secret(path, lines.text)
        found = with_secret(result.findings, secret or FoundSecret(""), lines)
        kept = sorted(found, key=_worst_first)[:MAX_FINDINGS]
        ordered = by_position(kept)
        ending = unfinished(result)
        notes = [*result.unchecked, *((ending[1],) if ending is not None else ())]
        cause = ending[0] if ending is not None else UNSET
        if len(kept) < len(found):
            notes.append(_OMITTED.format(len(found) - len(kept), len(found)))
            if _are_grave(kept[-1:]) and cause is UNSET:
                cause = Cause.BUDGET
        if secret is None:
            notes.append(_SECRETS)
            cause = Cause.CRASH
        return ContentResult(
            lines=_number(lines),
            findings=tuple(ordered),
            fingerprints=tuple(fingerprints(ordered, lines.text)),
            unchecked=tuple(dict.fromkeys(notes)),
            cause=cause,
        )

    def _secret(self, path: str, text: str) -> FoundSecret | None:
        """Return the secret of a file, or None if it could not be searched for."""
        try:
            return next(
                self._pool.texts.run(self._turn, SCAN_SECRETS, [(path, text)], len(text)), None
            )
        except TextWorkError as error:
            log.warning("the secrets of a file were not searched for: %s", error)
            return None


def _number(lines: LineTable) -> int:
    """Return the number of lines. A line break at the end starts no other line."""
    return len(lines) - lines.text.endswith(("\n", "\r"))


def _worst_first(finding: Finding) -> tuple[int, int]:
    return finding.severity.rank, finding.confidence.rank


def _are_grave(findings: Sequence[Finding]) -> bool:
    """Return whether findings that are left out may be as grave as these, and so change a
    verdict.
    """
    return any(each.severity.rank <= Severity.MEDIUM.rank for each in findings)
