"""Suppression comments: findings that they cover are still reported, and marked. Pure.

Comments that name rules of tools that do not run here apply to findings about the same weakness.

A comment is no proof that a defect is harmless, and every reader can see that a comment made the
claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

import msgspec

from codeintel.contracts import AnalyzerOutput, AnalyzerRequest, Category, Finding, Note, Reported
from codeintel.contracts.positions import LineTable
from codeintel_plugins.suppressions.comments import comments, directives
from codeintel_plugins.suppressions.extents import Extents
from codeintel_plugins.suppressions.keywords import any_keyword
from codeintel_plugins.toolkit.weaknesses import related, tests_replaced_by

# Name of a rule and the classes that it is about, the commonest ones of each tool.
_RULES = """
g101 798
g102 200
g103 242
g107 918
g108 489
g110 409
g112 400
g114 400
g115 190
g201 89
g202 89
g203 79
g204 78
g301 276
g302 276
g303 377
g304 22
g305 22
g306 276
g401 327
g402 295
g403 326
g404 338
g405 327
g501 327
g502 327
g505 327
g601 118
eval-used 95
exec-used 95
subprocess-popen-preexec-fn 362
subprocess-run-check 252
bare-except 396
broad-except 396
broad-exception-caught 396
w0122 95
w0123 95
w0702 396
w0703 396
w0718 396
consider-using-with 772
unspecified-encoding 176
security/eval 95
security/open 78
security/marshalload 502
security/yamlload 502
security/jsonload 502
security/iomethods 78
security/compoundhash 328
rails/outputsafety 79
lint/suppressedexception 390
ca2100 89
ca3001 89
ca3002 79
ca3003 22
ca3004 209
ca3006 78
ca3007 601
ca3012 74
ca3075 611
ca2300 502
ca2301 502
ca2302 502
ca2305 502
ca2310 502
ca2315 502
ca2326 502
ca2327 502
ca2328 502
ca5350 327
ca5351 327
ca5359 295
ca5360 502
ca5364 327
ca5379 327
ca5382 614
ca5385 326
ca5389 22
ca5390 321
ca5391 352
ca5394 338
ca5397 327
ca5401 329
ca5403 798
"""
_CLASSES = {
    name: f"CWE-{number}" for name, number in (row.split() for row in _RULES.strip().splitlines())
}
# Names that cover all security rules of a tool.
_ALL_OF_SECURITY = ("gosec", "security/*")


def foreign_names(finding: Finding) -> Iterator[str]:
    """Yield the names that comments of other tools may use for the finding's weakness."""
    if finding.category is Category.SECURITY:
        yield from _ALL_OF_SECURITY
    if finding.cwe is not None:
        yield from _of_class(finding.cwe)


@cache
def _of_class(cwe: str) -> tuple[str, ...]:
    return tuple(name for name, other in _CLASSES.items() if related(cwe, other))


_MAX_FAMILY = 100  # characters of an id that may stand for a family
_FOR_ALL_LINES = "nosec"
_MOST_LINES = 20
"""Of a finding: what is longer is no call."""
_OF_PYLINT = re.compile(r"pl[cefrw][0-9]{4}")


def mark_suppressed(
    findings: Iterable[Finding], code: str, language: str | None
) -> tuple[Finding, ...]:
    """Set `suppression` of the findings that a comment in the code asks to ignore, and keep their
    order.

    A comment applies to the line on which a finding begins or ends, to the next line, or to a part
    of the file, as the comment's tool defines. `nosec` also applies on a line in between.

    A comment that names rules applies to the findings that have one of them as `rule_id` or in
    `also`, or that are about the weakness of one. A comment without rules applies to all findings,
    regardless of its tool.

    :param language: a canonical language; if None, the comments of all languages count.
    """
    given = tuple(findings)
    if not given or any_keyword(language).search(code) is None:
        return given
    asked = sorted(
        (each for comment in comments(code, language) for each in directives(comment, language)),
        key=lambda directive: directive.offset,
    )
    if not asked:
        return given
    extents = Extents(LineTable(code), asked)
    return tuple(_marked(finding, extents) for finding in given)


def _marked(finding: Finding, extents: Extents) -> Finding:
    place = finding.range
    last = place.end_line - 1 if place.end_column == 1 else place.end_line
    also = finding.also if isinstance(finding.also, tuple) else ()
    known = (
        finding.rule_id,
        *(ref.rule_id for ref in also),
        *(finding.formerly or ()),
        *_replaced(finding.rule_id),
    )
    spellings = [_names(rule_id, families=extents.has_families) for rule_id in known]
    spellings[0] += tuple(foreign_names(finding))
    ends = tuple(dict.fromkeys((place.start_line, max(place.start_line, last))))
    for names in spellings:
        for line in ends:
            suppression = extents.at(line, names)
            if suppression is not None:
                return msgspec.structs.replace(finding, suppression=suppression)
    if finding.category is Category.SECURITY and last - place.start_line <= _MOST_LINES:
        # Some tools check all lines of a call.
        for names in spellings:
            for line in range(place.start_line + 1, last):
                suppression = extents.at(line, names)
                if suppression is not None and suppression.comment == _FOR_ALL_LINES:
                    return msgspec.structs.replace(finding, suppression=suppression)
    return finding


@cache
def _replaced(rule_id: str) -> tuple[str, ...]:
    """Return the tests of bandit, and ruff's of the same number, that one of our rules replaces.

    Comments name those tests, although they are no longer reported.
    """
    return tuple(f"{letter}{number}" for number in tests_replaced_by(rule_id) for letter in "BS")


@lru_cache(maxsize=4096)
def _names(rule_id: str, *, families: bool) -> tuple[str, ...]:
    """Return the names that comments may use for a rule, with or without those of families that
    it belongs to."""
    spellings = tuple(dict.fromkeys(_spellings(rule_id.lower())))
    if not families:
        return spellings
    beginnings = (
        f"{spelling[:length]}*"
        for spelling in spellings
        for length in range(1, min(len(spelling), _MAX_FAMILY) + 1)
    )
    return *spellings, *beginnings


def _spellings(rule_id: str) -> Iterator[str]:
    """Yield an id, and how its own tool's comments may spell it: oxlint takes a plugin's rule by
    its bare name, and by the names that the plugin has for ESLint."""
    yield rule_id
    plugin, slash, rule = rule_id.partition("/")
    if slash:
        yield from (rule, f"@{rule_id}", f"{plugin}-eslint/{rule}", f"@{plugin}-eslint/{rule}")
    if _OF_PYLINT.fullmatch(rule_id):
        yield rule_id.removeprefix("pl")


MAX_GATHERED = 20_000
MAX_REPORTED = 2_000


def report_worst(
    name: str,
    findings: Iterable[Finding],
    request: AnalyzerRequest,
    *,
    cut_short: bool = False,
    already: int = 0,
) -> Iterator[AnalyzerOutput]:
    """Yield the findings in their order; of more than can be reported, the worst, and a note. Those
    that a comment in the code asks to ignore are marked.

    A gate that asks for severe findings must not open because thousands of harmless ones came
    first.

    :param cut_short: whether the analyzer itself has stopped gathering.
    :param already: how many findings of the code it has reported before.
    """
    gathered = list(findings)
    kept = gathered
    most = MAX_REPORTED - already
    if len(gathered) > most:
        kept = sorted(gathered, key=lambda finding: finding.severity.rank)[:most]
    yield from map(Reported, mark_suppressed(kept, request.code, request.language))
    if dropped := len(gathered) - len(kept):
        left_out = "finding was" if dropped == 1 else f"{dropped:,} findings were"
        yield Note(
            f"{name} found too much: the least severe {left_out} dropped.",
            truncated=True,
        )
    if cut_short:
        yield Note(
            f"{name} stopped after {len(gathered):,} findings and did not check the rest of "
            "the code.",
            truncated=True,
        )
