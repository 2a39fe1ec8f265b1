"""The books balance after any sequence of events."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.stateful import invariant, run_state_machine_as_test
from ledger_moves import Moves
from sqlalchemy import func, select

from codeintel.contracts.states import RunState
from codeintel.identity.ledger import PENDING, SETTLED, VOIDED, Balance
from codeintel.platform.db import db
from codeintel.platform.db.models import (
    Balance as BalanceRow,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
)


class Books(Moves):
    """Invariants after each move."""

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
    def a_key_names_one_run_that_has_not_failed(self) -> None:
        query = select(IdempotencyKey.made, RunRow.state).outerjoin(
            RunRow, RunRow.id == IdempotencyKey.made
        )
        with self.engine.connect() as connection:
            named = dict(map(tuple, connection.execute(query)))
        assert sorted(named) == sorted(run_id for _, run_id in self.keys.values())
        assert not {None, RunState.FAILED} & set(named.values())

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
    """Return the machine over one application's database."""
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
            max_examples=50 if on_sqlite else 15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
