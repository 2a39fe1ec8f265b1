"""The engine: a model reviews the code, and what it claims is checked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import ClassVar

from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Candidate,
    Engine,
    Failed,
    Finding,
    Incomplete,
    Model,
    RunContext,
    RunKind,
    Transformation,
    TransformContext,
    TransformTask,
    Usage,
)
from codeintel_plugins.openai import claims, conversation
from codeintel_plugins.openai.answers import CHARACTERS_PER_TOKEN, Answer, usage_of
from codeintel_plugins.openai.conversation import Reply
from codeintel_plugins.openai.settings import Options
from codeintel_plugins.openai.transforming import Rounds
from codeintel_plugins.openai.upstream import CannotBegin, Upstream
from codeintel_plugins.static import Collected, StaticEngine
from codeintel_plugins.static.merge import merge, worst_first

log = logging.getLogger(__name__)

_NOTHING: tuple[Finding, ...] = ()
_CUT_LIST = "The model's list of findings broke off: none of them could be taken."
_NO_LIST = "The model gave no list of findings."


class OpenAiEngine(Engine):
    """Asks a model behind an OpenAI-compatible API."""

    name: ClassVar[str] = "openai"
    preference: ClassVar[int] = 100
    transforms_any_language: ClassVar[bool] = True
    version = "1"

    def __init__(self, options: Options) -> None:
        self._options = options
        self._upstream = Upstream(options)
        self._static = StaticEngine()
        self.fallback = StaticEngine.name if options.fallback_static else None

    def available(self, kind: RunKind, model: Model) -> bool:  # noqa: ARG002 - it has both models
        return kind in {RunKind.ANALYSIS, RunKind.TRANSFORM}

    def can_transform(self, task: TransformTask, ways: Sequence[Transformation]) -> bool:  # noqa: ARG002
        return True

    def transform(self, task: TransformTask, context: TransformContext) -> tuple[Candidate, Usage]:
        """Raises :class:`Failed` as :meth:`analyze` does; :class:`Incomplete` when the model sends
        no code."""
        rounds = Rounds(self._options, self._upstream, task, context)
        try:
            return rounds.best(), rounds.usage
        except CannotBegin as failure:
            if self.fallback is None or not context.ways:
                raise Failed(failure.reason, f"{failure.message} Nothing was charged.") from None
            context.progress(f"{failure.message} The static engine answers instead.")
            return self._static.transform(task, context)

    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        """Raises :class:`Failed` when the model breaks off, or cannot begin and nobody may answer
        instead; :class:`Incomplete` when its answer is longer than it may be."""
        collected = Collected(context)
        language, evidence = task.language, _NOTHING
        if self._options.static_evidence:
            language, evidence = self._look(task, context, collected)
        messages = conversation.messages(task, language, evidence)
        asked = sum(len(message["content"]) for message in messages)
        try:
            answer = self._upstream.ask(messages, task.model, context.progress)
        except CannotBegin as failure:
            return self._fall_back(failure, task, context, collected, language)
        try:
            result = self._pass_on(answer, task, context, collected, language, evidence)
        except BaseException as error:
            answer.close()  # by which the API learns of it, whatever it was
            context.used(usage_of(answer, len(task.code), asked))
            if isinstance(error, Failed):
                log.warning("model API at %s broke off: %s", answer.host, error.reason)
            raise
        return result, usage_of(answer, len(task.code), asked)

    def _look(
        self, task: AnalysisTask, context: RunContext, collected: Collected
    ) -> tuple[str | None, tuple[Finding, ...]]:
        """The language of the code, and what the analysers find; the model goes without it where
        none of them could look."""
        language = task.language or collected.detect(task.code)
        try:
            collected.run(task, language)
        except Incomplete as nothing:
            context.progress(nothing.message)
        return language, collected.findings()

    def _fall_back(
        self,
        failure: CannotBegin,
        task: AnalysisTask,
        context: RunContext,
        collected: Collected,
        language: str | None,
    ) -> tuple[AnalysisResult, Usage]:
        """The static engine's answer, if it may answer."""
        if self.fallback is None:
            raise Failed(failure.reason, f"{failure.message} Nothing was charged.")
        context.progress(f"{failure.message} The static engine answers instead.")
        if not self._options.static_evidence:
            return self._static.analyze(task, context)
        if not collected.has_looked:
            raise Incomplete(
                "no_analyzer_completed", "No analyser could check the code: nothing is known of it."
            )
        return collected.result(task, language), Usage(input_characters=len(task.code))

    def _pass_on(
        self,
        answer: Answer,
        task: AnalysisTask,
        context: RunContext,
        collected: Collected,
        language: str | None,
        evidence: tuple[Finding, ...],
    ) -> AnalysisResult:
        """Send the answer as it comes, then what could be made of its list of findings."""
        context.expect_output(self._options.max_tokens * CHARACTERS_PER_TOKEN)
        reply, prose = Reply(), []
        for texts, has_to_come in answer:
            for text in texts:
                said = reply.feed(text)
                if said:
                    context.output(said)
                    prose.append(said)
            if has_to_come:
                context.coalesce()
        last = reply.end()
        if last:
            context.output(last)
            prose.append(last)
        findings = self._checked(reply, task, context, evidence)
        if answer.finish_reason == "length":
            raise Incomplete("length", "The model's answer reached its longest length.")
        if answer.finish_reason == "content_filter":
            raise Incomplete("content_filter", "The model's API cut its answer off by a filter.")
        return collected.whole(self.name, language, "".join(prose), findings)

    def _checked(
        self,
        reply: Reply,
        task: AnalysisTask,
        context: RunContext,
        evidence: tuple[Finding, ...],
    ) -> tuple[Finding, ...]:
        """The findings of analysers and model. What both have found was sent already, in the words
        of the analyser."""
        if reply.claims is None:
            context.progress(_CUT_LIST if reply.was_cut else _NO_LIST)
            return evidence
        claimed = []
        for claim in claims.findings(reply.claims, task.code, self.name):
            claimed.append(claim)
            context.pause()  # long code takes a while to search
        both = merge((*evidence, *claimed), context.pause)
        new = [finding for finding in both if finding.engine == self.name]
        for finding in new:
            context.finding(finding)
        return tuple(sorted((*evidence, *new), key=worst_first))
