"""`--fail-on` in words: which findings decided, and which were passed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codeintel.base.text.printable import printable
from codeintel.cli.output.outcome import Outcome, as_count, as_object, as_text, suppressed_by
from codeintel.contracts import Severity

MAX_NAMED = 5


def verdict(outcome: Outcome, fail_on: Severity, *, honour_suppressions: bool) -> Iterator[str]:
    """Why the gate opens or does not, line by line, for a run that has completed."""
    reaching = outcome.reaching(fail_on)
    passed = [each for each in reaching if honour_suppressions and suppressed_by(each)]
    decided = [each for each in reaching if each not in passed]
    if decided:
        verb = "reaches" if len(decided) == 1 else "reach"
        yield f"{_count(decided)} {verb} --fail-on {fail_on.value}: {_named(decided)}."
    elif outcome.checked_all:
        yield f"No finding reaches --fail-on {fail_on.value}."
    else:
        yield f"No finding reaches --fail-on {fail_on.value}, but not all could be checked."
    if passed:
        was = "was" if len(passed) == 1 else "were"
        yield f"{_count(passed)} {was} passed over because of comments: {_named(passed)}."


def _count(findings: Sequence[Mapping[str, Any]]) -> str:
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"


def _named(findings: Sequence[Mapping[str, Any]]) -> str:
    names = [_name(finding) for finding in findings[:MAX_NAMED]]
    if len(findings) > MAX_NAMED:
        names.append(f"{len(findings) - MAX_NAMED} more")
    return ", ".join(names)


def _name(finding: Mapping[str, Any]) -> str:
    line = as_count(as_object(finding.get("range")).get("startLine"))
    return f"{printable(as_text(finding.get('ruleId')))} on line {line}"
