"""Scans in an installation of many nodes: requested at one, filled at another, followed at all; and
the end of a node in the middle.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from many_nodes import Installation, running_installation
from many_nodes_use import SECONDS, rows, user_of
from server_books import Books
from server_helpers import eventually
from servers import PostgresServer, RedisServer

from codeintel.client.scans import ScanClient, ScanEnd, ScanItem, ScanOptions
from codeintel.contracts import Model
from codeintel.contracts.scans.records import FileResult, FoundFile, ScanSummary

DEEP = ScanOptions(Model.PRO, "shop")


@pytest.fixture(scope="module")
def many(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    redis_server: RedisServer,
) -> Iterator[Installation]:
    redis_server.flush()
    with running_installation(
        tmp_path_factory.mktemp("scans"),
        postgres_server.empty(),
        redis_server.url,
        CODEINTEL_TIER_LIMITS_TEAM="100,100,100",
        CODEINTEL_RUN_RESUME_GRACE="20",
    ) as running:
        yield running


class Repository:
    """Files in memory, and how often each was read."""

    def __init__(self, name: str, files: int) -> None:
        self.texts = {f"{at}.txt2": f"# {name} {at}\n" for at in range(files)}
        self.reads = 0

    def files(self) -> list[FoundFile]:
        """Return the descriptions of the files. Their language is that of no analyzer."""
        return [
            FoundFile(
                path=path,
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                size=len(text),
                language="klingon",
            )
            for path, text in self.texts.items()
        ]

    def read(self, file: FoundFile) -> str:
        """Return the content of a file."""
        self.reads += 1
        return self.texts[file.path]


def results(items: list[ScanItem]) -> dict[str, FileResult]:
    """Return the results of files, by path."""
    return {each.path: each for each in items if isinstance(each, FileResult)}


def end(items: list[ScanItem]) -> ScanEnd:
    """Return the end of a scan."""
    assert isinstance(items[-1], ScanEnd)
    return items[-1]


def test_every_node_takes_a_part_of_a_scan(many: Installation) -> None:
    user, shop = user_of(many, "traveler"), Repository("shop", 12)
    first, second, third = (ScanClient(node.url, user.token) for node in many.nodes)
    ticket = first.request_scan(shop.files(), DEEP)
    assert len(ticket.missing) == 12
    assert second.send_contents(ticket.run_id, shop.texts.values()) == 0
    followed: list[list[ScanItem]] = [[], []]

    def follow(client: ScanClient, at: int) -> None:
        followed[at] = list(client.follow_scan(ticket.run_id))

    readers = [threading.Thread(target=follow, args=each) for each in ((third, 0), (second, 1))]
    for each in readers:
        each.start()
    for each in readers:
        each.join(SECONDS)
    assert followed[0] == followed[1]
    assert results(followed[0]).keys() == shop.texts.keys()
    assert (end(followed[0]).state, end(followed[0]).credits_charged) == ("completed", 2)
    assert list(first.follow_scan(ticket.run_id)) == followed[0]
    books = Books(many.database)
    books.check()
    mine = [each for each in books.entries if each.account_id == user.account.id]
    assert [each.amount for each in mine if each.amount < 0] == [-2]
    # The next scan at another node needs no content.
    again = list(second.scan(shop.files(), shop.read, DEEP))
    assert shop.reads == 0
    assert all(each.cached for each in results(again).values())
    summary = next(each for each in again if isinstance(each, ScanSummary))
    assert (summary.files, summary.cached) == (12, 12)


def test_a_scan_whose_node_is_killed_costs_nothing_and_its_results_stay(
    many: Installation,
) -> None:
    user, shop = user_of(many, "unlucky"), Repository("doomed", 60)
    victim, other, _ = many.nodes
    ticket = ScanClient(victim.url, user.token).request_scan(shop.files(), DEEP)
    ScanClient(victim.url, user.token).send_contents(ticket.run_id, shop.texts.values())
    seen: list[Any] = []

    def follow() -> None:
        try:
            seen.extend(ScanClient(victim.url, user.token).follow_scan(ticket.run_id))
        except Exception as error:  # noqa: BLE001 - looked at below
            seen.append(error)

    reader = threading.Thread(target=follow)
    reader.start()
    count = f"SELECT count(*) FROM scan_results WHERE account_id = '{user.account.id}'"
    eventually(lambda: rows(many, count)[0][0] >= 5, SECONDS)
    victim.kill_all()
    reader.join(SECONDS)
    assert isinstance(seen[-1], Exception)
    state = f"SELECT state, reason FROM runs WHERE id = '{ticket.run_id}'"
    eventually(lambda: rows(many, state)[0].state == "failed", SECONDS)
    assert rows(many, state)[0].reason == "lease_expired"
    Books(many.database).check()
    kept = rows(many, count)[0][0]
    items = list(ScanClient(other.url, user.token).scan(shop.files(), shop.read, DEEP))
    assert end(items).state == "completed"
    assert shop.reads == 60 - kept
    assert sum(each.cached for each in results(items).values()) >= kept
    books = Books(many.database)
    books.check()
    mine = [each for each in books.entries if each.account_id == user.account.id]
    assert [each.amount for each in mine if each.amount < 0] == [-3]
    victim.start()
    assert victim.process.poll() is None
