"""What registry and repository say of the package as a whole."""

from __future__ import annotations

from codeintel.contracts import Case, Ecosystem, Measure
from codeintel_plugins.trust.scorers.repository import OfRepository
from codeintel_plugins.trust.scorers.times import YEAR_DAYS, first_release
from codeintel_plugins.trust.scorers.weighted import Weighted, days_since, moment

_GONE = frozenset({"removed", "unpublished"})


class NotDeprecated(Weighted):
    """1 while the registry lists it as active; deprecated or yanked: 0. A package that the registry
    has removed has no points at all: nobody can install it, and most are removed for being
    harmful; whoever takes the name next is somebody else."""

    title = "Not deprecated"
    reads = ("status",)
    advice = "Name a successor; users should move to it."
    version = "2"

    def measure(self, case: Case) -> Measure | None:
        status = case.facts.value("status")
        if not isinstance(status, str):
            return None
        note = "The registry does not offer it any more." if status in _GONE else ""
        return Measure(status, "", float(status == "active"), note, settles=status in _GONE)


class NotArchived(OfRepository, Weighted):
    """1 while the repository is open, 0 once it is archived."""

    title = "Repository not archived"
    reads = ("is_archived",)
    advice = "Reopen the repository, or name the one that goes on."

    def look(self, case: Case) -> Measure | None:
        is_archived = case.facts.value("is_archived")
        if not isinstance(is_archived, bool):
            return None
        return Measure(not is_archived, "", float(not is_archived))


class Age(Weighted):
    """Days since the first release over a year, at most 1; of what is a repository itself, since
    that was made. The repository of a package may be older, and another's."""

    title = "Time in public"
    reads = ("release_dates", "releases", "created_at")
    advice = "Nothing but time: let others look at it before you depend on it."

    def measure(self, case: Case) -> Measure | None:
        days = days_since(first_release(case), case)
        if days is None and case.target.ecosystem is Ecosystem.GITHUB:
            days = days_since(moment(case.facts.value("created_at")), case)
        if days is None:
            return None
        return Measure(days, "days", min(1.0, days / YEAR_DAYS))
