"""`/docs/rules`: the list of rules with search, and a page for each rule."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from flask import Response, abort, current_app, redirect, request, url_for
from markupsafe import Markup
from msgspec import UNSET, Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.logging import describe
from codeintel.base.wording import counted
from codeintel.contracts.languages import canonical_language, language_title
from codeintel.contracts.weaknesses import weakness_name
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_fields
from codeintel.runs.capability_types import AnalyzerInfo, ListedRule, RuleQuery
from codeintel.web.blueprint import blueprint, page_answer, render_page

CWE_URL = "https://cwe.mitre.org/data/definitions/{}.html"
MAX_NAMED = 12
"""The number of languages that a row names. More languages are counted."""
log = logging.getLogger(__name__)
MAX_RELATED = 12
PAGE = 200
"""The number of rules on a page."""
MAX_PAGES = 200
"""The number of cached lists. Rules do not change after the start, and a list of a thousand rules
takes a while to render."""
_CACHE = "codeintel.rules"


class AnalyzerRow(NamedTuple):
    """An analyzer in a table. `looks_at` names the languages, `runs_in` the models."""

    name: str
    looks_at: str
    runs_in: str
    rules: int


def analyzer_row(analyzer: AnalyzerInfo) -> AnalyzerRow:
    """Return the row of an analyzer. A few languages are named, many are counted."""
    titles = [language_title(each) for each in analyzer.languages or ()]
    told = ", ".join(titles) or "any language"
    if len(titles) > MAX_NAMED:
        told = counted(len(titles), "language")
    models = " and ".join(each.value for each in analyzer.models)
    return AnalyzerRow(analyzer.name, told, models, analyzer.rules)


def by_analyzer(found: Iterable[ListedRule]) -> list[tuple[str, list[ListedRule]]]:
    """Group consecutive rules by analyzer."""
    groups = groupby(found, key=lambda each: each.analyzer)
    return [(name, list(members)) for name, members in groups]


def cwe_url(cwe: str) -> str:
    """Return the URL of a weakness class, such as `CWE-89`."""
    return CWE_URL.format(cwe.removeprefix("CWE-"))


class ListQuery(RuleQuery, frozen=True, rename="camel"):
    """The rules to list, and which page of them. A page after the last is the last."""

    page: Annotated[int, Meta(ge=1, le=1_000)] = 1


@blueprint.get("/docs/rules")
def rules() -> Response:
    """List the analyzers, or the rules of a language, an analyzer, a weakness class or a search.

    All rules together would be thousands of rows, which only the API lists.
    """
    query = _list_query()
    kept: dict[ListQuery, dict[str, Any]] = current_app.extensions.setdefault(_CACHE, {})
    shown = kept.get(query)
    if shown is None:
        shown = _shown(query)
        # Weaknesses and pages without rules are endless, so they would fill the cache.
        is_real = shown["groups"] and shown["page"] == query.page
        if len(kept) < MAX_PAGES and query.q is UNSET and is_real:
            kept[query] = shown
    return page_answer(render_page("rules.html", counted=counted, **shown))


def _list_query() -> ListQuery:
    """Read the address. A form without JavaScript sends the fields that are left empty, too.

    :raises ServiceError: `invalid_request`.
    """
    given = request.args.to_dict(flat=False)
    spaced = {name: [" ".join(text.split()) for text in texts] for name, texts in given.items()}
    return read_fields({name: texts for name, texts in spaced.items() if any(texts)}, ListQuery)


def _shown(query: ListQuery) -> dict[str, Any]:
    """Return the part of the page that is the same for all visitors and takes long to render."""
    catalogue = services().catalogue
    described = catalogue.capabilities(query)
    found = catalogue.rules(query)
    is_filtered = any(each for each in (query.language, query.analyzer, query.cwe, query.q))
    pages = max(1, -(-len(found) // PAGE))
    page = min(query.page, pages)
    first = (page - 1) * PAGE
    groups = by_analyzer(found[first : first + PAGE])
    language = canonical_language(query.language) if query.language else ""
    return {
        "count": len(found),
        "chosen": language,
        "title": language_title(language),
        "analyzer": query.analyzer or "",
        "cwe": query.cwe or "",
        "weakness": weakness_name(query.cwe or ""),
        "q": query.q or "",
        "page": page,
        "pages": pages if is_filtered else 1,
        "chosen_by": {
            name: value
            for name in ("q", "language", "analyzer", "cwe")
            if (value := getattr(query, name))
        },
        "languages": [(each.name, each.title) for each in described.languages if each.analyzers],
        "analyzers": [analyzer_row(each) for each in described.analyzers if each.rules],
        "groups": [(name, len(members)) for name, members in groups],
        "listed": Markup(  # noqa: S704 - a template's
            render_page(
                "rules_list.html",
                groups=groups,
                cwe_url=cwe_url,
                weakness_name=weakness_name,
                counted=counted,
            )
        )
        if is_filtered
        else Markup(),
    }


@blueprint.get("/docs/rules/<analyzer>/<path:rule_id>")
def rule(analyzer: str, rule_id: str) -> BaseResponse:
    """Show one rule. Redirect from an ID that the rule had before."""
    listed = services().catalogue.rules(RuleQuery())
    info = next((each for each in listed if (each.analyzer, each.id) == (analyzer, rule_id)), None)
    if info is None:
        if renamed := _renamed(listed, analyzer, rule_id):
            return redirect(url_for("web.rule", analyzer=analyzer, rule_id=renamed), 301)
        abort(404, "Unknown rule. `/docs/rules` lists all rules.")
    heading, more = _told(info)
    page = render_page(
        "rule.html",
        rule=info,
        heading=heading,
        more=more,
        cwe_url=cwe_url,
        weakness_name=weakness_name,
        **_facts(info, listed),
    )
    return page_answer(page)


def _renamed(listed: Iterable[ListedRule], analyzer: str, former: str) -> str | None:
    """Return the ID of the rule that had another ID before."""
    of_analyzer = (each for each in listed if each.analyzer == analyzer)
    return next((each.id for each in of_analyzer if former in (each.formerly or ())), None)


def _facts(info: ListedRule, listed: Iterable[ListedRule]) -> dict[str, object]:
    """Return what the service knows about a rule: its analyzer, languages and related rules."""
    described = services().catalogue.capabilities(RuleQuery()).analyzers
    analyzers = {each.name: each for each in described}

    def languages(rule: ListedRule) -> tuple[str, ...]:
        of_all = analyzers[rule.analyzer].languages if rule.analyzer in analyzers else None
        return rule.languages or of_all or ()

    own = languages(info)
    related = [each for each in listed if info.cwe and each.cwe == info.cwe and each != info]
    # Those for the same language first.
    related.sort(key=lambda each: set(own).isdisjoint(languages(each)))
    return {
        "analyzer": analyzers.get(info.analyzer),
        "languages": [language_title(language) for language in own],
        "related": related[:MAX_RELATED],
    }


def _told(info: ListedRule) -> tuple[Markup, Markup]:
    """Return the heading and the rest of the analyzer's page for a rule, empty if it has none. The
    HTML comes from a plugin and is as trusted as the plugin."""
    try:
        fragment = services().plugins.registry.analyzers[info.analyzer].page(info.id) or ""
        heading, end, rest = fragment.partition("</h1>")
    except Exception as error:  # noqa: BLE001 - it may be a plugin's
        log.error("analyzer %r has no page of %r: %s", info.analyzer, info.id, describe(error))
        return Markup(), Markup()
    if not end:
        return Markup(), Markup(fragment)  # noqa: S704 - see above
    return Markup(heading + end), Markup(rest)  # noqa: S704
