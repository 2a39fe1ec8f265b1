"""Runs of two accounts in the database, compared with a model in memory: the moves."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, precondition, rule
from sqlalchemy import Engine, delete, update

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.states import RunState
from codeintel.identity.ledger import Balance
from codeintel.platform.db.models import Base, Fact, Hold, new_id
from codeintel.platform.db.writer import Writer
from codeintel.runs.idempotency import RequestKey, request_key
from codeintel.runs.store import Ending, NewRun, Repeated, RunRecords, RunStore

TTL_SECONDS = 60.0
START = 12
ENDS = (RunState.COMPLETED, RunState.INCOMPLETE, RunState.FAILED, RunState.CANCELLED)


class Moves(RuleBasedStateMachine):
    """The possible moves, in any order."""

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
        self.keys: dict[tuple[str, str, str], tuple[bytes, str]] = {}
        """Body and run of each key: its account, its route, itself."""
        self.asked: set[str] = set()
        """Runs in progress with a requested cancellation."""
        writer = Writer(self.engine)
        self.store = RunStore(self.engine, writer, "test", TTL_SECONDS)
        self.records = RunRecords(self.engine, writer)

    def held(self, account: str) -> int:
        return sum(amount for owner, amount in self.open.values() if owner == account)

    def end(self, run_id: str, charge: int, state: RunState = RunState.FAILED) -> None:
        account, _ = self.open.pop(run_id)
        self.expired.discard(run_id)
        self.asked.discard(run_id)
        if state is RunState.FAILED:  # its request may be sent again
            self.keys = {key: kept for key, kept in self.keys.items() if kept[1] != run_id}
        self.posted[account] -= charge
        self.charged[run_id] = charge

    def insert(self, account: str, price: int, key: RequestKey | None = None) -> Any:
        """Open a run in the database; its id, and what that said."""
        run = NewRun(
            id=new_id("run"),
            account_id=account,
            kind="analysis",
            engine="test",
            model="flash",
            price=price,
            hold=price,
            usage="{}",
        )
        return run.id, self.store.open(run, key)

    @rule(target=runs, which=st.integers(0, 1), price=st.integers(1, 5))
    def reserve(self, which: int, price: int) -> Any:
        account = self.accounts[which]
        run_id, refused = self.insert(account, price)
        return self.reserved(account, price, run_id, refused)

    def reserved(self, account: str, price: int, run_id: str, refused: Any) -> Any:
        """Check a request that no earlier request answers."""
        before = Balance(self.posted[account], self.held(account))
        if before.available < price:
            assert refused == before
            assert self.store.state(run_id) is None
            return multiple()
        assert refused is None
        self.open[run_id] = (account, price)
        return run_id

    @rule(
        target=runs,
        which=st.integers(0, 1),
        price=st.integers(1, 5),
        route=st.sampled_from(("/a", "/b")),
        word=st.sampled_from(("k1", "k2")),
        body=st.sampled_from((b"1", b"1", b"2")),
    )
    def reserve_under_a_key(
        self, which: int, price: int, route: str, word: str, body: bytes
    ) -> Any:
        """Reserve like a request: look up, then open. Open again, like a request that looked up
        too early."""
        account = self.accounts[which]
        key, place = request_key(account, route, word, body), (account, route, word)
        if place not in self.keys:
            assert self.store.find_under(key) is None
            run_id, refused = self.insert(account, price, key)
            opened = self.reserved(account, price, run_id, refused)
            if refused is None:
                self.keys[place] = body, run_id
            return opened
        kept, first = self.keys[place]
        if kept == body:
            assert self.store.find_under(key) == first
        else:
            with pytest.raises(ServiceError) as conflict:
                self.store.find_under(key)
            assert conflict.value.code is ErrorCode.IDEMPOTENCY_CONFLICT
        run_id, refused = self.insert(account, price, key)
        assert isinstance(refused, Repeated)
        assert self.store.state(run_id) is None
        return multiple()

    @rule(run_id=runs, end=st.sampled_from(ENDS), charge=st.integers(0, 5))
    def settle(self, run_id: str, end: RunState, charge: int) -> None:
        """Check that only the first settlement counts: neither a second one nor one after the
        sweeper."""
        account, hold = self.open.get(run_id, (self.accounts[0], 5))
        charge = min(charge, hold)
        ours = self.store.settle(run_id, account, Ending(state=end, charge=charge, metered=charge))
        assert ours is (run_id in self.open)
        if ours:
            self.end(run_id, charge, end)
            assert self.store.state(run_id) is end

    @rule(run_id=runs)
    def ask_for_its_end(self, run_id: str) -> None:
        """Check that the request is stored only for runs in progress, and changes nothing else."""
        self.records.request_end(run_id)
        if run_id in self.open:
            self.asked.add(run_id)
        found = self.records.to_stop([*self.charged, *self.open])
        assert (set(found.requested), set(found.over)) == (self.asked, set(self.charged))

    @rule(which=st.integers(0, 1), amount=st.integers(1, 3))
    def grant(self, which: int, amount: int) -> None:
        self.services.ledger.grant(self.accounts[which], amount, "test")
        self.posted[self.accounts[which]] += amount

    @rule()
    def renew(self) -> None:
        """Check that runs of this process continue, regardless of their lease."""
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

    @precondition(lambda self: len(self.open) > 1)
    @rule()
    def restart(self) -> None:
        assert len(self.store.fail_orphans()) == len(self.open)
        for run_id in list(self.open):
            self.end(run_id, 0)
