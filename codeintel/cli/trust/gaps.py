"""The gaps of a refresh: packages without a new snapshot, and upstreams that did not respond."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from codeintel.base.wording import counted
from codeintel.contracts import SourceProblem

if TYPE_CHECKING:
    from codeintel.platform.jobs.store import Job
    from codeintel.trust.collection import Collecting
    from codeintel.trust.scores import Failure
    from codeintel.trust.service import Trust

_SHOWN = 10
"""The number of packages that are named for each reason."""
_WORDS = {
    "not_found": "No registry has this package.",
    "upstreams_unavailable": "Its registries cannot be reached.",
}
_UNTOLD = "Run `codeintel trust explain` to see why."
_GITHUB_HINT = (
    "GitHub allows 60 requests per hour without a token, and 5,000 with one. Set "
    "CODEINTEL_GITHUB_TOKEN."
)


def gap_lines(trust: Trust, job: Job, seen: Mapping[str, str]) -> Iterator[str]:
    """Return lines about the gaps of a refresh: packages without a new snapshot by reason, then
    upstreams that did not respond for other packages.

    :param seen: the error codes by package that were seen during the job.
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
    """Return the last error of each upstream that has not responded since, in this process."""
    for upstream in collecting.upstreams.values():
        state = upstream.state
        if state.last_error is not None and state.answered_ms is None:
            yield state.last_error.message


def failure_lines(failures: Iterable[Failure]) -> Iterator[str]:
    """Return a line for each cause, with the number of other sources that failed for it."""
    by_cause: dict[str, list[Failure]] = defaultdict(list)
    for each in failures:
        by_cause[_cause(each.message)].append(each)
    for cause, failed in by_cause.items():
        first = next((each for each in failed if each.message == cause), failed[0])
        more = f" For this reason, {counted(len(failed) - 1, 'more source')} gave no evidence."
        yield f"{first.source}: {first.code}: {cause}{more if len(failed) > 1 else ''}"


def _cause(message: str) -> str:
    """Return why a source failed that was not queried because another one failed."""
    return message.rpartition(" was not queried: ")[2]


def _reasons(packages: list[str], seen: Mapping[str, str], result: Any) -> dict[str, str]:
    """Return the reasons by package. A result may have `failures` with a `package` and `reason`."""
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
        yield f"Not refreshed: {', '.join(packages[:_SHOWN])}{more}: {reason}"


def _without(collecting: Collecting, failures: list[tuple[Failure, ...]]) -> Iterator[str]:
    """Return how many packages lack evidence of each upstream.

    :param failures: the failures of each package.
    """
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
    groups: dict[tuple[int, str], list[str]] = defaultdict(list)
    for title in sorted(without):
        [(message, _)] = messages[title].most_common(1)
        groups[without[title], _cause(message)].append(title)
    for (count, cause), named in groups.items():
        yield f"{count:,} of {len(failures):,} without {', '.join(named)}: {cause}"
    if "GitHub" in limited - {each.title for each in collecting.collectors if each.token}:
        yield _GITHUB_HINT


def _is_passing(failure: Failure) -> bool:
    """Return whether a retry may help. It does not for a renamed repository."""
    return failure.code is not SourceProblem.REFUSED
