"""Whatever happens to runs, in whatever order: the books are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Engine, delete, func, select, update

from codeintel.credits.ledger import PENDING, SETTLED, VOIDED, Balance
from codeintel.db import db
from codeintel.db.models import Balance as BalanceRow
from codeintel.db.models import Base, Fact, Hold, LedgerEntry, RunRow, new_id
from codeintel.db.writer import Writer
from codeintel.runs.states import RunState
from codeintel.runs.store import Ending, NewRun, RunStore
from codeintel.services import Services
from codeintel.tiers import Tier

TTL_SECONDS = 60.0
START = 12
ENDS = (RunState.COMPLETED, RunState.INCOMPLETE, RunState.FAILED, RunState.CANCELLED)


class Books(RuleBasedStateMachine):
    """Runs of two accounts in the database, beside a model of them in memory."""

    engine: Engine
    services: Services

    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        with self.engine.begin() as connection:
            for table in reversed(Base.metadata.sorted_tables):
                if table.name != Fact.__tablename__:
                    connection.execute(delete(table))
        make = self.services.accounts.create
        self.accounts = [
            make(f"{number}@example.org", Tier.FREE, START, False).id for number in (1, 2)
        ]
        self.posted = dict.fromkeys(self.accounts, START)
        self.open: dict[str, tuple[str, int]] = {}
        self.expired: set[str] = set()
        self.charged: dict[str, int] = {}
        self.store = RunStore(self.engine, Writer(self.engine), "test", TTL_SECONDS)

    def held(self, account: str) -> int:
        return sum(amount for owner, amount in self.open.values() if owner == account)

    def end(self, run_id: str, charge: int) -> None:
        account, _ = self.open.pop(run_id)
        self.expired.discard(run_id)
        self.posted[account] -= charge
        self.charged[run_id] = charge

    @rule(target=runs, which=st.integers(0, 1), price=st.integers(1, 5))
    def reserve(self, which: int, price: int) -> Any:
        account, run_id = self.accounts[which], new_id("run")
        refused = self.store.open(
            NewRun(
                id=run_id,
                account_id=account,
                kind="analysis",
                engine="test",
                model="flash",
                price=price,
                hold=price,
                usage="{}",
            )
        )
        before = Balance(self.posted[account], self.held(account))
        if before.available < price:
            assert refused == before
            assert self.store.state(run_id) is None
            return multiple()
        assert refused is None
        self.open[run_id] = (account, price)
        return run_id

    @rule(run_id=runs, end=st.sampled_from(ENDS), charge=st.integers(0, 5))
    def settle(self, run_id: str, end: RunState, charge: int) -> None:
        """Only the first changes anything: a second one does not, nor one after the sweeper."""
        account, hold = self.open.get(run_id, (self.accounts[0], 5))
        charge = min(charge, hold)
        ours = self.store.settle(run_id, account, Ending(state=end, charge=charge, metered=charge))
        assert ours is (run_id in self.open)
        if ours:
            self.end(run_id, charge)
            assert self.store.state(run_id) is end

    @rule(run_id=runs)
    def settle_with_an_old_epoch(self, run_id: str) -> None:
        ending = Ending(state=RunState.COMPLETED, charge=1, metered=1)
        assert not self.store.settle(run_id, self.accounts[0], ending, epoch=7)

    @rule(which=st.integers(0, 1), amount=st.integers(1, 3))
    def grant(self, which: int, amount: int) -> None:
        self.services.ledger.grant(self.accounts[which], amount, "test")
        self.posted[self.accounts[which]] += amount

    @rule()
    def renew(self) -> None:
        """What this process still works on lives on, whatever its lease said."""
        self.store.renew(list(self.open))
        self.expired.clear()

    @rule(run_id=runs)
    def lose_the_lease(self, run_id: str) -> None:
        with self.engine.connect().execution_options(write=True) as connection:
            connection.execute(update(Hold).where(Hold.id == run_id).values(expires_ms=1))
            connection.commit()
        if run_id in self.open:
            self.expired.add(run_id)

    @rule()
    def sweep(self) -> None:
        assert len(self.store.sweep()) == len(self.expired)
        for run_id in list(self.expired):
            self.end(run_id, 0)
            assert self.store.state(run_id) is RunState.FAILED

    @precondition(lambda self: len(self.open) > 2)
    @rule()
    def restart(self) -> None:
        assert len(self.store.fail_orphans()) == len(self.open)
        for run_id in list(self.open):
            self.end(run_id, 0)

    @invariant()
    def balances_are_as_expected_and_covered(self) -> None:
        for account in self.accounts:
            balance = self.services.ledger.balance(account)
            assert balance == Balance(self.posted[account], self.held(account))
            assert balance.posted >= balance.held >= 0

    @invariant()
    def sums_agree(self) -> None:
        with self.engine.connect() as connection:
            for posted, held, entries, holds in connection.execute(_SUMS):
                assert posted == (entries or 0)
                assert held == (holds or 0)

    @invariant()
    def each_ended_run_has_one_end(self) -> None:
        with self.engine.connect() as connection:
            entries = connection.execute(
                select(LedgerEntry.run_id, LedgerEntry.amount).where(
                    LedgerEntry.run_id.is_not(None)
                )
            ).all()
            ends = connection.execute(
                select(RunRow.id, RunRow.charged, Hold.state).join(Hold, Hold.id == RunRow.id)
            ).all()
        expected = {run_id: -charge for run_id, charge in self.charged.items() if charge}
        assert dict(map(tuple, entries)) == expected
        assert len(entries) == len(expected)
        for run_id, charged, state in ends:
            assert charged == self.charged.get(run_id)
            ended = SETTLED if charged else VOIDED
            assert state == (PENDING if charged is None else ended)


_SUMS = select(
    BalanceRow.posted,
    BalanceRow.held,
    select(func.sum(LedgerEntry.amount))
    .where(LedgerEntry.account_id == BalanceRow.account_id)
    .scalar_subquery(),
    select(func.sum(Hold.amount))
    .where(Hold.account_id == BalanceRow.account_id, Hold.state == PENDING)
    .scalar_subquery(),
)


def bound_to(app: Flask) -> Callable[[], Books]:
    """The machine over one application's database."""
    with app.app_context():
        given = {"engine": db.engine, "services": app.extensions["codeintel"]}
    return type("BooksOfOneDatabase", (Books,), given)


def test_the_books_are_right_whatever_happens(
    database_app: Flask, request: pytest.FixtureRequest
) -> None:
    on_sqlite = "sqlite" in request.node.callspec.id
    run_state_machine_as_test(
        bound_to(database_app),
        settings=settings(
            max_examples=30 if on_sqlite else 8,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
