"""Files with secrets, which are analyzed as they are pushed, because they are not stored.

Clients that scan for secrets themselves send such texts without the secrets. The text without the
secret is analyzed, so that no finding can repeat the secret. Only the findings are stored, as a
result under the digest of that text.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import gevent
import msgspec
from sqlalchemy import Engine

from codeintel.base.logging import describe
from codeintel.contracts import (
    AnalysisResult,
    Category,
    Confidence,
    Engine as CodeEngine,
    Finding,
    Range,
    Severity,
)
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.contracts.workspaces.selection import RULES, Masked, is_for_analysis
from codeintel.platform.db.writer import Writer
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextWorkError
from codeintel.platform.workers.text_pool import TextPool
from codeintel.workspaces.proof import analysis
from codeintel.workspaces.proof.analysis import FileAnalysis, FileResults, Task, packed
from codeintel.workspaces.proof.shapes import ReportedFinding
from codeintel.workspaces.secret_scan import MASKING, in_parts

log = logging.getLogger(__name__)

SECONDS = 20.0
"""Time limit for all files with secrets of one push.

Files beyond it are not analyzed, which makes the report incomplete.
"""
ENGINE = "workspace"
_HOLDS = (
    "The file contains a secret ({rule}) and was not stored. Replace the secret, and read the new "
    "one from the environment or a secret store."
)
_BY_NAME = "Files of this name contain secret settings, so it was not stored. Add it to .gitignore."


class Withheld:
    """Analyzes files that are not stored, and finds their results."""

    def __init__(
        self, engine: Engine, writer: Writer, analysis: FileAnalysis, texts: TextPool
    ) -> None:
        self._writer = writer
        self._texts = texts
        self._analysis = analysis
        self._results = FileResults(engine)

    def analyze(
        self, account_id: str, texts: Mapping[str, str], secrets: Sequence[SkippedFile]
    ) -> tuple[SkippedFile, ...]:
        """Return the files with the line of the secret, and the digest of the stored result if it
        exists.

        :param texts: by path, including those of `secrets`.
        """
        done = {each.path: each for each in secrets}
        engine = self._analysis.engine() if secrets else None
        with suppress(TimeoutError), gevent.Timeout(SECONDS, TimeoutError()):
            for each, safe in zip(secrets, self._masked(account_id, texts, secrets), strict=False):
                gevent.sleep(0)
                done[each.path] = known = msgspec.structs.replace(each, line=safe.line or each.line)
                if engine is None or not safe.is_clean or not is_for_analysis(each.path):
                    continue
                digest = self._analyzed(engine, account_id, each.path, safe.text)
                done[each.path] = msgspec.structs.replace(known, digest=digest)
        return tuple(done[each.path] for each in secrets)

    def _masked(
        self, account_id: str, texts: Mapping[str, str], secrets: Sequence[SkippedFile]
    ) -> list[Masked]:
        """Return the texts without secrets, as many as a worker process could make in time."""
        files = [(each.path, texts[each.path]) for each in secrets]
        size = sum(len(text) + FILE_CHARACTERS for _, text in files)
        found: list[Masked] = []
        with suppress(TextWorkError):  # the error is in the log
            found.extend(self._texts.run(account_id, MASKING, in_parts(files), size))
        return found

    def found(self, account_id: str, secrets: Sequence[SkippedFile]) -> dict[str, AnalysisResult]:
        """Return the stored results, by path."""
        engine = self._analysis.engine()
        if engine is None:
            return {}
        tasks = {
            each.path: self._task(engine, each.path, each.digest) for each in secrets if each.digest
        }
        kept = dict(self._results.kept(account_id, tasks.values()))
        return {path: kept[task] for path, task in tasks.items() if task in kept}

    def _analyzed(self, engine: CodeEngine, account_id: str, path: str, text: str) -> str:
        """Return the digest under which the result is stored, or an empty text if the
        analysis failed.
        """
        digest = hashlib.sha256(text.encode()).hexdigest()
        task = self._task(engine, path, digest)
        if any(True for _ in self._results.kept(account_id, [task])):
            return digest
        try:
            result = self._analysis.analyze(engine, task.language, text, account_id)
            row = packed(account_id, task, result, whole=False)
            rows = [] if row is None else [row]
            self._writer.run(lambda connection: analysis.store(connection, rows), order=account_id)
        except TimeoutError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the push goes on without it
            log.error("a file with a secret was not analyzed: %s", describe(error))
            return ""
        return digest

    def _task(self, engine: CodeEngine, path: str, digest: str) -> Task:
        language = language_of_path(path) or ""
        return Task(digest, language, self._analysis.made_by(engine, language))


def secret_files(skipped: Iterable[SkippedFile]) -> tuple[SkippedFile, ...]:
    """Return the files whose reason is a secret rule, by path.

    Clients that scan for secrets themselves use the same rules.
    """
    found = (each for each in skipped if each.reason in RULES)
    return tuple(sorted(found, key=lambda each: each.path))


def secret_findings(secrets: Iterable[SkippedFile]) -> tuple[ReportedFinding, ...]:
    """Return a finding for each file with a secret. It names the rule and never the value.

    A secret is critical. Only `dotenv` is based on the file's name alone, so such a file may
    contain no secret.
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
