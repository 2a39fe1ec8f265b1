"""The parts of the proof loop that are pure, or nearly so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gevent import Timeout
from sqlalchemy.exc import OperationalError

from codeintel.contracts import Confidence, Finding, Range, Severity, Suppression
from codeintel.contracts.scans.records import Cause
from codeintel.contracts.workspaces import selection
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    FileEntry,
    ProofState,
    ProofStatus,
    SkippedFile,
)
from codeintel.runs.scans.analysis import ContentAnalysis
from codeintel.workspaces.proof import analysis, service
from codeintel.workspaces.proof.analysis import FileAnalysis, Task
from codeintel.workspaces.proof.assembling import counts, verdict
from codeintel.workspaces.proof.withheld import secret_files

QUEUED = ProofStatus(status=ProofState.QUEUED, revision=1)
RUNNING = ProofStatus(status=ProofState.RUNNING, revision=1, done=1, total=2)
PASSED = ProofStatus(status=ProofState.PASSED, revision=1)


def finding(
    severity: Severity, confidence: Confidence = Confidence.HIGH, *, suppressed: bool = False
) -> Finding:
    made = Finding(
        rule_id="r",
        engine="e",
        severity=severity,
        confidence=confidence,
        cwe=None,
        message="m",
        range=Range(1, 1, 1, 2),
    )
    if not suppressed:
        return made
    return Finding(
        **{name: getattr(made, name) for name in made.__struct_fields__ if name != "suppression"},
        suppression=Suppression("nosec", 1),
    )


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/src/main.py", None),
        ("/README.xyz", selection.UNKNOWN),
        ("/a/node_modules/b/c.js", selection.VENDORED),
        ("/Vendor/x.go", selection.VENDORED),
        ("/src/vendor.py", None),
        ("/dist/site.min.js", selection.MINIFIED),
        ("/dist/site-min.css", selection.MINIFIED),
        ("/admin.js", None),
        ("/package-lock.json", selection.LOCKED),
        ("/web/Cargo.lock", selection.LOCKED),
        ("/api/user_pb2.py", selection.GENERATED),
        ("/api/user.pb.go", selection.GENERATED),
    ],
)
def test_what_is_analysed(path: str, reason: str | None) -> None:
    chosen, unchecked = analysis.plan([FileEntry(path, "0" * 64, 10)])
    assert [each.reason for each in unchecked] == ([] if reason is None else [reason])
    assert [each.entry.path for each in chosen] == ([path] if reason is None else [])


def test_the_largest_file_that_is_stored_is_analysed() -> None:
    chosen, unchecked = analysis.plan([FileEntry("/long.py", "0" * 64, MAX_FILE_BYTES)])
    assert ([each.entry.path for each in chosen], unchecked) == (["/long.py"], ())


@pytest.mark.parametrize(
    ("path", "reason", "cause"),
    [
        ("/a.py", "too-large", Cause.SIZE),
        ("/a.py", "unreadable", Cause.UNREADABLE),
        ("/a.py", "not-utf-8", Cause.UNREADABLE),
        ("/a.py", "ignored", None),
        ("/a.py", "symbolic-link", None),
        ("/film.xyz", "too-large", None),
        ("/lib.min.js", "too-large", None),
        ("/a.sql", "binary", Cause.UNREADABLE),  # in UTF-16, as some tools write it
        ("/a.png", "binary", None),
        ("/a\\b.py", "backslash", Cause.NAME),
        ("/A.py", "collision", Cause.NAME),
        (".", "too-large", None),
    ],
)
def test_what_a_client_could_not_send_counts_if_it_was_code(
    path: str, reason: str, cause: Cause | None
) -> None:
    found = analysis.left_behind([SkippedFile(path, reason)])
    assert [each.cause for each in found] == ([] if cause is None else [cause])


@pytest.mark.parametrize(
    ("found", "state"),
    [
        ([], ProofState.PASSED),
        ([finding(Severity.CRITICAL)], ProofState.FAILED),
        ([finding(Severity.HIGH, Confidence.MEDIUM)], ProofState.FAILED),
        ([finding(Severity.HIGH, Confidence.LOW)], ProofState.PASSED),
        ([finding(Severity.MEDIUM)], ProofState.PASSED),
        ([finding(Severity.CRITICAL, suppressed=True)], ProofState.PASSED),
    ],
)
def test_the_verdict(found: list[Finding], state: ProofState) -> None:
    assert verdict(found, 3, {})[0] is state


@pytest.mark.parametrize("cause", Cause)
@pytest.mark.parametrize("analyzed", [0, 3])
def test_what_was_left_out_is_never_passed(cause: Cause, analyzed: int) -> None:
    assert verdict([], analyzed, {cause: 1})[0] is ProofState.INCOMPLETE
    assert verdict([finding(Severity.HIGH)], analyzed, {cause: 1})[0] is ProofState.FAILED


def test_without_anything_to_analyse_there_is_no_verdict() -> None:
    assert verdict([], 0, {})[0] is ProofState.SKIPPED


def test_the_reason_has_the_numbers() -> None:
    found = [finding(Severity.HIGH), finding(Severity.LOW), finding(Severity.LOW, suppressed=True)]
    assert verdict(found, 1_200, {Cause.TIME: 1, Cause.SECRET: 2})[1] == (
        "1,200 files analyzed, 3 skipped or only partly checked (2 with secrets, 1 timed out). "
        "1 of 2 findings has high or critical severity."
    )
    assert verdict(found[1:], 5, {Cause.SIZE: 1})[1] == (
        "Not everything was checked: 5 files analyzed, 1 skipped or only partly checked "
        "(1 too large)."
    )
    assert verdict(found[1:], 1, {})[1] == (
        "1 file analyzed. 1 finding, none of high or critical severity with at least medium "
        "confidence."
    )
    assert verdict([], 1, {})[1] == "1 file analyzed. No findings."
    assert counts(found) == {
        Severity.CRITICAL: 0,
        Severity.HIGH: 1,
        Severity.MEDIUM: 0,
        Severity.LOW: 1,
        Severity.INFO: 0,
    }


def test_files_with_secrets_among_those_left_out() -> None:
    skipped = [
        SkippedFile("/b/.env", "dotenv"),
        SkippedFile("/big.bin", "binary"),
        SkippedFile("/a.py", "github-token"),
    ]
    assert [each.path for each in secret_files(skipped)] == ["/a.py", "/b/.env"]


def reader(*said: ProofStatus | Exception | None) -> Callable[[], ProofStatus | None]:
    left = iter(said)

    def read() -> ProofStatus | None:
        now = next(left)
        if isinstance(now, Exception):
            raise now
        return now

    return read


def test_changes_are_told_once_and_end_with_the_last_state() -> None:
    lost = OperationalError("SELECT", {}, Exception("gone"))
    read = reader(QUEUED, QUEUED, lost, QUEUED, RUNNING, PASSED)
    told = list(service.changes(read, 0))
    assert told == [QUEUED, None, None, None, RUNNING, PASSED]
    assert list(service.changes(reader(RUNNING, None), 0)) == [RUNNING]


def test_frames_are_numbered_and_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "HEARTBEAT_SECONDS", 0)
    sent = list(service.frames(iter([QUEUED, None, RUNNING]), lambda: False, lambda: True))
    assert [each.split(b"\n")[0] for each in sent] == [b"id: 1", b": ping", b"id: 2"]
    assert b'event: proof\ndata: {"status":"queued","revision":1}\n\n' in sent[0]


def test_frames_end_when_nobody_reads_or_may_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> Iterator[ProofStatus | None]:
        yield QUEUED
        while True:
            time.sleep(0.01)
            yield None

    assert len(list(service.frames(endless(), lambda: True, lambda: True))) == 1
    monkeypatch.setattr(service, "CREDENTIAL_SECONDS", 0.05)
    assert len(list(service.frames(endless(), lambda: False, lambda: False))) == 1


@pytest.mark.parametrize("error", [SystemExit, RuntimeError, Timeout])
def test_whatever_an_engine_raises_its_file_has_an_outcome(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """Check that each file has an outcome. Otherwise, code that waits for all outcomes would
    never end."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(ContentAnalysis, "analyze", fails)
    settings, nothing = SimpleNamespace(run_timeout=9), SimpleNamespace()
    pool = SimpleNamespace(slots=SimpleNamespace(count=1), nursery=None, texts=None)
    analysis: Any = FileAnalysis(*(settings, nothing, pool))  # type: ignore[arg-type]
    work = [(Task(n * 64, "python", ""), FileEntry(f"/{n}.py", n * 64, 1)) for n in "ab"]
    texts = SimpleNamespace(of=lambda entries: ((each.path, "x") for each in entries))
    engine = SimpleNamespace(waits_for_workers=False)
    with analysis.outcomes(engine, work, texts) as found:
        told = [found.get(timeout=9) for _ in work]
    assert [each.result for each in told] == [None, None]
    assert all(each.reason for each in told)
