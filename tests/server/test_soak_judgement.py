"""How the soak test judges its clients' results: failures must not count as success."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
EVENT = b'event: x\ndata: {"type": "run.created", "sequence": 1}\n\n'
Soak = SimpleNamespace


@pytest.fixture(scope="module")
def soak() -> Iterator[Soak]:
    """Provide modules of the soak; its folder is on the path while they are imported only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        names = ("client", "documented", "load", "memory", "verdict")
        yield SimpleNamespace(**{name: import_module(f"soak.{name}") for name in names})


class Answers(BaseHTTPRequestHandler):
    """`/cut` breaks off within an event, `/wrong` sends an invalid one, other paths are error
    codes."""

    def do_GET(self) -> None:
        if self.path in {"/cut", "/wrong"}:
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            piece = EVENT if self.path == "/cut" else b"data: nothing\n\n"
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.write(b"" if self.path == "/cut" else b"0\r\n\r\n")
            return
        _, status, code = self.path.split("/")
        body = json.dumps({"error": {"code": code}}).encode()
        self.send_response(int(status))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Drop the message."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def client(soak: Soak, url: str) -> Any:
    documented = SimpleNamespace(take=lambda *_: None)
    return soak.client.Client(url, SimpleNamespace(key="key"), documented, 1)


def loaded(soak: Soak, url: str, scenario: Callable[[Any], None]) -> Any:
    """Return the result of a load of one scenario."""
    load = soak.load.Load([client(soak, url)], {scenario: 1})
    load.once()
    return load


@pytest.mark.parametrize("path", ["/cut", "/wrong"])
def test_a_stream_that_is_cut_or_wrong_is_counted(soak: Soak, url: str, path: str) -> None:
    def scenario(client: Any) -> None:
        client.follow("GET", path)

    load = loaded(soak, url, scenario)
    assert load.done == {"scenario, wrong": 1}
    assert sum(load.wrong.values()) == 1


@pytest.mark.parametrize("error", [KeyError, IndexError, ValueError, StopIteration])
def test_whatever_a_scenario_stumbles_over_is_counted(
    soak: Soak, url: str, error: type[Exception]
) -> None:
    def scenario(_: Any) -> None:
        raise error("the reason")

    load = loaded(soak, url, scenario)
    assert load.done == {"scenario, wrong": 1}
    assert error.__name__ in next(iter(load.wrong))


@pytest.mark.parametrize(
    ("status", "code", "outcome"),
    [
        (429, "rate_limit_exceeded", "scenario, refused"),
        (503, "overloaded", "scenario, refused"),
        (503, "database_unavailable", "scenario, wrong"),
        (503, "draining", "scenario, wrong"),
        (429, "", "scenario, wrong"),
        (200, "", "scenario"),
    ],
)
def test_only_too_much_to_do_is_a_reason_to_refuse(
    soak: Soak, url: str, status: int, code: str, outcome: str
) -> None:
    def scenario(client: Any) -> None:
        client.ask("GET", f"/{status}/{code}")

    load = loaded(soak, url, scenario)
    assert load.done == {outcome: 1}
    assert bool(load.wrong) == outcome.endswith("wrong")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_client_that_ended_early_is_missed(soak: Soak, url: str) -> None:
    def scenario(_: Any) -> None:
        raise SystemExit

    load = soak.load.Load([client(soak, url)] * 3, {scenario: 1})
    assert load.run(60) == {}
    assert load.wrong == {"a client ended before the load did": 3}


def test_each_scenario_is_begun_under_load_and_what_was_before_does_not_count(
    soak: Soak, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(soak.load, "PAUSE_SECONDS", 0.01)

    def rare(_: Any) -> None: ...

    def often(_: Any) -> None: ...

    load = soak.load.Load([client(soak, url)], {often: 1_000_000, rare: 0})
    load.once()
    done = load.run(1)
    assert done["rare"] == 1
    assert load.done["rare"] == 2
    assert not load.wrong


@pytest.mark.parametrize(
    ("done", "answers", "refused", "broken"),
    [
        ({"one": 5, "two": 1}, 1_000, 10, []),
        ({"one": 5, "two": 1}, 1_000, 11, ["refused"]),
        ({"one": 5, "two, refused": 9}, 1_000, 0, ["never completed under load: two"]),
        ({"one, wrong": 5, "two": 9}, 1_000, 0, ["never completed under load: one"]),
        ({}, 0, 0, ["refused", "load: one", "load: two"]),
    ],
)
def test_the_bounds(
    soak: Soak, done: dict[str, int], answers: int, refused: int, broken: list[str]
) -> None:
    verdict = soak.verdict.Verdict()
    soak.load.judge(verdict, ("one", "two"), done, answers, refused)
    assert len(verdict.broken) == len(broken)
    assert all(part in said for part, said in zip(broken, verdict.broken, strict=True))


def sampled(per_minute: float, minutes: float = 10) -> list[tuple[float, float]]:
    """Return memory that begins with 100 MiB, fills in the first minute, and has a peak in the
    middle."""
    times = [2.0 * number for number in range(int(minutes * 30))]
    sizes = [100 + 20 * min(at / 60, 1) + per_minute * at / 60 for at in times]
    sizes[len(sizes) // 2] += 500
    return list(zip(times, sizes, strict=True))


@pytest.mark.parametrize(
    ("samples", "minutes", "broken"),
    [
        (sampled(0), 10, 0),
        (sampled(0.5), 10, 0),  # 4 MiB of 121
        (sampled(1), 10, 1),  # 8 MiB
        (sampled(-5), 10, 0),
        (sampled(30, minutes=2), 2, 0),  # too short to judge
        ([], 10, 1),
        (sampled(0)[:5], 10, 1),
    ],
)
def test_growth_is_what_goes_on_behind_the_warm_up(
    soak: Soak, samples: list[tuple[float, float]], minutes: float, broken: int
) -> None:
    verdict = soak.verdict.Verdict()
    soak.memory.judge_memory(verdict, {"workers": samples}, ["workers"], minutes)
    assert len(verdict.broken) == broken


def test_processes_that_were_never_looked_at_are_no_proof(soak: Soak) -> None:
    verdict = soak.verdict.Verdict()
    soak.memory.judge_memory(verdict, {}, ["master", "workers"], 10)
    assert len(verdict.broken) == 2


DOCUMENT = {
    "paths": {
        "/api/v1/runs/{run_id}": {
            "get": {
                "responses": {
                    "200": {"content": {"application/json": {}}},
                    "404": {"content": {"application/json": {"examples": {"not_found": {}}}}},
                    "503": {"content": {"application/json": {"examples": {"overloaded": {}}}}},
                }
            }
        }
    }
}


def answered(status: int, code: str = "", kind: str = "application/json") -> requests.Response:
    answer = requests.Response()
    answer.status_code = status
    answer.headers["Content-Type"] = kind
    answer._content = json.dumps({"error": {"code": code}} if code else {}).encode()
    return answer


@pytest.mark.parametrize(
    ("path", "answer", "problem", "refused"),
    [
        ("/api/v1/runs/{id}", answered(200), "", 0),
        ("/api/v1/runs/{id}", answered(404, "not_found"), "", 0),
        ("/api/v1/runs/{id}", answered(503, "overloaded"), "", 1),
        ("/api/v1/runs/{id}", answered(404, "gone"), "undocumented code", 0),
        ("/api/v1/runs/{id}", answered(410, "gone"), "undocumented status", 0),
        ("/api/v1/runs/{id}", answered(500, "internal_error"), "it failed", 0),
        ("/api/v1/runs/{id}", answered(200, kind="text/html"), "undocumented type", 0),
        ("/docs", answered(200, kind="text/html"), "", 0),
        ("/nowhere", answered(404, "not_found"), "answered with", 0),
    ],
)
def test_answers_are_those_of_the_document(
    soak: Soak,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    answer: requests.Response,
    problem: str,
    refused: int,
) -> None:
    document = SimpleNamespace(json=lambda: DOCUMENT)
    monkeypatch.setattr(soak.documented.requests, "get", lambda *_, **__: document)
    documented = soak.documented.Documented("http://service.test")
    documented.take("GET", path, answer)
    assert sum(documented.answers.values()) == 1
    assert documented.refused == refused
    assert len(documented.wrong) == bool(problem)
    assert problem in "".join(documented.wrong)
