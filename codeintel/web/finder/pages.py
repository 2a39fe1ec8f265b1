"""`/find`: the page of the global search, and the same as JSON for the command palette."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from flask import Response, current_app, request, url_for
from msgspec import Meta

from codeintel.base.greenlets import letting_others_run
from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import relative
from codeintel.contracts import RunKind
from codeintel.contracts.languages import language_title
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db import db
from codeintel.runs.capability_types import RuleQuery
from codeintel.runs.listing import RunFilter, list_runs
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.finder.packages import package_hits
from codeintel.web.guides.catalog import NAMES
from codeintel.web.guides.rendering import rendered
from codeintel.web.hits import MOST_HITS, Hit, HitGroup, matching
from codeintel.web.login.require_login import anybody
from codeintel.web.reference.search import operation_hits
from codeintel.web.run_list.rows import KINDS, run_title
from codeintel.web.site import ACCOUNT_PAGES, PAGES, SIGNED_IN_ONLY
from codeintel.web.text import visible_plain

MOST_CHARACTERS = 200
_PAGE_HITS = 50
_RULES = "codeintel.finder.rules"
_NAMED_LANGUAGES = 2
"""Languages of a rule that its hit names; it counts more."""


class FindQuery(msgspec.Struct, frozen=True):
    """The text to search for."""

    q: Annotated[str, Meta(max_length=MOST_CHARACTERS)] = ""


@blueprint.get("/find")
def find() -> Response:
    """The results as a page."""
    text = read_query(request, FindQuery).q.strip()
    groups = found_groups(anybody(), text, _PAGE_HITS)
    count = sum(len(group.hits) for group in groups if group.title != "Packages")
    return page_answer(render_page("find.html", text=text, groups=groups, count=count))


@blueprint.get("/find/results")
def find_results() -> Response:
    """Return the results as JSON. Visitors get what is public."""
    groups = found_groups(anybody(), read_query(request, FindQuery).q.strip(), MOST_HITS)
    answer = Response(msgspec.json.encode({"groups": groups}), mimetype="application/json")
    answer.cache_control.no_store = True
    return answer


def found_groups(caller: Caller, text: str, most: int) -> list[HitGroup]:
    """Return the groups that have hits. An empty text finds no guides, API, rules or packages."""
    groups = [HitGroup("Pages", matching(_pages(caller), text, most))]
    if not caller.is_anonymous:
        groups.append(HitGroup("Workspaces", matching(_workspaces(caller), text, most)))
        groups.append(HitGroup("Runs", list(_runs(caller, text, most))))
    if text:
        groups.append(HitGroup("Guides", matching(_guides(), text, most)))
        groups.append(HitGroup("API", matching(operation_hits(), text, most)))
        groups.append(HitGroup("Rules", matching(_rules(), text, most)))
        groups.append(HitGroup("Packages", list(package_hits(text))))
    return [group for group in groups if group.hits]


def _pages(caller: Caller) -> Iterator[Hit]:
    for group in PAGES:
        for link in group.links:
            if not caller.is_anonymous or link.address not in SIGNED_IN_ONLY:
                yield Hit(link.title, link.address, link.icon, group.title)
    for link in () if caller.is_anonymous else ACCOUNT_PAGES:
        yield Hit(link.title, link.address, link.icon, "Account")


def _workspaces(caller: Caller) -> Iterator[Hit]:
    """Yield the workspaces of one page of the list, those that were synced last."""
    for each in services().workspaces.sessions(caller.account_id).sessions:
        address = url_for("web.workspace", workspace_id=each.id)
        yield Hit(visible_plain(each.name), address, "repo", visible_plain(each.branch_name or ""))


def _runs(caller: Caller, text: str, most: int) -> Iterator[Hit]:
    wanted = RunFilter(text=text)
    for run in list_runs(db.engine, caller.account_id, limit=most, filter_=wanted).runs:
        title = visible_plain(run_title(run))
        began = relative(from_milliseconds(run.created_ms))
        note = f"{KINDS[RunKind(run.kind)]}, {run.state}, {began}"
        yield Hit(title, url_for("web.run", run_id=run.id), "history", note)


def _guides() -> Iterator[Hit]:
    """Yield the guides and their sections. The first search renders all guides, with pauses."""
    for name in letting_others_run(NAMES):
        guide, address = rendered(name), url_for("web.guide", name=name)
        yield Hit(guide.title, address, "book", "Guide")
        for heading in guide.headings:
            yield Hit(heading.title, f"{address}#{heading.anchor}", "book", guide.title)


def _rules() -> tuple[Hit, ...]:
    """Return the rules, the worst ones first. They do not change after the start."""
    known: tuple[Hit, ...] | None = current_app.extensions.get(_RULES)
    if known is None:
        described = services().catalogue.capabilities(RuleQuery()).analyzers
        of_all = {each.name: each.languages for each in described}
        rules = services().catalogue.rules(RuleQuery())
        known = current_app.extensions[_RULES] = tuple(
            Hit(
                _rule_title(rule.name, rule.languages or of_all.get(rule.analyzer) or ()),
                url_for("web.rule", analyzer=rule.analyzer, rule_id=rule.id),
                "law",
                " ".join(filter(None, (rule.id, rule.cwe))),
            )
            for rule in sorted(rules, key=lambda each: each.severity.rank)
        )
    return known


def _rule_title(name: str, languages: Sequence[str]) -> str:
    """Return a title with the languages, because many rules have the same name."""
    if not languages:
        return name
    if len(languages) > _NAMED_LANGUAGES:
        return f"{name} · {len(languages)} languages"
    return f"{name} · {', '.join(map(language_title, languages))}"
