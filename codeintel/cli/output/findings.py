"""One finding as text: a line that says what is wrong where, and lines below it that say why."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import click

from codeintel.base.text.printable import printable
from codeintel.cli.output.outcome import as_count, as_object, as_objects, as_text, suppressed_by
from codeintel.cli.output.text import GAP
from codeintel.contracts import Severity

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


class FindingText:
    """Writes the findings of one file. A remedy that holds for several stands with the first.

    :param name: the file, as findings name it; printable.
    :param colour: whether to colour the severity.
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
