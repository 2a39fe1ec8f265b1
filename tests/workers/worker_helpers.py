"""Running the analyzers of `hostile_dropin.py`, and looking at processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gevent

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Detection,
    LanguageDetector,
    Metric,
    Note,
    Reported,
)
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers.pool import AnalyzerPool, Heard

SECONDS = 120
"""No test waits longer than this for one thing."""


def hostile_instance(folder: Path) -> Path:
    """Return an instance folder with the hostile drop-in."""
    (folder / "plugins").mkdir(parents=True)
    (folder / "plugins/hostile.py").symlink_to(Path(__file__).with_name("hostile_dropin.py"))
    return folder


@dataclass(frozen=True)
class Said:
    """The output of one analyzer."""

    outputs: list[AnalyzerOutput]
    report: AnalyzerReport

    @property
    def status(self) -> AnalyzerStatus:
        return self.report.status

    @property
    def notes(self) -> list[str]:
        return [each.message for each in self.outputs if isinstance(each, Note)]

    @property
    def metrics(self) -> dict[str, float]:
        return {each.name: each.value for each in self.outputs if isinstance(each, Metric)}

    @property
    def rules(self) -> list[str]:
        return [each.finding.rule_id for each in self.outputs if isinstance(each, Reported)]


class Workers:
    """A pool over an instance folder, and the folder's analyzers by name."""

    def __init__(self, instance: Path, slots: int = 4, config: Mapping[str, Any] | None = None):
        self.pool = AnalyzerPool(slots, config or {}, instance)
        registry = PluginManager({}, instance).registry
        self.analyzers: Mapping[str, Analyzer] = registry.analyzers
        self.detectors: Mapping[str, LanguageDetector] = registry.detectors

    def start(self, *names: str, code: str = "", account: str = "a") -> Iterator[Heard]:
        """Start analyzers."""
        chosen = [self.analyzers[name] for name in names]
        return self.pool.run(account, chosen, AnalyzerRequest(code, "python"))

    def run(self, *names: str, code: str = "", account: str = "a") -> dict[str, Said]:
        """Run analyzers to their ends."""
        outputs: dict[str, list[AnalyzerOutput]] = {name: [] for name in names}
        reports: dict[str, AnalyzerReport] = {}
        with gevent.Timeout(SECONDS):
            for heard in self.start(*names, code=code, account=account):
                if isinstance(heard, AnalyzerReport):
                    assert heard.name not in reports
                    reports[heard.name] = heard
                else:
                    assert heard.analyzer not in reports, "a report is the last word"
                    outputs[heard.analyzer].append(heard.output)
        return {name: Said(outputs[name], reports[name]) for name in names}

    def one(self, name: str, code: str = "") -> Said:
        """Run one analyzer to its end."""
        return self.run(name, code=code)[name]

    def detect(self, *names: str, code: str = "", account: str = "a") -> Detection | None:
        """Detect the language with the given detectors."""
        with gevent.Timeout(SECONDS):
            return self.pool.detect(account, [self.detectors[name] for name in names], code)

    @property
    def zygote(self) -> int:
        """The process id of the zygote."""
        return int(self.pool.nursery.pid)


@contextmanager
def working(instance: Path, **options: Any) -> Iterator[Workers]:
    """Run a pool within the block."""
    workers = Workers(instance, **options)
    workers.pool.start()
    try:
        yield workers
    finally:
        workers.pool.stop()


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether the condition becomes true in time. Other greenlets run meanwhile."""
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            return False
        gevent.sleep(0.005)
    return True


def is_alive(pid: int) -> bool:
    """Return whether a process runs. Zombies do not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def children(pid: int) -> list[int]:
    """Return the child processes of a process, including zombies."""
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def descriptors(pid: int | str = "self") -> int:
    """Return the number of open files of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 - quick


def resident_mebibytes() -> float:
    """Return the memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
