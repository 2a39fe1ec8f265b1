"""The judge of a run: every check of new code, those of worker processes and those of analysers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from codeintel.contracts import (
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Candidate,
    Category,
    Check,
    CheckStatus,
    Promise,
    Reported,
    RewriteRequest,
    Transformation,
    TransformTask,
    Unsupported,
    Verdict,
)
from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.execution.behaviour import Behaviour
from codeintel.verification.execution.sandbox import Sandbox
from codeintel.workers.pool import AnalyzerPool, WorkerError

_WEIGHTY = frozenset({Category.CORRECTNESS, Category.SECURITY, Category.SECRETS})
"""What a finding must be about to count against new code: style may change."""
_MAX_NAMED = 5
SAME_BEHAVIOUR = "same_behaviour"
Analyze = Callable[[AnalyzerRequest], Iterator[AnalyzerOutputFrom | AnalyzerReport]]
Tally = Counter[str]


class Judged(msgspec.Struct, frozen=True):
    """A verdict, and what differs."""

    verdict: Verdict
    diff: str


class Judge:
    """Checks the candidates of one task. Verdicts are kept: the last candidate is the answer.

    :param analyze: runs all analysers that understand a request.
    :param ways: the registered transformations for the task, by name.
    :param sandbox: where code may be run; None where it may not.
    """

    def __init__(
        self,
        pool: AnalyzerPool,
        account_id: str,
        analyze: Analyze,
        promises: Sequence[Promise],
        ways: Mapping[str, Transformation],
        sandbox: Sandbox | None = None,
    ) -> None:
        self._pool = pool
        self._account_id = account_id
        self._analyze = analyze
        self._promises = promises
        self._ways = ways
        self._sandbox = sandbox
        self._behaviour: Behaviour | None = None
        self._before: Tally | None = None
        self._kept: dict[tuple[str, str], Judged] = {}

    def judge(self, task: TransformTask, candidate: Candidate, without: Sequence[str]) -> Judged:
        """The verdict on a candidate.

        :param without: the rules that were left out to make it.
        """
        key = (candidate.transformation, candidate.code)
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = self._judged(task, candidate, tuple(without))
        return self._kept[key]

    def _judged(
        self, task: TransformTask, candidate: Candidate, without: tuple[str, ...]
    ) -> Judged:
        way = self._ways.get(candidate.transformation)
        comparison = Comparison(
            before=task.code,
            after=candidate.code,
            language=task.language,
            target=task.target,
            changes=candidate.changes,
            equivalence=way.equivalence if way is not None else None,
            by_model=way is None,
        )
        try:
            diff, checks = self._pool.compare(self._account_id, comparison)
        except WorkerError as error:
            broken = Check(
                name=Promise.PARSES, level="V1", status=CheckStatus.FAILED, evidence=str(error)
            )
            return Judged(Verdict(checks=(broken,)), "")
        verdict = Verdict(checks=tuple(checks))
        if not verdict.failures and Promise.NO_NEW_FINDINGS in self._promises:
            verdict = _with(verdict, Promise.NO_NEW_FINDINGS, "V3", self._findings(task, candidate))
        if not verdict.failures and way is not None:
            stable = self._stable(task, candidate, way, without)
            verdict = _with(verdict, Promise.STABLE, "V2", stable)
        if not verdict.failures and self._runs(task):
            verdict = _with(verdict, SAME_BEHAVIOUR, "V4", self._behaves(task, candidate))
        return Judged(verdict, diff)

    def _stable(
        self,
        task: TransformTask,
        candidate: Candidate,
        way: Transformation,
        without: tuple[str, ...],
    ) -> Evidence:
        """Whether the same transformation would change the result once more."""
        if task.language != task.target:
            return not_applicable("The result is in another language.")
        request = RewriteRequest(
            code=candidate.code,
            language=task.language,
            target=task.target,
            options=task.options,
            without=without,
        )
        try:
            again = self._pool.rewrite(self._account_id, way, request)
        except (WorkerError, Unsupported):
            return failed("The same transformation cannot read its own result.")
        if again.code != candidate.code:
            return failed("The same transformation would change its own result once more.")
        return passed("The same transformation changes nothing more in the result.")

    def _findings(self, task: TransformTask, candidate: Candidate) -> Evidence:
        """Whether analysers find what they did not find before."""
        if task.language != task.target:
            return not_applicable("What analysers say of two languages cannot be compared.")
        if candidate.code == task.code:
            return passed("Nothing was changed.")
        if self._before is None:
            self._before = self._tally(task.code, task.language)
        before, after = self._before, self._tally(candidate.code, task.target)
        new = sorted((after - before).keys())
        if new:
            named = ", ".join(new[:_MAX_NAMED])
            return failed(f"Analysers find in the result what was not there: {named}.")
        return passed(
            f"{after.total()} findings about correctness, security and secrets in the result, "
            f"{before.total()} in the original, and no new kind."
        )

    def _runs(self, task: TransformTask) -> bool:
        """Whether original and result are run."""
        is_python = task.language == task.target == "python"
        return self._sandbox is not None and is_python and Promise.EQUIVALENT in self._promises

    def _behaves(self, task: TransformTask, candidate: Candidate) -> Evidence:
        """Whether the result does what the original does."""
        if self._behaviour is None and self._sandbox is not None:
            self._behaviour = Behaviour(self._sandbox, self._account_id, task.code)
        if self._behaviour is None:
            return not_applicable("The code is not run.")
        return self._behaviour.compare(candidate.code)

    def _tally(self, code: str, language: str) -> Tally:
        """How often each rule finds something."""
        tally: Tally = Counter()
        for said in self._analyze(AnalyzerRequest(code, language)):
            if isinstance(said, AnalyzerReport):
                if said.status is AnalyzerStatus.FAILED:
                    tally[f"{said.name} failed"] += 1
            elif isinstance(said.output, Reported) and said.output.finding.category in _WEIGHTY:
                tally[f"{said.output.finding.engine}/{said.output.finding.rule_id}"] += 1
        return tally


def _with(verdict: Verdict, name: str, level: str, evidence: Evidence) -> Verdict:
    check = Check(name=name, level=level, status=evidence.status, evidence=evidence.text)
    return msgspec.structs.replace(verdict, checks=(*verdict.checks, check))
