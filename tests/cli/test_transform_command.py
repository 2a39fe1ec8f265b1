"""`codeintel transform`, with recorded answers of the service."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import responses
from click.testing import CliRunner, Result

from codeintel.cli import main

STREAM = "http://127.0.0.1:8000/api/v1/transform/stream"
KEY = "ci_live_secretsecretsecret"
OLD, NEW = "x = not a in b\n", "x = a not in b\n"
DIFF = "--- a/code\n+++ b/code\n@@ -1 +1 @@\n-x = not a in b\n+x = a not in b\n"
CREATED = {"type": "run.created", "runId": "run_1", "engine": "static", "model": "flash"}
CHECKS = [
    {"name": "parses", "level": "V1", "status": "passed", "evidence": "It parses.\x1b[2J"},
    {"name": "equivalent", "level": "V2", "status": "not_applicable", "evidence": "Why."},
]
VERIFICATION = {"type": "verification", "checks": CHECKS, "unchecked": ["It was not run."]}


def result(**more: Any) -> dict[str, Any]:
    found = {"code": NEW, "changed": True, "verified": True, "diff": DIFF, "losses": []}
    return {"type": "result", "runId": "run_1", "result": {**found, **more}}


def ended(how: str = "completed", **more: Any) -> dict[str, Any]:
    return {"type": f"run.{how}", "runId": "run_1", "creditsCharged": 2, **more}


def sse(*events: object) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events)


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


def stream(service: responses.RequestsMock, *events: object) -> None:
    service.post(STREAM, sse(CREATED, *events), content_type="text/event-stream")


@pytest.fixture(autouse=True)
def code() -> Path:
    path = Path("a.py")
    path.write_text(OLD)
    return path


def run(*arguments: str, key: str | None = KEY, **more: Any) -> Result:
    return CliRunner(env={"CODEINTEL_API_KEY": key}).invoke(main, ["transform", *arguments], **more)


def test_the_new_code(service: responses.RequestsMock, code: Path) -> None:
    stream(service, VERIFICATION, result(losses=["A comment."]), ended())
    found = run("a.py", "--to", "refactor")
    assert (found.exit_code, found.stdout) == (0, NEW)
    assert found.stderr == "Passed: syntax.\nNot checked: It was not run.\nLost: A comment.\n"
    assert code.read_text() == OLD


def test_a_proof_takes_one_line(service: responses.RequestsMock) -> None:
    started = {"type": "progress", "message": "ruff-refactor is running."}
    proven = {**VERIFICATION, "verdict": "proven"}
    for _ in range(2):
        stream(service, started, proven, result(), ended())
    line = "Proven: the result behaves like the original."
    assert run("a.py", "--to", "refactor").stderr == f"{line} Passed: syntax.\n"
    assert run("a.py", "--to", "refactor", "--verbose").stderr == (
        "ruff-refactor is running.\n"
        "syntax: passed. It parses.\\x1b[2J\n"
        "same meaning: skipped. Why.\n"
        f"Not checked: It was not run.\n{line}\n"
    )


def test_a_failed_check_shows_its_evidence(service: responses.RequestsMock) -> None:
    failed = {"name": "same_values", "level": "V2", "status": "failed", "evidence": "1 is gone."}
    stream(
        service,
        {**VERIFICATION, "checks": [CHECKS[0], failed], "verdict": "unproven"},
        result(code=OLD, changed=False, verified=False, verdict="unproven"),
        ended("incomplete", reason="not_verified", message="1 is gone."),
    )
    found = run("a.py", "--to", "refactor")
    assert found.exit_code == 3
    assert found.stderr.startswith(
        "Unproven: a check rejected the result. Passed: syntax.\n"
        "Failed: same values. 1 is gone.\nNot checked: It was not run.\n"
    )


def test_what_is_asked(service: responses.RequestsMock) -> None:
    stream(service, result(), ended())
    options = ("--option", "aggressive=true", "--option", "style=numpy", "--option", "x=a=b")
    more = ("--instructions", "be kind", "--model", "pro", "--target", "js")
    assert run("a.py", "--to", "convert", *options, *more).exit_code == 0
    assert json.loads(service.calls[0].request.body or b"") == {
        "code": OLD,
        "transformation": "convert",
        "model": "pro",
        "language": "python",
        "targetLanguage": "js",
        "options": {"aggressive": True, "style": "numpy", "x": "a=b"},
        "instructions": "be kind",
    }


def test_diff_and_json(service: responses.RequestsMock) -> None:
    for _ in range(2):
        stream(service, VERIFICATION, result(), ended())
    named = DIFF.replace("/code", "/a.py")  # which `git apply` knows
    assert run("a.py", "--to", "refactor", "--diff").stdout == named
    found = json.loads(run("a.py", "--to", "refactor", "--json").stdout)
    assert (found["status"], found["result"]["code"]) == ("completed", NEW)


def test_standard_input(service: responses.RequestsMock) -> None:
    stream(service, result(), ended())
    found = run("-", "--to", "refactor", "--language", "python", input=OLD)
    assert found.stdout == NEW
    assert run("-", "--to", "refactor", "--write", input=OLD).exit_code == 2


def test_writing_keeps_what_is_not_code(service: responses.RequestsMock, code: Path) -> None:
    code.write_bytes(b"\xef\xbb\xbf" + OLD.encode())
    code.chmod(0o750)
    link = Path("link.py")
    link.symlink_to(code)
    stream(service, result(), ended())
    found = run("link.py", "--to", "refactor", "--write")
    assert (found.exit_code, found.stdout) == (0, "")
    assert "Wrote link.py." in found.stderr
    assert code.read_bytes() == b"\xef\xbb\xbf" + NEW.encode()
    assert stat.S_IMODE(code.stat().st_mode) == 0o750
    assert link.is_symlink()
    assert {each.name for each in Path().iterdir()} == {"a.py", "link.py"}


@pytest.mark.parametrize(
    "events",
    [
        (result(verified=False), ended()),
        (result(code=OLD, changed=False, verified=False), ended("incomplete", reason="x")),
        (ended("failed", reason="x", message="No."),),
    ],
)
def test_what_is_not_verified_is_not_written(
    service: responses.RequestsMock, code: Path, events: tuple[Any, ...]
) -> None:
    stream(service, *events)
    found = run("a.py", "--to", "refactor", "--write")
    assert found.exit_code == 3
    assert code.read_text() == OLD


CHECKED = result(verified=False, verdict="checked")


def test_what_is_only_checked_is_not_written(service: responses.RequestsMock, code: Path) -> None:
    stream(service, {**VERIFICATION, "verdict": "checked"}, CHECKED, ended())
    found = run("a.py", "--to", "refactor", "--write")
    assert (found.exit_code, code.read_text()) == (3, OLD)
    assert "Checked: all checks passed" in found.stderr
    assert "Not written, because the result is checked but not proven." in found.stderr
    assert "--accept checked" in found.stderr


def test_what_is_checked_is_written_if_that_is_accepted(
    service: responses.RequestsMock, code: Path
) -> None:
    stream(service, CHECKED, ended())
    found = run("a.py", "--to", "refactor", "--write", "--accept", "checked")
    assert (found.exit_code, code.read_text()) == (0, NEW)


@pytest.mark.parametrize(("accept", "status"), [("proven", 3), ("checked", 0)])
def test_the_exit_status_is_that_of_writing(
    service: responses.RequestsMock, accept: str, status: int
) -> None:
    stream(service, CHECKED, ended())
    found = run("a.py", "--to", "refactor", "--accept", accept)
    assert (found.exit_code, found.stdout) == (status, NEW)


def test_nothing_accepts_what_was_refused(service: responses.RequestsMock, code: Path) -> None:
    unproven = result(verified=False, verdict="unproven")
    stream(service, unproven, ended())
    found = run("a.py", "--to", "refactor", "--write", "--accept", "checked")
    assert (found.exit_code, code.read_text()) == (3, OLD)
    assert run("a.py", "--to", "refactor", "--accept", "unproven").exit_code == 2


def test_nothing_to_change(service: responses.RequestsMock, code: Path) -> None:
    before = code.stat().st_mtime_ns
    for option, printed in (("--write", ""), ("--diff", ""), ("--to=refactor", OLD)):
        proven = {**VERIFICATION, "verdict": "proven"}
        stream(service, proven, result(code=OLD, changed=False, diff=""), ended())
        found = run("a.py", "--to", "refactor", option)
        assert (found.exit_code, code.stat().st_mtime_ns) == (0, before)
        assert (found.stdout, found.stderr) == (printed, "Nothing to change.\n")


def test_a_conversion_is_written_beside_it(service: responses.RequestsMock) -> None:
    Path("a.json").write_text("{}")
    stream(service, result(code="a: 1\n"), ended())
    found = run("a.json", "--to", "convert", "--target", "yaml", "--write")
    assert found.exit_code == 0
    assert (Path("a.json").read_text(), Path("a.yaml").read_text()) == ("{}", "a: 1\n")
    again = run("a.json", "--to", "convert", "--target", "yaml", "--write")
    assert (again.exit_code, len(service.calls)) == (2, 1)
    assert "a.yaml already exists" in again.stderr


def test_what_is_ignored_is_told(service: responses.RequestsMock) -> None:
    stream(service, {**CREATED, "ignoredFields": ["options.pyVersion"]}, result(), ended())
    found = run("a.py", "--to", "modernize", "--option", "pyVersion=3.9")
    assert "The service ignored this field: options.pyVersion" in found.stderr


def test_dialects_have_files_of_their_own(service: responses.RequestsMock) -> None:
    Path("q.sql").write_text("SELECT 1")
    stream(service, result(code="SELECT 2"), ended())
    found = run("q.sql", "--to", "convert", "--target", "sqlite", "--write")
    assert (found.exit_code, Path("q.sqlite.sql").read_text()) == (0, "SELECT 2")


def test_a_conversion_that_needs_no_change_is_written_too(
    service: responses.RequestsMock,
) -> None:
    Path("a.json").write_text("[1]")
    stream(service, result(code="[1]", diff=""), ended())
    found = run("a.json", "--to", "convert", "--target", "yaml", "--write")
    assert (found.exit_code, Path("a.yaml").read_text()) == (0, "[1]")


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.py",),
        ("a.py", "--to", "refactor", "--diff", "--write"),
        ("a.py", "--to", "refactor", "--option", "aggressive"),
        ("a.py", "--to", "refactor", "--option", "=1"),
        ("missing.py", "--to", "refactor"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert found.stderr


def test_without_a_key() -> None:
    found = run("a.py", "--to", "refactor", key=None)
    assert found.exit_code == 2
    assert "the scope transform:write" in found.stderr


@pytest.mark.parametrize(
    "arguments",
    [("a.py", "--to", "refactor"), ("refactor", "a.py"), ("a.py", "refactor")],
)
def test_the_kind_may_come_first(
    service: responses.RequestsMock, arguments: tuple[str, ...]
) -> None:
    stream(service, VERIFICATION, result(), ended())
    assert run(*arguments).exit_code == 0
    assert json.loads(service.calls[0].request.body or b"")["transformation"] == "refactor"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("a.py",), "codeintel transform a.py --to KIND. Kinds: convert, document,"),
        (("refactor",), "Name a file: codeintel transform FILE --to refactor"),
        ((), "Name a file: codeintel transform FILE --to refactor"),
        (("a.py", "b.py", "--to", "refactor"), "Name one file at a time: a.py, b.py"),
        (("refactor", "a.py", "b.py"), "Name one file at a time"),
        (("a.py", "--to", "convert"), "codeintel transform a.py --to convert --target LANGUAGE"),
    ],
)
def test_an_incomplete_command_says_what_to_type(arguments: tuple[str, ...], told: str) -> None:
    made = run(*arguments)
    assert (made.exit_code, made.stdout) == (2, "")
    assert told in made.stderr


def test_errors_name_no_request(service: responses.RequestsMock) -> None:
    message = "Without a model, this service cannot convert c to go. See `GET /api/v1/capabilities`"
    error = {"code": "unsupported_without_model", "message": f"{message} for what it can do."}
    service.post(STREAM, status=400, json={"error": error})
    made = run("a.py", "--to", "convert", "--target", "go")
    assert made.exit_code == 2
    assert "GET" not in made.stderr
    assert "See /docs/guides/transformations on the service for what it can do." in made.stderr


def test_a_mistyped_kind(service: responses.RequestsMock) -> None:
    kinds = [{"name": "convert"}, {"name": "refactor"}]
    service.get(
        "http://127.0.0.1:8000/api/v1/capabilities", json={"data": {"transformations": kinds}}
    )
    made = run("a.py", "--to", "refactr")
    assert made.exit_code == 2
    assert (
        'Unknown kind "refactr". Did you mean "refactor"? Kinds: convert, refactor.' in made.stderr
    )
