"""All accounts with what they can spend."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import Connection

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.accounts import account_lines
from codeintel.identity.ledger import hold
from codeintel.platform.db import db
from codeintel.platform.db.models import now_ms


def test_all_accounts_in_their_order(database_app: Flask, database_services: Services) -> None:
    with database_app.app_context():
        engine = db.engine
    assert account_lines(engine) == []
    ann = database_services.accounts.create("ann@example.org", Tier.FREE, 10, False)
    ben = database_services.accounts.create("ben@example.org", Tier.TEAM, 0, True)

    def work(connection: Connection) -> None:
        assert hold(connection, "run_1", ann.id, 3, now_ms() + 60_000)

    database_services.ledger._writer.run(work)
    lines = {line.id: line for line in account_lines(engine)}
    assert lines.keys() == {ann.id, ben.id}
    assert (lines[ann.id].email, lines[ann.id].available) == ("ann@example.org", 7)
    assert (lines[ben.id].tier, lines[ben.id].unlimited) == (Tier.TEAM, True)
    created = [line.created_ms for line in account_lines(engine)]
    assert created == sorted(created)
