"""Analyzers that do something bad only to a file that says so, for batches of files."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from hostile_tricks import MIB, SECRET_TEXT, finding, trick

from codeintel.contracts import Analyzer, AnalyzerRequest, Metric

HANG_SECONDS = 1.5


def mind(code: str) -> None:
    """Do what the code says."""
    if code == "crash":
        ctypes.string_at(0)
    elif code == "exit":
        os._exit(0)
    elif code == "raise":
        raise ValueError(SECRET_TEXT)
    elif code == "memory":
        eaten = []
        while True:
            eaten.append(bytes(32 * MIB))
    elif code == "hang":
        time.sleep(60)


@trick(timeout=HANG_SECONDS)
def minds_its_file(code: str) -> Iterator[Any]:
    yield finding()
    mind(code)
    yield Metric("length", len(code))


@trick()
def leaves_files(code: str) -> Iterator[Any]:
    yield Metric("files", len(list(Path().iterdir())))
    Path(code).write_text(code)
    Path("folder").mkdir()
    Path("folder", code).write_text(code)


class MindsAllFiles(Analyzer):
    """Reads all files of a batch before it says anything about the first."""

    name: ClassVar[str] = "minds_all_files"
    languages = None
    version = "7"
    timeout = HANG_SECONDS

    def analyze(self, request: AnalyzerRequest) -> Iterator[Any]:
        return minds_its_file(request.code)

    def analyze_many(
        self, requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Iterable[Any]]]:
        for request in requests:
            mind(request.code)
        for place in reversed(range(len(requests))):
            yield place, self.analyze(requests[place])
