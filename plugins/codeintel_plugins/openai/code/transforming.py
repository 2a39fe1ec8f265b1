"""Having a model transform code: what it writes is checked, and it is told what was wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from codeintel.contracts import (
    Candidate,
    Failed,
    Incomplete,
    TransformContext,
    TransformTask,
    Usage,
    Verdict,
    VerdictOutcome,
)
from codeintel_plugins.openai.answers import Answer
from codeintel_plugins.openai.code import rewriting
from codeintel_plugins.openai.code.reply import CodeReply
from codeintel_plugins.openai.counting import CHARACTERS_PER_TOKEN, total, usage_of
from codeintel_plugins.openai.settings import Options
from codeintel_plugins.openai.upstream import CannotBegin, Upstream

_BEST_FIRST = (VerdictOutcome.PROVEN, VerdictOutcome.CHECKED, VerdictOutcome.UNPROVEN)


@dataclass
class Attempt:
    """One answer of the model: its words and code, and what the checks say of the code."""

    said: str
    candidate: Candidate | None
    verdict: Verdict | None = None

    @property
    def rank(self) -> tuple[bool, int, int]:
        """The least is the best: proven before checked, checked before refused."""
        if self.verdict is None:
            return self.candidate is None, len(_BEST_FIRST), 0
        return (
            self.candidate is None,
            _BEST_FIRST.index(self.verdict.outcome),
            len(self.verdict.failures),
        )


@dataclass
class Rounds:
    """The conversation about one task.

    :param usages: what each answer used.
    """

    options: Options
    upstream: Upstream
    task: TransformTask
    context: TransformContext
    usages: list[Usage] = field(default_factory=list)

    def best(self) -> Candidate:
        """The first answer that the checks do not refuse, else the one that fails the fewest. An
        answer that is only checked ends the rounds too: there is nothing to complain of.

        :raises CannotBegin: if no model answers the first time.
        :raises Failed: if it breaks off the first time.
        :raises Incomplete: if it never sends code.
        """
        conversation = rewriting.messages(self.task)
        attempts: list[Attempt] = []
        for number in range(self.options.repair_rounds + 1):
            try:
                attempt = self._ask(conversation)
            except (CannotBegin, Failed) as failure:
                if not attempts:
                    raise
                self.context.progress(failure.message)
                break
            attempts.append(attempt)
            if attempt.verdict is not None and not attempt.verdict.is_refused:
                break
            if number < self.options.repair_rounds:
                complaint = rewriting.corrected(attempt.verdict)
                self.context.progress(f"Round {number + 1}: {complaint['content']}")
                conversation = [*conversation, rewriting.answered(attempt.said), complaint]
        best = min(attempts, key=lambda attempt: attempt.rank)
        if best.candidate is None:
            raise Incomplete("no_code", "The model sent no complete file.")
        if best.candidate != attempts[-1].candidate and best.verdict is not None:
            self.context.judge(self.task, best.candidate)  # the last one judged is the answer
        return best.candidate

    @property
    def usage(self) -> Usage:
        """What all answers used."""
        return total(len(self.task.code), self.usages)

    def _ask(self, conversation: list[dict[str, str]]) -> Attempt:
        asked = sum(len(message["content"]) for message in conversation)
        answer = self.upstream.ask(conversation, self.task.model, self.context.progress)
        try:
            attempt = self._read(answer)
        except BaseException:
            answer.close()  # by which the API learns of it, whatever it was
            raise
        finally:
            self.usages.append(usage_of(answer, len(self.task.code), asked))
            self.context.used(self.usage)
        if attempt.candidate is not None:
            attempt.verdict = self.context.judge(self.task, attempt.candidate)
        return attempt

    def _read(self, answer: Answer) -> Attempt:
        """The whole answer; its prose is passed on as it comes."""
        self.context.expect_output(self.options.max_tokens * CHARACTERS_PER_TOKEN)
        reply, said = CodeReply(), []
        for texts, has_to_come in answer:
            for text in texts:
                said.append(text)
                self._pass_on(reply.feed, text)
            if has_to_come:
                self.context.coalesce()
        self._pass_on(lambda _: reply.end(), "")
        if answer.finish_reason == "content_filter":
            raise Failed("content_filter", "The model's API cut its answer off by a filter.")
        code = reply.code if answer.finish_reason != "length" else None
        candidate = None if code is None else Candidate(code=_ended_like(code, self.task.code))
        return Attempt("".join(said), candidate)

    def _pass_on(self, part: Callable[[str], str], text: str) -> None:
        prose = part(text)
        if prose:
            self.context.output(prose)


def _ended_like(code: str, original: str) -> str:
    """The code with the original's line ends, and its last line ended as there."""
    code = code.replace("\r\n", "\n")
    if not original.endswith("\n"):
        code = code.removesuffix("\n")
    return code.replace("\n", "\r\n") if "\r\n" in original else code
