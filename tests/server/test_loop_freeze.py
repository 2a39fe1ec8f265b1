"""No text freezes a server: hostile ones go to each route, and the loop is watched meanwhile."""

from __future__ import annotations

import os
from collections.abc import Iterator

import msgspec
import pytest
import report_samples
from loop_place import KIB, MIB, Place, Route, assert_no_gap, filled, watching
from report_storage import keep

from codeintel.workspaces.proof.shapes import Report


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with watching(tmp_path_factory.mktemp("instance")) as found:
        yield found


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
    """Return a report of twenty thousand findings, each with a hostile excerpt."""
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
    """Send texts in queries. Without upstreams, each must be rejected."""
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


DEAR = {a_report}
"""Routes whose longest step comes near the limit, so that a busy processor would exceed it."""
CASES = [
    pytest.param(route, id=route.__name__, marks=[pytest.mark.alone] if route in DEAR else [])
    for route in ROUTES
]


@pytest.mark.parametrize("route", CASES)
def test_hostile_texts_leave_the_loop_to_others(place: Place, route: Route) -> None:
    assert_no_gap(place, route)
