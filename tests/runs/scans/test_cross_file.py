"""Values that cross the files of a scan: summaries, links, reuse and failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from scan_accounts import Scanning
from scan_helpers import TOKEN, scan_files, scanner

from codeintel.app import Services
from codeintel.contracts import Finding, Model, RuleRef
from codeintel.contracts.scans.records import Cause, CrossFileResult, FileResult
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.runs.scans.cross_file import Known
from codeintel.runs.scans.linking import LINKS, SUMMARIES
from codeintel.runs.scans.results import MemoryResults, crossing_with_excerpts

STORE = """\
import sqlite3

def find(name):
    return sqlite3.connect("a").execute("select * from users where name = '" + name + "'")
"""
WEB = """\
from flask import request
import store

def show():
    return store.find(request.args["name"])
"""
FILES = {"store.py": STORE, "web.py": WEB}
SAFE = WEB.replace('request.args["name"]', '"nobody"')


def crossed(
    services: Services, texts: dict[str, str], results: MemoryResults | None = None, **options: Any
) -> CrossFileResult | None:
    """Return what crosses files, which is the last result."""
    scan = list(scanner(services, results, **options).scan(scan_files(texts), Model.PRO, "t"))
    found = [each for each in scan if isinstance(each, CrossFileResult)]
    assert found == scan[len(texts) :]
    return found[0] if found else None


def called(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that will have the names of the functions that run in worker processes."""
    names: list[str] = []
    run = services.pool.texts.run

    def noted(turn: str, function: Any, parts: Any, size: int | None = None) -> Any:
        parts = list(parts)
        names.extend([function.name] * len(parts) if function is SUMMARIES else [function.name])
        return run(turn, function, parts, size)

    monkeypatch.setattr(services.pool.texts, "run", noted)
    return names


def test_a_value_is_followed_from_one_file_to_another(services: Services) -> None:
    found = crossed(services, FILES)
    assert found is not None
    (finding,) = found.findings
    assert (finding.path, finding.finding.cwe) == ("store.py", "CWE-89")
    assert finding.excerpt.startswith("return sqlite3")
    assert next(step.path for step in finding.finding.flow or ()) == "web.py"
    assert found.resolved == 1
    # Rules that found the same defect without a path are named.
    assert {each.engine for each in finding.finding.also or ()} == {"patterns"}
    safe = crossed(services, {"store.py": STORE, "web.py": SAFE})
    assert safe is not None
    assert safe.findings == ()


def test_excerpts_hide_secrets_that_other_findings_report(services: Services) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    secret = STORE.replace('"a"', f'"{token}"')
    files = {"store.py": secret, "web.py": WEB}
    found = crossed(services, files)
    assert found is not None
    (finding,) = found.findings
    assert "sqlite3.connect" in finding.excerpt
    assert token not in finding.excerpt
    bare = msgspec.structs.replace(found, findings=(msgspec.structs.replace(finding, excerpt=""),))
    results = list(scanner(services).scan(scan_files(files), Model.PRO, "t"))
    known = {
        each.path: [one.finding for one in each.findings]
        for each in results
        if isinstance(each, FileResult)
    }
    assert crossing_with_excerpts(bare, files.__getitem__, known) == found


@pytest.mark.parametrize(("model", "kept"), [(Model.FLASH, False), (Model.PRO, True)])
def test_findings_are_not_kept_until_the_end(services: Services, model: Model, kept: bool) -> None:
    """A scan keeps what linking needs of a finding, and no finding."""
    texts = {**FILES, "page.html": "<script>eval(name)</script>\n", "key.txt": TOKEN}
    scan = scanner(services, excerpts=False).scan(scan_files(texts), model, "t")
    found = [next(scan) for _ in texts]
    assert any(each.findings for each in found)
    known = scan.gi_frame.f_locals["known"]
    assert isinstance(known, Known)
    everything = _reachable(known)
    assert not [each for each in everything if isinstance(each, Finding)]
    assert bool([each for each in everything if isinstance(each, RuleRef)]) is kept
    paths = {path for path, *_ in known._rules}
    assert paths <= FILES.keys()
    scan.close()


def _reachable(thing: object) -> list[object]:
    """Return what a known object keeps alive."""
    found: list[object] = []
    waiting = list(vars(thing).values())
    while waiting:
        each = waiting.pop()
        found.append(each)
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list | set | tuple):
            waiting += each
    return found


def test_fingerprints_do_not_depend_on_lines_and_paths(services: Services) -> None:
    first = crossed(services, FILES)
    moved = crossed(services, {"store.py": "# a comment\n\n" + STORE, "pages/web.py": "\n" + WEB})
    assert first is not None
    assert moved is not None
    assert first.findings[0].fingerprint == moved.findings[0].fingerprint
    assert first.findings[0].finding != moved.findings[0].finding


def test_only_what_changed_is_summarized_again(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = MemoryResults()
    names = called(services, monkeypatch)
    first = crossed(services, FILES, results)
    assert names.count(SUMMARIES.name) == 2
    assert names.count(LINKS.name) == 1
    names.clear()
    assert crossed(services, FILES, results) == first
    assert not {SUMMARIES.name, LINKS.name} & set(names)
    changed = crossed(services, {"store.py": STORE, "web.py": SAFE}, results)
    assert (names.count(SUMMARIES.name), names.count(LINKS.name)) == (1, 1)
    assert changed is not None
    assert changed.findings == ()


def test_flash_and_single_files_follow_nothing(services: Services) -> None:
    scan = scanner(services).scan(scan_files(FILES), Model.FLASH, "t")
    assert not [each for each in scan if isinstance(each, CrossFileResult)]
    assert crossed(services, {"store.py": STORE, "a.css": "a {}\n"}) is None


def test_a_file_that_kills_its_process_is_left_out(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = services.pool.texts.run

    def dies(turn: str, function: Any, parts: Any, size: int | None = None) -> Iterator[Any]:
        if function is not SUMMARIES:
            yield from run(turn, function, parts, size)
            return
        for part in parts:
            if part[0] == "killer.py":
                raise TextWorkError("it died")
            yield from function.run(iter([part]))

    monkeypatch.setattr(services.pool.texts, "run", dies)
    found = crossed(services, {"killer.py": "x = 1\n", **FILES})
    assert found is not None
    assert [each.path for each in found.findings] == ["store.py"]
    assert found.notes == (
        "Values were not followed across files, because the analysis failed for 1 file.",
    )
    assert found.cause is Cause.CRASH


def test_files_that_cannot_be_linked_are_told_and_tried_again(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = MemoryResults()
    run = services.pool.texts.run

    def fails(turn: str, function: Any, parts: Any, size: int | None = None) -> Any:
        if function is LINKS:
            raise TextWorkError("too long")
        return run(turn, function, parts, size)

    with monkeypatch.context() as patch:
        patch.setattr(services.pool.texts, "run", fails)
        found = crossed(services, FILES, results)
    assert found is not None
    assert (found.findings, len(found.notes)) == ((), 1)
    assert found.cause is Cause.CRASH
    again = crossed(services, FILES, results)
    assert again is not None
    assert len(again.findings) == 1
    assert again.cause is UNSET


def test_files_that_are_too_large_to_link_are_told(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.runs.scans.cross_file.MAX_FILE_BYTES", len(STORE) + 10)
    results, names = MemoryResults(), called(services, monkeypatch)
    texts = {**FILES, "large.py": "x = 1\n" * 100, "large.css": "a {}\n" * 100}
    found = crossed(services, texts, results)
    assert found is not None
    assert found.notes == ("Values were not followed through 1 file of more than 1 MiB.",)
    assert (found.cause, len(found.findings)) == (Cause.SIZE, 1)
    names.clear()
    assert crossed(services, texts, results) == found
    assert LINKS.name not in names  # the links of the other files are stored
    pair = crossed(services, {"web.py": WEB, "large.py": texts["large.py"]})
    assert pair is not None
    assert (pair.findings, pair.cause) == ((), Cause.SIZE)
    assert crossed(services, {"large.py": texts["large.py"]}) is None


def test_the_service_follows_values_and_keeps_summaries(scanning: Scanning) -> None:
    events = scanning.scanned(FILES, model="pro")
    (event,) = [each for each in events if each["type"] == "cross_file"]
    (finding,) = event["crossFile"]["findings"]
    local = crossed(scanning.services, FILES, excerpts=False)
    assert local is not None
    assert finding["fingerprint"] == local.findings[0].fingerprint
    sent = msgspec.convert(event["crossFile"], CrossFileResult)
    with_code = crossing_with_excerpts(sent, FILES.__getitem__, {})
    assert with_code == crossed(scanning.services, FILES)
    summary = next(each["result"]["summary"] for each in events if each["type"] == "result")
    assert (summary["resolvedCalls"], summary["unresolvedCalls"]) == (1, 0)
    # The rules without a path have reported the same defect, which counts once.
    assert sum(event["crossFile"]["repeated"].values()) == len(finding["finding"]["also"]) == 1
    of_files = [
        found
        for each in events
        if each["type"] == "files"
        for file in each["files"]
        for found in file["findings"]
    ]
    assert sum(summary["counts"].values()) == len(of_files) + 1 - 1
    again = scanning.request(FILES, model="pro")
    assert again.json["data"]["missing"] == []
    repeated = scanning.stream(again.json["data"]["runId"])
    assert (
        next(each for each in repeated if each["type"] == "cross_file")["crossFile"]
        == (event["crossFile"])
    )
    # After a change, the results of the others are enough.
    changed = scanning.ready({"store.py": STORE, "web.py": SAFE}, model="pro")
    events = scanning.stream(changed)
    event = next(each for each in events if each["type"] == "cross_file")
    assert event["crossFile"]["findings"] == []
