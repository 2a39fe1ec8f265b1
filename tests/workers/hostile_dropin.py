"""A drop-in with analysers that do to a worker process what can be done to one. Tests copy it into
an instance folder; `request.code` is what they tell the analyser."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from codeintel import hookimpl
from codeintel.contracts import (
    Analyzer,
    AnalyzerRequest,
    Applicability,
    Confidence,
    Detection,
    Edit,
    Finding,
    Fix,
    FlowStep,
    LanguageDetector,
    Metric,
    Note,
    Range,
    Reported,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.workers.protocol import Detected

MIB = 1024 * 1024
GATE_SECONDS = 20
SECRET_TEXT = "the text of an exception is the caller's code"
CONFIG: dict[str, Any] = {}
Act = Callable[[str], Iterator[Any]]
ACTS: dict[str, tuple[Act, float]] = {}


def trick(timeout: float = 20.0) -> Callable[[Act], Act]:
    """Make an analyser of a function."""

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


@trick()
def answers(code: str) -> Iterator[Any]:
    yield finding()
    yield Metric("length", len(code))
    yield Note(f"read {code}")


@trick()
def waits_at_a_gate(code: str) -> Iterator[Any]:
    """Goes on when the file that the code names is there."""
    yield finding(1)
    end = time.monotonic() + GATE_SECONDS
    while not Path(code).exists() and time.monotonic() < end:
        time.sleep(0.005)
    yield finding(2)


@trick()
def says_nothing(_: str) -> Iterator[Any]:
    return iter(())


@trick(timeout=0.3)
def loops(_: str) -> Iterator[Any]:
    yield Note(str(os.getpid()))
    while True:
        pass


@trick(timeout=0.3)
def will_not_stop(_: str) -> Iterator[Any]:
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    yield Note(str(os.getpid()))
    while True:
        try:
            time.sleep(1)
        except BaseException:  # noqa: BLE001 - that is what it is for
            continue


@trick(timeout=0.3)
def leaves_its_group(_: str) -> Iterator[Any]:
    os.setpgid(0, os.getppid())
    yield Note(str(os.getpid()))
    while True:
        time.sleep(1)


@trick()
def eats_memory(_: str) -> Iterator[Any]:
    eaten = []
    while True:
        eaten.append(bytes(32 * MIB))


@trick()
def eats_memory_and_goes_on(_: str) -> Iterator[Any]:
    eaten = []
    try:
        while len(eaten) < 128:  # 4 GiB
            eaten.append(bytes(32 * MIB))
    except MemoryError:
        pass
    yield Metric("mebibytes", len(eaten) * 32)


@trick()
def crashes(_: str) -> Iterator[Any]:
    yield finding()
    ctypes.string_at(0)


@trick()
def exits(_: str) -> Iterator[Any]:
    yield finding()
    os._exit(0)


@trick()
def calls_exit(_: str) -> Iterator[Any]:
    yield finding()
    sys.exit(0)


@trick()
def raises(_: str) -> Iterator[Any]:
    yield finding()
    raise ValueError(SECRET_TEXT)


@trick()
def recurses(code: str) -> Iterator[Any]:
    yield from recurses(code)


@trick()
def floods_findings(_: str) -> Iterator[Any]:
    for number in range(1_000_000):
        yield finding(number)


@trick()
def fills_up(_: str) -> Iterator[Any]:
    """Exactly as many findings as there may be, and something else."""
    for number in range(2_000):
        yield finding(number)
    yield Metric("done", 1)


@trick()
def floods_bytes(_: str) -> Iterator[Any]:
    while True:
        yield Note("x" * 500_000)


@trick()
def floods_notes(_: str) -> Iterator[Any]:
    while True:
        yield Note("")


@trick()
def says_too_much_at_once(_: str) -> Iterator[Any]:
    yield Note("x" * (9 * MIB))


@trick()
def says_what_it_left_out(_: str) -> Iterator[Any]:
    yield Note("the rest is left out", truncated=True)


@trick()
def yields_a_number(_: str) -> Iterator[Any]:
    yield 42


@trick()
def yields_an_object(_: str) -> Iterator[Any]:
    yield object()


@trick()
def detects(_: str) -> Iterator[Any]:
    yield Detected(Detection(language="ruby", confidence=1))


@trick()
def yields_nonsense(_: str) -> Iterator[Any]:
    """A range that no text has."""
    place = Range(0, -1, 0, 0)
    yield Reported(
        Finding(
            rule_id="T",
            engine="trick",
            severity=Severity.LOW,
            confidence=Confidence.LOW,
            cwe=None,
            message="here",
            range=place,
        )
    )


@trick()
def points_elsewhere(_: str) -> Iterator[Any]:
    yield finding(1)
    reported = finding(2)
    yield Reported(replace(reported.finding, range=Range(1, 1, 999, 1)))


@trick()
def mends_elsewhere(_: str) -> Iterator[Any]:
    edit = Edit(Range(999, 1, 999, 1), "x")
    fix = Fix("mend", Applicability.SAFE, (edit,))
    yield Reported(replace(finding().finding, fix=fix))


@trick()
def leads_elsewhere(_: str) -> Iterator[Any]:
    steps = (FlowStep(StepKind.SOURCE, Range(1, 1, 1, 9_999), "from afar"),)
    yield Reported(replace(finding().finding, flow=steps))


@trick()
def is_hushed_elsewhere(_: str) -> Iterator[Any]:
    yield Reported(replace(finding().finding, suppression=Suppression("hush", 999)))


@trick()
def measures_nothing(_: str) -> Iterator[Any]:
    yield Metric("mean", float("nan"))


@trick()
def writes_to_every_socket(_: str) -> Iterator[Any]:
    for descriptor in range(3, 64):
        try:
            connection = socket.socket(fileno=descriptor)
        except OSError:
            continue
        connection.sendall(b"\x00\x00\x00\x04\xc1\xc1\xc1\xc1")
        connection.detach()
    yield finding()


@trick()
def hangs_up(_: str) -> Iterator[Any]:
    os.closerange(3, 64)
    time.sleep(GATE_SECONDS)
    yield finding()


@trick()
def leaves_a_process(_: str) -> Iterator[Any]:
    yield Note(str(subprocess.Popen(["sleep", "1000"]).pid))


@trick()
def leaves_a_fork(_: str) -> Iterator[Any]:
    """It keeps the connection open."""
    pid = os.fork()
    if pid == 0:
        time.sleep(1000)
    yield Note(str(pid))


@trick()
def leaves_a_daemon(_: str) -> Iterator[Any]:
    """With a session of its own, and a child that has one too."""
    command = "setsid sleep 1000 & echo $$ $!; exec sleep 1000"
    with subprocess.Popen(
        ["sh", "-c", command], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as started:
        yield Note(started.stdout.readline())
        os._exit(0)


@trick()
def hands_out_pids(code: str) -> Iterator[Any]:
    """Its own and that of a process that it started; then it waits for ever."""
    started = subprocess.Popen(["sleep", "1000"]).pid
    yield Note(f"{os.getpid()} {started} {Path.cwd()} {code}")
    while True:
        time.sleep(1)


@trick()
def writes_files(_: str) -> Iterator[Any]:
    Path("deep/er").mkdir(parents=True)
    Path("deep/er/file").write_text("x" * MIB)
    Path("deep").chmod(0)
    yield Note(str(Path.cwd()))


@trick()
def writes_a_large_file(_: str) -> Iterator[Any]:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Path("large").open("wb") as file:
        for _ in range(80):
            file.write(b"x" * MIB)
    yield finding()


@trick()
def looks_around(_: str) -> Iterator[Any]:
    for name in ("0", "1", "2"):
        yield Note(f"fd {name} {Path(f'/proc/self/fd/{name}').readlink()}")
    yield Note(f"files {os.listdir()}")  # noqa: PTH208 - the working folder
    yield Note(f"cwd {Path.cwd()}")
    yield Note(f"mode {Path().stat().st_mode & 0o777:o}")
    yield Note(f"environ {sorted(os.environ)}")
    yield Note(f"first environ {Path('/proc/self/environ').read_text()}")
    yield Note(f"config {CONFIG!r}")
    sockets = [
        each.name
        for each in Path("/proc/self/fd").iterdir()
        if os.path.exists(each) and str(each.readlink()).startswith("socket:")  # noqa: PTH110
    ]
    yield Metric("sockets", len(sockets))


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Any) -> None:
    CONFIG.update(config)
    for act, timeout in ACTS.values():
        register(Trick(act, timeout))


class Teller(LanguageDetector):
    """Does what its function does, and tells a language if that ends well."""

    version = "7"

    def __init__(
        self, name: str, act: Callable[[str], Any], preference: int = 0, timeout: float = 20.0
    ) -> None:
        self.name = name
        self.preference = preference
        self.timeout = timeout
        self._act = act

    def detect(self, code: str) -> Detection:
        answer = self._act(code)
        if isinstance(answer, str | None):
            return Detection(language=answer, confidence=0.5, alternatives=("C++", "py"))
        return answer


def sleep_for_ever(_: str) -> None:
    while True:
        time.sleep(1)


def complain(_: str) -> None:
    raise ValueError(SECRET_TEXT)


DOUBTS = ("python", "C++", "cpp", ".rb")
TELLERS = (
    Teller("tells_ruby", lambda _: "RB"),
    Teller("repeats", lambda code: code, 5),
    Teller("cannot_tell", lambda _: None, 9),
    Teller("complains", complain, 9),
    Teller("dies", lambda _: os._exit(0), 9),
    Teller("segfaults", lambda _: ctypes.string_at(0), 9),
    Teller("eats", lambda _: [bytes(32 * MIB) for _ in range(128)], 9),
    Teller("sleeps", sleep_for_ever, 9, timeout=0.3),
    Teller("says_a_number", lambda _: 42, 9),
    Teller("is_too_sure", lambda _: Detection(language="x", confidence=2), 9),
    Teller("is_not_sure_at_all", lambda _: Detection(language="x", confidence=float("nan")), 9),
    Teller("says_too_much", lambda _: "x" * 51, 9),
    Teller("says_a_dot", lambda _: ".", 9),
    Teller(
        "doubts_in_dots", lambda _: Detection(language="c", confidence=1, alternatives=("-",)), 9
    ),
    Teller(
        "doubts_at_length",
        lambda _: Detection(language="c", confidence=1, alternatives=("x" * 51,)),
        9,
    ),
    Teller(
        "doubts_twice", lambda _: Detection(language="py", confidence=1, alternatives=DOUBTS), 9
    ),
    Teller("hands_out_its_pid", lambda code: Path(code).write_text(str(os.getpid())) and loop(), 9),
)


def loop() -> None:
    while True:
        pass


@hookimpl
def register_language_detectors(register: Callable[[LanguageDetector], None]) -> None:
    for teller in TELLERS:
        register(teller)
