"""The values of a project: what the results of calls hold, and the sinks that values reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from codeintel.engine.dataflow.project.calls import Calls
from codeintel.engine.dataflow.project.graphs import components
from codeintel.engine.dataflow.project.index import Entity, Sort
from codeintel.engine.dataflow.project.records import (
    SOURCES,
    Atom,
    AtomKind,
    FileSummary,
    PathStep,
    Place,
    SinkHit,
    Site,
    SiteKind,
)

MAX_FLOWS = 16
"""Maximum number of origins that are kept for each value."""
MAX_PATH = 40
"""Maximum number of steps on a path. Later steps are left out."""
ROUNDS = 3
"""How often the members of a cycle are computed."""

Steps = tuple[tuple[str, PathStep], ...]
"""The steps of a path, each with its file."""


class Flow(NamedTuple):
    """A source or a parameter, and the path of its value so far. `number` is the parameter's."""

    kind: AtomKind
    path: str
    number: int
    what: str
    clean: frozenset[str]
    steps: Steps

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two paths from the same origin."""
        first = self.steps[0] if self.steps else None
        return self.kind, self.path, self.number, first, self.clean

    def then(self, path: str, *steps: PathStep) -> Flow:
        """Return the flow after more steps in a file."""
        return self._replace(steps=_limited((*self.steps, *((path, each) for each in steps))))


class Reach(NamedTuple):
    """A sink, and the steps from a parameter to it."""

    hit: SinkHit
    path: str
    steps: Steps

    def after(self, steps: Steps) -> Reach:
        """Return the same sink with steps before."""
        return self._replace(steps=_limited((*steps, *self.steps)))

    def harmed_by(self, flow: Flow) -> bool:
        """Return whether a flow from a source harms the sink."""
        return (
            flow.kind in SOURCES and flow.kind in self.hit.kinds and self.hit.sink not in flow.clean
        )


def _limited(steps: Steps) -> Steps:
    return steps if len(steps) <= MAX_PATH else steps[:MAX_PATH]


FunctionNode = tuple[str, str, int]
"""`f`, file and number for a function, `s` for a site, `w` for the writes of a variable."""

PART_ONLY = "values were followed through a part of the calls only"
"""Says that the budget of linking was spent."""


class Values:
    """Computes what the results of calls hold, bottom-up.

    :ivar steps: the counted work.
    """

    def __init__(self, summaries: Mapping[str, FileSummary], calls: Calls, limit: int) -> None:
        self._files = summaries
        self._calls = calls
        self._limit = limit
        self.steps = 0
        self.ends: list[str] = []
        self._sites: dict[tuple[str, int], list[Flow]] = {}
        self._returns: dict[tuple[str, int], list[Flow]] = {}
        self._writes: dict[Entity, list[tuple[str, int]]] = {}

    def compute(self) -> None:
        """Compute the results of all calls that matter."""
        for entity, path, number in self._calls.writes():
            self._writes.setdefault(entity, []).append((path, number))
        wanted = [
            ("s", path, number)
            for path, summary in self._files.items()
            for number in _used_sites(summary)
        ]
        for group in components(wanted, self._needs):
            rounds = 1 if len(group) == 1 else ROUNDS
            for node in (each for _ in range(rounds) for each in group):
                self._update(node)
                if self.steps > self._limit:
                    self.ends.append(PART_ONLY)
                    return

    def _needs(self, node: FunctionNode) -> Iterator[FunctionNode]:
        sort, path, number = node
        if sort == "f":
            yield from _results_in(path, self._files[path].functions[number].returns)
            return
        site = self._files[path].sites[number]
        for callee in self._calls.of(path, number):
            if callee.sort is Sort.FUNCTION:
                yield "f", callee.path, callee.number
            else:
                for where, each in self._writes.get(callee, ()):
                    yield from _results_in(where, self._files[where].writes[each].atoms)
        for given in site.args:
            yield from _results_in(path, given.atoms)
        yield from _results_in(path, site.receiver)

    def _update(self, node: FunctionNode) -> None:
        sort, path, number = node
        self.steps += 1
        if sort == "f":
            atoms = self._files[path].functions[number].returns
            flows = (flow for atom in atoms for flow in self.of(path, atom))
            self._returns[path, number] = _kept(flows)
        else:
            self._sites[path, number] = _kept(self._result(path, number))

    def _result(self, path: str, number: int) -> Iterator[Flow]:
        """Yield what the result of a call, or a variable, holds."""
        site = self._files[path].sites[number]
        callees = self._calls.of(path, number)
        if not callees and site.passes:
            yield from self._passed_through(path, site)
        for callee in callees:
            if site.kind is SiteKind.READ:
                for where, each in self._writes.get(callee, ()):
                    for atom in self._files[where].writes[each].atoms:
                        step = PathStep(site.place, f"read from {callee.name.rpartition('.')[2]}")
                        yield from (flow.then(path, step) for flow in self.of(where, atom))
                continue
            first = self._calls.first_parameter(callee)
            count = self._calls.parameters(callee)
            matched = list(self._calls.matched(site, callee))
            step = PathStep(site.place, f"returned by {callee.name}()")
            for flow in self._returns.get((callee.path, callee.number), ()):
                self.steps += 1
                own = flow.path == callee.path and first <= flow.number < first + count
                if flow.kind is not AtomKind.PARAMETER or not own:
                    yield flow.then(path, step)
                    continue
                for position, param, _ in matched:
                    if param[1] != flow.number:
                        continue
                    for atom in site.args[position].atoms:
                        for given in self.of(path, atom):
                            yield given._replace(
                                clean=given.clean | flow.clean,
                                steps=_limited((*given.steps, *flow.steps, (path, step))),
                            )

    def _passed_through(self, path: str, site: Site) -> Iterator[Flow]:
        """Yield the values that an unknown function gets, which may be in its result."""
        name = site.target.rpartition(".")[2]
        step = PathStep(site.place, f"passed through {name}()")
        for atoms in (site.receiver, *(each.atoms for each in site.args)):
            for atom in atoms:
                for flow in self.of(path, atom):
                    yield flow.then(path, step)

    def of(self, path: str, atom: Atom) -> Iterator[Flow]:
        """Yield the sources and parameters that an atom stands for."""
        self.steps += 1
        if any(self._calls.of(path, number) for number in atom.via):
            return
        if any(self._calls.checks(path, number) for number in atom.checks):
            return
        clean = frozenset(atom.clean)
        steps = tuple((path, each) for each in atom.steps)
        if atom.kind is not AtomKind.RESULT:
            yield Flow(atom.kind, path, atom.index, atom.what, clean, steps)
            return
        for flow in self._sites.get((path, atom.index), ()):
            yield flow._replace(clean=flow.clean | clean, steps=_limited((*flow.steps, *steps[1:])))


def _used_sites(summary: FileSummary) -> Iterator[int]:
    """Yield the numbers of the sites whose results matter in a file."""
    groups = [
        *(each.atoms for each in summary.hits),
        *(given.atoms for site in summary.sites for given in site.args),
        *(site.receiver for site in summary.sites),
        *(each.atoms for each in summary.writes),
        *(each.returns for each in summary.functions),
    ]
    found = {a.index for atoms in groups for a in atoms if a.kind is AtomKind.RESULT}
    yield from sorted(found)


def _results_in(path: str, atoms: Iterable[Atom]) -> Iterator[FunctionNode]:
    for atom in atoms:
        if atom.kind is AtomKind.RESULT:
            yield "s", path, atom.index


def _kept(flows: Iterable[Flow]) -> list[Flow]:
    """Return one flow for each origin: the shortest, sources first."""
    best: dict[tuple[object, ...], Flow] = {}
    for flow in flows:
        known = best.get(flow.key)
        if known is None or len(known.steps) > len(flow.steps):
            best[flow.key] = flow
    order = sorted(best.values(), key=lambda each: (each.kind not in SOURCES, len(each.steps)))
    return order[:MAX_FLOWS]


def best_flows(
    found: Iterable[tuple[Flow, Reach]], is_reported: Callable[[Reach], bool]
) -> list[tuple[Flow, Reach]]:
    """Return the best path to each sink that no file reports by itself, in order of place."""
    best: dict[tuple[str, Place, str], tuple[Flow, Reach]] = {}
    for flow, reach in found:
        key = reach.path, reach.hit.call, reach.hit.sink
        known = best.get(key)
        if known is None:
            if not is_reported(reach):
                best[key] = flow, reach
        elif _rank(flow, reach) < _rank(*known):
            best[key] = flow, reach
    return [best[key] for key in sorted(best)]


def _rank(flow: Flow, reach: Reach) -> tuple[bool, int]:
    return flow.kind is not AtomKind.REMOTE, len(flow.steps) + len(reach.steps)
