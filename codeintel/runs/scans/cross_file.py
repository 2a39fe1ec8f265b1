"""Follow values across the files of a scan: summarize what has changed, then link all files."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
from gevent.pool import Pool
from msgspec import UNSET, UnsetType

from codeintel.base.greenlets import give_way
from codeintel.base.logging import describe
from codeintel.base.version import __version__
from codeintel.base.wording import counted
from codeintel.contracts import Finding, RuleRef, Severity
from codeintel.contracts.scans.defects import Defect, can_be_repeated, defect_of
from codeintel.contracts.scans.records import Cause, CrossFileResult, FoundFile, ScanFinding
from codeintel.engine.dataflow.project import VERSION, summary_kind
from codeintel.engine.sarif.excerpts import is_secret
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.platform.workers.text_functions import TextTimeoutError, TextWorkError
from codeintel.runs.scans.linking import LINKS, SUMMARIES, LinkAnswer
from codeintel.runs.scans.results import (
    Read,
    ResultKey,
    ResultStore,
    ScanFile,
    crossing_excerpt,
)

log = logging.getLogger(__name__)

AT_ONCE = 40
"""Files that a worker process summarizes, one at a time."""
LOOKED_UP_AT_ONCE = 200
MAX_FILE_BYTES = 1024 * 1024
"""A larger file is not linked."""
MAX_FILES = 20_000
MAX_NOTES = 20
NOT_FOLLOWED = "Values were not followed across files, because {}."


def can_link(file: FoundFile) -> bool:
    """Return whether values are followed through a file."""
    return should_link(file) and file.size <= MAX_FILE_BYTES


def should_link(file: FoundFile) -> bool:
    """Return whether values would be followed through a file of any size."""
    return bool(summary_kind(file.path, file.language or "")) and file.size > 0


def summary_key(file: FoundFile) -> ResultKey:
    """Return the identity of a file's summary."""
    kind = summary_kind(file.path, file.language or "")
    facts = f"summary\n{VERSION}\n{__version__}\n{kind}"
    return ResultKey(file.sha256, hashlib.sha256(facts.encode()).hexdigest())


class _Rule(NamedTuple):
    """A rule that reports a defect, with the severity if another finding can replace its own."""

    ref: RuleRef
    severity: Severity | None


class Known:
    """The defects that findings of single files report, with their rules. It does not keep the
    findings, because a scan may have a million of them.

    :param excerpts: whether findings have excerpts, which must hide the secrets of a file.
    """

    def __init__(self, *, excerpts: bool) -> None:
        self._excerpts = excerpts
        self._rules: dict[Defect, list[_Rule]] = {}
        self._followed: set[Defect] = set()
        self._secrets: dict[str, list[Finding]] = {}
        self._shared: dict[_Rule, _Rule] = {}

    def add(self, path: str, finding: Finding) -> None:
        """Note a finding of a file."""
        if self._excerpts and is_secret(finding):
            self._secrets.setdefault(path, []).append(finding)
        defect = defect_of(path, finding)
        if defect is None:
            return  # none that crosses files is about the same defect
        if finding.flow:
            self._followed.add(defect)
        severity = finding.severity if can_be_repeated(finding) else None
        rule = _Rule(RuleRef(finding.rule_id, finding.engine), severity)
        self._rules.setdefault(defect, []).append(self._shared.setdefault(rule, rule))

    def unless_known(self, path: str, finding: Finding) -> Finding | None:
        """Return the finding with the rules that found the same defect without its path of values.

        Return None if one of them has such a path.
        """
        defect = defect_of(path, finding)
        if defect is None:
            return finding
        if defect in self._followed:
            return None
        also = tuple(each.ref for each in self._rules.get(defect, ()))
        return msgspec.structs.replace(finding, also=also) if also else finding

    def repeated(self, crossing: Iterable[ScanFinding]) -> dict[Severity, int]:
        """Return how many findings of single files repeat one of these, by severity."""
        defects = dict.fromkeys(defect_of(each.path, each.finding) for each in crossing)
        return Counter(
            rule.severity
            for defect in defects
            if defect is not None
            for rule in self._rules.get(defect, ())
            if rule.severity is not None
        )

    def secrets(self, path: str) -> Sequence[Finding]:
        """Return the findings whose secrets excerpts of a file hide."""
        return self._secrets.get(path, ())


class ProjectAnalysis:
    """Follows values across the files of one scan.

    :param turn: the name under which the work waits for worker processes.
    :param excerpts: whether findings have excerpts of the code.
    """

    def __init__(
        self, pool: AnalyzerPool, results: ResultStore, turn: str, *, excerpts: bool
    ) -> None:
        self._pool = pool
        self._results = results
        self._turn = turn
        self._excerpts = excerpts
        self._notes: list[str] = []
        self._cause: Cause | UnsetType = UNSET

    def result(self, files: Sequence[ScanFile], known: Known) -> CrossFileResult | None:
        """Return what crosses files, or None if there are fewer than two files to link.

        :param known: findings that are not repeated.
        """
        wanted = [each for each in files if should_link(each[0])]
        if len(wanted) < 2:
            return None
        able = sorted((each for each in wanted if can_link(each[0])), key=lambda each: each[0].path)
        if len(able) < len(wanted):
            large = counted(len(wanted) - len(able), "file")
            self._lack(f"Values were not followed through {large} of more than 1 MiB.", Cause.SIZE)
        if len(able) > MAX_FILES:
            self._lack(f"Only {MAX_FILES:,} of {len(able):,} files were linked.", Cause.BUDGET)
            able = able[:MAX_FILES]
        if len(able) < 2:
            return self._without_findings()
        lacking = len(self._notes)
        whole = _key_of_all([file for file, _ in able])
        stored = self._stored([whole]).get(whole)
        found = _decoded(stored) if stored is not None else None
        if found is None:
            found = self._linked(able)
            if found is None:
                return self._without_findings()
            if len(self._notes) == lacking:
                self._store({whole: msgspec.msgpack.encode(found)})
        return self._made(found, {file.path: read for file, read in able}, known)

    def _linked(self, files: Sequence[ScanFile]) -> list[LinkAnswer] | None:
        """Return the links of all files, or None if they could not be made."""
        summaries: dict[str, bytes] = {}
        missing: list[ScanFile] = []
        rest = iter(files)
        while group := list(islice(rest, LOOKED_UP_AT_ONCE)):
            keys = [summary_key(file) for file, _ in group]
            stored = self._stored(list(dict.fromkeys(keys)))
            for key, each in zip(keys, group, strict=True):
                if key in stored:
                    summaries[each[0].path] = stored[key]
                else:
                    missing.append(each)
            give_way()
        self._summarize(missing, summaries)
        failed = len(files) - len(summaries)
        if failed:
            self._lack(
                NOT_FOLLOWED.format(f"the analysis failed for {counted(failed, 'file')}"),
                Cause.CRASH,
            )
        deep = sum(not data for data in summaries.values())
        if deep:
            self._lack(
                NOT_FOLLOWED.format(f"code is nested too deeply in {counted(deep, 'file')}"),
                Cause.BUDGET,
            )
        parts = ((path, data) for path, data in sorted(summaries.items()) if data)
        try:
            return list(self._pool.texts.run(self._turn, LINKS, parts))
        except TextWorkError as error:
            log.warning("the files of a scan were not linked: %s", error)
            self._lack(
                NOT_FOLLOWED.format("linking the files failed or took too long"),
                Cause.TIME if isinstance(error, TextTimeoutError) else Cause.CRASH,
            )
            return None

    def _without_findings(self) -> CrossFileResult:
        return CrossFileResult(findings=(), notes=tuple(self._notes[:MAX_NOTES]), cause=self._cause)

    def _lack(self, note: str, cause: Cause) -> None:
        """Note what was left out. The first cause stays."""
        self._notes.append(note)
        self._cause = self._cause or cause

    def _summarize(self, files: Sequence[ScanFile], summaries: dict[str, bytes]) -> None:
        """Add the summaries of files, several processes at a time."""
        pool = Pool(self._pool.texts.slots.count)
        rest = iter(files)
        try:
            while group := list(islice(rest, AT_ONCE)):
                pool.spawn(self._summarize_some, group, summaries)
            pool.join()
        finally:
            pool.kill()

    def _summarize_some(self, files: list[ScanFile], summaries: dict[str, bytes]) -> None:
        """Add the summaries of some files. The file at which a process fails is left out."""
        while files:
            started: list[ScanFile] = []
            done: dict[ResultKey, bytes] = {}
            count = 0
            try:
                for answer in self._pool.texts.run(self._turn, SUMMARIES, _sources(files, started)):
                    file, _ = started[count]
                    summaries[file.path] = done[summary_key(file)] = answer.summary
                    count += 1
                files = []
            except TextWorkError as error:
                log.warning("a file of a scan was not summarized: %s", error)
                # Files are sent ahead, so the first one without an answer is to blame.
                files = files[files.index(started[count]) + 1 :] if count < len(started) else []
            if done:
                self._store(done)

    def _stored(self, keys: Sequence[ResultKey]) -> Mapping[ResultKey, bytes]:
        """Return what is stored, or nothing if the store fails, because it is computed again."""
        try:
            return self._results.get(keys)
        except Exception as error:  # noqa: BLE001 - see above
            log.error("stored summaries of a scan were not read: %s", describe(error))
            return {}

    def _store(self, results: Mapping[ResultKey, bytes]) -> None:
        """Store results. A failure is logged."""
        try:
            self._results.put(results)
        except Exception as error:  # noqa: BLE001 - they are only computed again
            log.error("summaries of a scan were not stored: %s", describe(error))

    def _made(
        self, answers: Sequence[LinkAnswer], reads: Mapping[str, Read], known: Known
    ) -> CrossFileResult:
        findings, resolved, unresolved = [], 0, 0
        for answer in answers:
            if answer.finding is None:
                resolved, unresolved = answer.resolved, answer.unresolved
                for end in answer.ends:
                    self._lack(end, Cause.BUDGET)
                continue
            finding = known.unless_known(answer.path, answer.finding)
            if finding is not None:
                findings.append(
                    ScanFinding(
                        path=answer.path,
                        finding=finding,
                        fingerprint=answer.fingerprint,
                        excerpt=self._excerpt(
                            finding, reads.get(answer.path), known.secrets(answer.path)
                        ),
                    )
                )
        return CrossFileResult(
            findings=tuple(findings),
            resolved=resolved,
            unresolved=unresolved,
            notes=tuple(self._notes[:MAX_NOTES]),
            cause=self._cause,
            repeated=dict(known.repeated(findings)),
        )

    def _excerpt(self, finding: Finding, read: Read | None, known: Sequence[Finding]) -> str:
        if read is None or not self._excerpts:
            return ""
        try:
            return crossing_excerpt(finding, read(), known)
        except Exception as error:  # noqa: BLE001 - the finding counts without its excerpt
            log.warning("a finding has no excerpt: %s", describe(error))
            return ""


def _sources(files: Sequence[ScanFile], started: list[ScanFile]) -> Iterator[tuple[str, str, str]]:
    """Yield the files that can be read, and note them in their order."""
    for file, read in files:
        try:
            text = read()
        except (OSError, ValueError):
            continue
        except Exception as error:  # noqa: BLE001 - such as an error of the database
            log.error("the content of a file was not read: %s", describe(error))
            continue
        started.append((file, read))
        yield file.path, text, file.language or ""


def _key_of_all(files: Sequence[FoundFile]) -> ResultKey:
    """Return the identity of the links of files."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.path}\0{file.sha256}\0{file.language}\n".encode("utf-8", "replace"))
    facts = f"links\n{VERSION}\n{__version__}"
    return ResultKey(digest.hexdigest(), hashlib.sha256(facts.encode()).hexdigest())


def _decoded(data: bytes) -> list[LinkAnswer] | None:
    try:
        return msgspec.msgpack.decode(data, type=list[LinkAnswer])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
