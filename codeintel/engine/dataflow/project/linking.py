"""Link the summaries of a project's files: find the values that reach a sink in another file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from codeintel.engine.dataflow.project.calls import Calls
from codeintel.engine.dataflow.project.flows import PART_ONLY, Flow, Reach, Values, best_flows
from codeintel.engine.dataflow.project.graphs import components
from codeintel.engine.dataflow.project.records import (
    SOURCES,
    VERSION,
    AtomKind,
    FileSummary,
    PathStep,
    Place,
    SiteKind,
)
from codeintel.engine.dataflow.project.rendering import renderings

__all__ = ["Budget", "Counts", "CrossFinding", "CrossStep", "Linked", "link"]

MAX_REACHES = 16
"""Maximum number of sinks that are kept for each parameter."""
MAX_NAMED = 15
"""Maximum number of files that are named because their analysis stopped early."""
ROUNDS = 3
"""How often the members of a cycle are computed."""


class Budget(msgspec.Struct, frozen=True):
    """The limits of linking, as counts, so that results do not depend on the machine."""

    files: int = 20_000
    calls: int = 400_000
    steps: int = 3_000_000
    findings: int = 2_000


class CrossStep(msgspec.Struct, frozen=True):
    """A step on the path of a value. `path` is its file."""

    path: str
    place: Place
    text: str


class CrossFinding(msgspec.Struct, frozen=True):
    """Untrusted input of one file reaches a sink with the help of another file.

    `path` and `place` are those of the sink's call. `steps` starts at the source and ends at the
    sink. `source` describes the input. `value` and `function` are the names of the argument and of
    the called function, if they have short ones. `digest` is that of the code of both.
    """

    sink: str
    path: str
    place: Place
    steps: tuple[CrossStep, ...]
    kind: str
    source: str
    value: str
    function: str
    digest: str
    what: str


class Counts(msgspec.Struct, frozen=True):
    """The number of linked files and calls.

    `external` are calls of libraries. `unresolved` are calls of unknown functions, such as methods
    of objects of unknown type.
    """

    files: int = 0
    functions: int = 0
    calls: int = 0
    resolved: int = 0
    unresolved: int = 0
    external: int = 0
    steps: int = 0


class Linked(msgspec.Struct, frozen=True):
    """The result of linking.

    `ends` say in words which limits were reached.
    """

    findings: tuple[CrossFinding, ...] = ()
    counts: Counts = Counts()
    ends: tuple[str, ...] = ()


Param = tuple[str, int]
"""A parameter: its file, and its number in the file."""


def link(summaries: Mapping[str, FileSummary], budget: Budget | None = None) -> Linked:
    """Link the files of a project.

    :param summaries: the summaries by relative path with `/`. Those with another `version` are not
        used.
    """
    return _Linker(summaries, budget or Budget()).linked()


class _Linker:
    def __init__(self, summaries: Mapping[str, FileSummary], budget: Budget) -> None:
        self._budget = budget
        self._ends: list[str] = []
        paths = sorted(summaries)
        if len(paths) > budget.files:
            self._ends.append(f"only {budget.files} of {len(paths)} files were linked")
        self._files = {
            path: summaries[path]
            for path in paths[: budget.files]
            if summaries[path].version == VERSION
        }
        self._calls = Calls(self._files, budget.calls)
        self._values = Values(self._files, self._calls, budget.steps)
        self._reaches: dict[Param, list[Reach]] = {}

    def linked(self) -> Linked:
        self._values.compute()
        self._reach()
        chosen = best_flows(self._findings(), self._is_reported)
        if len(chosen) > self._budget.findings:
            self._ends.append(f"only {self._budget.findings} of {len(chosen)} findings are listed")
            chosen = chosen[: self._budget.findings]
        self._ends += [*self._calls.ends, *self._values.ends]
        self._ends += self._unfinished()
        counted = self._calls
        counts = Counts(
            len(self._files),
            sum(len(each.functions) for each in self._files.values()),
            counted.total,
            counted.resolved,
            counted.total - counted.resolved - counted.external,
            counted.external,
            self._values.steps + counted.steps,
        )
        findings = tuple(_finding(flow, reach) for flow, reach in chosen)
        return Linked(findings, counts, tuple(self._ends))

    def _unfinished(self) -> list[str]:
        """Name the files whose own analysis stopped early, the first ones of many."""
        found = [f"{path}: {e.unfinished}" for path, e in self._files.items() if e.unfinished]
        if len(found) > MAX_NAMED:
            rest = len(found) - MAX_NAMED
            found = [*found[:MAX_NAMED], f"{rest} more files were analyzed only in part"]
        return found

    def _is_reported(self, reach: Reach) -> bool:
        return any(
            each.sink == reach.hit.sink and each.call == reach.hit.call
            for each in self._files[reach.path].reported
        )

    def _reach(self) -> None:
        """Compute for each parameter the sinks that it reaches, callees first."""
        direct: dict[Param, list[Reach]] = {}
        for flow, reach in self._at_sinks():
            if flow.kind is AtomKind.PARAMETER and reach.hit.sink not in flow.clean:
                found = reach.after(flow.steps)
                direct.setdefault((flow.path, flow.number), []).append(found)
        edges: dict[Param, list[tuple[Flow, Param]]] = {}
        for flow, param in self._passed():
            if flow.kind is AtomKind.PARAMETER:
                edges.setdefault((flow.path, flow.number), []).append((flow, param))

        def needs(node: Param) -> Iterator[Param]:
            return (target for _, target in edges.get(node, ()))

        for group in components([*direct, *edges], needs):
            for _ in range(1 if len(group) == 1 else ROUNDS):
                for node in group:
                    if self._is_spent():
                        return
                    self._reaches[node] = self._reached(node, direct, edges)

    def _reached(
        self,
        node: Param,
        direct: dict[Param, list[Reach]],
        edges: dict[Param, list[tuple[Flow, Param]]],
    ) -> list[Reach]:
        best: dict[tuple[str, str, Place], Reach] = {}
        for reach in direct.get(node, ()):
            _keep(best, reach)
        for flow, target in edges.get(node, ()):
            for reach in self._reaches.get(target, ()):
                self._values.steps += 1
                if reach.hit.sink not in flow.clean:
                    _keep(best, reach.after(flow.steps))
        return sorted(best.values(), key=lambda each: len(each.steps))[:MAX_REACHES]

    def _passed(self) -> Iterator[tuple[Flow, Param]]:
        """Yield each value that is passed to a function's parameter in another file."""
        for path, summary in self._files.items():
            for number, site in enumerate(summary.sites):
                if site.kind is not SiteKind.CALL or not any(e.atoms for e in site.args):
                    continue
                for callee in self._calls.of(path, number):
                    for position, target, name in self._calls.matched(site, callee):
                        step = PathStep(site.place, f"passed to {name}")
                        for atom in site.args[position].atoms:
                            for flow in self._values.of(path, atom):
                                yield flow.then(path, step), target

    def _routed(self) -> Iterator[tuple[Flow, Param]]:
        """Yield the parameters that frameworks fill with parts of an address."""
        what = "a part of the address"
        for path, summary in self._files.items():
            for number, site in enumerate(summary.sites):
                if site.kind is SiteKind.ROUTE:
                    steps = ((path, PathStep(site.place, what)),)
                    flow = Flow(AtomKind.REMOTE, path, -1, what, frozenset(), steps)
                    yield from ((flow, param) for param in self._calls.routed(path, number))

    def _at_sinks(self) -> Iterator[tuple[Flow, Reach]]:
        """Yield what reaches the sinks of all files, and the outputs of templates."""
        for path, summary in self._files.items():
            for hit in summary.hits:
                if hit.site >= 0 and self._calls.of(path, hit.site):
                    continue  # a function of the project has the name of a sink
                for atom in hit.atoms:
                    for flow in self._values.of(path, atom):
                        yield flow, Reach(hit, path, ())
        for each in renderings(self._files):
            for flow in self._values.of(each.path, each.atom):
                yield flow, Reach(each.hit, each.template, ())

    def _is_spent(self) -> bool:
        """Return whether the budget is spent, and note it once."""
        if self._values.steps <= self._budget.steps:
            return False
        if PART_ONLY not in (*self._ends, *self._values.ends):
            self._ends.append(PART_ONLY)
        return True

    def _findings(self) -> Iterator[tuple[Flow, Reach]]:
        """Yield what may be a finding, until the budget is spent."""
        for found in self._candidates():
            self._values.steps += 1
            if self._is_spent():
                return
            yield found

    def _candidates(self) -> Iterator[tuple[Flow, Reach]]:
        for flow, reach in self._at_sinks():
            if reach.harmed_by(flow):
                yield flow, reach
        for flow, param in self._routed():
            for reach in self._reaches.get(param, ()):
                if reach.harmed_by(flow):
                    yield flow, reach
        for flow, param in self._passed():
            if flow.kind in SOURCES:
                for reach in self._reaches.get(param, ()):
                    if reach.harmed_by(flow):
                        yield flow, reach


def _keep(best: dict[tuple[str, str, Place], Reach], reach: Reach) -> None:
    key = reach.hit.sink, reach.path, reach.hit.call
    known = best.get(key)
    if known is None or len(known.steps) > len(reach.steps):
        best[key] = reach


def _finding(flow: Flow, reach: Reach) -> CrossFinding:
    hit = reach.hit
    steps = [CrossStep(path, step.place, step.text) for path, step in (*flow.steps, *reach.steps)]
    steps.append(CrossStep(reach.path, hit.argument, f"reaches {hit.what}"))
    return CrossFinding(
        hit.sink,
        reach.path,
        hit.call,
        tuple(steps),
        flow.kind,
        flow.what,
        hit.value,
        hit.function,
        hit.digest,
        hit.what,
    )
