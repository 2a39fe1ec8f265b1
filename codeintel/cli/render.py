"""A run as text: takes events, returns pieces of text, and does no I/O."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from codeintel.base.wording import counted, printable
from codeintel.cli.frames import excerpt, fix_diff, frame
from codeintel.cli.outcome import (
    ReceivedRun,
    as_count,
    as_object,
    as_objects,
    as_text,
    suppressed_by,
)
from codeintel.cli.output import GAP
from codeintel.contracts import AnalyzerStatus, Severity
from codeintel.contracts.languages import language_title
from codeintel.contracts.positions import LineTable

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
_CLEAR_LINE = "\r\x1b[K"
_STATIC = "static"
_ENDINGS = {
    "incomplete": "The run stopped early",
    "failed": "The run failed",
    "cancelled": "The run was cancelled",
}


class FindingText:
    """Formats the findings of one file. A remedy is shown once, with the first finding that has it.

    :param name: the file name to show.
    :param code: the content of the file, to show code frames.
    :param colour: whether to use colors.
    :param width: columns of the terminal. Lines below a finding are wrapped to it.
    """

    def __init__(
        self,
        name: str,
        *,
        code: str | None = None,
        colour: bool = False,
        width: int | None = None,
    ) -> None:
        self._name = printable(name)
        self._code = LineTable(code) if code is not None else None
        self._colour = colour
        self._width = width if width is not None and width >= _MINIMUM_WIDTH else None
        self._remedies: set[str] = set()

    def lines(self, finding: Mapping[str, Any]) -> str:
        """Return the lines of a finding, each with a line break."""
        found = self._plain(finding) if self._code is None else self._framed(finding, self._code)
        return "".join(f"{line}\n" for line in found)

    def _plain(self, finding: Mapping[str, Any]) -> Iterator[str]:
        message = printable(as_text(finding.get("message")))
        yield GAP.join(part for part in (*self._head(finding), message, _mark(finding)) if part)
        for step in as_objects(finding.get("flow")):
            about = printable(as_text(step.get("message")))
            name = _path_of(step) or self._name
            yield from self._wrapped(f"via {name}:{_position(step)} {about}".rstrip())
        remedy = self._new_remedy(finding)
        if remedy:
            yield from self._wrapped(f"fix: {remedy}")

    def _framed(self, finding: Mapping[str, Any], code: LineTable) -> Iterator[str]:
        yield GAP.join(part for part in (*self._head(finding), _mark(finding)) if part)
        yield from self._wrapped(printable(as_text(finding.get("message"))), "  ", "  ")
        yield ""
        place = as_object(finding.get("range"))
        yield from frame(code, place, colour=self._colour, width=self._width)
        yield from self._path(as_objects(finding.get("flow")), code)
        remedy = self._new_remedy(finding)
        if remedy:
            yield ""
            yield from self._wrapped(f"Fix: {remedy}", "  ", "  ")
        fix = as_object(finding.get("fix"))
        if fix:
            yield from (f"  {line}" for line in fix_diff(code, fix, colour=self._colour))
        yield ""

    def _path(self, steps: Sequence[Mapping[str, Any]], code: LineTable) -> Iterator[str]:
        """Return the steps from source to sink. Steps on the same line share its code."""
        if steps:
            yield ""
            yield "  Path:"
        number_columns = len(str(len(steps)))
        indent = " " * (number_columns + 6)
        shown = 0
        for number, step in enumerate(steps, 1):
            about = printable(as_text(step.get("message")))
            start = f"    {number:>{number_columns}}. "
            name = _path_of(step) or self._name
            yield from self._wrapped(f"{name}:{_position(step)}  {about}", start, indent)
            place = as_object(step.get("range"))
            if name != self._name:  # the code of other files is not known here
                shown = 0
            elif as_count(place.get("startLine")) != shown:
                shown = as_count(place.get("startLine"))
                room = self._width and self._width - len(indent) - 2
                for line in excerpt(code, place, colour=self._colour, width=room):
                    yield f"{indent}  {line}"

    def _head(self, finding: Mapping[str, Any]) -> Iterator[str]:
        yield f"{self._name}:{_position(finding)}"
        severity = as_text(finding.get("severity"))
        shown = printable(severity).ljust(_SEVERITY_COLUMNS)
        yield click.style(shown, **_COLOURS.get(severity, {})) if self._colour else shown
        rule, cwe = as_text(finding.get("ruleId")), as_text(finding.get("cwe"))
        yield printable(f"{rule} {cwe}" if cwe else rule)

    def _new_remedy(self, finding: Mapping[str, Any]) -> str:
        remedy = printable(as_text(finding.get("remedy")))
        if remedy in self._remedies:
            return ""
        self._remedies.add(remedy)
        return remedy

    def _wrapped(self, text: str, start: str = _INDENT, more: str = _INDENT * 2) -> list[str]:
        if self._width is None:
            return [start + text]
        return textwrap.wrap(
            text,
            self._width,
            initial_indent=start,
            subsequent_indent=more,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _mark(finding: Mapping[str, Any]) -> str:
    suppression = suppressed_by(finding)
    return f"[{printable(suppression)}]" if suppression else ""


def _path_of(step: Mapping[str, Any]) -> str:
    """Return the path of a step in another file than the finding's, or an empty text.

    In a workspace, it has a leading slash, which other paths of the output have not.
    """
    return printable(as_text(step.get("path")).removeprefix("/"))


def _position(placed: Mapping[str, Any]) -> str:
    """Return where something begins, as `line:column`."""
    place = as_object(placed.get("range"))
    return f"{as_count(place.get('startLine'))}:{as_count(place.get('startColumn'))}"


class Piece(NamedTuple):
    """Text for standard output, or for standard error if `err` is set."""

    text: str
    err: bool = False


class Renderer:
    """Shows a run: its progress on standard error, and its findings and summary at the end.

    :param name: the file name to show.
    :param text: formats the findings.
    :param err_colour: whether standard error takes colors.
    :param live: whether standard error is a terminal, which shows a counter during the run.
    :param url: the address of the service, to link the page of the run.
    """

    def __init__(
        self,
        name: str,
        text: FindingText,
        *,
        err_colour: bool = False,
        live: bool = False,
        url: str = "",
    ) -> None:
        self._name = printable(name)
        self._url = url
        self._findings = text
        self._err_colour = err_colour
        self._live = live
        self._found = 0
        self._counted: int | None = None
        self._is_static = False
        self._held: list[tuple[str, str]] = []
        """Messages of the static engine and their lines. Its result repeats most of them."""

    def event(self, event: Mapping[str, Any]) -> Iterator[Piece]:
        """Return the output for an event."""
        kind = event["type"]
        if kind == "run.created":
            yield from self._created(event)
        elif kind == "progress":
            message = as_text(event.get("message"))
            analyzer = as_text(event.get("analyzer"))
            is_named = not analyzer or analyzer in message.split()
            line = message if is_named else f"{analyzer}: {message}"
            if self._is_static:
                self._held.append((printable(message), line))
            else:
                yield from self._aside(line)
        elif kind == "finding":
            self._found += 1
        yield from self._count()

    def _count(self) -> Iterator[Piece]:
        if self._live and self._counted != self._found:
            self._counted = self._found
            found = counted(self._found, "finding")
            yield Piece(f"{_CLEAR_LINE}Analyzing: {found} so far", err=True)

    def done(self) -> Iterator[Piece]:
        """Remove the counter from the terminal."""
        if self._counted is not None:
            self._counted = None
            yield Piece(_CLEAR_LINE, err=True)

    def remarks(self, told: Collection[str] = ()) -> Iterator[Piece]:
        """Return the messages of the static engine that are still to be shown.

        :param told: sentences that the rest of the output has.
        """
        for message, line in self._held:
            if message not in told:
                yield from self._aside(line)
        self._held.clear()

    def end(
        self, outcome: ReceivedRun, shown: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()
    ) -> Iterator[Piece]:
        """Return the output after the last event.

        :param shown: the findings to show, in order.
        :param notes: sentences about findings that are not shown.
        """
        yield from self.done()
        yield from self.remarks([*unchecked(outcome.result or {})])
        for finding in shown:
            yield Piece(self._findings.lines(finding))
        if outcome.result is not None:
            yield from self._words(outcome.result)
        yield Piece(summary_line(outcome) + "\n")
        for note in notes:
            yield Piece(f"{note}\n")
        yield from ending(outcome)

    def _created(self, event: Mapping[str, Any]) -> Iterator[Piece]:
        engine, model = as_text(event.get("engine")), as_text(event.get("model"))
        self._is_static = engine == _STATIC
        run = as_text(event.get("runId"))
        page = f"{self._url}/runs/{run}" if self._url else f"run {run}"
        yield from self._aside(f"{self._name}: {page} (engine {engine}, model {model})")
        ignored = event.get("ignoredFields")
        if isinstance(ignored, list) and ignored:
            names = ", ".join(as_text(name) for name in ignored)
            yield from self._aside(f"The service ignored these fields: {names}.")

    def _words(self, result: Mapping[str, Any]) -> Iterator[Piece]:
        """Return the answer to the prompt, and the checks that could not run. Engines that do not
        tell the answer from the rest of the summary answer with all of it."""
        told = as_text(result.get("answer", result.get("summary")))
        if said := printable(told, multiline=True).strip():
            yield Piece(f"{said}\n\n")
        for gap in unchecked(result):
            yield Piece(f"Not checked: {gap}\n")

    def _aside(self, text: str) -> Iterator[Piece]:
        yield from self.done()
        text = printable(text)
        yield Piece((click.style(text, dim=True) if self._err_colour else text) + "\n", err=True)


def unchecked(result: Mapping[str, Any]) -> Iterator[str]:
    """Return a sentence for each check that could not run."""
    given = result.get("unchecked")
    gaps = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    for report in as_objects(result.get("analyzers")):
        name, status = as_text(report.get("name")), as_text(report.get("status"))
        is_told = any(name in gap.split() for gap in gaps)
        if status != AnalyzerStatus.COMPLETED and not is_told:
            yield printable(f"{name} ({status.replace('_', ' ') or 'unknown status'}).")
    yield from map(printable, gaps)


def ending(outcome: ReceivedRun) -> Iterator[Piece]:
    """Return how an uncompleted run ended, for standard error."""
    if outcome.status == "completed":
        return
    what = _ENDINGS.get(outcome.status or "", "The run did not complete")
    reason = f" ({outcome.reason})" if outcome.reason else ""
    message = f": {outcome.message}" if outcome.message else "."
    yield Piece(printable(what + reason + message) + "\n", err=True)


def summary_line(outcome: ReceivedRun) -> str:
    """Return the number of findings by severity and the charged credits in one line."""
    return f"{_counts(outcome)} {_credits(outcome)}"


def _counts(outcome: ReceivedRun) -> str:
    result = outcome.result or {}
    lines = as_count(as_object(result.get("metrics")).get("lines"))
    language = printable(language_title(as_text(result.get("language"))))
    where = f" in {counted(lines, 'line')}{f' of {language}' if language else ''}" if lines else ""
    findings = outcome.findings
    if not findings:
        return f"No findings{where}."
    count = Counter(as_text(finding.get("severity")) for finding in findings)
    order = [*Severity, *sorted(count.keys() - set(Severity))]
    parts = ", ".join(f"{count[each]:,} {printable(each)}" for each in order if count[each])
    suppressed = sum(bool(suppressed_by(finding)) for finding in findings)
    marked = f" {suppressed:,} with a suppression comment." if suppressed else ""
    return f"{counted(len(findings), 'finding')}{where}: {parts}.{marked}"


def _credits(outcome: ReceivedRun) -> str:
    cached = " The result comes from the cache." if outcome.cached else ""
    if not outcome.charged:
        return f"No credits charged.{cached}"
    refunded = f", {outcome.refunded:,} refunded" if outcome.refunded else ""
    return f"{counted(outcome.charged, 'credit')} charged{refunded}.{cached}"
