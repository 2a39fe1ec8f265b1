"""Making analyzers of functions that do to a worker process what can be done to one.
`request.code` is what tests tell them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from shutil import which
from typing import Any

from codeintel.contracts import (
    Analyzer,
    AnalyzerRequest,
    Confidence,
    Finding,
    Range,
    Reported,
    Severity,
)

MIB = 1024 * 1024
GATE_SECONDS = 20
SECRET_TEXT = "the text of an exception is the caller's code"
Act = Callable[[str], Iterator[Any]]
PROGRAMS = tuple(which(name) or name for name in ("sh", "sleep", "setsid"))
STARTING = {"leaves_a_process", "leaves_a_fork", "leaves_a_daemon", "hands_out_pids"}
ACTS: dict[str, tuple[Act, float]] = {}


def trick(timeout: float = 20.0) -> Callable[[Act], Act]:
    """Make an analyzer of a function."""

    def keep(act: Act) -> Act:
        ACTS[act.__name__] = (act, timeout)
        return act

    return keep


class Trick(Analyzer):
    languages = None
    version = "7"

    def __init__(self, act: Act, timeout: float) -> None:
        self.name = act.__name__
        self.timeout = timeout
        self._act = act

    def programs(self) -> Sequence[str]:
        return PROGRAMS if self.name in STARTING else ()

    def analyze(self, request: AnalyzerRequest) -> Iterator[Any]:
        return self._act(request.code)


def finding(number: int = 1) -> Reported:
    return Reported(
        Finding(
            rule_id=f"T{number}",
            engine="trick",
            severity=Severity.LOW,
            confidence=Confidence.LOW,
            cwe=None,
            message="here",
            range=Range(1, 1, 1, 1),
        )
    )
