"""The judge of a run: all checks of new code, and the search for the rules that pass them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

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
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.readable import expected_equivalence
from codeintel.engine.sandbox.behaviour import Behaviour
from codeintel.engine.sandbox.javascript.behaviour import JavaScriptBehaviour
from codeintel.engine.sandbox.javascript.pairs import Pair, Prepared
from codeintel.platform.node_preparation import PREPARE
from codeintel.platform.node_sandbox import NodeSandbox
from codeintel.platform.workers.pool import AnalyzerPool, WorkerError
from codeintel.platform.workers.text_functions import TextWorkError

_WEIGHTY = frozenset({Category.CORRECTNESS, Category.SECURITY, Category.SECRETS})
"""The categories of findings that count against new code. Style may change."""
log = logging.getLogger(__name__)


_SCRIPTS = frozenset({"javascript", "typescript"})
_MAX_NAMED = 5
_NOT_REACHED = "Skipped, because an earlier check has failed."
COMPLETED = "completed"
"""The name of the check that stands for all checks if they could not run."""
SAME_BEHAVIOUR = "same_behaviour"
Analyze = Callable[[AnalyzerRequest], Iterator[AnalyzerOutputFrom | AnalyzerReport]]


class Tally(NamedTuple):
    """The number of findings by rule, the rules about security or secrets, and the unfinished
    analyzers.
    """

    findings: Counter[str]
    grave: set[str]
    unfinished: set[str]


class Judged(msgspec.Struct, frozen=True):
    """A verdict with the diff."""

    verdict: Verdict
    diff: str


class Judge:
    """Checks the candidates of one task. The last verdict is cached, because the last candidate is
    the answer.

    :param analyze: runs all analyzers that support a request.
    :param ways: the registered transformations for the task, by name.
    :param sandbox: where code may be executed; None disables execution.
    """

    def __init__(
        self,
        pool: AnalyzerPool,
        account_id: str,
        analyze: Analyze,
        promises: Sequence[Promise],
        ways: Mapping[str, Transformation],
        sandbox: NodeSandbox | None = None,
    ) -> None:
        self._pool = pool
        self._account_id = account_id
        self._analyze = analyze
        self._promises = promises
        self._ways = ways
        self._sandbox = sandbox
        self._behaviour: Behaviour | JavaScriptBehaviour | None = None
        self._before: Tally | None = None
        self._kept: dict[tuple[Candidate, tuple[str, ...]], Judged] = {}

    def judge(self, task: TransformTask, candidate: Candidate, without: Sequence[str]) -> Judged:
        """Return the verdict on a candidate.

        :param without: the rules that were omitted to create it.
        """
        key = (candidate, tuple(without))
        if key not in self._kept:
            self._kept.clear()
            self._kept[key] = self._judged(task, *key)
        return self._kept[key]

    def _judged(
        self, task: TransformTask, candidate: Candidate, without: tuple[str, ...]
    ) -> Judged:
        way = self._ways.get(candidate.transformation)
        try:
            diff, checks = self._pool.compare(
                self._account_id, self._comparison(task, candidate, way)
            )
        except WorkerError as error:
            return Judged(_added(Verdict(checks=()), COMPLETED, "V1", failed(str(error))), "")
        verdict = Verdict(checks=tuple(checks))
        findings = self._unless_lost(verdict, task, lambda: self._findings(task, candidate, way))
        verdict = _added(verdict, Promise.NO_NEW_FINDINGS, "V3", findings)
        stable = self._unless_lost(
            verdict, task, lambda: self._stable(task, candidate, way, without)
        )
        verdict = _added(verdict, Promise.STABLE, "V2", stable)
        if self._runs(task) and not self._is_lost(verdict, task):
            verdict = _added(verdict, SAME_BEHAVIOUR, "V4", self._behaves(task, candidate))
        return Judged(_without_settled_doubts(verdict), diff)

    def _unless_lost(
        self, verdict: Verdict, task: TransformTask, look: Callable[[], Evidence]
    ) -> Evidence:
        return not_applicable(_NOT_REACHED) if self._is_lost(verdict, task) else look()

    def _is_lost(self, verdict: Verdict, task: TransformTask) -> bool:
        """Return whether the result is rejected regardless of later checks.

        A tentative failure can be settled by executing the code, where that is possible.
        """
        failures = verdict.failures
        only_doubts = all(check.tentative for check in failures)
        return bool(failures) and not (only_doubts and self._runs(task))

    def _comparison(
        self, task: TransformTask, candidate: Candidate, way: Transformation | None
    ) -> Comparison:
        promised = way.equivalence if way is not None else expected_equivalence(task)
        return Comparison(
            before=task.code,
            after=candidate.code,
            language=task.language,
            target=task.target,
            changes=candidate.changes,
            losses=candidate.losses,
            equivalence=promised,
            by_model=way is None or (promised is None and Promise.EQUIVALENT in self._promises),
        )

    def _stable(
        self,
        task: TransformTask,
        candidate: Candidate,
        way: Transformation | None,
        without: tuple[str, ...],
    ) -> Evidence:
        """Return whether the same transformation would leave its result unchanged."""
        if way is None:
            return not_applicable("A model's next answer cannot be predicted.")
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
            return failed("The same transformation cannot parse its own result.")
        if again.code != candidate.code:
            return failed("The same transformation would change its own result again.")
        return passed("The same transformation leaves its own result unchanged.")

    def _findings(
        self, task: TransformTask, candidate: Candidate, way: Transformation | None
    ) -> Evidence:
        """Return whether analyzers have no new findings in the result."""
        if task.language != task.target:
            return not_applicable("Findings in different languages cannot be compared.")
        if candidate.code == task.code:
            return passed("Nothing was changed.")
        if self._before is None:
            self._before = self._tally(task.code, task.language)
        before, after = self._before, self._tally(candidate.code, task.target)
        incomplete = sorted(before.unfinished | after.unfinished)
        new = sorted((after.findings - before.findings).keys())
        if new:
            named = ", ".join(new[:_MAX_NAMED])
            # Code with a proof of the same behavior has no new bug, because the original had the
            # bug, too. For rules, that proof is the rule's own claim, so the finding counts against
            # the claim.
            can_settle = way is None and after.grave.isdisjoint(new)
            return failed(
                f"Analyzers report new findings in the result: {named}.", tentative=can_settle
            )
        if incomplete:
            return not_applicable(f"Not all analyzers finished: {', '.join(incomplete)}.")
        return passed(
            f"{after.findings.total()} findings about correctness, security and secrets in the "
            f"result, {before.findings.total()} in the original, and no new kind."
        )

    def _runs(self, task: TransformTask) -> bool:
        """Return whether the original and the result are executed."""
        if self._sandbox is None or Promise.EQUIVALENT not in self._promises:
            return False
        is_python = task.language == task.target == "python"
        return is_python or (_is_script(task) and self._sandbox.has_node)

    def _behaves(self, task: TransformTask, candidate: Candidate) -> Evidence:
        """Return whether the result behaves as the original does."""
        if self._behaviour is None and self._sandbox is not None:
            self._behaviour = self._new_behaviour(self._sandbox, task)
        if self._behaviour is None:
            return not_applicable("The code was not run.")
        return self._behaviour.compare(candidate.code)

    def _new_behaviour(
        self, sandbox: NodeSandbox, task: TransformTask
    ) -> Behaviour | JavaScriptBehaviour:
        if not _is_script(task):
            return Behaviour(sandbox, self._account_id, task.code)
        return JavaScriptBehaviour(
            sandbox, self._account_id, task.code, task.language, task.target, self._prepared
        )

    def _prepared(self, pair: Pair) -> Prepared | None:
        """Prepare two programs in a worker process, because that parses them. Return None if it
        fails."""
        try:
            return next(self._pool.texts.run(self._account_id, PREPARE, [pair]), None)
        except TextWorkError:
            log.warning("two programs could not be prepared for the sandbox")
            return None

    def _tally(self, code: str, language: str) -> Tally:
        tally = Tally(Counter(), set(), set())
        for said in self._analyze(AnalyzerRequest(code, language)):
            if isinstance(said, AnalyzerReport):
                if said.status is not AnalyzerStatus.COMPLETED:
                    tally.unfinished.add(said.name)
            elif isinstance(said.output, Reported) and said.output.finding.category in _WEIGHTY:
                finding = said.output.finding
                rule = f"{finding.engine}/{finding.rule_id}"
                tally.findings[rule] += 1
                if finding.category is not Category.CORRECTNESS:
                    tally.grave.add(rule)
        return tally


def _is_script(task: TransformTask) -> bool:
    """Return whether the original and the result can run in Node.js."""
    pair = (task.language, task.target)
    return (task.target != "typescript" and set(pair) <= _SCRIPTS) or pair == ("typescript",) * 2


def _without_settled_doubts(verdict: Verdict) -> Verdict:
    """Return the verdict without tentative failures, if a conclusive check has settled them.

    This requires that all failures are tentative.
    """
    if not all(check.tentative for check in verdict.failures):
        return verdict
    proofs = [
        check.name
        for check in verdict.checks
        if check.conclusive and check.status is CheckStatus.PASSED
    ]
    if not proofs:
        return verdict
    return msgspec.structs.replace(
        verdict, checks=tuple(_settled(check, proofs[0]) for check in verdict.checks)
    )


def _settled(check: Check, proof: str) -> Check:
    if check.status is not CheckStatus.FAILED:
        return check
    return msgspec.structs.replace(
        check,
        status=CheckStatus.NOT_APPLICABLE,
        evidence=f"`{proof}` has settled this doubt: {check.evidence}",
        tentative=False,
    )


def _added(verdict: Verdict, name: str, level: str, evidence: Evidence) -> Verdict:
    return msgspec.structs.replace(verdict, checks=(*verdict.checks, evidence.check(name, level)))


def passing(rules: Sequence[str], passes: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """Return as many of the rules as pass together, found by halving.

    For `k` failing rules among `n`, this takes about `k * log2(n)` attempts.

    :param passes: returns whether the changes of these rules pass. It is never called without
        rules.
    """
    return _kept(frozenset(), tuple(dict.fromkeys(rules)), passes)


def _kept(
    kept: frozenset[str], more: tuple[str, ...], passes: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    """Return the accepted rules, and those of `more` that pass together with them."""
    together = kept.union(more)
    if not more or passes(together):
        return together
    if len(more) == 1:
        return kept
    half = len(more) // 2
    return _kept(_kept(kept, more[:half], passes), more[half:], passes)
