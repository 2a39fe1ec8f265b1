"""The service's verdict about a rewrite, and tables of verdicts."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rewrites_parts.cases import Case

VERDICTS = ("proven", "checked", "unproven", "no result")


@dataclass(frozen=True)
class Outcome:
    """A case and its result.

    :param verdict: one of `VERDICTS`.
    :param evidence: the checks that prove the rewrite, the checks that failed, or the error.
    """

    case: Case
    verdict: str
    seconds: float
    evidence: str = ""

    @property
    def is_wrongly_proven(self) -> bool:
        """Whether a wrong rewrite is said to be proven."""
        return not self.case.right and self.verdict == "proven"


def verdict_of(result: Mapping[str, Any]) -> str:
    """The verdict of a result. Without a field `verdict` it is read from the checks: a failed one,
    or code that was not read, is `unproven`; a conclusive one that passed `proven`."""
    if result.get("verdict") in VERDICTS:
        return str(result["verdict"])
    if not result["verified"] or _names(result, "failed"):
        return "unproven"
    return "proven" if _names(result, "passed", conclusive=True) else "checked"


def evidence_of(result: Mapping[str, Any]) -> str:
    """Names of the failed checks, else of the conclusive ones that passed."""
    return ", ".join(_names(result, "failed") or _names(result, "passed", conclusive=True))


def _names(result: Mapping[str, Any], status: str, *, conclusive: bool = False) -> list[str]:
    return [
        str(check["name"])
        for check in result["checks"]
        if check["status"] == status and (check.get("conclusive") or not conclusive)
    ]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the least value that at least the given share of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def table(outcomes: Iterable[Outcome]) -> str:
    """Wrong and right ones by language and verdict, and how large the shares are."""
    counts: Counter[tuple[str, bool, str]] = Counter()
    for outcome in outcomes:
        for group in (outcome.case.group, "all"):
            counts[group, outcome.case.right, outcome.verdict] += 1
    groups = sorted({group for group, _, _ in counts} - {"all"})
    heads = "".join(f"{verdict:>11}" for verdict in VERDICTS)
    lines = [f"{'':<26}{'wrong:':>7}{heads}{'right:':>9}{heads}"]
    for group in [*groups, "all"] if groups else []:
        line = f"{group:<26}"
        for right, width in ((False, 7), (True, 9)):
            found = [counts[group, right, verdict] for verdict in VERDICTS]
            line += f"{sum(found):>{width}}" + "".join(f"{count:>11}" for count in found)
        lines.append(line)
    for right, title in ((False, "share of wrong"), (True, "share of right")):
        found = [counts["all", right, verdict] for verdict in VERDICTS]
        if sum(found):
            shares = ", ".join(
                f"{verdict} {count / sum(found):.1%}"
                for verdict, count in zip(VERDICTS, found, strict=True)
            )
            lines.append(f"{title}: {shares}")
    return "\n".join(lines)


def times(outcomes: Sequence[Outcome]) -> str:
    """Median and 95th percentile of the seconds that runs took, by verdict."""
    lines = []
    for verdict in VERDICTS:
        seconds = [each.seconds for each in outcomes if each.verdict == verdict]
        if seconds:
            lines.append(
                f"{verdict:<10}{len(seconds):>5} runs   median {statistics.median(seconds):.2f} s"
                f"   95% {percentile(seconds, 0.95):.2f} s"
            )
    return "\n".join(lines)


def document(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """The outcomes for a JSON file, without the code."""
    return [
        {
            name: value
            for name, value in {**asdict(outcome.case), **_own(outcome)}.items()
            if name not in {"before", "after"}
        }
        for outcome in outcomes
    ]


def _own(outcome: Outcome) -> dict[str, Any]:
    return {
        "verdict": outcome.verdict,
        "seconds": round(outcome.seconds, 3),
        "evidence": outcome.evidence,
    }
