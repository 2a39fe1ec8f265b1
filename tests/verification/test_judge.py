"""The verdict: which checks run, which count, and the outcome of checks that break off."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeintel.contracts import (
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Candidate,
    Category,
    Check,
    CheckStatus,
    Confidence,
    Equivalence,
    Finding,
    Promise,
    Range,
    Reported,
    Rewrite,
    Severity,
    Transformation,
    TransformTask,
    Verdict,
    VerdictOutcome,
)
from codeintel.engine.equivalence.comparison import LEVELS, NAMES, Comparison
from codeintel.platform.workers.pool import AnalyzerPool, WorkerError
from codeintel.platform.workers.protocol import (
    Checked,
    Differs,
    Done,
    Message,
    decode_job,
    receive_frame,
    send_frame,
)
from codeintel.runs.judge import Judge

PASSED, FAILED, NEITHER = CheckStatus.PASSED, CheckStatus.FAILED, CheckStatus.NOT_APPLICABLE
CODE, NEW = "a = 1\n", "a = 2\n"


def check(name: str, status: CheckStatus = PASSED) -> Check:
    return Check(name=name, level=LEVELS[name], status=status, evidence="It was looked at.")


class Way(Transformation):
    name = kind = "way"
    languages = frozenset({"python"})
    equivalence = Equivalence.NORMAL_FORM

    def rewrite(self, request: Any) -> Rewrite:
        raise NotImplementedError


class Pool:
    """A pool with predefined results of checks, whose transformations change nothing."""

    def __init__(self, **ends: CheckStatus) -> None:
        self.ends = ends
        self.compared: list[Comparison] = []
        self.again: str | None = None

    def compare(self, _account_id: str, comparison: Comparison) -> tuple[str, list[Check]]:
        self.compared.append(comparison)
        return "diff", [check(name, self.ends.get(name, PASSED)) for name in NAMES]

    def rewrite(self, _account_id: str, _way: Transformation, request: Any) -> Rewrite:
        return Rewrite(code=self.again or request.code)


def verdict(
    pool: Any,
    *statuses: AnalyzerStatus,
    way: Transformation | None = None,
    promises: tuple[Promise, ...] = tuple(Promise),
    kind: str = "refactor",
    language: str = "python",
    target: str = "",
) -> dict[str, CheckStatus]:
    left = list(statuses)

    def analyze(_request: AnalyzerRequest) -> Iterator[AnalyzerReport]:
        status = left.pop(0) if left else AnalyzerStatus.COMPLETED
        yield AnalyzerReport(name="ruff", version="1", status=status, findings=0, milliseconds=1)

    ways = {way.name: way} if way is not None else {}
    judge = Judge(pool, "acc_1", analyze, promises, ways)
    task = TransformTask(
        code=CODE, kind=kind, language=language, target=target or language, options={}
    )
    candidate = Candidate(code=NEW, transformation=way.name if way is not None else "")
    found = judge.judge(task, candidate, ()).verdict
    assert found.is_refused is any(each.status is FAILED for each in found.checks), (
        "all of these parse"
    )
    return {each.name: each.status for each in found.checks}


def test_all_checks_are_told() -> None:
    assert verdict(Pool(), way=Way()) == dict.fromkeys(
        [*NAMES, Promise.NO_NEW_FINDINGS, Promise.STABLE], PASSED
    )


def test_what_was_not_reached_is_told() -> None:
    found = verdict(Pool(equivalent=FAILED), way=Way())
    assert (found["no_new_findings"], found["stable"]) == (NEITHER, NEITHER)


def test_a_transformation_that_goes_on_is_not_stable() -> None:
    pool = Pool()
    pool.again = "a = 3\n"
    assert verdict(pool, way=Way())["stable"] is FAILED


class Proven(Pool):
    """A pool that has proven that the result is equivalent."""

    def compare(self, account_id: str, comparison: Comparison) -> tuple[str, list[Check]]:
        diff, checks = super().compare(account_id, comparison)
        return diff, [msgspec.structs.replace(each, conclusive=True) for each in checks]


@pytest.mark.parametrize(
    ("way", "category", "pool", "expected"),
    [
        (None, Category.CORRECTNESS, Proven(), NEITHER),
        (None, Category.CORRECTNESS, Pool(), FAILED),
        (None, Category.SECURITY, Proven(), FAILED),
        (None, Category.SECRETS, Proven(), FAILED),
        (Way(), Category.CORRECTNESS, Proven(), FAILED),
        (None, Category.MAINTAINABILITY, Pool(), PASSED),
    ],
)
def test_only_a_proof_settles_what_analysers_newly_find(
    way: Way | None, category: Category, pool: Any, expected: CheckStatus
) -> None:
    def analyze(request: AnalyzerRequest) -> Iterator[AnalyzerOutputFrom]:
        if request.code == NEW:
            yield AnalyzerOutputFrom("ruff", Reported(new_finding(category)))

    ways = {way.name: way} if way is not None else {}
    judge = Judge(pool, "acc_1", analyze, tuple(Promise), ways)
    task = TransformTask(code=CODE, kind="refactor", language="python", target="python", options={})
    candidate = Candidate(code=NEW, transformation=way.name if way is not None else "")
    checks = {each.name: each for each in judge.judge(task, candidate, ()).verdict.checks}
    assert checks["no_new_findings"].status is expected
    if expected is NEITHER:
        assert "has settled this doubt" in checks["no_new_findings"].evidence


def new_finding(category: Category) -> Finding:
    return Finding(
        rule_id="X1",
        engine="ruff",
        severity=Severity.LOW,
        confidence=Confidence.LOW,
        cwe=None,
        message="It is new.",
        range=Range(start_line=1, start_column=1, end_line=1, end_column=2),
        category=category,
    )


@pytest.mark.parametrize("late", [AnalyzerStatus.TIMED_OUT, AnalyzerStatus.TRUNCATED])
@pytest.mark.parametrize("first", [True, False])
def test_analysers_that_do_not_end_show_nothing(late: AnalyzerStatus, first: bool) -> None:
    done = AnalyzerStatus.COMPLETED
    statuses = (late, done) if first else (done, late)
    assert verdict(Pool(), *statuses, way=Way())["no_new_findings"] is NEITHER


def test_kinds_that_do_not_promise_it_are_analysed_all_the_same() -> None:
    found = verdict(Pool(), way=Way(), promises=(Promise.PARSES,))
    assert found["no_new_findings"] is PASSED


@pytest.mark.parametrize(
    ("kind", "language", "target", "expected"),
    [
        ("refactor", "python", "", Equivalence.NORMAL_FORM),
        ("document", "python", "", Equivalence.SYNTAX_TREE),
        ("document", "kotlin", "", Equivalence.COMMENTS),
        ("refactor", "kotlin", "", None),
        ("convert", "python", "go", None),
        ("convert", "typescript", "javascript", Equivalence.TYPE_REMOVAL),
        ("convert", "javascript", "typescript", None),
        ("convert", "json", "toml", Equivalence.DATA_MODEL),
        ("refactor", "yaml", "", Equivalence.DATA_MODEL),
        ("convert", "json", "python", None),
        ("convert", "postgres", "tsql", Equivalence.QUERY_PLAN),
        ("optimize", "sqlite", "", Equivalence.QUERY_PLAN),
    ],
)
def test_what_models_write_is_compared_as_their_task_allows(
    kind: str, language: str, target: str, expected: Equivalence | None
) -> None:
    pool = Pool()
    assert verdict(pool, kind=kind, language=language, target=target)["stable"] is NEITHER
    (comparison,) = pool.compared
    assert (comparison.equivalence, comparison.by_model) == (expected, True)


@pytest.mark.parametrize("promises", [(Promise.EQUIVALENT,), (Promise.PARSES,)])
def test_without_a_way_to_compare_new_words_count_unless_nothing_is_promised(
    promises: tuple[Promise, ...],
) -> None:
    class Own(Way):
        equivalence = None

    pool = Pool()
    verdict(pool, way=Own(), promises=promises)
    assert pool.compared[0].by_model is (Promise.EQUIVALENT in promises)


def answers(*said: Message) -> AnalyzerPool:
    """Return a pool whose checks send these messages and then end."""

    class Nursery:
        def kill(self, _job: int) -> None: ...

        def fork(self) -> tuple[int, socket.socket]:
            ours, theirs = socket.socketpair()
            threading.Thread(target=work, args=(theirs,), daemon=True).start()
            return 1, ours

    def work(connection: socket.socket) -> None:
        with connection:
            receive_frame(connection, decode_job)
            for message in said:
                send_frame(connection, message)

    pool = AnalyzerPool(1, {}, Path())
    pool.nursery = Nursery()  # type: ignore[assignment]
    return pool


ALL = tuple(Checked(check(name)) for name in NAMES)


@pytest.mark.parametrize(
    "said",
    [
        (Differs(""), ALL[0]),
        (Differs(""), *ALL),
        (Differs(""), *ALL[:-1], Done()),
        (Differs(""), *ALL, Done(truncated=True)),
        (Differs(""), *ALL, Done(error="MemoryError")),
        (),
    ],
    ids=["dies", "dies late", "leaves one out", "says too much", "fails", "says nothing"],
)
def test_checks_that_break_off_are_no_verdict(said: tuple[Message, ...]) -> None:
    pool = answers(*said)
    comparison = Comparison(before=CODE, after=NEW, language="python", target="python")
    with pytest.raises(WorkerError):
        pool.compare("acc_1", comparison)
    found = Judge(pool, "acc_1", lambda _: iter(()), (), {}).judge(
        TransformTask(code=CODE, kind="k", language="python", target="python", options={}),
        Candidate(code=NEW),
        (),
    )
    assert not found.verdict.is_verified
    assert [each.name for each in found.verdict.failures] == ["completed"]


def test_checks_that_end_well() -> None:
    pool = answers(Differs("diff"), *ALL, Done())
    comparison = Comparison(before=CODE, after=NEW, language="python", target="python")
    diff, checks = pool.compare("acc_1", comparison)
    assert (diff, [each.name for each in checks]) == ("diff", list(NAMES))
    assert Verdict(checks=tuple(checks)).outcome is VerdictOutcome.CHECKED
