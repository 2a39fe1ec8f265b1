"""Findings of a run or a report: filtered, counted, grouped and divided into pages. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from math import ceil
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType
from werkzeug.datastructures import MultiDict

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import Category, Confidence, Severity
from codeintel.http.requests.query import read_fields
from codeintel.web.findings.views import (
    COMPARISONS,
    Context,
    FindingView,
    finding_view,
    rule_of,
)
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

PAGE_FINDINGS = 50
MOST_OPEN = 10
"""A page with more findings than that shows the first one open, and the others closed."""


class Grouping(StrEnum):
    """How findings are grouped."""

    RULE = "rule"
    FILE = "file"


class FindingsQuery(msgspec.Struct, frozen=True):
    """Which findings are shown, and how. `rule` is an analyzer and a rule, as in `ruff/F401`. Fixed
    findings are shown only where `comparison` asks for them."""

    severity: Severity | UnsetType = UNSET
    category: Category | UnsetType = UNSET
    confidence: Confidence | UnsetType = UNSET
    comparison: BaselineState | UnsetType = UNSET
    rule: Annotated[str, Meta(max_length=300)] = ""
    path: Annotated[str, Meta(max_length=1_000)] = ""
    group: Grouping = Grouping.RULE
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1

    @property
    def is_filtered(self) -> bool:
        """Return whether anything is left out."""
        return self != FindingsQuery(group=self.group, page=self.page)

    def parameters(self, **changed: Any) -> dict[str, Any]:
        """Return the parameters of an address of the same findings, some of them changed. The page
        is the first one unless it is given."""
        wanted = {"page": 1, **changed}
        found: dict[str, Any] = {}
        for name, usual in _USUAL.items():
            value = wanted.get(name, getattr(self, name))
            if value not in (usual, UNSET, ""):
                found[name] = getattr(value, "value", value)
        return found


def findings_query(arguments: MultiDict[str, str]) -> FindingsQuery:
    """Read the filters of an address. A form sends the fields that are left empty, too.

    :raises ServiceError: `invalid_request`.
    """
    given = arguments.to_dict(flat=False)
    return read_fields(
        {name: values for name, values in given.items() if any(values)}, FindingsQuery
    )


_USUAL = {name: getattr(FindingsQuery(), name) for name in FindingsQuery.__struct_fields__}


@dataclass(frozen=True)
class Option:
    """A choice of a filter, with the number of findings that it leaves."""

    value: str
    title: str
    count: int


@dataclass(frozen=True)
class Filter:
    """A filter with its choices. Findings fit `chosen`, which is empty for all."""

    name: str
    title: str
    chosen: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Group:
    """Findings of one rule or of one file on a page, the worst first. `count` includes those on
    other pages. `path` is empty for a rule."""

    title: str
    path: str
    link: str
    count: int
    rows: tuple[FindingView, ...]

    @property
    def worst(self) -> Severity:
        """Return the severity of the first finding."""
        return self.rows[0].finding.severity


@dataclass(frozen=True)
class FindingsPage:
    """A page of findings. `first` and `last` count from 1 among `total`. Findings with low
    confidence come last: `folded` has those of this page, `unsure` counts those of all pages."""

    groups: tuple[Group, ...]
    folded: tuple[Group, ...]
    filters: tuple[Filter, ...]
    severities: tuple[Option, ...]
    page: int
    pages: int
    first: int
    last: int
    total: int
    unsure: int
    opens_all: bool
    query: FindingsQuery


def findings_page(
    found: Sequence[ReportedFinding],
    query: FindingsQuery,
    context: Context,
    fixed: Sequence[ReportedFinding] = (),
) -> FindingsPage:
    """Return the findings that the query asks for. A page after the last is the last.

    :param fixed: the findings that are gone since the report before.
    """
    everything = [*found, *fixed]
    query = _with_current_rule(query, everything)
    ordered = _ordered(
        [each for each in letting_others_run(everything) if _fits(each, query)], query
    )
    pages = max(1, ceil(len(ordered) / PAGE_FINDINGS))
    page = min(query.page, pages)
    begin = (page - 1) * PAGE_FINDINGS
    shown = ordered[begin : begin + PAGE_FINDINGS]
    make = _Groups(ordered, query, context)
    return FindingsPage(
        groups=make.of(each for each in shown if not is_folded(each, query)),
        folded=make.of(each for each in shown if is_folded(each, query)),
        filters=tuple(_filters(everything, query, context)),
        severities=_options(everything, query, "severity", Severity),
        page=page,
        pages=pages,
        first=begin + 1 if shown else 0,
        last=begin + len(shown),
        total=len(ordered),
        unsure=sum(is_folded(each, query) for each in letting_others_run(ordered)),
        opens_all=len(shown) <= MOST_OPEN,
        query=query,
    )


def _with_current_rule(query: FindingsQuery, found: Iterable[ReportedFinding]) -> FindingsQuery:
    """Replace the former ID of a rule in the query with the ID that the findings have now."""
    if not query.rule:
        return query
    for each in letting_others_run(found):
        engine, rule_id = rule_of(each.finding)
        if query.rule in {f"{engine}/{former}" for former in each.finding.formerly or ()}:
            return msgspec.structs.replace(query, rule=f"{engine}/{rule_id}")
    return query


def is_folded(each: ReportedFinding, query: FindingsQuery) -> bool:
    """Return whether a finding is folded away: its confidence is low and the filter is not set."""
    return each.finding.confidence is Confidence.LOW and query.confidence is UNSET


def worst_first(found: Iterable[ReportedFinding]) -> list[ReportedFinding]:
    """Return findings by confidence that is not low, severity, file and line."""
    return sorted(found, key=_place)


def _place(each: ReportedFinding) -> tuple[bool, int, int, str, int, int]:
    finding, place = each.finding, each.finding.range
    is_low = finding.confidence is Confidence.LOW
    rank = finding.severity.rank
    confidence = finding.confidence.rank
    return is_low, rank, confidence, each.path, place.start_line, place.start_column


def _fits(each: ReportedFinding, query: FindingsQuery) -> bool:
    finding = each.finding
    prefix = query.path if query.path.startswith("/") or not query.path else f"/{query.path}"
    return (
        (query.comparison is BaselineState.FIXED) is (each.comparison is BaselineState.FIXED)
        and (query.comparison is UNSET or each.comparison is query.comparison)
        and (query.severity is UNSET or finding.severity is query.severity)
        and (query.category is UNSET or finding.category is query.category)
        and (query.confidence is UNSET or finding.confidence is query.confidence)
        and (not query.rule or "/".join(rule_of(finding)) == query.rule)
        and each.path.startswith(prefix)
    )


def _key(each: ReportedFinding, query: FindingsQuery) -> str:
    """Return the key that a finding is grouped by."""
    return each.path if query.group is Grouping.FILE else "/".join(rule_of(each.finding))


class _Order:
    """Sorts findings: low confidence last, then by the worst of the group, then by severity."""

    def __init__(self, found: Sequence[ReportedFinding], query: FindingsQuery) -> None:
        self._query = query
        self._worst: dict[tuple[bool, str], int] = {}
        for each in letting_others_run(found):
            group = is_folded(each, query), _key(each, query)
            rank = each.finding.severity.rank
            self._worst[group] = min(rank, self._worst.get(group, rank))

    def __call__(self, each: ReportedFinding) -> tuple[Any, ...]:
        folded, key = is_folded(each, self._query), _key(each, self._query)
        return folded, self._worst[folded, key], key, *_place(each)


def _ordered(found: Sequence[ReportedFinding], query: FindingsQuery) -> list[ReportedFinding]:
    order = _Order(found, query)
    keys = [order(each) for each in letting_others_run(found)]
    return [found[place] for place in sorted(range(len(found)), key=keys.__getitem__)]


class _Groups:
    """Makes groups of a page, with the counts of all pages."""

    def __init__(
        self, found: Iterable[ReportedFinding], query: FindingsQuery, context: Context
    ) -> None:
        self._query = query
        self._context = context
        self._counts = Counter(
            (is_folded(each, query), _key(each, query)) for each in letting_others_run(found)
        )

    def of(self, shown: Iterable[ReportedFinding]) -> tuple[Group, ...]:
        """Return the groups of some findings, which come in their order."""
        return tuple(
            self._group(key, tuple(rows))
            for key, rows in groupby(shown, key=lambda each: _key(each, self._query))
        )

    def _group(self, key: str, found: tuple[ReportedFinding, ...]) -> Group:
        rows = tuple(finding_view(each, self._context) for each in letting_others_run(found))
        count = self._counts[is_folded(found[0], self._query), key]
        if self._query.group is Grouping.FILE:
            link = self._context.link(key, 0) if any(row.link for row in rows) else ""
            return Group(key, key, link, count, rows)
        return Group(rows[0].title or rows[0].finding.rule_id, "", "", count, rows)


def _filters(
    found: Sequence[ReportedFinding], query: FindingsQuery, context: Context
) -> Iterator[Filter]:
    """Return the filters that have something to choose."""
    for name, title, kind in (
        ("severity", "Severity", Severity),
        ("confidence", "Confidence", Confidence),
        ("category", "Category", Category),
        ("comparison", "Compared", BaselineState),
    ):
        options = _options(found, query, name, kind)
        chosen = "" if getattr(query, name) is UNSET else getattr(query, name).value
        if len(options) > 1 or chosen:
            yield Filter(name, title, chosen, options)
    rules = tuple(_rules(found, query, context))
    if len(rules) > 1 or query.rule:
        yield Filter("rule", "Rule", query.rule, rules)


def _options(
    found: Iterable[ReportedFinding], query: FindingsQuery, name: str, kind: type[StrEnum]
) -> tuple[Option, ...]:
    others = msgspec.structs.replace(query, **{name: UNSET})
    counts: Counter[Any] = Counter()
    compared = {
        state: msgspec.structs.replace(others, comparison=state)
        for state in {each.comparison for each in found if name == "comparison"}
    }
    for each in letting_others_run(found):
        if name == "comparison":
            counts[each.comparison] += _fits(each, compared[each.comparison])
        elif _fits(each, others):
            counts[getattr(each.finding, name)] += 1
    return tuple(
        Option(each.value, _title(each), counts[each])
        for each in kind
        if counts[each] or each is getattr(query, name)
    )


def _title(value: StrEnum) -> str:
    if isinstance(value, BaselineState):
        return COMPARISONS[value]
    return value.value.capitalize()


def _rules(
    found: Iterable[ReportedFinding], query: FindingsQuery, context: Context
) -> Iterator[Option]:
    others = msgspec.structs.replace(query, rule="")
    fitting = (each for each in letting_others_run(found) if _fits(each, others))
    counts = Counter(rule_of(each.finding) for each in fitting)
    for rule, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        title = context.title(rule)
        yield Option("/".join(rule), f"{title} ({rule[1]})" if title else rule[1], count)
