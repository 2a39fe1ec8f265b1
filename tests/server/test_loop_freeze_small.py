"""Texts that need no backtracking to be dear: long forms, pages of many lines, files with secrets,
manifests of a few kilobytes, and many findings. The loop is watched meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests
from loop_place import KIB, MIB, PATIENCE, Place, Route, assert_no_gap, filled, watching

SECRET = "AKIA" + "QZ3N7TLWV2KXR5JM"
"""Looks like a live key, and is none."""
SMALL = 60 * KIB
"""So little that a text may be read in the server."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with watching(tmp_path_factory.mktemp("instance")) as found:
        yield found


def forms(place: Place) -> None:
    """Send forms, which need no credential."""
    told = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
    }
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'
    bodies = (
        *(filled("theme=", each, 2 * MIB - 100).encode() for each in ("%41", "%ff", "a%41", "+")),
        filled("theme=", "%f0%9f%98%80", 2 * MIB - 100).encode(),
        filled("", "a=%41&", 900 * 6).encode(),
        filled("", "a&", 2 * MIB - 100).encode(),
    )
    for path in ("/theme", "/playground", "/signout"):
        url = f"{place.server.url}{path}"
        for body in bodies:
            answer = requests.post(
                url, data=body, headers=told, timeout=PATIENCE, allow_redirects=False
            )
            assert answer.status_code < 500, answer.text[:300]
        for piece in (b"\r\n", b"\r\n--", b"\r", b"--x\r\n"):
            told_parts = {**told, "Content-Type": "multipart/form-data; boundary=x"}
            for head in (b"", part):
                body = head + piece * ((2 * MIB - 100) // len(piece))
                requests.post(url, data=body, headers=told_parts, timeout=PATIENCE)


def small_manifests(place: Place) -> None:
    """Push small manifests one at a time, because together they are read in the server."""
    texts = {
        "setup.cfg": filled("[options]\ninstall_requires =\n a", "A=\n", SMALL),
        "Gemfile": filled("", "do\n", SMALL),
        "requirements.txt": filled("", "a\n", SMALL),
        "pom.xml": filled("<project>", "<a/>", SMALL) + "</project>",
        "pyproject.toml": filled("[project]\n", "a=[]\n", SMALL),
    }
    for number, (name, text) in enumerate(texts.items()):
        assert place.push(f"small {number}", {f"/{name}": text}).status_code == 201
        place.settle()


def a_secret_in_a_long_file(place: Place) -> None:
    for number, piece in enumerate(("sk-", "\n", "-----BEGIN PRIVATE KEY-----", "a", SECRET + " ")):
        files = {"/a.txt": "a", "/b.txt": filled(f"key = {SECRET}\n", piece, 900 * KIB)}
        answer = place.push(f"a secret {number}", files)
        assert answer.status_code == 201, answer.text[:300]
        assert [each["path"] for each in answer.json()["files"]["skipped"]] == ["/b.txt"]


def pages_of_files(place: Place) -> None:
    texts = {
        "/a": "\n" * 1_000_000,
        "/b": "a\n" * 500_000,
        "/c": "\r\n" * 500_000,
        "/d": "a" * 1_000_000,
        "/e": "<&\n" * 333_000,
    }
    session = place.workspace("pages", texts)
    for path in texts:
        for line in (0, 400_000):
            answer = place.page(f"/workspace/{session}?path={path}&line={line}")
            assert answer.status_code == 200
        assert place.page(f"/workspace/{session}/raw?path={path}").status_code == 200


def a_difference_of_small_texts(place: Place) -> None:
    """Found in the server."""
    old = "\n".join(str(number * 3 % 7) for number in range(15_000))
    new = "\n".join(str(number * 5 % 7) for number in range(15_000))
    long = " ".join(str(number % 7) for number in range(15_000))
    session = place.workspace(
        "small difference",
        {"/a": old, "/b": long, "/c": "\n" * 30_000},
        {"/a": new, "/b": long[::-1], "/c": " \n" * 15_000},
    )
    for more in ("", "&path=/a", "&path=/b", "&path=/c"):
        assert place.page(f"/workspace/{session}/diff?from=1&to=2{more}").status_code == 200


def many_findings(place: Place) -> None:
    """Request the findings of many files, and compare a second revision with the first."""
    code = "import os\n" + "eval(input())\nos.system(input())\n" * 400
    files = {f"/{number}.py": f"# {number}\n{code}" for number in range(8)}
    moved = {path: f"# moved\n\n{text}" for path, text in files.items()}
    session = place.workspace("findings", files)
    place.settle()
    place.workspace("findings", moved)
    place.settle()
    for form in ("json", "sarif", "csv", "html"):
        answer = place.api("GET", f"/api/workspace/{session}/report?revision=2&format={form}")
        assert answer.status_code == 200, answer.text[:300]


def transformations(place: Place) -> None:
    pieces = {"refactor": "if a == None:\n    b()\n", "document": "def f(a):\n    return a\n\n"}
    for kind, piece in pieces.items():
        body = {"code": piece * (90 * KIB // len(piece)), "language": "python"}
        place.api("POST", "/api/v1/transform/stream", json={**body, "transformation": kind})
    body = {"code": "select a from b where c = 1;\n" * 1_000, "language": "sql"}
    place.api("POST", "/api/v1/transform/stream", json={**body, "transformation": "refactor"})


def hostile_analyses(place: Place) -> None:
    codes = {
        "python": "# noqa codeintel: ignore\n" * 4_000,
        "javascript": "eval(location.hash)\n" * 4_000,
        "unknown": "a\n" * 40_000,
        "": "#!" * 40_000,
    }
    for language, code in codes.items():
        body = {"code": code, **({"language": language} if language else {})}
        answer = place.api("POST", "/api/v1/analyze/stream", json=body)
        assert answer.status_code == 200, answer.text[:300]


def names_of_packages(place: Place) -> None:
    """Send names that are too long or malformed, so that no upstream is queried."""
    for text in ("a" * 3_000, "@" * 3_000, "a@" * 1_500, "a," * 1_500, "/" * 3_000, "%2f" * 1_000):
        for target in (f"npm:{text}", text, f"pkg:npm/{text}"):
            for kind in ({}, {"kind": "comparison"}):
                answer = place.api("GET", "/api/trust/network", params={"target": target, **kind})
                assert answer.status_code in {400, 404, 414}, answer.text[:300]
                place.page(f"/trust?target={target}")
    labels = {"remoteUrl": "ssh://" + "a@" * 900, "branchName": "/" * 200}
    place.push("labels", {"/a": "a"}, **labels)


ROUTES: tuple[Route, ...] = (
    forms,
    small_manifests,
    a_secret_in_a_long_file,
    pages_of_files,
    a_difference_of_small_texts,
    many_findings,
    transformations,
    hostile_analyses,
    names_of_packages,
)


@pytest.mark.parametrize("route", ROUTES, ids=[each.__name__ for each in ROUTES])
def test_dear_texts_leave_the_loop_to_others(place: Place, route: Route) -> None:
    assert_no_gap(place, route)
