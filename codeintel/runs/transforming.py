"""What an engine is given to transform code with, and what becomes of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from codeintel.contracts import (
    Candidate,
    Failed,
    Incomplete,
    RewriteRequest,
    Transformation,
    TransformationKind,
    TransformationResult,
    TransformTask,
    Unsupported,
    Verdict,
)
from codeintel.contracts.events import VerificationEvent
from codeintel.runs.context import LoggedContext
from codeintel.verification.bisection import passing
from codeintel.verification.execution.sandbox import Sandbox
from codeintel.verification.judge import SAME_BEHAVIOUR, Judge
from codeintel.workers.pool import WorkerError

MAX_ATTEMPTS = 40
"""At leaving out rules whose changes do not pass; after that the rest is left out."""
MAX_REASONS = 3
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
        self._without: tuple[str, ...] = ()
        by_name = {way.name: way for way in ways}
        self._judge = Judge(
            self._pool, self._account_id, self.analyze, kind.promises, by_name, sandbox
        )
        self._can_run = sandbox is not None

    def rewrite(self, way: Transformation, task: TransformTask) -> Candidate:
        self._without = ()
        candidate = self._proposed(way, task)
        verdict = self.judge(task, candidate)
        if not verdict.failures or candidate.code == task.code:
            return candidate
        rules = tuple(dict.fromkeys(change.rule for change in candidate.changes))
        self.progress(f"{verdict.failures[0].evidence} Looking for the rules that cause it.")
        attempts = 0

        def passes(kept: frozenset[str]) -> bool:
            nonlocal attempts
            attempts += 1
            if attempts > MAX_ATTEMPTS or kept.issuperset(rules):
                return False
            self._without = tuple(rule for rule in rules if rule not in kept)
            return not self.judge(task, self._proposed(way, task)).failures

        kept = passing(rules, passes)
        self._without = tuple(rule for rule in rules if rule not in kept)
        if self._without:
            self.progress(f"Left out, for it did not pass the checks: {', '.join(self._without)}.")
        return self._proposed(way, task)

    def judge(self, task: TransformTask, candidate: Candidate) -> Verdict:
        return self._judge.judge(task, candidate, self._without).verdict

    def conclude(
        self, engine: str, task: TransformTask, candidate: Candidate
    ) -> TransformationResult:
        """The result with the candidate, if it passes.

        :raises Incomplete: with the original as the result, if it does not.
        """
        judged = self._judge.judge(task, candidate, self._without)
        verdict = judged.verdict
        if not any(check.name == SAME_BEHAVIOUR for check in verdict.checks):
            not_run = V4_NOT_DONE if self._can_run else V4_OFF
            verdict = msgspec.structs.replace(verdict, unchecked=(*verdict.unchecked, not_run))
        self._log.append(VerificationEvent(checks=verdict.checks, unchecked=verdict.unchecked))
        changed = candidate.code != task.code
        result = TransformationResult(
            transformation=task.kind,
            source_language=task.language,
            language=task.target,
            engine=candidate.engine or engine,
            code=candidate.code,
            changed=changed,
            verified=verdict.is_verified,
            diff=judged.diff,
            changes=candidate.changes,
            losses=candidate.losses,
            checks=verdict.checks,
            unchecked=verdict.unchecked,
        )
        if not changed or verdict.is_verified:
            return result
        original = unchanged(result.engine, task, verdict)
        raise Incomplete("not_verified", _reasons(verdict), original)

    def _proposed(self, way: Transformation, task: TransformTask) -> Candidate:
        request = RewriteRequest(
            code=task.code,
            language=task.language,
            target=task.target,
            options=task.options,
            without=self._without,
        )
        try:
            rewrite = self._pool.rewrite(self._account_id, way, request)
        except Unsupported as refusal:
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
        verified=False,
        diff="",
        changes=(),
        losses=(),
        checks=verdict.checks if verdict is not None else (),
        unchecked=verdict.unchecked if verdict is not None else (),
    )
