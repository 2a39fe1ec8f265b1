"""`/account`: credits, limits, use, prices, and how one signs in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec
from flask import request
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import (
    ANALYSIS_LEAST,
    LONG_CODE_CHARACTERS,
    REPOSITORY,
    REPOSITORY_MOST,
    TRANSFORMATION_LEAST,
)
from codeintel.web.account.views import (
    LimitView,
    UseView,
    entry_view,
    first_day,
    identity_views,
    limit_view,
    price_rows,
    use_view,
)
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.pages import login_links
from codeintel.web.login.require_login import signed_in

ENTRIES = 15
"""Lines of the ledger on a page."""


class _Query(msgspec.Struct, frozen=True):
    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET


@blueprint.get("/account")
@signed_in
def account(caller: Caller) -> BaseResponse:
    """All of it; `before` turns the ledger's pages."""
    before = read_query(request, _Query).before or None
    ledger, kinds = services().ledger, services().plugins.registry.kinds
    entries = ledger.entries(caller.account_id, ENTRIES + 1, before)
    page = render_page(
        "account.html",
        caller=caller,
        balance=ledger.balance(caller.account_id),
        limits=_limits(caller),
        use=_use(caller),
        prices=price_rows(kind for _, kind in sorted(kinds.items())),
        long_code=LONG_CODE_CHARACTERS,
        least=(ANALYSIS_LEAST, TRANSFORMATION_LEAST),
        repository_prices=REPOSITORY,
        repository_most=REPOSITORY_MOST,
        entries=[entry_view(each) for each in entries[:ENTRIES]],
        older=entries[ENTRIES - 1].id if len(entries) > ENTRIES else None,
        is_later_page=before is not None,
        identities=identity_views(
            services().identities.list(caller.account_id), services().settings.oidc_issuers
        ),
        providers=login_links("/account"),
    )
    return page_answer(page)


def _limits(caller: Caller) -> list[LimitView]:
    peek = services().limits.peek_operation
    return [
        limit_view(
            f"limit-{operation}", title, noun, peek(caller.account_id, caller.tier, operation)
        )
        for operation, title, noun in (
            ("analysis", "Analyses", "analyses"),
            ("transform", "Transformations", "transformations"),
        )
    ]


def _use(caller: Caller) -> UseView:
    today = datetime.now(UTC)
    days = services().ledger.usage(caller.account_id, first_day(today).date(), today.date())
    return use_view(days)
