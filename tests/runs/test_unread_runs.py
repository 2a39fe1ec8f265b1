"""Runs without a reader, while Redis cannot report whether another process has one."""

from __future__ import annotations

import gevent
import pytest
from run_helpers import set_, until
from scripted_runs import LEAST, Runs, says_and_stays
from servers import RedisServer
from support import MakeApp

from codeintel.platform import shared_redis as breaker
from codeintel.platform.db import db

GRACE = 0.2


@pytest.fixture
def runs(make_app: MakeApp, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", 0.2)
    app = make_app({"REDIS_URL": own_redis.url})
    with app.app_context():
        made = Runs(app.extensions["codeintel"], db.engine)
    set_(made, run_resume_grace=GRACE)
    return made


def test_it_goes_on_until_redis_can_be_asked(runs: Runs, own_redis: RedisServer) -> None:
    own_redis.kill()
    run = runs.start(says_and_stays)  # no reader has been requested
    gevent.sleep(6 * GRACE)
    assert not run.log.ended
    own_redis.start()
    until(lambda: run.log.ended)
    runs.settled(run, "cancelled", LEAST)


def test_it_ends_by_its_limit_of_time_if_redis_stays_away(
    runs: Runs, own_redis: RedisServer
) -> None:
    own_redis.kill()
    set_(runs, run_timeout=4 * GRACE)
    run = runs.start(says_and_stays)
    until(lambda: run.log.ended)
    assert runs.events(run)[-1]["type"] == "run.incomplete"


def test_it_ends_after_the_grace_while_redis_answers(runs: Runs) -> None:
    run = runs.start(says_and_stays)
    until(lambda: run.log.ended)
    runs.settled(run, "cancelled", LEAST)
