"""Gauges of concurrency: every slot is returned, however its holder ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import gevent
import pytest
from flask import Flask, Response

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.address import is_shared
from codeintel.http.endpoint import held_while_sent
from codeintel.platform.config.settings import Settings
from codeintel.platform.limits.concurrency import Concurrency, Gauge


def test_a_key_and_all_keys_have_limits() -> None:
    gauge = Gauge("streams", 2, 3)
    held = [gauge.take("a"), gauge.take("a"), gauge.take("b")]
    assert all(held) and (gauge.used("a"), gauge.total) == (2, 3)
    assert gauge.take("a") is None and gauge.take("c") is None
    for hold in held * 2:  # twice is as good as once
        assert hold is not None
        hold.release()
    assert (gauge.used("a"), gauge.total, gauge._used) == (0, 0, {})


def test_zero_is_no_limit() -> None:
    gauge = Gauge("streams", 0)
    holds = [gauge.take("a") for _ in range(100)]
    assert all(holds) and gauge.total == 100


def test_growing_past_a_limit_changes_nothing() -> None:
    gauge = Gauge("body_memory", 0, 10)
    hold = gauge.take("a", 6)
    assert hold is not None and not hold.grow(5) and hold.grow(4) and gauge.total == 10


def _leave() -> None:
    raise gevent.GreenletExit


def _fail() -> None:
    raise ValueError


@pytest.mark.parametrize("end", [_leave, _fail, lambda: None])
def test_a_block_gives_back_on_every_way_out(end: Callable[[], None]) -> None:
    gauge = Gauge("connections", 1)

    def work() -> None:
        hold = gauge.take("a")
        assert hold is not None
        with hold:
            end()

    job = gevent.spawn(work)
    job.join()
    assert gauge.total == 0


def test_a_killed_greenlet_and_a_lost_hold_give_back() -> None:
    gauge = Gauge("connections", 2)

    def work() -> None:
        hold = gauge.take("a")
        assert hold is not None
        with hold:
            gevent.sleep(10)

    job = gevent.spawn(work)
    gevent.sleep(0)
    lost = gauge.take("a")
    assert gauge.total == 2
    job.kill()
    del lost
    assert gauge.total == 0


def streams(account: int, address: int) -> Concurrency:
    return Concurrency(Settings(max_streams_per_account=account, max_streams_per_address=address))


@pytest.mark.parametrize(("account", "address"), [(1, 9), (9, 1)])
def test_streams_of_an_account_and_an_address(account: int, address: int) -> None:
    gauges = streams(account, address)
    place = gauges.open_stream("acc", "address:192.0.2.1")
    for _ in range(3):  # a refusal holds nothing
        with pytest.raises(ServiceError) as refused:
            gauges.open_stream("acc", "address:192.0.2.1")
    assert refused.value.code is ErrorCode.RATE_LIMIT_EXCEEDED
    assert refused.value.details["limit"] == 1 and refused.value.retry_after
    place.release()
    gauges.open_stream("acc", "address:192.0.2.1").release()


def _frames(ended: list[bool]) -> Iterator[bytes]:
    try:
        yield b"one"
        yield b"two"
    finally:
        ended.append(True)


def test_an_answer_holds_its_place_until_it_is_closed() -> None:
    gauges, ended = streams(1, 0), [False]
    with Flask("x").test_request_context():
        response = held_while_sent(
            lambda: Response(_frames(ended), direct_passthrough=True),
            gauges.open_stream("acc", ""),
        )
        pieces = response.response
        assert next(iter(pieces)) == b"one"
        with pytest.raises(ServiceError):
            gauges.open_stream("acc", "")
        pieces.close()  # type: ignore[union-attr]  # as the server does when the client is gone
    assert ended == [False, True]
    gauges.open_stream("acc", "").release()


@pytest.mark.parametrize("end", [_leave, _fail])
def test_an_answer_that_is_never_made_gives_its_place_back(end: Callable[[], None]) -> None:
    gauges = streams(1, 0)

    def make() -> Response:
        end()
        return Response()

    with pytest.raises((ValueError, gevent.GreenletExit)):
        held_while_sent(make, gauges.open_stream("acc", ""))
    gauges.open_stream("acc", "").release()
    with Flask("x").test_request_context():
        held_while_sent(lambda: Response("no stream"), gauges.open_stream("acc", ""))
    gauges.open_stream("acc", "").release()


@pytest.mark.parametrize(
    ("address", "shared"),
    [
        *(("127.0.0.1", True), ("::1", True), ("", True), ("10.0.0.7", True)),
        *(("::ffff:127.0.0.1", True), ("192.0.2.1", False), ("2001:db8::1", False)),
    ],
)
def test_which_peers_stand_for_many_clients(address: str, shared: bool) -> None:
    from ipaddress import ip_network

    assert is_shared(address, [ip_network("10.0.0.0/8")]) is shared
