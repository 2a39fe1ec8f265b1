"""`/docs/rules`: what the analysers look for, and a page for each rule."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from itertools import groupby
from typing import cast

from flask import Response, abort, current_app, render_template, request
from markupsafe import Markup

from codeintel.capabilities.shapes import ListedRule, RuleQuery
from codeintel.http.query import read_query
from codeintel.languages import language_title
from codeintel.logs import describe
from codeintel.services import Services
from codeintel.web.blueprint import blueprint

log = logging.getLogger(__name__)

CWE_URL = "https://cwe.mitre.org/data/definitions/{}.html"
MAX_AGE = 300
MAX_RELATED = 12
MAX_PAGES = 200
"""Rules do not change after the start, and making a list of a thousand takes a while: lists are
kept, as many as there are languages."""
_CACHE = "codeintel.rules"


@blueprint.get("/docs/rules")
def rules() -> Response:
    """All rules, or those of a language, an analyser or a weakness class."""
    query = read_query(request, RuleQuery)
    pages: dict[RuleQuery, str] = current_app.extensions.setdefault(_CACHE, {})
    page = pages.get(query)
    if page is None:
        page = _listed(query)
        if len(pages) < MAX_PAGES:
            pages[query] = page
    return _cached(page)


def _listed(query: RuleQuery) -> str:
    catalogue = _services().catalogue
    found = catalogue.rules(query)
    languages = [each.name for each in catalogue.capabilities(query).languages if each.analyzers]
    return render_template(
        "rules.html",
        groups=_by_analyzer(found),
        count=len(found),
        languages=languages,
        chosen=query.language or "",
        cwe_url=_cwe_url,
    )


@blueprint.get("/docs/rules/<analyzer>/<path:rule_id>")
def rule(analyzer: str, rule_id: str) -> Response:
    """One rule."""
    listed = _services().catalogue.rules(RuleQuery())
    info = next((each for each in listed if (each.analyzer, each.id) == (analyzer, rule_id)), None)
    if info is None:
        abort(404, "There is no such rule: `/docs/rules` lists them.")
    heading, more = _told(info)
    page = render_template(
        "rule.html",
        rule=info,
        heading=heading,
        more=more,
        cwe_url=_cwe_url,
        **_facts(info, listed),
    )
    return _cached(page)


def _facts(info: ListedRule, listed: Iterable[ListedRule]) -> dict[str, object]:
    """What the service knows around a rule, whether or not its analyser has more to say."""
    described = _services().catalogue.capabilities(RuleQuery()).analyzers
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
    """What the analyser itself has to say of its rule, its heading and the rest: both empty where
    there is nothing. The fragment is code of a plugin, as trusted as the plugin is."""
    try:
        fragment = _services().plugins.registry.analyzers[info.analyzer].page(info.id) or ""
        heading, end, rest = fragment.partition("</h1>")
    except Exception as error:  # noqa: BLE001 - it may be a plugin's
        log.error("analyzer %r has no page of %r: %s", info.analyzer, info.id, describe(error))
        return Markup(), Markup()
    if not end:
        return Markup(), Markup(fragment)  # noqa: S704 - see above
    return Markup(heading + end), Markup(rest)  # noqa: S704


def _by_analyzer(found: Iterable[ListedRule]) -> list[tuple[str, list[ListedRule]]]:
    groups = groupby(found, key=lambda each: each.analyzer)
    return [(name, list(members)) for name, members in groups]


def _cwe_url(cwe: str) -> str:
    return CWE_URL.format(cwe.removeprefix("CWE-"))


def _cached(page: str) -> Response:
    response = Response(page, mimetype="text/html")
    response.cache_control.public = True
    response.cache_control.max_age = MAX_AGE
    response.add_etag()
    response.make_conditional(request)
    return response


def _services() -> Services:
    return cast(Services, current_app.extensions["codeintel"])
