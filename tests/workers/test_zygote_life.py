"""The zygote: started when needed, started again when it died, gone when the server is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import gevent
import pytest
from worker_helpers import SECONDS, Workers, eventually, hostile_instance, is_alive, working

from codeintel.contracts import AnalyzerStatus

BROKEN_PRELOADS = '''
import sys
from codeintel import hookimpl
from codeintel.contracts import Analyzer, Detection, LanguageDetector, Note

class Fails(Analyzer, LanguageDetector):
    languages = None
    def __init__(self, name, error):
        self.name, self.error = name, error
    def preload(self):
        if self.error is not None:
            raise self.error
    def analyze(self, request):
        yield Note("works")
    def detect(self, code):
        return Detection(language=self.name, confidence=1)

class Panic(BaseException):
    """What libraries written in Rust raise."""

@hookimpl
def register_analyzers(register):
    register(Fails("fails", ImportError("no such library")))
    register(Fails("exits", SystemExit(3)))
    register(Fails("panics", Panic()))
    register(Fails("works", None))

@hookimpl
def register_language_detectors(register):
    register(Fails("panics", Panic()))
    register(Fails("works", None))
'''

SERVER = """
import sys
from pathlib import Path
from worker_helpers import Workers
workers = Workers(Path(sys.argv[1]))
heard = workers.start("hands_out_pids")
print(next(heard).output.message, workers.zygote, flush=True)
next(heard)
"""


def test_it_is_started_by_the_first_job(own_instance: Path) -> None:
    workers = Workers(own_instance)
    try:
        assert workers.one("answers").status is AnalyzerStatus.COMPLETED
        zygote = workers.zygote
        assert workers.one("answers").status is AnalyzerStatus.COMPLETED
        assert workers.zygote == zygote
    finally:
        workers.pool.stop()
    assert not is_alive(zygote)


@pytest.mark.alone
def test_its_start_takes_nothing_from_the_first_job_s_time(own_instance: Path) -> None:
    workers = Workers(own_instance)
    try:
        assert workers.one("loops").notes, "it had got to work when its 0.3 s were over"
    finally:
        workers.pool.stop()


def test_many_first_jobs_start_one(own_instance: Path) -> None:
    workers = Workers(own_instance)
    try:
        said = workers.run("answers", "says_nothing", "fills_up", "says_what_it_left_out")
        assert {each.status for each in said.values()} == {
            AnalyzerStatus.COMPLETED,
            AnalyzerStatus.TRUNCATED,
        }
        others = subprocess.run(
            ["pgrep", "-P", str(os.getpid()), "-f", "codeintel.platform.workers.zygote"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert others.stdout.split() == [str(workers.zygote)]
    finally:
        workers.pool.stop()


def test_stopping_ends_it_with_everything(own_instance: Path) -> None:
    with working(own_instance) as workers, gevent.Timeout(SECONDS):
        heard = workers.start("hands_out_pids")
        child, started, folder, *_ = next(heard).output.message.split()
        zygote = workers.zygote
        workers.pool.stop()
        assert not is_alive(zygote)
        assert eventually(lambda: not is_alive(int(child)) and not is_alive(int(started)))
        assert not Path(folder).parent.exists()
        (report,) = heard
        assert report.status is AnalyzerStatus.FAILED
        workers.pool.stop()  # twice does no harm
        assert workers.one("answers").status is AnalyzerStatus.FAILED, "for good"


def test_killed_it_takes_the_jobs_along_and_is_started_again(own_instance: Path) -> None:
    with working(own_instance) as workers, gevent.Timeout(SECONDS):
        heard = workers.start("hands_out_pids")
        child, started, *_ = map(int, next(heard).output.message.split()[:2])
        zygote = workers.zygote
        os.kill(zygote, signal.SIGKILL)
        (report,) = heard
        os.kill(started, signal.SIGKILL)  # no process that knows about it is left
        assert report.status is AnalyzerStatus.FAILED
        assert eventually(lambda: not is_alive(child) and not is_alive(zygote))
        said = workers.run("answers", "crashes")
        assert said["answers"].status is AnalyzerStatus.COMPLETED
        assert workers.zygote != zygote


@pytest.mark.parametrize("signal_", [signal.SIGINT, signal.SIGKILL])
def test_it_ends_with_the_server(own_instance: Path, signal_: signal.Signals) -> None:
    paths = [str(Path(__file__).parent), *sys.path]
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(own_instance)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        child, started, folder, zygote = server.stdout.readline().split()
        assert all(is_alive(int(pid)) for pid in (child, started, zygote))
        server.send_signal(signal_)
        server.wait(SECONDS)
    assert eventually(lambda: not is_alive(int(zygote)))
    assert eventually(lambda: not is_alive(int(child)))
    assert eventually(lambda: not is_alive(int(started)))
    assert eventually(lambda: not Path(folder).parent.exists())


def test_a_preload_that_raises_takes_nothing_else_down(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "broken.py").write_text(BROKEN_PRELOADS)
    with working(tmp_path) as workers:
        said = workers.run("fails", "exits", "panics", "works")
        told = workers.detect("panics", "works")
    assert {name: each.status.value for name, each in said.items()} == {
        "fails": "failed",
        "exits": "failed",
        "panics": "failed",
        "works": "completed",
    }
    printed = capfd.readouterr().err
    assert "analyzer 'fails' cannot be used" in printed
    assert told is not None
    assert told.language == "works"
    assert "detector 'panics' cannot be used" in printed


@pytest.mark.alone
def test_one_that_cannot_start_fails_its_jobs_quickly(
    own_instance: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    workers = Workers(own_instance)
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    began = time.monotonic()
    assert workers.one("answers").status is AnalyzerStatus.FAILED
    assert workers.detect("tells_ruby") is None
    assert time.monotonic() - began < 10
    monkeypatch.undo()
    try:
        assert workers.one("answers").status is AnalyzerStatus.COMPLETED, "the next one may work"
    finally:
        workers.pool.stop()
    assert capfd.readouterr().out == ""


def test_two_pools_do_not_share(tmp_path: Path) -> None:
    first, second = (hostile_instance(tmp_path / name) for name in ("first", "second"))
    with working(first) as one, working(second) as two:
        assert one.zygote != two.zygote
        os.kill(one.zygote, signal.SIGKILL)
        assert two.one("answers").status is AnalyzerStatus.COMPLETED
