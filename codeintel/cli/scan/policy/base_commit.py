"""Compare a scan with the files of a base commit, so that only new findings count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from codeintel.cli.scan.policy.matching import Matching
from codeintel.cli.scan.policy.texts import Texts
from codeintel.cli.scan.report import Source
from codeintel.client.repository.discovery import Discovery, discover_commit
from codeintel.client.repository.git import GitError
from codeintel.client.repository.naming import DiscoveryError
from codeintel.contracts.scans.records import (
    CrossFileResult,
    FileResult,
    FoundFile,
    ScanFinding,
)

_SHORT_ID = 10
_HEAD = "HEAD"
_COMMON = "..."
"""Behind a name, it means the last common commit with HEAD, as for `git diff`."""


class BasePlan(NamedTuple):
    """The files of a base commit.

    `changed` are those to scan: their contents differ from the scanned ones, or they are gone.
    `unchanged` are the paths of the others. `discovery` reads them all.
    """

    name: str
    discovery: Discovery
    changed: tuple[FoundFile, ...]
    unchanged: frozenset[str]


def plan_base(discovery: Discovery, ref: str) -> BasePlan:
    """Find out which files of a commit have to be scanned for a comparison.

    :param discovery: the files of the scan. Its ignore rules apply to the commit, too.
    :param ref: a branch, a tag or a commit. With `...` behind it, the last common commit of it and
        HEAD.
    :raises DiscoveryError: if there is no such commit, or no repository.
    """
    repository = discovery.repository
    if repository is None:
        raise DiscoveryError(
            f"--base needs a Git repository and the program git. {discovery.root} is not in one."
        )
    if ref.removesuffix(_COMMON) == _HEAD and not repository.has_commits():
        # A hook runs before the first commit, too. All findings are new then.
        nothing = discovery._replace(files=(), left_out=(), entries={})
        return BasePlan("an empty repository", nothing, (), frozenset())
    try:
        commit = repository.commit(ref.removesuffix(_COMMON))
        if ref.endswith(_COMMON):
            common = repository.merge_base(commit)
            if common is None:
                raise DiscoveryError(f"{ref.removesuffix(_COMMON)} and HEAD have no common commit.")
            commit = common
    except GitError as error:
        raise DiscoveryError(str(error)) from None
    base = discover_commit(discovery, commit)
    now = {each.path: each.sha256 for each in discovery.files}
    changed, unchanged = [], set()
    for each in base.files:
        if now.get(each.path) == each.sha256:
            unchanged.add(each.path)
        elif each.path in now or not discovery.exists(each.path):
            changed.append(each)  # one that exists and was not selected is left out
    name = f"commit {commit[:_SHORT_ID]} ({ref})" if not commit.startswith(ref) else f"commit {ref}"
    return BasePlan(name, base, tuple(changed), frozenset(unchanged))


def texts_of(plan: BasePlan, results: Iterable[FileResult]) -> dict[str, str]:
    """Return the texts of the files of a base that have findings, by path."""
    wanted = {each.path for each in results if each.findings}
    with plan.discovery.opened() as read:
        return {each.path: read(each) for each in plan.changed if each.path in wanted}


class BaseCommit:
    """The findings of a base commit, as known findings.

    :param results: the results of the files in `changed`.
    :param texts: the texts of those with findings, as :func:`texts_of` returns them.
    :param now: the results of the scan. Those of unchanged files hold for the base, too.
    :param cross: paths of values that crossed files of the base. Without it, all paths that cross
        files are new.
    :param source: returns the texts of the scanned files.
    :param errors: sentences about what ended the scan of the base early.
    """

    def __init__(
        self,
        plan: BasePlan,
        results: Iterable[FileResult],
        texts: Mapping[str, str],
        now: Sequence[FileResult],
        *,
        source: Source,
        cross: CrossFileResult | None = None,
        errors: Sequence[str] = (),
    ) -> None:
        self.name = plan.name
        self._plan = plan
        self._errors = errors
        self._results = list(results)
        same = [each for each in now if each.path in plan.unchanged]
        found = [each for result in (*self._results, *same) for each in result.findings]
        self._old = [*found, *(cross.findings if cross is not None else ())]
        self._paths = {each.path for each in plan.discovery.files}
        self._now = {each.path for each in now}
        self._source = source
        self._former = texts
        self._gone: list[ScanFinding] = []

    def reasons(self, findings: Sequence[ScanFinding]) -> Mapping[int, str]:
        """Return the findings that the base has, too."""
        matching = Matching(
            findings,
            self._old,
            Texts(self._source),
            Texts(self._former_text),
            paths=self._paths,
            now=self._now,
        )
        self._gone = matching.unmatched()
        return dict.fromkeys(matching.pairs, "")

    def _former_text(self, path: str) -> str | None:
        return self._source(path) if path in self._plan.unchanged else self._former.get(path)

    def fixed(self, counts: Callable[[ScanFinding], bool]) -> int:
        """Return the number of findings of the base that are gone.

        :param counts: returns whether a finding is of interest.
        """
        return sum(map(counts, self._gone))

    def notes(self) -> Iterable[str]:
        """Return the files of the base that were not analyzed.

        Their findings count as new.
        """
        for error in self._errors:
            yield f"Findings may count as new by mistake, because {self.name} was not read: {error}"
        for each in self._results:
            if each.cause:
                yield (
                    f"{each.path} could not be analyzed in {self.name}, so that all findings in it "
                    "count as new."
                )
