"""JUnit reports: a suite for each file with findings, and one for the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree as ET

from codeintel.cli.scan.formats.wording import (
    counts_line,
    full_message,
    gap_line,
    remarks,
    state_line,
    verdict_line,
)
from codeintel.cli.scan.report import JudgedFinding, PolicyReport, State

# Characters that XML 1.0 does not allow, even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = "codeintel"


def render(report: PolicyReport) -> str:
    """Return the report.

    A new finding is a failed case if it makes the scan fail, otherwise a passed case with a text.
    Known and suppressed findings are skipped cases. A gap is a case with an error.
    """
    root = ET.Element("testsuites", name=_NAME)
    whole = _suite(root, _NAME)
    verdict = _case(whole, "verdict", _NAME)
    if any(each.fails for each in report.findings):
        _child(verdict, "failure", verdict_line(report))
    _text(verdict, [verdict_line(report), counts_line(report), *remarks(report)])
    for gap in report.gaps:
        _child(_case(whole, gap.path or "scan", f"{_NAME}.not-checked"), "error", gap_line(gap))
    for path, group in groupby(report.findings, key=lambda each: each.path):
        suite = _suite(root, path)
        for each in group:
            _finding(suite, each)
    for suite in root:
        _count(suite)
    _count(root)
    ET.indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ET.tostring(root, encoding='unicode')}\n"


def _finding(suite: ET.Element, each: JudgedFinding) -> None:
    place = each.finding.range
    name = f"{each.finding.rule_id} at {place.start_line}:{place.start_column}"
    case = _case(suite, name, each.path, file=each.path, line=str(place.start_line))
    told = full_message(each)
    if each.state is not State.NEW:
        _child(case, "skipped", state_line(each))
        _text(case, [told])
    elif each.fails:
        body = f"{each.path}:{place.start_line}:{place.start_column}: {told}\n{each.found.excerpt}"
        _child(case, "failure", each.finding.message, body, str(each.finding.severity))
    else:
        _text(case, [f"{each.finding.severity}: {told}"])


def _suite(root: ET.Element, name: str) -> ET.Element:
    return ET.SubElement(root, "testsuite", name=_clean(name))


def _case(suite: ET.Element, name: str, classname: str, **more: str) -> ET.Element:
    given = {"name": name, "classname": classname, "time": "0", **more}
    return ET.SubElement(suite, "testcase", {key: _clean(value) for key, value in given.items()})


def _child(case: ET.Element, kind: str, message: str, body: str = "", type_: str = "") -> None:
    given = {"message": _clean(message)}
    if type_:
        given["type"] = type_
    ET.SubElement(case, kind, given).text = _clean(body) or None


def _text(case: ET.Element, lines: Iterable[str]) -> None:
    ET.SubElement(case, "system-out").text = _clean("\n".join(lines))


def _count(element: ET.Element) -> None:
    """Set the numbers of cases by their result."""
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))
    element.set("time", "0")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
