"""Which connections to an API are used again."""

from __future__ import annotations

from typing import Any

import pytest
from api_connections import SECONDS, WHOLE, Api, connected, read
from codeintel_plugins.openai.connections import BrokenOff


def test_a_connection_is_kept_once_its_response_is_whole() -> None:
    with connected(api := Api(WHOLE)) as post:
        for _ in range(3):
            response = post()
            read(response)
            response.release()
        assert (api.opened, len(api.requests)) == (1, 3)
        post().close()
        response = post()
        read(response)
        response.release()
        assert api.opened == 2


@pytest.mark.parametrize(
    "piece",
    [WHOLE + WHOLE, WHOLE.replace(b"200 OK", b"200 OK\r\nConnection: close"), WHOLE + b"more"],
    ids=["two answers", "not to be kept", "something behind"],
)
def test_a_connection_that_is_not_clean_is_not_used_again(piece: bytes) -> None:
    with connected(api := Api(piece)) as post:
        for _ in range(2):
            try:
                response = post()
            except BrokenOff:
                continue
            read(response)
            response.release()
        assert api.opened == 2


def test_a_connection_that_the_api_has_closed_is_not_used_again() -> None:
    with connected(api := Api(WHOLE, closes=True)) as post:
        for _ in range(3):
            api.closed.clear()
            response = post()
            assert read(response) == b"ok"
            assert api.closed.wait(SECONDS)
            response.release()
        assert api.opened == 3


def test_a_connection_that_the_api_closes_as_it_is_used_is_replaced() -> None:
    class Api2(Api):
        """Answers the first request of each connection, and closes it at the second."""

        def finish_request(self, request: Any, _address: object) -> None:
            self.opened += 1
            self.requests.append(request.recv(65_536))
            request.sendall(WHOLE)
            self.requests.append(request.recv(65_536))

    with connected(api := Api2(WHOLE)) as post:
        for _ in range(3):
            response = post()
            assert read(response) == b"ok"
            response.release()
    assert api.opened == 3


def test_what_was_given_back_is_not_closed_by_who_had_it() -> None:
    with connected(api := Api(WHOLE)) as post:
        first = post()
        read(first)
        first.release()
        second = post()
        first.close()
        first.release()
        assert read(second) == b"ok"
        second.release()
        second.release()
        third, fourth = post(), post()
        assert (read(third), read(fourth)) == (b"ok", b"ok")
        third.close()
        fourth.close()
        assert api.opened == 2
