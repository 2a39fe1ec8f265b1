"""Findings as pages show them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from codeintel.contracts.findings import Applicability, Category, Finding, Range, StepKind
from codeintel.web.findings.frames import NO_CODE, Code, FrameLine, fix_lines, frame
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

COMPARISONS = {
    BaselineState.NEW: "New",
    BaselineState.SAME: "Unchanged",
    BaselineState.FIXED: "Fixed",
}
STEPS = {StepKind.SOURCE: "Source", StepKind.STEP: "Step", StepKind.SINK: "Sink"}
FIXES = {
    Applicability.SAFE: "Keeps the behavior",
    Applicability.UNSAFE: "May change the behavior",
    Applicability.DISPLAY: "Suggestion",
}
Rule = tuple[str, str]
"""An analyzer, and the id of one of its rules."""
Link = Callable[[str, int], str]
"""From path and line to the address where the line is shown; empty where it is not."""


def no_link(_path: str, _line: int) -> str:
    """Return no address: the code is not on any page."""
    return ""


@dataclass(frozen=True)
class Context:
    """Facts about a page besides its findings. `titles` names the rules that have a page; `code`
    returns the code of a path; `link` leads to its lines."""

    titles: Mapping[Rule, str] = field(default_factory=dict)
    code: Callable[[str], Code] = lambda _path: NO_CODE
    link: Link = no_link
    carries: bool = False
    """Whether views have their finding as JSON, for scripts that show it with code."""

    def title(self, rule: Rule) -> str:
        """Return the title of a rule, empty where it has none."""
        return self.titles.get(rule, "").rstrip(".")


class StepView(NamedTuple):
    """A step of the path of a value.

    `path` is its file if that is not the finding's. `code` is its line, empty where the code is not
    known.
    """

    kind: str
    title: str
    path: str
    line: int
    link: str
    code: str
    message: str


class FixView(NamedTuple):
    """A fix, with its lines as a diff."""

    message: str
    title: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FindingView:
    """A finding. `title` is empty if its rule has none, and `message` does not repeat it. `link`
    leads to its line, empty if no page shows it. `excerpt` replaces an empty `frame`."""

    finding: Finding
    path: str
    title: str
    message: str
    has_page: bool
    place: str
    link: str
    frame: tuple[FrameLine, ...]
    excerpt: str
    steps: tuple[StepView, ...]
    remedy: str
    fix: FixView | None
    also: str
    suppressed: str
    comparison: str
    is_unverified: bool
    data: str
    """The finding as JSON, empty where scripts do not need it."""


def finding_view(reported: ReportedFinding, context: Context) -> FindingView:
    """Return a finding with its code and its path."""
    finding, path = reported.finding, reported.path
    is_there = reported.comparison is not BaselineState.FIXED
    code = context.code(path) if is_there else NO_CODE
    suppression = finding.suppression
    title = context.title(rule_of(finding))
    also = () if finding.also is UNSET else finding.also
    line = finding.range.start_line
    shown = frame(code, finding.range) if finding.category is not Category.SECRETS else ()
    return FindingView(
        finding=finding,
        path=path,
        title=title,
        message=finding.message.removeprefix(f"{title}: ") if title else finding.message,
        has_page=rule_of(finding) in context.titles,
        place=place_in_words(finding.range),
        link=context.link(path, line) if is_there else "",
        frame=shown,
        excerpt="" if shown else reported.excerpt,
        steps=tuple(_steps(finding, path, code, context.link if is_there else no_link)),
        remedy="" if finding.remedy is UNSET else finding.remedy,
        fix=_fix(finding, code),
        also=", ".join(f"{each.engine} {each.rule_id}" for each in also),
        suppressed=""
        if suppression is UNSET
        else f"{suppression.comment} on line {suppression.line:,}",
        comparison="" if reported.comparison is UNSET else COMPARISONS[reported.comparison],
        is_unverified=finding.unverified is True,
        data=msgspec.json.encode(finding).decode() if context.carries else "",
    )


def rule_of(finding: Finding) -> Rule:
    """Return the rule that reported a finding."""
    return finding.engine, finding.rule_id


def place_in_words(range_: Range) -> str:
    """Return `line 3, column 5`."""
    return f"line {range_.start_line:,}, column {range_.start_column:,}"


def _steps(finding: Finding, path: str, code: Code, link: Link) -> Iterator[StepView]:
    for step in () if finding.flow is UNSET else finding.flow:
        line, other = step.range.start_line, step.path or ""
        shown = "" if other else code.line(line).strip()[:200]
        yield StepView(
            step.kind.value,
            STEPS[step.kind],
            other,
            line,
            link(other or path, line),
            shown,
            step.message,
        )


def _fix(finding: Finding, code: Code) -> FixView | None:
    if finding.fix is UNSET:
        return None
    fix = finding.fix
    return FixView(fix.message, FIXES[fix.applicability], fix_lines(code, fix.edits))
