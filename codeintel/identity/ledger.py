"""Credits: prices, and the ledger that reserves, charges and grants credits."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

import msgspec
from sqlalchemy import BigInteger, Connection, Engine, bindparam, func, insert, select, update

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Model
from codeintel.platform.db.models import Balance as BalanceRow, Hold, LedgerEntry, now_ms
from codeintel.platform.db.statements import Prepared, database_now_ms
from codeintel.platform.db.writer import Writer, when_committed
from codeintel.platform.metrics import table

PENDING, SETTLED, VOIDED = "pending", "settled", "voided"
DAY_MS = 86_400_000
PROOF = "prf"
"""The prefix of ids of holds for the proof loop instead of a run."""
_EPOCH = date(1970, 1, 1)
LONG_CODE_CHARACTERS = 20_000
LONG_CODE_SURCHARGE = 1
ANALYSIS = {Model.FLASH: 1, Model.PRO: 2}
ANALYSIS_LEAST = 1
TRANSFORMATION = {Model.FLASH: 2, Model.PRO: 3}
TRANSFORMATION_LEAST = 2
TRANSFORMATION_MOST = 5
REPOSITORY = ((50, 2), (200, 3), (1_000, 4))
"""Prices of a repository analysis, by the maximum number of files."""
REPOSITORY_MOST = 5


class Price(NamedTuple):
    """`full` is the price of finished work, and is reserved at the start. `least` is the price of
    interrupted work.
    """

    full: int
    least: int


def analysis_price(model: Model, characters: int) -> Price:
    """Return the price of an analysis by model, plus one credit above 20,000 characters."""
    surcharge = LONG_CODE_SURCHARGE if characters > LONG_CODE_CHARACTERS else 0
    return Price(ANALYSIS[model] + surcharge, ANALYSIS_LEAST)


def transformation_price(model: Model, characters: int, surcharge: int) -> Price:
    """Return the price of a transformation: by model, plus the kind's surcharge, plus one credit
    above 20,000 characters. At most 5 credits.
    """
    long = LONG_CODE_SURCHARGE if characters > LONG_CODE_CHARACTERS else 0
    full = TRANSFORMATION[model] + surcharge + long
    return Price(min(full, TRANSFORMATION_MOST), TRANSFORMATION_LEAST)


def repository_price(files: int) -> int:
    """Return the price of a repository analysis by the number of analyzed files. Without files it
    is free.
    """
    if files < 1:
        return 0
    return next((price for most, price in REPOSITORY if files <= most), REPOSITORY_MOST)


class Balance(msgspec.Struct, frozen=True):
    """The credits of an account. `posted` is its balance. `held` is the part that
    running work has reserved.
    """

    posted: int
    held: int

    @property
    def available(self) -> int:
        """The credits that can be spent now."""
        return self.posted - self.held


class Entry(msgspec.Struct, frozen=True):
    """An entry of the ledger. `amount` is added to the balance. `metered` is the regular price of
    the work, which unlimited accounts do not pay.
    """

    kind: str
    amount: int
    metered: int
    run_id: str | None
    reason: str
    created_ms: int
    id: int
    """The later of two entries has the higher id."""


class DayOfUse(msgspec.Struct, frozen=True):
    """The number of charges on a day (UTC), for runs and workspace analyses. `worth` is their
    regular price, which unlimited accounts do not pay.
    """

    day: date
    charges: int
    worth: int


class Ledger:
    """Reads balances, and posts entries that do not belong to a run."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def balance(self, account_id: str) -> Balance:
        """Return the balance of an account.

        :raises ServiceError: `not_found`.
        """
        with self._engine.connect() as connection:
            return read_balance(connection, account_id)

    def grant(self, account_id: str, amount: int, reason: str) -> Balance:
        """Add credits to an account and return its new balance.

        :raises ServiceError: `invalid_request` unless the amount is positive and a reason is given,
            `not_found` for an unknown account.
        """
        if amount <= 0:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST, f"A grant adds at least one credit, not {amount}."
            )
        if not reason.strip():
            raise ServiceError(ErrorCode.INVALID_REQUEST, "A grant needs a reason.")

        def work(connection: Connection) -> Balance:
            read_balance(connection, account_id)
            post_entry(connection, account_id, "grant", amount, reason=reason.strip())
            return read_balance(connection, account_id)

        return self._writer.run(work, order=account_id)

    def entries(self, account_id: str, limit: int = 50, before: int | None = None) -> list[Entry]:
        """Return an account's entries, newest first.

        :param before: return only entries older than the entry with this id.
        """
        query = (
            select(
                LedgerEntry.kind,
                LedgerEntry.amount,
                LedgerEntry.metered,
                LedgerEntry.run_id,
                LedgerEntry.reason,
                LedgerEntry.created_ms,
                LedgerEntry.id,
            )
            .where(LedgerEntry.account_id == account_id)
            .order_by(LedgerEntry.id.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(LedgerEntry.id < before)
        with self._engine.connect() as connection:
            return [Entry(*row) for row in connection.execute(query)]

    def usage(self, account_id: str, first: date, last: date) -> list[DayOfUse]:
        """Return the regular price of the account's work on each day from `first` to `last`,
        inclusive. Days without work are included.
        """
        day = LedgerEntry.created_ms // DAY_MS
        query = (
            select(day, func.count(), func.sum(LedgerEntry.metered))
            .where(
                LedgerEntry.account_id == account_id,
                LedgerEntry.kind == "charge",
                LedgerEntry.created_ms >= _number(first) * DAY_MS,
                LedgerEntry.created_ms < (_number(last) + 1) * DAY_MS,
            )
            .group_by(day)
        )
        with self._engine.connect() as connection:
            found = {row[0]: (row[1], int(row[2])) for row in connection.execute(query)}
        return [
            DayOfUse(_EPOCH + timedelta(days=number), *found.get(number, (0, 0)))
            for number in range(_number(first), _number(last) + 1)
        ]


def _number(day: date) -> int:
    """Return the number of days since 1970."""
    return (day - _EPOCH).days


def run_of(hold_id: str | None) -> str:
    """Return the id of the run of a hold or an entry, or an empty text."""
    return hold_id if hold_id and not hold_id.startswith(f"{PROOF}_") else ""


def read_balance(connection: Connection, account_id: str) -> Balance:
    """Return the balance of an account.

    :raises ServiceError: `not_found`.
    """
    row = _BALANCE.execute(connection, {"account": account_id}).one_or_none()
    if row is None:
        raise ServiceError(ErrorCode.NOT_FOUND, f"The account {account_id} does not exist.")
    return Balance(row.posted, row.held)


def post_entry(
    connection: Connection,
    account_id: str,
    kind: str,
    amount: int,
    *,
    metered: int = 0,
    run_id: str | None = None,
    reason: str = "",
) -> None:
    """Add an entry and change the balance by its amount."""
    _ENTRY.execute(
        connection,
        {
            "account_id": account_id,
            "kind": kind,
            "amount": amount,
            "metered": metered,
            "run_id": run_id,
            "reason": reason,
            "created_ms": now_ms(),
        },
    )
    _CHANGE.execute(connection, {"account": account_id, "posted": amount, "held": 0})


def lock(connection: Connection, account_id: str) -> None:
    """Prevent changes of the account's balance by other processes until this transaction ends."""
    _LOCK.execute(connection, {"account": account_id})


def hold(connection: Connection, hold_id: str, account_id: str, amount: int, ttl_ms: int) -> bool:
    """Reserve credits for `ttl_ms` by the database's clock. Return False without changes if the
    account has too few.
    """
    if amount:
        reserved = _RESERVE.execute(connection, {"account": account_id, "amount": amount})
        if reserved.rowcount != 1:
            return False
    _HOLD.execute(
        connection,
        {
            "id": hold_id,
            "account_id": account_id,
            "amount": amount,
            "state": PENDING,
            "created_ms": now_ms(),
            "ttl_ms": ttl_ms,
        },
    )
    return True


def renew(connection: Connection, hold_ids: Collection[str], ttl_ms: int) -> None:
    """Extend pending holds to `ttl_ms` from now."""
    connection.execute(
        update(Hold)
        .where(Hold.id.in_(list(hold_ids)), Hold.state == PENDING)
        .values(expires_ms=database_now_ms() + ttl_ms)
    )


def release(
    connection: Connection, hold_id: str, *, charge: int, metered: int, reason: str
) -> None:
    """End a pending hold: charge a part or all of it and release the rest.

    The caller must have ensured in this transaction that no other process ends it.

    :raises RuntimeError: if the hold is not pending, or smaller than the charge.
    """
    state = SETTLED if metered else VOIDED
    found = _END_HOLD.execute(connection, {"hold": hold_id, "end": state}).one_or_none()
    if found is None or found.amount < charge:
        raise RuntimeError(f"hold {hold_id} is not pending, or smaller than {charge}")
    if metered:
        _ENTRY.execute(
            connection,
            {
                "account_id": found.account_id,
                "kind": "charge",
                "amount": -charge,
                "metered": metered,
                "run_id": hold_id,
                "reason": reason,
                "created_ms": now_ms(),
            },
        )
    if found.amount:
        change = {"account": found.account_id, "posted": -charge, "held": -found.amount}
        _CHANGE.execute(connection, change)
        when_committed(connection, partial(_tell, hold_id, charge, found.amount - charge))


def _tell(hold_id: str, charged: int, returned: int) -> None:
    work = "run" if run_of(hold_id) else "repository"
    table.CREDITS_CHARGED.add(work, amount=charged)
    table.CREDITS_RETURNED.add(work, amount=returned)


_BALANCE = Prepared(
    select(BalanceRow.posted, BalanceRow.held).where(BalanceRow.account_id == bindparam("account"))
)
_LOCK = Prepared(
    select(BalanceRow.account_id)
    .where(BalanceRow.account_id == bindparam("account"))
    .with_for_update()
)
_CHANGE = Prepared(
    update(BalanceRow)
    .where(BalanceRow.account_id == bindparam("account"))
    .values(
        posted=BalanceRow.posted + bindparam("posted"), held=BalanceRow.held + bindparam("held")
    )
)
_RESERVE = Prepared(
    update(BalanceRow)
    .where(
        BalanceRow.account_id == bindparam("account"),
        BalanceRow.posted - BalanceRow.held >= bindparam("amount"),
    )
    .values(held=BalanceRow.held + bindparam("amount"))
)
_ENTRY = Prepared(insert(LedgerEntry))
_HOLD = Prepared(
    insert(Hold).values(
        id=bindparam("id"),
        account_id=bindparam("account_id"),
        amount=bindparam("amount"),
        state=bindparam("state"),
        created_ms=bindparam("created_ms"),
        expires_ms=database_now_ms() + bindparam("ttl_ms", type_=BigInteger),
    )
)
_END_HOLD = Prepared(
    update(Hold)
    .where(Hold.id == bindparam("hold"), Hold.state == PENDING)
    .values(state=bindparam("end"))
    .returning(Hold.account_id, Hold.amount)
)
