"""What a refresh could not find out: packages of which it learned nothing, and upstreams that did
not tell of some."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from codeintel.contracts import SourceProblem

if TYPE_CHECKING:
    from codeintel.platform.jobs.store import Job
    from codeintel.trust.collection import Collecting
    from codeintel.trust.scores import Failure
    from codeintel.trust.service import Trust

_SHOWN = 10
"""Packages that are named for each reason."""
_WORDS = {
    "not_found": "No registry knows it.",
    "upstreams_unavailable": "No registry that knows it can be reached.",
}
_UNTOLD = "`codeintel trust explain` tells why."
_GITHUB_HINT = (
    "Without a token GitHub allows 60 requests an hour, with one 5,000: set CODEINTEL_GITHUB_TOKEN."
)


def gap_lines(trust: Trust, job: Job, seen: Mapping[str, str]) -> Iterator[str]:
    """Lines about the packages of a refresh that ended: those of which there is no new snapshot,
    by reason, then `13 of 15 without GitHub: ...` of the others.

    :param seen: codes of errors by package, as far as they were seen while the job went on.
    """
    since_ms = job.started_ms or job.created_ms
    failures: list[tuple[Failure, ...]] = []
    old = []
    for package in job.arguments["packages"]:
        found = trust.store.newest(package)
        if found is None or found.collected_ms < since_ms:
            old.append(package)
        else:
            failures.append(found.read_inputs().failures)
    if old:
        yield from _not_refreshed(_reasons(old, seen, job.result))
        yield from failing(trust.collecting)
    yield from _without(trust.collecting, failures)


def failing(collecting: Collecting) -> Iterator[str]:
    """What upstreams last failed with, in this process, and have not answered since."""
    for upstream in collecting.upstreams.values():
        state = upstream.state
        if state.last_error is not None and state.answered_ms is None:
            yield state.last_error.message


def _reasons(packages: list[str], seen: Mapping[str, str], result: Any) -> dict[str, str]:
    """By package. A result may have `failures`, each with its `package` and `reason`."""
    told = result.get("failures", ()) if isinstance(result, dict) else ()
    named = {each["package"]: str(each["reason"]) for each in told}
    reasons = {}
    for package in packages:
        code = seen.get(package)
        reason = _UNTOLD if code is None else _WORDS.get(code, f"{code}.")
        reasons[package] = named.get(package, reason).replace(f"`{package}`", "it")
    return reasons


def _not_refreshed(reasons: Mapping[str, str]) -> Iterator[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for package, reason in reasons.items():
        groups[reason].append(package)
    for reason, packages in groups.items():
        more = f" and {len(packages) - _SHOWN:,} more" if len(packages) > _SHOWN else ""
        yield f"not refreshed: {', '.join(packages[:_SHOWN])}{more}: {reason}"


def _without(collecting: Collecting, failures: list[tuple[Failure, ...]]) -> Iterator[str]:
    """What upstreams did not tell, of so many packages as there are tuples of failures."""
    titles = {each.name: each.title for each in collecting.collectors}
    without: Counter[str] = Counter()
    messages: dict[str, Counter[str]] = defaultdict(Counter)
    limited = set()
    for of_package in failures:
        passing = [each for each in of_package if _is_passing(each)]
        without.update({titles.get(each.source, each.source) for each in passing})
        for each in passing:
            title = titles.get(each.source, each.source)
            messages[title][each.message] += 1
            if each.code is SourceProblem.RATE_LIMITED:
                limited.add(title)
    for title in sorted(without):
        [(message, _)] = messages[title].most_common(1)
        yield f"{without[title]:,} of {len(failures):,} without {title}: {message}"
    if "GitHub" in limited - {each.title for each in collecting.collectors if each.token}:
        yield _GITHUB_HINT


def _is_passing(failure: Failure) -> bool:
    """Whether another time may do better: a repository that was renamed is no outage."""
    return failure.code is not SourceProblem.REFUSED
