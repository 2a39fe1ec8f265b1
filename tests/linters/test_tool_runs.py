from __future__ import annotations

import subprocess
import sys

import pytest
from codeintel_plugins.toolkit.processes import (
    ToolFailed,
    ToolRun,
    ToolTookTooLong,
    installed_binary,
)


def python(script: str, **options: object) -> ToolRun:
    return ToolRun([sys.executable, "-c", script], **options)  # type: ignore[arg-type]


def test_lines_come_as_they_are() -> None:
    run = python("import sys; sys.stdout.write(sys.stdin.read())", stdin="a\n\nbé\nc")
    assert list(run) == [b"a\n", b"\n", "bé\n".encode(), b"c"]
    assert not run.cut_short


def test_nobody_waits_for_the_other() -> None:
    code = "x" * 3_000_000
    run = python("import sys; t = sys.stdin.read(); print(t); print(t)", stdin=code)
    assert run.read() == f"{code}\n{code}\n".encode()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"max_lines": 3}, [b"a\n"] * 3),
        ({"max_bytes": 5}, [b"a\n"] * 2),
        ({"max_lines": 0}, []),
    ],
)
def test_output_is_bounded(options: dict[str, int], expected: list[bytes]) -> None:
    run = python("while True: print('a')", **options)
    assert list(run) == expected
    assert run.cut_short


def test_a_line_without_an_end_is_bounded() -> None:
    run = python("while True: print('a', end='')", max_bytes=100_000)
    assert list(run) == []
    assert run.cut_short


def test_time_is_bounded() -> None:
    with pytest.raises(ToolTookTooLong):
        python("import time; time.sleep(60)", seconds=0.1).read()


@pytest.mark.parametrize("status", [1, 2])
def test_the_status_tells_failure(status: int) -> None:
    script = f"raise SystemExit({status})"
    assert python(script, good=frozenset({status})).read() == b""
    with pytest.raises(ToolFailed, match=str(status)):
        python(script).read()


def test_it_gets_only_the_environment_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1")
    script = "import os; print('SECRET' in os.environ, os.environ.get('GIVEN'))"
    assert python(script, environment={"GIVEN": "x"}).read() == b"False x\n"


def test_a_run_that_is_left_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    original = subprocess.Popen

    def popen(*args: object, **kwargs: object) -> subprocess.Popen[bytes]:
        started.append(original(*args, **kwargs))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    lines = iter(python("while True: print('a', flush=True)"))
    next(lines)
    lines.close()  # type: ignore[attr-defined]
    assert started[0].returncode is not None


def test_a_binary_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        installed_binary("no-such-tool")
