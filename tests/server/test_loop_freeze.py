"""No text freezes a server: hostile ones go to each route, and the loop is watched meanwhile."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import report_samples
import requests
from report_storage import keep
from server_helpers import PEPPER, live
from signed_browser import COOKIE
from support import User, make_user

from codeintel import create_app
from codeintel.contracts.job_states import OPEN
from codeintel.db import db
from codeintel.identity.sessions import LINK
from codeintel.services import Services
from codeintel.testing.server import LiveServer
from codeintel.tiers import Tier
from codeintel.workspace.proof.shapes import Report

pytestmark = pytest.mark.alone

MOST_SECONDS = 0.1
"""Between two turns of the loop."""
PATIENCE = 90
KIB, MIB = 1024, 1024 * 1024
PROBE = Path(__file__).with_name("loop_probe_plugin.py")


Route = Callable[["Place"], None]


class Gap(NamedTuple):
    """A time in which nobody else came to a turn. `cpu` is how long the loop's thread computed: on
    a busy machine, or while a disk is written to, it is less than the clock's."""

    at: float
    clock: float
    cpu: float
    where: str


class Place:
    """A server with a workspace, an account, and the gaps of its loop."""

    def __init__(self, server: LiveServer, services: Services, user: User, cookie: str) -> None:
        self.server = server
        self.services = services
        self.user = user
        self._cookie = cookie
        self._tries = 0
        self._path = Path(server.instance) / f"gaps-{server.worker_pids()[0]}.jsonl"
        os.kill(server.worker_pids()[0], signal.SIGRTMIN)
        until = time.monotonic() + PATIENCE
        while not self._path.exists():
            assert time.monotonic() < until
            time.sleep(0.01)

    def api(self, method: str, path: str, **more: Any) -> requests.Response:
        headers = {**self.user.headers, **more.pop("headers", {})}
        url = f"{self.server.url}{path}"
        return requests.request(method, url, headers=headers, timeout=PATIENCE, **more)

    def page(self, path: str) -> requests.Response:
        url = f"{self.server.url}{path}"
        return requests.get(url, cookies={COOKIE: self._cookie}, timeout=PATIENCE)

    def push(self, name: str, files: dict[str, str], **more: Any) -> requests.Response:
        named = {"name": f"{name} {self._tries}", "files": files}
        return self.api("POST", "/api/workspace/sync", json={**named, **more})

    def workspace(self, name: str, *pushes: dict[str, str]) -> str:
        """The id of a workspace with these revisions."""
        for files in pushes:
            answer = self.push(name, files)
            assert answer.status_code in {200, 201}, answer.text[:500]
        found: str = answer.json()["sessionId"]
        return found

    def settle(self) -> None:
        """Until no job is under way."""
        until = time.monotonic() + PATIENCE
        while any(self.services.jobs.list(state=each) for each in OPEN):
            assert time.monotonic() < until
            time.sleep(0.05)

    def late(self, route: Route) -> list[Gap]:
        """Gaps that are too long while hostile texts go to a route. It counts what the loop's own
        thread computed: what other processes take away from it is not the texts' fault."""
        self._tries += 1
        self.settle()
        began = time.time()
        route(self)
        self.settle()
        return [gap for gap in self.gaps(began) if gap.cpu > MOST_SECONDS]

    def gaps(self, since: float) -> list[Gap]:
        time.sleep(0.1)  # the last one is noted when the loop comes back
        lines = [json.loads(line) for line in self._path.read_text().splitlines()]
        return [Gap(**line) for line in lines if line and line["at"] >= since]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    instance = tmp_path_factory.mktemp("instance")
    (instance / "plugins").mkdir()
    (instance / "plugins" / "loop_probe.py").symlink_to(PROBE)
    config = {
        "CODEINTEL_INSTANCE": str(instance),
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_PROOF_INTERVAL": "0",
        "CODEINTEL_TIER_LIMITS_TEAM": "100000,100000",
    }
    app = create_app(config)
    services = app.extensions["codeintel"]
    with live(config) as server:
        user = make_user(
            services, tier=Tier.TEAM, credits_=100_000, scopes=("api:v1", "workspace:write")
        )
        cookie = services.sessions.open(user.account.id, LINK, agent="tests", address="192.0.2.7")
        yield Place(server, services, user, cookie)
    with app.app_context():
        db.engine.dispose()


def filled(head: str, piece: str, size: int) -> str:
    return head + piece * (size // len(piece.encode()))


MANIFESTS = {
    "/a/setup.cfg": filled("[options]\na", " ", 500 * KIB) + "!",
    "/b/setup.cfg": filled("[options]\n", "\\\n", 500 * KIB),
    "/c/setup.cfg": filled("[options.extras_require]\na = x\n", " \n", 500 * KIB) + " b",
    "/a/Gemfile": filled("a do", " ", 500 * KIB) + "!",
    "/b/Gemfile": filled("", "do\n", 250 * KIB) + filled("", "gem 'a'\n", 250 * KIB),
    "/a/pom.xml": filled("<project>", "a<b/>", 400 * KIB) + "</project>",
    "/b/pom.xml": filled("<project><properties><a>", "b", 200 * KIB)
    + filled("</a></properties><version>", "${a}", 200 * KIB)
    + "</version></project>",
    "/a/requirements.txt": filled("a[", "a @ ", 500 * KIB),
    "/a/package.json": filled('{"dependencies":{', '"a":"npm:@",', 500 * KIB) + '"b":"1"}}',
    "/a/.npmrc": filled("registry", "\n", 500 * KIB),
    "/a/pyproject.toml": filled("x = ", '"""\\', 500 * KIB),
    "/a/Dockerfile": filled("FROM ", "--a ", 500 * KIB),
    "/install.sh": filled("", "PIP_INDEX_URL = ", 500 * KIB),
}
SECRETS = {
    f"/{number}/{name}": filled("", piece, 900 * KIB)
    for number, piece in enumerate(
        ("sk-", "AKIA", "-----BEGIN A PRIVATE KEY-----A", "xox", "://a:")
    )
    for name in (".npmrc", "a.txt")
}
ALIKE = [f"line {number}" for number in range(40_000)]


def region(step: int) -> str:
    dear = [f"word {number * step % 7}" for number in range(3_000)]
    return "\n".join([str(step), *ALIKE[:20_000], *dear, *ALIKE[20_000:], str(step)])


def shuffled(step: int) -> str:
    return "\n".join(f"{number * step}\nsame {number}" for number in range(9_000))


def many_findings() -> Report:
    """A report of twenty thousand findings, each with a hostile excerpt."""
    found = report_samples.report()
    [one, *_] = found.findings
    hostile = "=cmd|' /C calc'!A0;" * 10
    more = (
        msgspec.structs.replace(one, path=f"/src/{number // 10}.py", excerpt=hostile)
        for number in range(20_000)
    )
    return msgspec.structs.replace(found, findings=tuple(more))


def manifests(place: Place) -> None:
    assert place.push("manifests", MANIFESTS).status_code == 201
    place.settle()


def secrets(place: Place) -> None:
    assert place.push("secrets", SECRETS).status_code in {201, 400}


def secrets_in_an_edit(place: Place) -> None:
    session = place.workspace("edits", {"/a": "a"})
    body = {"baseRevision": 1, "changes": SECRETS}
    place.api("POST", f"/api/workspace/{session}/revisions", json=body)


def refused_at_the_end(place: Place) -> None:
    place.workspace("refused", {"/a": "a"})
    assert place.push("refused", SECRETS, baseRevision=7).status_code == 409


def many_values(place: Place) -> None:
    for body in ('{"files":{"/a":[' + "[]," * 6_500_000 + "1]}}", '{"' + 'a":1,"' * 3_000_000):
        for path in ("/api/workspace/sync", "/api/v1/analyze/stream"):
            data = body[: (1 if "v1" in path else 20) * MIB].encode()
            headers = {"Content-Type": "application/json"}
            answer = place.api("POST", path, data=data, headers=headers)
            assert answer.status_code == 413, answer.text[:300]


def many_paths(place: Place) -> None:
    files = {f"/{number}/" + ".github/workflows/" * 50 + "a.ym": "x" for number in range(2_000)}
    skipped = [{"path": "~a/" * 300 + str(n), "reason": "//a" * 60} for n in range(10_000)]
    assert place.push("paths", files, skipped=skipped).status_code == 201
    place.settle()


def a_difference(place: Place) -> None:
    session = place.workspace(
        "diff", {"/a": region(1), "/b": shuffled(1)}, {"/a": region(3), "/b": shuffled(3)}
    )
    for more in ("", "&path=/a", "&path=/b"):
        assert place.page(f"/workspace/{session}/diff?from=1&to=2{more}").status_code == 200


def hidden_characters(place: Place) -> None:
    text = ("\u202e" * 480 + "\n") * 600
    session = place.workspace("hidden", {"/a": text}, {"/a": text.replace("\u202e", "\u200b")})
    for path in ("?path=/a", "/diff?from=1&to=2"):
        assert place.page(f"/workspace/{session}{path}").status_code == 200


def a_search(place: Place) -> None:
    files = {f"/{number}.txt": "a" * 1_000_000 for number in range(4)}
    session = place.workspace("search", files)
    for case in ("true", "false"):
        answer = place.page(f"/workspace/{session}?q={'a' * 199}b&case={case}")
        assert answer.status_code in {200, 503}


def an_archive(place: Place) -> None:
    files = {f"/{number}.txt": os.urandom(500 * KIB).hex() for number in range(7)}
    session = place.workspace("archive", files)
    answer = place.api("GET", f"/api/workspace/{session}/archive.zip")
    assert len(answer.content) > 3 * MIB


def a_report(place: Place) -> None:
    session = place.workspace("report", {"/a.txt": "a"})
    place.settle()
    found = place.services.workspaces.find(place.user.account.id, session)
    report = many_findings()
    summary = msgspec.structs.replace(report.summary, revision=1)
    keep(place.services.engine, found, msgspec.structs.replace(report, summary=summary))
    for form in ("json", "sarif", "csv", "html"):
        answer = place.api("GET", f"/api/workspace/{session}/report?revision=1&format={form}")
        assert answer.status_code == 200, answer.text[:300]
    for path in ("", "/1", "/1?page=150", "/1/sarif"):
        assert place.page(f"/workspace/{session}/reports{path}").status_code == 200


def an_analysis(place: Place) -> None:
    body = {"code": "eval(input())\n" * 1_500, "language": "python"}
    answer = place.api("POST", "/api/v1/analyze/stream", json=body)
    assert "run.completed" in answer.text, answer.text[-500:]
    run = answer.headers["X-Run-Id"]
    for path in (f"/api/v1/runs/{run}", f"/api/v1/runs/{run}?format=sarif"):
        assert place.api("GET", path).status_code == 200
    for path in (f"/runs/{run}", f"/runs/{run}/sarif", f"/runs/{run}/json", "/runs"):
        assert place.page(path).status_code == 200


def a_transformation(place: Place) -> None:
    for code in ("a<" * 16_000, "(" * 30_000, "1+" * 16_000 + "1"):
        body = {"code": code, "language": "python", "kind": "refactor"}
        place.api("POST", "/api/v1/transform/stream", json=body)


def names(place: Place) -> None:
    """Texts in queries: nothing else than refusals may come of them without upstreams."""
    for text in ("a" * 4_000, "@" * 4_000, "%2f" * 1_300, "a." * 2_000, "/" * 4_000, "-_." * 1_300):
        for path in ("/api/v1/search", "/search"):
            place.api("GET", path, params={"q": text, "sources": "npm"})
        place.api("GET", "/api/v1/trust", params={"target": f"npm:{text}"})
        place.page(f"/trust?target=npm:{text}")
        place.api("POST", "/api/v1/account", data=text)


ROUTES: tuple[Route, ...] = (
    manifests,
    secrets,
    secrets_in_an_edit,
    refused_at_the_end,
    many_values,
    many_paths,
    a_difference,
    hidden_characters,
    a_search,
    an_archive,
    a_report,
    an_analysis,
    a_transformation,
    names,
)


@pytest.mark.parametrize("route", ROUTES, ids=[each.__name__ for each in ROUTES])
def test_hostile_texts_leave_the_loop_to_others(place: Place, route: Route) -> None:
    late = place.late(route) and place.late(route)  # once more: the machine may have been busy
    told = "\n".join(f"{gap.cpu:.3f} of {gap.clock:.3f} s\n{gap.where}" for gap in late)
    assert not late, told
