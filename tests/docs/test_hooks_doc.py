"""`docs/hooks.md` says what is true, and its examples work."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import responses
from codeintel_plugins import static as static_engine
from flask import Flask
from support import MakeApp, make_user
from trust_upstreams import fake_upstreams

from codeintel.contracts import Analyzer, LanguageDetector
from codeintel.platform.plugins import hookspecs
from codeintel.platform.plugins.discovery import ENTRY_POINT_GROUP, Origin
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers import child, protocol

TEXT = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text()
MIB = 1024 * 1024


def blocks(language: str) -> list[str]:
    """Return the fenced blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


EXAMPLES = {block.partition("\n")[0].removeprefix("# "): block for block in blocks("python")}
"""Python examples by the file that their first line names."""
DROP_INS = [name for name in EXAMPLES if name.startswith("instance/plugins/")]


def signatures() -> list[str]:
    """`name(arg, arg)` of each hook."""
    return [
        f"{name}({', '.join(inspect.signature(hook).parameters)})"
        for name, hook in vars(hookspecs).items()
        if hasattr(hook, "codeintel_spec")
    ]


def test_exactly_the_hooks_that_exist_are_described() -> None:
    assert len(signatures()) >= 2
    assert re.findall(r"^### `(.*)`$", TEXT, re.MULTILINE) == signatures()


@pytest.mark.parametrize("signature", signatures())
def test_each_hook_has_its_version_and_an_example(signature: str) -> None:
    name = signature.partition("(")[0]
    since = re.search(r"versionadded:: ([0-9.]+)$", inspect.getdoc(getattr(hookspecs, name)) or "")
    assert since is not None
    section = TEXT.partition(f"### `{signature}`\n\n")[2]
    assert section.startswith(f"Since {since[1]}. ")
    assert any(f"@hookimpl\ndef {signature}:\n" in example for example in EXAMPLES.values())


@pytest.mark.parametrize(
    "fact",
    [
        f"`timeout` seconds of wall-clock time, {Analyzer.timeout:g} by default",
        f"whose `timeout` is {LanguageDetector.timeout:g} seconds by default",
        f"Below {static_engine._SURE_ENOUGH}",
        f"{protocol.MEMORY_BYTES // MIB // 1024} GiB of address space",
        f"{protocol.MAX_FINDINGS:,} findings and {protocol.MAX_OUTPUT_BYTES // MIB} MiB, "
        f"and {protocol.MAX_MESSAGES:,} findings, notes and metrics in total",
        f"{child._LIMITS[child.resource.RLIMIT_FSIZE] // MIB} MiB per file, "
        f"{child._LIMITS[child.resource.RLIMIT_NOFILE]} open files",
        f"`{ENTRY_POINT_GROUP}`",
    ],
)
def test_limits_are_the_real_ones(fact: str) -> None:
    assert fact in TEXT


def test_every_link_and_example_is_known() -> None:
    assert set(EXAMPLES) == {*DROP_INS, "tests/test_todos.py"}
    assert len(DROP_INS) == 6
    assert TEXT.count("```") == 2 * (len(EXAMPLES) + len(blocks("toml")))


def install_drop_ins(instance: Path) -> None:
    (instance / "plugins").mkdir()
    for name in DROP_INS:
        (instance / "plugins" / Path(name).name).write_text(EXAMPLES[name])


def events(app: Flask, code: str, **more: str) -> Iterator[dict[str, Any]]:
    user = make_user(app.extensions["codeintel"])
    answer = app.test_client().post(
        "/api/v1/analyze/stream", json={"code": code, **more}, headers=user.headers
    )
    for line in answer.text.splitlines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_the_search_source_works(make_app: MakeApp, tmp_path: Path) -> None:
    install_drop_ins(tmp_path)
    api = make_app().test_client()
    gem = {"name": "rack", "info": None, "downloads": 5}
    with responses.RequestsMock() as registry:
        registry.get("https://rubygems.org/api/v1/search.json", json=[gem])
        found = api.get("/api/v1/search?q=rack&sources=rubygems").json["data"]
    (hit,) = found["results"]["rubygems"]
    assert (hit["name"], hit["url"]) == ("rack", "https://rubygems.org/gems/rack")


def test_the_trust_signal_works(make_app: MakeApp, tmp_path: Path) -> None:
    install_drop_ins(tmp_path)
    with fake_upstreams() as fake, responses.RequestsMock() as others:
        others.add_passthru(fake.url)
        others.get("https://rebuilds.example.org/packages/kit", json={"reproducible": True})
        fake.add("kit")
        api = make_app(fake.settings()).test_client()
        found = api.get("/api/trust/network?target=pypi:kit").json
    (signal,) = [each for each in found["signals"] if each["id"] == "reproducible"]
    assert (signal["score"], signal["axis"]) == (1.0, "provenance")
    assert signal["contribution"] == signal["weight"] == 3.84375, "4 of 104, as 64ths of a point"


def test_the_transformation_works(make_app: MakeApp, tmp_path: Path) -> None:
    install_drop_ins(tmp_path)
    app = make_app()
    user = make_user(app.extensions["codeintel"])
    code = "class A {  \n    int x; \n}\n"
    answer = app.test_client().post(
        "/api/v1/transform/stream",
        json={"code": code, "transformation": "tidy", "language": "java"},
        headers=user.headers,
    )
    seen = [
        json.loads(line.removeprefix("data: "))
        for line in answer.text.splitlines()
        if line.startswith("data: ")
    ]
    assert seen[-1]["type"] == "run.completed"
    (result,) = [each["result"] for each in seen if each["type"] == "result"]
    assert (result["code"], result["verdict"]) == ("class A {\n    int x;\n}\n", "checked")
    assert result["changes"] == [{"rule": "trailing-spaces", "message": "2 lines ended in spaces."}]
    checks = {each["name"]: each["status"] for each in result["checks"]}
    assert (checks["parses"], checks["stable"]) == ("passed", "passed")


@pytest.mark.parametrize(
    ("settings", "engine", "severity"),
    [
        ({}, "static", "info"),
        ({"CODEINTEL_TODOS_SEVERITY": "high", "CODEINTEL_BRIEF": "1"}, "brief", "high"),
    ],
)
def test_the_drop_ins_work(
    make_app: MakeApp, tmp_path: Path, settings: dict[str, Any], engine: str, severity: str
) -> None:
    install_drop_ins(tmp_path)
    app = make_app(settings)
    assert {each.error for each in app.extensions["codeintel"].plugins.records} == {None}
    seen = list(events(app, "DISPLAY 'x'.\r\n* TODO: more\r\n", language="cobol"))
    assert (seen[0]["engine"], seen[-1]["type"]) == (engine, "run.completed")
    (result,) = [each["result"] for each in seen if each["type"] == "result"]
    (finding,) = result["findings"]
    assert (finding["ruleId"], finding["engine"], finding["severity"]) == (
        *("TODO", "todos"),
        severity,
    )
    assert finding["range"] == {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 7}
    assert ("todos", "completed") in [
        (each["name"], each["status"]) for each in result["analyzers"]
    ]


@pytest.mark.parametrize(
    ("code", "language", "confidence"),
    [
        ("DISPLAY 'x'.\n* vim: set sw=4 ft=cobol:\n", "cobol", 0.95),
        ("def f(self):\n    return None\n", "python", None),
    ],
)
def test_the_detector_is_asked_first(
    make_app: MakeApp, tmp_path: Path, code: str, language: str, confidence: float | None
) -> None:
    install_drop_ins(tmp_path)
    (result,) = [each["result"] for each in events(make_app(), code) if each["type"] == "result"]
    assert (result["language"], result["detection"]["language"]) == (language, language)
    assert confidence in {None, result["detection"]["confidence"]}


@pytest.fixture
def distribution(tmp_path: Path) -> Path:
    """Return the first example, installed as the document says."""
    site = tmp_path / "site"
    metadata = site / "acme_todos-1.dist-info"
    metadata.mkdir(parents=True)
    (site / "acme_todos.py").write_text(EXAMPLES["instance/plugins/todos.py"])
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-todos\nVersion: 1\n")
    groups = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]
    lines = [
        line
        for group, points in groups.items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    return site


def test_the_entry_point_works(
    distribution: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(distribution)
    monkeypatch.delitem(sys.modules, "acme_todos", raising=False)
    manager = PluginManager({}, tmp_path)
    (record,) = [each for each in manager.records if each.name == "todos"]
    assert (record.origin, record.location) == (Origin.ENTRY_POINT, "acme_todos")
    assert (record.error, record.provides) == (None, {"analyzer": ("todos",)})
    sys.modules.pop("acme_todos")


def test_the_tests_pass(distribution: Path, tmp_path: Path) -> None:
    (tmp_path / "test_todos.py").write_text(EXAMPLES["tests/test_todos.py"])
    paths = [str(distribution), *filter(None, sys.path)]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_todos.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stdout
    assert re.search(r"^\d\d passed", ended.stdout, re.MULTILINE), ended.stdout
