"""Workspaces over real servers: kill -9, many parallel accounts, two servers, the largest push."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
from server_books import database_url
from server_helpers import PEPPER, crowd, live, new_key
from workspace_books import WorkspaceBooks

from codeintel.contracts.workspaces.records import MAX_FILES, MAX_TOTAL_BYTES
from codeintel.testing.server import LiveServer

ACCOUNTS = 10


class Place(NamedTuple):
    """Settings of a server, and where its database is."""

    config: dict[str, str]
    database: str


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    config = {"CODEINTEL_INSTANCE": str(tmp_path), "CODEINTEL_KEY_PEPPER": PEPPER}
    if request.param == "sqlite":
        return Place(config, database_url(tmp_path))
    url = request.getfixturevalue("postgres_url")
    return Place({**config, "DATABASE_URL": url}, url)


def pusher(config: dict[str, str], email: str = "user@example.org") -> str:
    """Return a key of a new account without credits: nothing is analyzed."""
    return new_key(config, email, credits_=0, scopes=("workspace:write",))


def push(
    server: LiveServer, key: str, files: dict[str, str], request_key: str = "", **more: Any
) -> requests.Response:
    headers = {"x-api-key": key} | ({"Idempotency-Key": request_key} if request_key else {})
    body = {"files": files, **more}
    url = f"{server.url}/api/workspace/sync"
    return requests.post(url, json=body, headers=headers, timeout=60)


def some_files(seed: int, count: int = 80) -> dict[str, str]:
    """Return files that take a few transactions to store."""
    chance = random.Random(seed)
    return {
        f"/folder {number % 7}/{number}.txt": chance.randbytes(2_000).hex() * chance.randint(1, 6)
        for number in range(count)
    }


def test_kill_9_in_the_middle_of_pushes(place: Place) -> None:
    """Check that every revision is complete or missing, that acknowledged ones exist, and that
    pushes continue."""
    with live(place.config) as server:
        keys = [pusher(place.config, f"{number}@example.org") for number in range(3)]
        for round_ in range(2):
            answered: list[tuple[str, int, dict[str, str]]] = []
            is_killed = threading.Event()

            def keep_pushing(
                number: int,
                round_: int = round_,
                answered: list[tuple[str, int, dict[str, str]]] = answered,
                is_killed: threading.Event = is_killed,
            ) -> None:
                turn = 0
                while not is_killed.is_set():
                    files = some_files(number * 1000 + round_ * 100 + turn)
                    turn += 1
                    try:
                        answer = push(server, keys[number], files, name=f"{turn % 2}")
                    except requests.RequestException:
                        return
                    assert answer.status_code == 201, answer.text
                    told = answer.json()
                    answered.append((told["sessionId"], told["revision"], files))

            threads = [threading.Thread(target=keep_pushing, args=(each,)) for each in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.5, 1.5))
            server.kill_all()
            is_killed.set()
            for thread in threads:
                thread.join()
            books = WorkspaceBooks(place.database)
            books.check()
            for session_id, number, files in answered:
                assert books.files(session_id, number) == files
            server.start()
        files = some_files(1)
        for key in keys:
            answer = push(server, key, files, name="after")
            assert answer.status_code == 201
            assert push(server, key, files, name="after").status_code == 200
        WorkspaceBooks(place.database).check()


def test_ten_accounts_at_once_lose_nothing(place: Place) -> None:
    """Each pushes several workspaces again and again; some of their files are the same."""
    with live(place.config) as server:
        keys = [pusher(place.config, f"{number}@example.org") for number in range(ACCOUNTS)]

        def work(number: int) -> dict[tuple[str, int], dict[str, str]]:
            made = {}
            for turn in range(4):
                files = {**some_files(turn, 30), "/own.txt": f"{number} {turn}"}
                answer = push(server, keys[number], files, f"{turn}", name=f"name {turn % 2}")
                assert answer.status_code == 201, answer.text
                told = answer.json()
                made[told["sessionId"], told["revision"]] = files
                again = push(server, keys[number], files, f"{turn}", name=f"name {turn % 2}")
                assert (again.status_code, again.json()["revision"]) == (201, told["revision"])
            return made

        results = crowd(ACCOUNTS, work)
        books = WorkspaceBooks(place.database)
        books.check()
        assert len(books.sessions) == 2 * ACCOUNTS
        assert len(books.revisions) == 4 * ACCOUNTS
        for made in results:
            for (session_id, number), files in made.items():
                assert books.files(session_id, number) == files


def test_two_servers_and_one_workspace(tmp_path: Path, postgres_url: str) -> None:
    """Check that parallel first pushes share one session, and repeats under one key share one
    revision. No deadlock occurs."""
    configs = [
        {
            "CODEINTEL_INSTANCE": str(tmp_path / name),
            "CODEINTEL_KEY_PEPPER": PEPPER,
            "DATABASE_URL": postgres_url,
        }
        for name in ("one", "two")
    ]
    with live(configs[0]) as one, live(configs[1]) as two:
        keys = [pusher(configs[0], f"{number}@example.org") for number in range(2)]

        def work(number: int) -> tuple[str, int]:
            server = (one, two)[number % 2]
            group = number // 4  # four requests that are the same
            files = some_files(group, 30)
            key = keys[group % 2]
            answer = push(server, key, files, f"group {group}", name="shared")
            assert answer.status_code in {200, 201}, answer.text
            return answer.json()["sessionId"], answer.json()["revision"]

        found = crowd(24, work)
        for group in range(6):
            assert len(set(found[group * 4 : group * 4 + 4])) == 1
        assert len({session for session, _ in found}) == 2
        books = WorkspaceBooks(postgres_url)
        books.check()
        assert len(books.sessions) == 2
        assert len(books.revisions) == 6


def test_the_largest_push_takes_little_memory_and_lets_others_go_on(place: Place) -> None:
    size = MAX_TOTAL_BYTES // MAX_FILES - 100
    chance = random.Random(0)
    files = {
        f"/module {number % 50}/{number}.py": chance.randbytes(size // 4).hex() * 2
        for number in range(MAX_FILES)
    }
    assert MAX_TOTAL_BYTES * 0.95 < len(json.dumps({"files": files})) < MAX_TOTAL_BYTES
    with live(place.config) as server:
        key = pusher(place.config)
        push(server, key, {"/first": ""})
        (worker,) = server.worker_pids()
        before = memory(worker)
        waits: list[float] = []
        is_done = threading.Event()

        def ask() -> None:
            while not is_done.wait(0.01):
                begin = time.monotonic()
                requests.get(f"{server.url}/api/v1/health", timeout=30)
                waits.append(time.monotonic() - begin)

        thread = threading.Thread(target=ask)
        thread.start()
        for status in (201, 200):
            assert push(server, key, files, name="large").status_code == status
        is_done.set()
        thread.join()
        assert memory(worker) - before < 200
        assert len(waits) > 3
        assert max(waits) < 10  # on a machine that does much else
        WorkspaceBooks(place.database).check()


def memory(pid: int) -> float:
    """Return the peak memory of a process, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))
