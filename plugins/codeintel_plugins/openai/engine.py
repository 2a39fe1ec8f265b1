"""The engine: a model reviews the code, and what it claims is checked against the code."""

from __future__ import annotations

import hashlib
import logging
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Candidate,
    Category,
    Confidence,
    Engine,
    Failed,
    Finding,
    Incomplete,
    Model,
    Range,
    RunContext,
    RunKind,
    Severity,
    Transformation,
    TransformContext,
    TransformTask,
    Usage,
)
from codeintel.contracts.positions import LineTable
from codeintel_plugins.openai import conversation
from codeintel_plugins.openai.answers import CHARACTERS_PER_TOKEN, Answer, usage_of
from codeintel_plugins.openai.conversation import Reply
from codeintel_plugins.openai.settings import Options
from codeintel_plugins.openai.transforming import Rounds
from codeintel_plugins.openai.upstream import CannotBegin, Upstream
from codeintel_plugins.static import Collected, StaticEngine
from codeintel_plugins.static.merge import merge, worst_first

MAX_CLAIMS = 200
MAX_MESSAGE_CHARACTERS = 500
MAX_RULE_CHARACTERS = 60
_CWE = re.compile(r"(?:CWE-?)?(\d{1,5})", re.IGNORECASE)
_WORD = re.compile(r"[^a-z0-9]+")


class Claim(msgspec.Struct, frozen=True):
    """A finding as the model lists it. Every value may be wrong or of another type."""

    message: str
    quote: str = ""
    line: int = 0
    severity: str = ""
    confidence: str = ""
    category: str = ""
    cwe: str | int | None = None
    rule: str = ""
    remedy: str = ""


def findings(claims: Iterable[Any], code: str, engine: str) -> Iterator[Finding]:
    """Yield the claims as findings, each at the position of its quotation.

    A quotation in another position moves the finding there, to the nearest one. If it is missing in
    the code or in the claim, the finding is `unverified`. Claims without content are dropped.
    """
    quotes = Quotes(code)
    for each in list(claims)[:MAX_CLAIMS]:
        claim = _read(each)
        if claim is not None:
            yield _finding(claim, quotes, engine)


def _read(value: Any) -> Claim | None:
    """Return a claim without its unusable values, or None if it has no message."""
    if not isinstance(value, dict):
        return None
    fields = {name: value.get(name) for name in Claim.__struct_fields__}
    if not isinstance(fields["message"], str) or not fields["message"].strip():
        return None
    kept: dict[str, Any] = {name: each for name, each in fields.items() if _fits(name, each)}
    return Claim(**kept)


def _fits(name: str, value: Any) -> bool:
    if name == "line":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "cwe":
        return isinstance(value, str | int) and not isinstance(value, bool)
    return isinstance(value, str)


def _finding(claim: Claim, quotes: Quotes, engine: str) -> Finding:
    place = quotes.find(claim.quote, claim.line)
    return Finding(
        rule_id=_rule(claim),
        engine=engine,
        severity=_member(Severity, claim.severity, Severity.MEDIUM),
        confidence=_confidence(claim, is_verified=place is not None),
        cwe=_cwe(claim.cwe),
        message=_plain(claim.message),
        range=place or quotes.line(claim.line),
        category=_member(Category, claim.category, Category.CORRECTNESS),
        remedy=_plain(claim.remedy) or UNSET,
        unverified=True if place is None else UNSET,
    )


def _confidence(claim: Claim, *, is_verified: bool) -> Confidence:
    """Return the confidence. A model's claim alone never justifies a high one."""
    if not is_verified:
        return Confidence.LOW
    said = _member(Confidence, claim.confidence, Confidence.MEDIUM)
    return Confidence.MEDIUM if said is Confidence.HIGH else said


def _rule(claim: Claim) -> str:
    """Return a stable name for the kind of finding."""
    name = _WORD.sub("-", claim.rule.lower()).strip("-")[:MAX_RULE_CHARACTERS]
    if name:
        return f"model-{name}"
    cwe = _cwe(claim.cwe)
    if cwe:
        return f"model-{cwe.lower()}"
    return f"model-{hashlib.sha256(claim.message.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _cwe(value: str | int | None) -> str | None:
    match = _CWE.fullmatch(str(value).strip()) if value is not None else None
    return f"CWE-{int(match[1])}" if match and int(match[1]) else None


def _member(type_: Any, value: str, default: Any) -> Any:
    try:
        return type_(value.strip().lower())
    except ValueError:
        return default


def _plain(text: str) -> str:
    """Return one line without control characters, of limited length."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[
        :MAX_MESSAGE_CHARACTERS
    ]


MAX_QUOTE_CHARACTERS = 2_000
MAX_PLACES = 100
_NO_SPACES = re.compile(r"\S+")
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*\|[ \t]?", re.MULTILINE)


class Quotes:
    """Find quotations in a piece of code.

    Models do not keep white space. So quotations are searched in the code with single spaces, and
    positions are converted back.
    """

    def __init__(self, code: str) -> None:
        self._lines = LineTable(code)
        self._plain_starts: list[int] = []
        self._starts: list[int] = []
        words, at = [], 0
        for match in _NO_SPACES.finditer(code):
            self._plain_starts.append(at)
            self._starts.append(match.start())
            words.append(match[0])
            at += len(match[0]) + 1
        self._plain = " ".join(words)

    def find(self, quote: str, line: int) -> Range | None:
        """Return the range of a quotation: the one nearest to a line if it occurs several times."""
        cut = quote[:MAX_QUOTE_CHARACTERS]
        return self._nearest(cut, line) or self._nearest(_LINE_NUMBER.sub("", cut), line)

    def line(self, number: int) -> Range:
        """Return the line with a number, or the nearest that there is."""
        number = min(max(1, number), len(self._lines))
        return Range(number, 1, number, len(self._lines.line(number)) + 1)

    def _nearest(self, quote: str, line: int) -> Range | None:
        wanted = " ".join(quote.split())
        best: Range | None = None
        at = self._plain.find(wanted) if wanted else -1
        for _ in range(MAX_PLACES):
            if at < 0:
                break
            found = self._lines.span(self._offset(at), self._offset(at + len(wanted) - 1) + 1)
            if best is None or abs(found.start_line - line) < abs(best.start_line - line):
                best = found
            at = self._plain.find(wanted, at + 1)
        return best

    def _offset(self, plain: int) -> int:
        """Return the offset into the code of an offset into the code with single spaces."""
        word = bisect_right(self._plain_starts, plain) - 1
        return self._starts[word] + plain - self._plain_starts[word]


log = logging.getLogger(__name__)

_NOTHING: tuple[Finding, ...] = ()
_CUT_LIST = "The model's list of findings was cut off, so it was not used."
_NO_LIST = "The model sent no list of findings."


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
        """Transform the code with the model.

        :raises Failed: as :meth:`analyze` does.
        :raises Incomplete: if the model sends no code.
        """
        rounds = Rounds(self._options, self._upstream, task, context)
        try:
            return rounds.best(), rounds.usage
        except CannotBegin as failure:
            if self.fallback is None or not context.ways:
                raise Failed(failure.reason, f"{failure.message} Nothing was charged.") from None
            context.progress(f"{failure.message} The static engine answers instead.")
            return self._static.transform(task, context)

    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        """Analyze the code with the model.

        :raises Failed: if the model breaks off, or cannot begin and there is no fallback.
        :raises Incomplete: if its answer is longer than allowed.
        """
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
            answer.close()  # tells the API to stop, regardless of the outcome
            context.used(usage_of(answer, len(task.code), asked))
            if isinstance(error, Failed):
                log.warning("model API at %s broke off: %s", answer.host, error.reason)
            raise
        return result, usage_of(answer, len(task.code), asked)

    def _look(
        self, task: AnalysisTask, context: RunContext, collected: Collected
    ) -> tuple[str | None, tuple[Finding, ...]]:
        """Return the language of the code and the analyzers' findings.

        If no analyzer could check the code, the model runs without findings.
        """
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
        """Return the static engine's answer, if it may answer."""
        if self.fallback is None:
            raise Failed(failure.reason, f"{failure.message} Nothing was charged.")
        context.progress(f"{failure.message} The static engine answers instead.")
        if not self._options.static_evidence:
            return self._static.analyze(task, context)
        if not collected.has_looked:
            raise Incomplete("no_analyzer_completed", "No analyzer could check the code.")
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
            raise Incomplete("length", "The model's answer reached the length limit.")
        if answer.finish_reason == "content_filter":
            raise Incomplete(
                "content_filter", "The content filter of the model's API stopped the answer."
            )
        return collected.whole(self.name, language, "".join(prose), findings)

    def _checked(
        self,
        reply: Reply,
        task: AnalysisTask,
        context: RunContext,
        evidence: tuple[Finding, ...],
    ) -> tuple[Finding, ...]:
        """Return the findings of analyzers and model. What both have found was sent already, in
        the words of the analyzer."""
        if reply.claims is None:
            context.progress(_CUT_LIST if reply.was_cut else _NO_LIST)
            return evidence
        claimed = []
        for claim in findings(reply.claims, task.code, self.name):
            claimed.append(claim)
            context.pause()  # long code takes a while to search
        both = merge((*evidence, *claimed), context.pause)
        new = [finding for finding in both if finding.engine == self.name]
        for finding in new:
            context.finding(finding)
        return tuple(sorted((*evidence, *new), key=worst_first))
