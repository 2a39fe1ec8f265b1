"""A run as text, its findings among it: events in, pieces of text out, no I/O."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click

from codeintel.base.wording import printable
from codeintel.cli.common import GAP
from codeintel.cli.outcome import Outcome, as_count, as_object, as_objects, as_text, suppressed_by
from codeintel.contracts import AnalyzerStatus, Severity

_COLOURS: dict[str, dict[str, Any]] = {
    Severity.CRITICAL: {"fg": "red", "bold": True, "reverse": True},
    Severity.HIGH: {"fg": "red", "bold": True},
    Severity.MEDIUM: {"fg": "yellow"},
    Severity.LOW: {"fg": "cyan"},
    Severity.INFO: {"dim": True},
}
_SEVERITY_COLUMNS = max(len(severity) for severity in Severity)
_INDENT = " " * 4
_MINIMUM_WIDTH = 40
_WORST = re.compile(r"(?:^|\n\n)Worst first:(?:\n- .*)+")
"""The part of the static engine's summary that repeats findings, which stand above it here."""
_ENDINGS = {
    "incomplete": "The run stopped before its end",
    "failed": "The run failed",
    "cancelled": "The run was cancelled",
}


class FindingText:
    """Writes the findings of one file. A remedy that holds for several stands with the first.

    :param name: the file, as findings name it; printable.
    :param color: whether to color the severity.
    :param width: columns of the terminal: lines below a finding go on in the next one.
    """

    def __init__(self, name: str, *, colour: bool = False, width: int | None = None) -> None:
        self._name = name
        self._colour = colour
        self._width = width if width is not None and width >= _MINIMUM_WIDTH else None
        self._remedies: set[str] = set()

    def lines(self, finding: Mapping[str, Any]) -> str:
        """The finding's lines, each with its end."""
        first = GAP.join(part for part in self._parts(finding) if part)
        return "".join(f"{line}\n" for line in (first, *self._details(finding)))

    def _parts(self, finding: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self._name}:{_position(finding)}"
        severity = as_text(finding.get("severity"))
        shown = printable(severity).ljust(_SEVERITY_COLUMNS)
        yield click.style(shown, **_COLOURS.get(severity, {})) if self._colour else shown
        rule, cwe = as_text(finding.get("ruleId")), as_text(finding.get("cwe"))
        yield printable(f"{rule} {cwe}" if cwe else rule)
        yield printable(as_text(finding.get("message")))
        suppression = suppressed_by(finding)
        yield f"[{printable(suppression)}]" if suppression else ""

    def _details(self, finding: Mapping[str, Any]) -> Iterator[str]:
        for step in as_objects(finding.get("flow")):
            message = printable(as_text(step.get("message")))
            yield from self._wrapped(f"via {self._name}:{_position(step)} {message}".rstrip())
        remedy = printable(as_text(finding.get("remedy")))
        if remedy and remedy not in self._remedies:
            self._remedies.add(remedy)
            yield from self._wrapped(f"fix: {remedy}")

    def _wrapped(self, text: str) -> list[str]:
        if self._width is None:
            return [_INDENT + text]
        return textwrap.wrap(
            text,
            self._width,
            initial_indent=_INDENT,
            subsequent_indent=_INDENT * 2,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _position(placed: Mapping[str, Any]) -> str:
    """Where something begins, as `line:column`."""
    place = as_object(placed.get("range"))
    return f"{as_count(place.get('startLine'))}:{as_count(place.get('startColumn'))}"


class Piece(NamedTuple):
    """Text for standard output, or for standard error if `err`."""

    text: str
    err: bool = False


class Renderer:
    """Shows one run.

    :param name: the analyzed file, as its findings name it.
    :param color: whether standard output takes colors; `err_colour`: whether standard error does.
    :param live: whether to show findings as they come; else they come at the end, in order of
        place, so that two runs over the same code print the same.
    :param width: columns of the terminal on standard output, None for something else.
    """

    def __init__(
        self,
        name: str,
        *,
        colour: bool = False,
        err_colour: bool = False,
        live: bool = True,
        width: int | None = None,
    ) -> None:
        self._name = printable(name)
        self._live = live
        self._findings = FindingText(self._name, colour=colour, width=width)
        self._err_colour = err_colour
        self._words: list[str] = []
        self._after_finding = False

    def event(self, event: Mapping[str, Any]) -> Iterator[Piece]:
        """What to show at once when an event arrives; the last event is left to :meth:`end`."""
        kind = event["type"]
        if kind == "run.created":
            yield from self._created(event)
        elif kind == "progress":
            message = as_text(event.get("message"))
            analyzer = as_text(event.get("analyzer"))
            is_named = not analyzer or analyzer in message.split()
            yield self._aside(message if is_named else f"{analyzer}: {message}")
        elif not self._live:
            return
        elif kind == "output.delta":
            text = printable(as_text(event.get("text")), multiline=True)
            self._words.append(text)
            shown = _WORST.sub("", text)
            if shown:
                yield Piece("\n" + shown if self._after_finding else shown)
                self._after_finding = False
        elif kind == "finding":
            yield from self._fresh_line()
            yield Piece(self._findings.lines(as_object(event.get("finding"))))
            self._after_finding = True

    def end(self, outcome: Outcome) -> Iterator[Piece]:
        """What to show after the last event."""
        yield from self._fresh_line()
        if not self._live:
            for finding in sorted(outcome.findings, key=_place):
                yield Piece(self._findings.lines(finding))
        if outcome.result is not None:
            yield from self._summary(outcome, outcome.result)
        yield Piece(_credits(outcome) + "\n")
        yield from ending(outcome)

    def _created(self, event: Mapping[str, Any]) -> Iterator[Piece]:
        engine, model = as_text(event.get("engine")), as_text(event.get("model"))
        yield self._aside(f"{self._name}: run {as_text(event.get('runId'))}, {engine} {model}")
        ignored = event.get("ignoredFields")
        if isinstance(ignored, list) and ignored:
            names = ", ".join(as_text(name) for name in ignored)
            yield self._aside(f"The service made no use of: {names}.")

    def _summary(self, outcome: Outcome, result: Mapping[str, Any]) -> Iterator[Piece]:
        summary = printable(as_text(result.get("summary")), multiline=True).strip()
        if summary and summary != "".join(self._words).strip():
            yield Piece(f"\n{_WORST.sub('', summary).strip()}\n")
        else:
            yield Piece("\n")
        yield Piece(_counts(outcome) + "\n")
        for report in as_objects(result.get("analyzers")):
            status = as_text(report.get("status"))
            if status != AnalyzerStatus.COMPLETED:
                name = printable(as_text(report.get("name")))
                how = printable(status.replace("_", " ")) or "did not say how it ended"
                yield Piece(f"Not all was checked: {name} ({how}).\n")

    def _fresh_line(self) -> Iterator[Piece]:
        """End the line of words that is open, if one is."""
        if self._words and not self._words[-1].endswith("\n"):
            self._words.append("\n")
            yield Piece("\n")

    def _aside(self, text: str) -> Piece:
        text = printable(text)
        return Piece((click.style(text, dim=True) if self._err_colour else text) + "\n", err=True)


def _place(finding: Mapping[str, Any]) -> tuple[int, int, str]:
    place = as_object(finding.get("range"))
    start = as_count(place.get("startLine")), as_count(place.get("startColumn"))
    return *start, as_text(finding.get("ruleId"))


def ending(outcome: Outcome) -> Iterator[Piece]:
    """For standard error: how a run that did not complete ended."""
    if outcome.status == "completed":
        return
    what = _ENDINGS.get(outcome.status or "", "The run did not complete")
    reason = f" ({outcome.reason})" if outcome.reason else ""
    message = f": {outcome.message}" if outcome.message else "."
    yield Piece(printable(what + reason + message) + "\n", err=True)


def _counts(outcome: Outcome) -> str:
    findings = outcome.findings
    if not findings:
        return "No findings."
    count = Counter(as_text(finding.get("severity")) for finding in findings)
    order = [*Severity, *sorted(count.keys() - set(Severity))]
    parts = [f"{count[severity]} {printable(severity)}" for severity in order if count[severity]]
    merged = ", duplicates merged" if len(findings) < outcome.sent else ""
    noun = "finding" if len(findings) == 1 else "findings"
    suppressed = sum(bool(suppressed_by(finding)) for finding in findings)
    marked = f", {suppressed} of them marked to be ignored" if suppressed else ""
    return f"{len(findings)} {noun} ({', '.join(parts)}{merged}){marked}."


def _credits(outcome: Outcome) -> str:
    cached = " The result was cached: that of an equal analysis." if outcome.cached else ""
    if not outcome.charged:
        return f"No credits charged.{cached}"
    refunded = f", {outcome.refunded} given back" if outcome.refunded else ""
    credits_ = f"{outcome.charged} credit{'' if outcome.charged == 1 else 's'}"
    return f"{credits_} charged{refunded}.{cached}"
