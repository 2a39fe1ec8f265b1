"""A PostgreSQL that answers, but not in time."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from support import MakeApp, make_user

pytestmark = pytest.mark.alone

PEPPER = "p" * 40


def test_a_locked_table_holds_nobody_up_for_long(make_app: MakeApp, postgres_url: str) -> None:
    app = make_app({"DATABASE_URL": postgres_url, "CODEINTEL_KEY_PEPPER": PEPPER})
    services = app.extensions["codeintel"]
    user = make_user(services)
    other = create_engine(postgres_url.replace("postgresql:", "postgresql+psycopg:"))
    with other.begin() as connection:
        connection.execute(text("LOCK TABLE accounts, balances IN ACCESS EXCLUSIVE MODE"))
        began = time.monotonic()
        answer = app.test_client().get("/api/v1/account", headers=user.headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (503, "database_unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        with pytest.raises(OperationalError):
            services.ledger.grant(user.account.id, 1, "stuck")
        assert time.monotonic() - began < 8
    other.dispose()
    assert services.ledger.grant(user.account.id, 1, "free again").posted == 101
