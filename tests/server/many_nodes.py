"""An installation: three nodes and two workers over one PostgreSQL and one Redis, behind nginx."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nginx_front import NginxServer
from server_helpers import PEPPER
from servers import free_port, running

from codeintel import create_app
from codeintel.app import Services
from codeintel.platform.db import db
from codeintel.testing.server import COMMAND, LiveServer

NODES, WORKERS = 3, 2
HOLD_SECONDS = 3
END_SECONDS = 30

ENGINES = '''
from pathlib import Path

import gevent
from codeintel import hookimpl
from codeintel.contracts import AnalysisResult, Engine, Finding, Model, Range, Usage

NOTES = Path({notes!r})

def result(task, engine, findings=()):
    made = AnalysisResult(language=task.language, engine=engine.name, summary="",
                          findings=findings, metrics={{}}, analyzers=())
    return made, Usage(input_characters=len(task.code))

class Talking(Engine):
    """Of `flash`: a word each 50 ms for as many seconds as the prompt says."""
    name = "talking"
    preference = 100

    def available(self, kind, model):
        return model is Model.FLASH

    def analyze(self, task, context):
        for number in range(int(float(task.prompt or 1) * 20)):
            context.output(f"word{{number}} ")
            gevent.sleep(0.05)
        return result(task, self)

class Counting(Engine):
    """Of `pro`: finds one thing in 0.2 s, and notes the first line of what it has analyzed."""
    name = "counting"
    preference = 100
    repeatable = True

    def available(self, kind, model):
        return model is Model.PRO

    def analyze(self, task, context):
        with NOTES.open("a") as notes:
            notes.write(task.code.splitlines()[0] + "\\n")
        gevent.sleep(0.2)
        finding = Finding(rule_id="found", engine=self.name, severity="low", confidence="low",
                          cwe=None, message="It is there.", range=Range(1, 1, 1, 2))
        return result(task, self, (finding,))

@hookimpl
def register_engines(register, config):
    register(Talking())
    register(Counting())
'''
"""A drop-in plugin. Its engines take their time, and share a file of notes."""


class JobWorker:
    """One `codeintel worker`."""

    def __init__(self, settings: dict[str, str]) -> None:
        self._log = Path(settings["CODEINTEL_INSTANCE"]) / "log"
        self._settings = settings
        self.start()

    def start(self) -> None:
        """Start it; an earlier process has ended."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "worker"], env={**os.environ, **self._settings}, stdout=log, stderr=log
            )

    @property
    def output(self) -> str:
        """Return the output of all of its processes."""
        return self._log.read_text()

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it by a signal."""
        self.process.send_signal(number)
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Installation:
    """The running processes, and the service's own objects for actions that operators run as
    commands."""

    nodes: list[LiveServer]
    front: NginxServer
    services: Services
    database: str
    notes: Path
    workers: list[JobWorker] = field(default_factory=list)

    def analysed(self) -> list[str]:
        """Return the first lines of all files that were analyzed on `pro`, with repetitions."""
        return self.notes.read_text().splitlines() if self.notes.exists() else []


def _announce_the_end(many: Installation) -> None:
    """Stop all processes in parallel, because one at a time would take several times as long."""
    for process in (*(node.process for node in many.nodes), *(w.process for w in many.workers)):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)


@contextmanager
def running_installation(
    folder: Path, database: str, redis: str, *, plugin: str = ENGINES, **more: str
) -> Iterator[Installation]:
    """Run the whole installation within the block.

    The nodes start in parallel. The database is empty.

    :param folder: for the instance folders; each process has its own.
    :param plugin: a drop-in plugin of all processes, or empty.
    :param more: settings of all processes.
    """
    ports = [free_port() for _ in range(NODES)]
    front = NginxServer(ports)
    notes = folder / "analysed.txt"
    shared = {
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_PUBLIC_URL": front.url,
        "CODEINTEL_TRUSTED_PROXIES": "127.0.0.1/32",
        "CODEINTEL_JOB_WORKERS": "0",
        "CODEINTEL_ANALYSIS_PROCESSES": "1",
        "CODEINTEL_DRAIN_TIMEOUT": "12",
        "CODEINTEL_HOLD_TTL": str(HOLD_SECONDS),
        "CODEINTEL_RUN_RESUME_GRACE": "3",
        "CODEINTEL_RUN_TIMEOUT": "30",
        "CODEINTEL_TIER_LIMITS_TEAM": "100000,1",
        **more,
    }

    def instance(name: str) -> Path:
        made = folder / name
        (made / "plugins").mkdir(parents=True)
        if plugin:
            (made / "plugins" / "engines.py").write_text(plugin.format(notes=str(notes)))
        return made

    nodes = [
        LiveServer(instance(f"node{at}"), port=port, **shared) for at, port in enumerate(ports)
    ]
    with ExitStack() as stack:
        stack.enter_context(running(front))
        for node in nodes:
            stack.push(node)
        with ThreadPoolExecutor(NODES) as starters:
            list(starters.map(LiveServer.start, nodes))
        app = create_app({**shared, "CODEINTEL_INSTANCE": str(instance("operator"))})
        many = Installation(nodes, front, app.extensions["codeintel"], database, notes)
        for at in range(WORKERS):
            own = {**shared, "CODEINTEL_INSTANCE": str(instance(f"worker{at}"))}
            many.workers.append(JobWorker(own))
            stack.callback(many.workers[-1].end)
        stack.callback(_announce_the_end, many)
        try:
            yield many
        finally:
            with app.app_context():
                db.engine.dispose()
