"""A result in words: what a prompt asks about, worst things first, and what was not checked.
Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeintel.contracts import AnalyzerReport, AnalyzerStatus, Category, Finding, Severity

# A star stands for any ending.
_WORDS: dict[Category, str] = {
    Category.SECURITY: "secur* vulnerab* exploit* inject* xss cwe* owasp attack* unsafe saniti*",
    Category.SECRETS: "secret secrets password* credential* token tokens apikey* hardcoded",
    Category.CORRECTNESS: "correct* bug bugs buggy error* defect* wrong crash* fail* broken"
    " mistake* fault* exception* logic",
    Category.PERFORMANCE: "perform* slow* fast* speed* optimi* efficien* inefficien* bottleneck*",
    Category.COMPLEXITY: "complex* cyclomatic nest* simplif* metric*",
    Category.UNUSED: "unused dead unreachable unnecessary redundant",
    Category.MAINTAINABILITY: "maintain* style quality readab* clean* smell* refactor*"
    " idiom* pythonic moderni* practice*",
}
_GENERAL_WORDS = """
    a all an analyze analysis analyze and any audit can check code could everything examine file
    find findings for full function give i in inspect is issue issues it lint list look me module my
    of please problem problems program python report review scan script show snippet static tell the
    there this to what with would you
"""


def _pattern(words: str) -> re.Pattern[str]:
    alternatives = "|".join(word.replace("*", r"\w*") for word in words.split())
    return re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)


_ASPECTS = {aspect: _pattern(words) for aspect, words in _WORDS.items()}
_GENERAL = frozenset(_GENERAL_WORDS.split())


def aspects_asked(prompt: str) -> tuple[Category, ...]:
    """Return the aspects that the prompt names, in the order of :class:`Category`."""
    return tuple(aspect for aspect, words in _ASPECTS.items() if words.search(prompt))


def is_general(prompt: str) -> bool:
    """Return whether the prompt requests a general analysis, or is empty."""
    return all(word in _GENERAL for word in re.findall(r"\w+", prompt.lower()))


_MAX_LISTED = 5
_MAX_MESSAGE = 250
_SPOT_LINES = 10
_SPOT_FINDINGS = 3

_ENDINGS = {
    AnalyzerStatus.TRUNCATED: "reported too much, so the rest was dropped",
    AnalyzerStatus.TIMED_OUT: "timed out, so it may have missed findings",
    AnalyzerStatus.FAILED: "failed, so its rules were not checked",
}


class Facts(NamedTuple):
    """The input of a summary. `findings` are merged, worst first. `notes` name what analyzers
    could not check, and which of them failed. `language` is canonical."""

    findings: Sequence[Finding]
    metrics: dict[str, int | float]
    reports: Sequence[AnalyzerReport]
    notes: Sequence[str]
    language: str
    prompt: str


def summarise(facts: Facts) -> Iterator[str]:
    """Yield the summary, paragraph by paragraph; joined, the pieces are the whole."""
    yield _verdict(facts)
    yield from answer(facts)
    if facts.findings:
        yield f"\n\nMost severe:\n{_listed(facts.findings)}"
        yield from _hot_spots(facts.findings)
    yield from _measures(facts.metrics)
    yield from _gaps(facts)


def describe_ending(report: AnalyzerReport) -> str | None:
    """Describe how an analyzer's work ended, or return None if it succeeded."""
    ending = _ENDINGS.get(report.status)
    return f"The analyzer {report.name} {ending}." if ending else None


def _verdict(facts: Facts) -> str:
    lines = facts.metrics.get("lines")
    where = f" in {_count(int(lines), 'line')} of {facts.language}" if lines is not None else ""
    if not facts.findings:
        everything = "" if _is_whole(facts) else " in the checked parts"
        return f"No findings{everything}{where if not everything else ''}."
    by_severity = Counter(finding.severity for finding in facts.findings)
    counts = ", ".join(f"{by_severity[s]} {s.value}" for s in Severity if by_severity[s])
    by_aspect = Counter(finding.category for finding in facts.findings)
    sides = ", ".join(
        f"{aspect.value} {by_aspect[aspect]}" for aspect in Category if by_aspect[aspect]
    )
    return f"{_count(len(facts.findings), 'finding')}{where}: {counts}. By category: {sides}."


def answer(facts: Facts) -> Iterator[str]:
    """Yield the part of the summary that answers the prompt, paragraph by paragraph."""
    aspects = aspects_asked(facts.prompt)
    for aspect in aspects:
        about = [finding for finding in facts.findings if finding.category is aspect]
        if about:
            share = f"{len(about)} of {_count(len(facts.findings), 'finding')}"
            yield f"\n\nFindings about {aspect.value} ({share}):\n{_listed(about)}"
        else:
            yield f"\n\nNo findings about {aspect.value}{_caveat(facts)}."
    if not aspects and not is_general(facts.prompt):
        yield "\n\nThe static engine cannot answer questions. It lists the findings of its rules."


def _caveat(facts: Facts) -> str:
    return "" if _is_whole(facts) else ", but not everything could be checked"


def _is_whole(facts: Facts) -> bool:
    return not facts.notes and not any(describe_ending(report) for report in facts.reports)


def _listed(findings: Sequence[Finding]) -> str:
    rows = [_row(finding) for finding in findings[:_MAX_LISTED]]
    if len(findings) > _MAX_LISTED:
        rows.append(f"- and {len(findings) - _MAX_LISTED} more")
    return "\n".join(rows)


def _row(finding: Finding) -> str:
    message = finding.message
    if len(message) > _MAX_MESSAGE:
        message = f"{message[: _MAX_MESSAGE - 1]}…"
    rule = finding.rule_id if finding.cwe is None else f"{finding.rule_id}, {finding.cwe}"
    return f"- line {finding.range.start_line}, {finding.severity.value}: {message} ({rule})"


def _hot_spots(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield stretches of ten lines with the most findings that are worth a look."""
    spots = Counter(
        (finding.range.start_line - 1) // _SPOT_LINES
        for finding in findings
        if finding.severity is not Severity.INFO
    )
    ranked = sorted(spots.items(), key=lambda spot: (-spot[1], spot[0]))
    crowded = [spot for spot in ranked[:3] if spot[1] >= _SPOT_FINDINGS]
    if crowded and len(spots) > 1:
        words = ", ".join(
            f"lines {first * _SPOT_LINES + 1}-{(first + 1) * _SPOT_LINES} ({count})"
            for first, count in crowded
        )
        yield f"\n\nHot spots: {words}."


def _measures(metrics: dict[str, int | float]) -> Iterator[str]:
    highest, mean = metrics.get("complexityMax"), metrics.get("complexityMean")
    if highest is None or mean is None:
        return
    functions = _count(int(metrics.get("functions", 0)), "function")
    judged = "; more than 10 is hard to test" if highest > 10 else ""
    yield (
        f"\n\nCyclomatic complexity of {functions}: {mean} on average, {highest} at most{judged}."
    )


def _gaps(facts: Facts) -> Iterator[str]:
    # An analyzer that was cut short has said why in a note.
    endings = (
        describe_ending(report)
        for report in facts.reports
        if report.status is not AnalyzerStatus.TRUNCATED
    )
    gaps = list(dict.fromkeys([*(ending for ending in endings if ending), *facts.notes]))
    if gaps:
        yield "\n\nNot checked:\n" + "\n".join(f"- {gap}" for gap in gaps)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
