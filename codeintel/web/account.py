"""`/account`: credits, limits, usage charts, prices, the ledger, and connected identities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from flask import request
from markupsafe import Markup
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted, duration
from codeintel.contracts import Model, TransformationKind
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.identity.identities import IdentityRecord
from codeintel.identity.ledger import (
    ANALYSIS_LEAST,
    LONG_CODE_CHARACTERS,
    REPOSITORY,
    REPOSITORY_MOST,
    TRANSFORMATION_LEAST,
    DayOfUse,
    Entry,
    analysis_price,
    run_of,
    transformation_price,
)
from codeintel.platform.config.issuers import IssuerEntry
from codeintel.platform.limits.service import LimitState
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.pages import login_links
from codeintel.web.login.require_login import signed_in
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.plots.svg import axis_of, compact, element, percent, picture

HEIGHT = 168
_TOP, _BOTTOM = 8, 26
_FILLED = 0.7
"""The share of a day's width that its column fills."""
USE_DAYS = 30
_KINDS = {
    "grant": "Credits added",
    "charge": "Run",
    "release": "Credits refunded",
    "forfeit": "Credits forfeited",
}
_MODELS = (Model.FLASH, Model.PRO)
_LENGTHS = (1, LONG_CODE_CHARACTERS + 1)
ENTRIES = 15
"""Ledger entries per page."""


def columns(id_: str, title: str, noun: str, days: Sequence[tuple[date, int]]) -> Markup:
    """Draw one column for each day, on an axis of whole numbers that starts at 0.

    :param noun: the counted thing, in the singular.
    :raises ValueError: if there are no days.
    """
    if not days:
        raise ValueError("the plot has no values")
    top_day, most = max(days, key=lambda each: each[1])
    axis = axis_of([0, max(4, most)])
    total = sum(value for _, value in days)
    description = (
        f"{counted(total, noun)} in {counted(len(days), 'day')}; most on {_day(top_day)}: {most:,}."
    )
    room = HEIGHT - _TOP - _BOTTOM
    body = [
        element("line", x1=0, x2="100%", y1=y, y2=y, class_="plot-grid")
        for y in (_TOP + room * (1 - axis.part(mark)) for mark in axis.marks)
    ]
    for place, (day, value) in enumerate(days):
        height = max(1.0, room * axis.part(value)) if value else 0.0  # little is not nothing
        hover = element("title", f"{_day(day)}: {counted(value, noun)}")
        body.append(
            element(
                "rect",
                hover,
                x=percent((place + (1 - _FILLED) / 2) / len(days)),
                width=percent(_FILLED / len(days)),
                y=_TOP + room - height,
                height=height,
                class_="plot-proven",
            )
        )
    body += [
        element(
            "text",
            compact(mark),
            x=0,
            y=_TOP + room * (1 - axis.part(mark)) + 4,
            dx=-8,
            class_="plot-tick",
            text_anchor="end",
        )
        for mark in axis.marks
    ]
    body += _ends(days)
    return picture(
        id_, title, description, *body, class_="plot plot-series", width="100%", height=HEIGHT
    )


def _ends(days: Sequence[tuple[date, int]]) -> Iterator[Markup]:
    """Label the first and the last day."""
    for day, x, anchor in ((days[0][0], "0", "start"), (days[-1][0], "100%", "end")):
        yield element("text", _day(day), x=x, y=HEIGHT - 6, class_="plot-tick", text_anchor=anchor)


def _day(day: date) -> str:
    return f"{day:%b} {day.day}, {day.year}"


@dataclass(frozen=True)
class LimitView:
    """An hourly limit: what is left, in words and as a bar. `resets_at` is None if it is unused."""

    title: str
    left: str
    picture: Markup
    resets_at: datetime | None
    wait: str


@dataclass(frozen=True)
class UseView:
    """Recent days and their charts. The charts are None if there was no usage."""

    days: Sequence[DayOfUse]
    credits: Markup | None
    charges: Markup | None


@dataclass(frozen=True)
class EntryView:
    """A ledger entry. `amount` has a sign. `note` has the value that an unlimited account did not
    pay."""

    at: datetime
    title: str
    reason: str
    run_id: str
    amount: str
    is_in: bool
    note: str


@dataclass(frozen=True)
class PriceRow:
    """The price of an operation by model."""

    title: str
    flash: str
    pro: str


@dataclass(frozen=True)
class IdentityView:
    """An identity at a provider."""

    provider: str
    email: str
    since: datetime


def limit_view(id_: str, title: str, noun: str, state: LimitState) -> LimitView:
    """
    :param noun: the counted thing, in the plural.
    """
    left = f"{state.remaining:,} of {state.limit:,} left"
    share = state.remaining / state.limit if state.limit else 0.0
    picture = bars(
        id_,
        title,
        f"{left}: {noun} in this hour.",
        [Bar("", "", share, share, 1.0)],
        most=1.0,
    )
    is_whole = state.remaining >= state.limit
    resets_at = None if is_whole else datetime.fromtimestamp(state.reset, UTC)
    return LimitView(title, left, picture, resets_at, duration(state.wait))


def use_view(days: Sequence[DayOfUse], *, is_free: bool) -> UseView:
    """Return the charts of the given days. Nothing is charged to an account that is free."""
    if not any(day.charges for day in days):
        return UseView(days, None, None)
    worth = [(day.day, day.worth) for day in days]
    charges = [(day.day, day.charges) for day in days]
    return UseView(
        days,
        columns("use-credits", "Credits per day", "credit", worth),
        columns(
            "use-charges",
            "Operations per day" if is_free else "Charges per day",
            "operation" if is_free else "charge",
            charges,
        ),
    )


def entry_view(entry: Entry) -> EntryView:
    """Return the view of a ledger entry."""
    sign = "+" if entry.amount > 0 else "\u2212" if entry.amount < 0 else ""
    unpaid = entry.metered + min(0, entry.amount)
    return EntryView(
        at=from_milliseconds(entry.created_ms),
        title=_title(entry),
        reason=entry.reason,
        run_id=run_of(entry.run_id),
        amount=f"{sign}{abs(entry.amount):,}",
        is_in=entry.amount > 0,
        note=f"{unpaid:,} not charged" if unpaid > 0 else "",
    )


def _title(entry: Entry) -> str:
    is_proof = entry.run_id is not None and not run_of(entry.run_id)
    return "Proof loop" if is_proof else _KINDS.get(entry.kind, entry.kind)


def price_rows(kinds: Iterable[TransformationKind]) -> list[PriceRow]:
    """Return the prices of analyses and of each kind of transformation."""
    rows = [PriceRow("Analysis", *(_range(_analysis(model)) for model in _MODELS))]
    for kind in kinds:
        cells = (_range(_transformation(model, kind.surcharge)) for model in _MODELS)
        rows.append(PriceRow(f"Transformation: {kind.name}", *cells))
    return rows


def _analysis(model: Model) -> list[int]:
    return [analysis_price(model, length).full for length in _LENGTHS]


def _transformation(model: Model, surcharge: int) -> list[int]:
    return [transformation_price(model, length, surcharge).full for length in _LENGTHS]


def _range(prices: Sequence[int]) -> str:
    """Return `2`, or `2 (long code: 3)`."""
    short, long = prices
    return f"{short}" if short == long else f"{short} (long code: {long})"


def identity_views(
    found: Iterable[IdentityRecord], issuers: Sequence[IssuerEntry]
) -> list[IdentityView]:
    """Return identities with the names of their providers, or the host of a removed provider."""
    names = {entry.issuer: entry.name for entry in issuers}
    return [
        IdentityView(
            provider=names.get(each.issuer, urlsplit(each.issuer).hostname or each.issuer),
            email=each.email or each.subject,
            since=each.created_at,
        )
        for each in found
    ]


def first_day(today: datetime) -> datetime:
    """Return the first day of the charts."""
    return today - timedelta(days=USE_DAYS - 1)


class _Query(msgspec.Struct, frozen=True):
    before: Annotated[int, Meta(ge=1, le=2**53)] | UnsetType = UNSET


@blueprint.get("/account")
@signed_in
def account(caller: Caller) -> BaseResponse:
    """Show the account. `before` is the ledger entry behind which the page starts."""
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
    return use_view(days, is_free=caller.unlimited)
