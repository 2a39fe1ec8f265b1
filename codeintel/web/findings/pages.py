"""`/findings/titles`: titles of rules, for findings that scripts show."""

from __future__ import annotations

import msgspec
from flask import Response, request, url_for

from codeintel.http.endpoint import services
from codeintel.http.errors import json_response
from codeintel.web.blueprint import blueprint
from codeintel.web.findings.views import Context

MOST_RULES = 100


class RuleTitle(msgspec.Struct, frozen=True):
    """The title of a rule, and the address of its page."""

    title: str
    page: str


class RuleTitles(msgspec.Struct, frozen=True):
    """Titles by analyzer and rule, as in `ruff/F401`. Rules without a page are left out."""

    rules: dict[str, RuleTitle]


@blueprint.get("/findings/titles")
def finding_titles() -> Response:
    """Return the titles of the rules that the parameters `rule` name, for all users."""
    context = Context(services().catalogue.rule_titles)
    found = {}
    for name in request.args.getlist("rule")[:MOST_RULES]:
        analyzer, _, rule_id = name.partition("/")
        if (analyzer, rule_id) in context.titles:
            page = url_for("web.rule", analyzer=analyzer, rule_id=rule_id)
            found[name] = RuleTitle(context.title((analyzer, rule_id)), page)
    return json_response(RuleTitles(found))
