"""What an engine is given to transform code with, and what becomes of its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from codeintel.contracts import (
    Candidate,
    CheckStatus,
    Failed,
    Incomplete,
    Promise,
    RewriteRequest,
    Transformation,
    TransformationKind,
    TransformationResult,
    TransformTask,
    Unsupported,
    Verdict,
    VerdictOutcome,
)
from codeintel.contracts.events import VerificationEvent
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.platform.sandbox.sandbox import Sandbox
from codeintel.platform.workers.pool import WorkerError
from codeintel.runs.execution.context import LoggedContext
from codeintel.runs.execution.judge import SAME_BEHAVIOUR, Judge, Judged

MAX_ATTEMPTS = 40
BISECTION_SECONDS = 45.0
"""For leaving out rules whose changes do not pass; after that the rest is left out."""
MAX_REASONS = 3
INVALID_CODE = "invalid_code"
"""The reason of a run that fails because the code sent does not parse."""
V4_OFF = "The code was not run: execution is off here."
V4_NOT_DONE = "The code was not run: what is run is Python that stays Python and passes the rest."


class LoggedTransformContext(LoggedContext):
    """The :class:`codeintel.contracts.TransformContext` of one run.

    :param ways: the registered transformations for the task, the preferred one first.
    :param sandbox: where code may be run; None where it may not.
    """

    def __init__(
        self,
        *args: Any,
        kind: TransformationKind,
        ways: Sequence[Transformation],
        sandbox: Sandbox | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.ways = tuple(ways)
        self._without: dict[str, tuple[str, ...]] = {}
        by_name = {way.name: way for way in ways}
        self._judge = Judge(
            self._pool, self._account_id, self.analyze, kind.promises, by_name, sandbox
        )
        self._can_run = sandbox is not None

    def rewrite(self, way: Transformation, task: TransformTask) -> Candidate:
        candidate = self._proposed(way, task)
        verdict = self.judge(task, candidate)
        if candidate.code == task.code:
            self._refuse_unreadable(verdict)
        if not verdict.failures or candidate.code == task.code:
            return candidate
        rules = tuple(dict.fromkeys(change.rule for change in candidate.changes))
        self.progress(f"{verdict.failures[0].evidence} Looking for the rules that cause it.")
        kept = passing(rules, self._attempts(way, task, frozenset(rules)))
        left_out = tuple(sorted(kept.symmetric_difference(rules)))
        if left_out:
            self.progress(f"Left out, for it did not pass the checks: {', '.join(left_out)}.")
        return self._proposed(way, task, left_out)

    @staticmethod
    def _refuse_unreadable(verdict: Verdict) -> None:
        """There is nothing to change in code that nobody can read, and nothing to pay for."""
        for check in verdict.failures:
            if check.name == Promise.PARSES:
                raise Failed(INVALID_CODE, f"{check.evidence} Nothing was charged.")

    def _unreadable(self, task: TransformTask) -> str | None:
        """Why the code that was sent cannot be read; None where it can, or nobody can tell."""
        same = Comparison(
            before=task.code, after=task.code, language=task.language, target=task.language
        )
        try:
            parses = self._pool.compare(self._account_id, same)[1][0]
        except WorkerError:
            return None
        return parses.evidence if parses.status is CheckStatus.FAILED else None

    def _attempts(
        self, way: Transformation, task: TransformTask, rules: frozenset[str]
    ) -> Callable[[frozenset[str]], bool]:
        """Whether what some of the rules change passes; nothing does once the time is over."""
        until = time.monotonic() + BISECTION_SECONDS
        left = MAX_ATTEMPTS

        def passes(kept: frozenset[str]) -> bool:
            nonlocal left
            left -= 1
            if left < 0 or time.monotonic() > until or kept == rules:
                return False
            try:
                candidate = self._proposed(way, task, tuple(sorted(rules - kept)))
            except Failed:  # with the others it did not
                return False
            return not self.judge(task, candidate).failures

        return passes

    def judge(self, task: TransformTask, candidate: Candidate) -> Verdict:
        return self._judged(task, candidate).verdict

    def _judged(self, task: TransformTask, candidate: Candidate) -> Judged:
        return self._judge.judge(task, candidate, self._without.get(candidate.transformation, ()))

    def conclude(
        self, engine: str, task: TransformTask, candidate: Candidate
    ) -> TransformationResult:
        """The result with the candidate, unless the checks refuse it.

        :raises Incomplete: with the original as the result, if it does not.
        """
        judged = self._judged(task, candidate)
        verdict = judged.verdict
        if not any(check.name == SAME_BEHAVIOUR for check in verdict.checks):
            not_run = V4_NOT_DONE if self._can_run else V4_OFF
            verdict = msgspec.structs.replace(verdict, unchecked=(*verdict.unchecked, not_run))
        self._log.append(
            VerificationEvent(
                checks=verdict.checks,
                unchecked=verdict.unchecked,
                verdict=verdict.outcome,
                verified=verdict.is_verified,
            )
        )
        changed = candidate.code != task.code or task.target != task.language
        result = TransformationResult(
            transformation=task.kind,
            source_language=task.language,
            language=task.target,
            engine=candidate.engine or engine,
            code=candidate.code,
            changed=changed,
            verdict=verdict.outcome,
            verified=verdict.is_verified,
            diff=judged.diff,
            changes=candidate.changes,
            losses=candidate.losses,
            checks=verdict.checks,
            unchecked=verdict.unchecked,
        )
        if not changed or not verdict.is_refused:
            return result
        original = unchanged(result.engine, task, verdict)
        raise Incomplete("not_verified", _reasons(verdict), original)

    def _proposed(
        self, way: Transformation, task: TransformTask, without: tuple[str, ...] = ()
    ) -> Candidate:
        """What a transformation proposes without some of its rules."""
        self._without[way.name] = without
        request = RewriteRequest(
            code=task.code,
            language=task.language,
            target=task.target,
            options=task.options,
            without=without,
        )
        try:
            rewrite = self._pool.rewrite(self._account_id, way, request)
        except Unsupported as refusal:
            unreadable = self._unreadable(task)
            if unreadable is not None:
                raise Failed(INVALID_CODE, f"{unreadable} Nothing was charged.") from None
            raise Failed("unsupported_without_model", str(refusal)) from None
        except WorkerError as error:
            raise Failed("transformation_failed", str(error)) from None
        return Candidate(
            code=rewrite.code,
            changes=rewrite.changes,
            losses=rewrite.losses,
            transformation=way.name,
        )


def _reasons(verdict: Verdict) -> str:
    """Why a candidate was not taken."""
    said = [check.evidence for check in verdict.failures][:MAX_REASONS]
    return " ".join(["No result passed the checks, so this is the original.", *said])


def unchanged(
    engine: str, task: TransformTask, verdict: Verdict | None = None
) -> TransformationResult:
    """The original as the result of a transformation that came to nothing.

    :param verdict: on what was tried.
    """
    return TransformationResult(
        transformation=task.kind,
        source_language=task.language,
        language=task.language,
        engine=engine,
        code=task.code,
        changed=False,
        verdict=VerdictOutcome.UNPROVEN,
        verified=False,
        diff="",
        changes=(),
        losses=(),
        checks=verdict.checks if verdict is not None else (),
        unchecked=verdict.unchecked if verdict is not None else (),
    )


def passing(rules: Sequence[str], passes: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """As many of the rules as pass together, found by halving: for few culprits among many rules it
    takes about `k * log2(n)` attempts.

    :param passes: whether what these rules change passes. It need not be asked of none.
    """
    return _added(frozenset(), tuple(dict.fromkeys(rules)), passes)


def _added(
    kept: frozenset[str], more: tuple[str, ...], passes: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    """The kept ones, and those of `more` that pass with them."""
    together = kept.union(more)
    if not more or passes(together):
        return together
    if len(more) == 1:
        return kept
    half = len(more) // 2
    return _added(_added(kept, more[:half], passes), more[half:], passes)
