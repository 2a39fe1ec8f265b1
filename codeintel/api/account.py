"""GET /api/v1/account."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Blueprint, Response
from msgspec import Meta

from codeintel.base.entitlements import Scope, Tier
from codeintel.contracts import Model
from codeintel.http.endpoint import endpoint, services
from codeintel.http.errors import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import (
    ANALYSIS,
    LONG_CODE_CHARACTERS,
    LONG_CODE_SURCHARGE,
    REPOSITORY,
    REPOSITORY_MOST,
    TRANSFORMATION,
    TRANSFORMATION_LEAST,
    TRANSFORMATION_MOST,
)

blueprint = Blueprint("account", __name__, url_prefix="/api/v1")

Count = Annotated[int, Meta(ge=0)]


class Credits(msgspec.Struct, frozen=True):
    """`balance` is the posted amount, `held` is reserved by running work, and `available` can be
    spent.
    """

    balance: int
    held: Count
    available: int


class OperationLimit(msgspec.Struct, frozen=True):
    """A limit per hour. `reset` is a Unix timestamp."""

    limit: Count
    remaining: Count
    reset: Count


class OperationLimits(msgspec.Struct, frozen=True):
    """The limits of the account's tier."""

    analysis: OperationLimit
    transform: OperationLimit
    scan: OperationLimit


class AnalysisPrices(msgspec.Struct, frozen=True, rename="camel"):
    """Credits for an analysis by model, plus `long_code` above `long_code_characters`."""

    flash: Count
    pro: Count
    long_code: Count
    long_code_characters: Count


class TransformationPrices(msgspec.Struct, frozen=True, rename="camel"):
    """Credits for a transformation by model, plus the surcharge of its kind, plus `long_code` above
    `long_code_characters`. `most` is the maximum. Interrupted work costs `least`. A `checked`
    result costs as much as a `proven` one.
    """

    flash: Count
    pro: Count
    surcharges: dict[str, Count]
    long_code: Count
    long_code_characters: Count
    most: Count
    least: Count


class RepositoryPrice(msgspec.Struct, frozen=True):
    """The price of a repository analysis with at most `files` files."""

    files: Count
    credits: Count


class RepositoryPrices(msgspec.Struct, frozen=True, rename="camel"):
    """Credits for a repository analysis by its number of files. `most` applies above the last step.
    An interrupted analysis is free.
    """

    up_to: tuple[RepositoryPrice, ...]
    most: Count


class Prices(msgspec.Struct, frozen=True):
    """The prices of operations, in credits."""

    analysis: AnalysisPrices
    transformation: TransformationPrices
    repository: RepositoryPrices


class AccountView(msgspec.Struct, frozen=True):
    """The caller's account."""

    email: str
    tier: Tier
    unlimited: bool
    credits: Credits
    limits: OperationLimits
    prices: Prices


def prices() -> Prices:
    """Return the prices, including those of plugins' transformations."""
    kinds = services().plugins.registry.kinds
    return Prices(
        AnalysisPrices(
            flash=ANALYSIS[Model.FLASH],
            pro=ANALYSIS[Model.PRO],
            long_code=LONG_CODE_SURCHARGE,
            long_code_characters=LONG_CODE_CHARACTERS,
        ),
        TransformationPrices(
            flash=TRANSFORMATION[Model.FLASH],
            pro=TRANSFORMATION[Model.PRO],
            surcharges={name: kind.surcharge for name, kind in sorted(kinds.items())},
            long_code=LONG_CODE_SURCHARGE,
            long_code_characters=LONG_CODE_CHARACTERS,
            most=TRANSFORMATION_MOST,
            least=TRANSFORMATION_LEAST,
        ),
        RepositoryPrices(
            up_to=tuple(RepositoryPrice(files, price) for files, price in REPOSITORY),
            most=REPOSITORY_MOST,
        ),
    )


@blueprint.get("/account")
@endpoint(
    Operation(
        summary="Read the account",
        description="The tier, the credits, the remaining hourly limits and the prices.",
        tag="Account",
        answers={200: Answer("The account of the credential.", AccountView)},
        authenticated=True,
        scope=Scope.ACCOUNT_READ,
    )
)
def account(caller: Caller) -> Response:
    """Return the account's current state."""
    found = services().accounts.get(caller.account_id)
    balance = services().ledger.balance(caller.account_id)
    view = AccountView(
        email=found.email,
        tier=found.tier,
        unlimited=found.unlimited,
        credits=Credits(balance.posted, balance.held, balance.available),
        limits=OperationLimits(
            analysis=_limit(caller, "analysis"),
            transform=_limit(caller, "transform"),
            scan=_limit(caller, "scan"),
        ),
        prices=prices(),
    )
    return data_response(view)


def _limit(caller: Caller, operation: str) -> OperationLimit:
    state = services().limits.peek_operation(caller.account_id, caller.tier, operation)
    return OperationLimit(state.limit, state.remaining, state.reset)
