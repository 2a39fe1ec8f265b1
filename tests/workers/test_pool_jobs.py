"""The pool's handling of analyzers that answer, fail, hang, flood and crash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gevent
import pytest
from worker_helpers import SECONDS, Workers, eventually, is_alive, resident_mebibytes

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
)
from codeintel.platform.workers.protocol import MAX_FINDINGS, MAX_MESSAGES, MAX_OUTPUT_BYTES

COMPLETED, TRUNCATED, TIMED_OUT, FAILED = (
    AnalyzerStatus.COMPLETED,
    AnalyzerStatus.TRUNCATED,
    AnalyzerStatus.TIMED_OUT,
    AnalyzerStatus.FAILED,
)


def test_what_an_analyser_says_arrives_in_order_and_is_counted(workers: Workers) -> None:
    said = workers.one("answers", code="é\r\n\x00\N{PILE OF POO}")
    assert said.rules == ["T1"]
    assert said.metrics == {"length": 5}
    assert said.notes == ["read é\r\n\x00\N{PILE OF POO}"]
    assert [type(each).__name__ for each in said.outputs] == ["Reported", "Metric", "Note"]
    report = said.report
    assert (report.name, report.version, report.status) == ("answers", "7", COMPLETED)
    assert report.findings == 1
    assert 0 <= report.milliseconds < SECONDS * 1000


@pytest.mark.parametrize(
    ("name", "status", "findings"),
    [
        ("says_nothing", COMPLETED, 0),
        ("eats_memory", FAILED, 0),
        ("crashes", FAILED, 1),
        ("exits", FAILED, 1),
        ("calls_exit", FAILED, 1),
        ("raises", FAILED, 1),
        ("recurses", FAILED, 0),
        ("hangs_up", FAILED, 0),
        ("yields_a_number", FAILED, 0),
        ("yields_an_object", FAILED, 0),
        ("detects", FAILED, 0),
        ("yields_nonsense", FAILED, 0),
        ("points_elsewhere", FAILED, 1),
        ("mends_elsewhere", FAILED, 0),
        ("leads_elsewhere", FAILED, 0),
        ("is_hushed_elsewhere", FAILED, 0),
        ("measures_nothing", FAILED, 0),
        ("writes_to_every_socket", FAILED, 0),
        ("writes_a_large_file", FAILED, 0),
        ("says_too_much_at_once", FAILED, 0),
        ("says_what_it_left_out", TRUNCATED, 0),
        ("floods_findings", TRUNCATED, MAX_FINDINGS),
        ("fills_up", COMPLETED, MAX_FINDINGS),
        ("floods_bytes", TRUNCATED, 0),
        ("floods_notes", TRUNCATED, 0),
        ("loops", TIMED_OUT, 0),
        ("will_not_stop", TIMED_OUT, 0),
    ],
)
def test_how_it_ends(workers: Workers, name: str, status: AnalyzerStatus, findings: int) -> None:
    zygote = workers.zygote
    said = workers.one(name)
    assert (said.status, said.report.findings, len(said.rules)) == (status, findings, findings)
    assert workers.one("answers").status is COMPLETED
    assert workers.zygote == zygote, "a job does not take its parent along"


def test_several_at_once_do_not_disturb_each_other(workers: Workers) -> None:
    said = workers.run("answers", "crashes", "loops", "floods_findings", "raises", code="x")
    assert {name: each.status for name, each in said.items()} == {
        "answers": COMPLETED,
        "crashes": FAILED,
        "loops": TIMED_OUT,
        "floods_findings": TRUNCATED,
        "raises": FAILED,
    }
    assert said["answers"].notes == ["read x"]


def test_more_analysers_than_slots_are_all_run(workers: Workers) -> None:
    names = ["answers", "says_nothing", "raises", "exits", "crashes", "says_what_it_left_out"]
    assert list(workers.run(*names)) == names


def test_none_is_none(workers: Workers) -> None:
    assert workers.run() == {}


def test_findings_come_as_they_are_found(workers: Workers, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    with gevent.Timeout(SECONDS):
        heard = workers.start("waits_at_a_gate", code=str(gate))
        first = next(heard)
        assert isinstance(first, AnalyzerOutputFrom)
        assert first.output.finding.rule_id == "T1"
        gate.touch()
        second, report = heard
    assert second.output.finding.rule_id == "T2"
    assert isinstance(report, AnalyzerReport)
    assert report.milliseconds < 15_000, "it did not wait for the gate in vain"


@pytest.mark.parametrize("name", ["loops", "will_not_stop", "leaves_its_group"])
def test_at_its_timeout_it_is_killed(workers: Workers, name: str) -> None:
    said = workers.one(name)
    (pid,) = map(int, said.notes)
    assert said.status is TIMED_OUT
    assert 300 <= said.report.milliseconds < 5_000
    assert eventually(lambda: not is_alive(pid))


def test_memory_is_the_child_s_own(workers: Workers) -> None:
    before = resident_mebibytes()
    assert 256 <= workers.one("eats_memory_and_goes_on").metrics["mebibytes"] <= 1024
    workers.one("eats_memory")
    assert resident_mebibytes() - before < 64


def test_bytes_are_limited(workers: Workers) -> None:
    said = workers.one("floods_bytes")
    length = sum(map(len, said.notes))
    assert MAX_OUTPUT_BYTES - 1_000_000 < length <= MAX_OUTPUT_BYTES + 500_000


def test_messages_are_limited(workers: Workers) -> None:
    assert len(workers.one("floods_notes").notes) == MAX_MESSAGES


@pytest.mark.parametrize("name", ["raises", "calls_exit", "crashes"])
def test_an_exception_s_text_is_nowhere(
    workers: Workers, name: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    said = workers.one(name, code="the caller's code")
    printed = "".join(capfd.readouterr())
    for text in ("the caller's code", "Traceback"):
        assert text not in repr(said) + printed + caplog.text
    assert "ValueError" not in repr(said) + printed


@pytest.mark.parametrize("name", ["leaves_a_process", "leaves_a_fork", "leaves_a_daemon"])
def test_what_it_started_ends_with_it(workers: Workers, name: str) -> None:
    pids = [int(pid) for note in workers.one(name).notes for pid in note.split()]
    assert pids
    assert eventually(lambda: not any(map(is_alive, pids)))


def test_closing_the_iterator_kills_the_job(workers: Workers) -> None:
    with gevent.Timeout(SECONDS):
        heard = workers.start("hands_out_pids")
        child, started, *_ = next(heard).output.message.split()
        assert is_alive(int(child))
        assert is_alive(int(started))
        heard.close()
    assert eventually(lambda: not is_alive(int(child)) and not is_alive(int(started)))
    assert workers.one("answers").status is COMPLETED


def test_closing_frees_the_slots(workers: Workers) -> None:
    for _ in range(3):
        with gevent.Timeout(SECONDS):
            everything = [workers.start("hands_out_pids") for _ in range(4)]  # all four slots
            for heard in everything:
                next(heard)
            for heard in everything:
                heard.close()
    assert workers.one("answers").status is COMPLETED


class Strange(Analyzer):
    """The zygote does not know it."""

    name = "strange"
    languages = None

    def analyze(self, _: AnalyzerRequest) -> Iterator[Any]:
        raise AssertionError("in the server")


@pytest.mark.parametrize("timeout", [10.0, "soon", object()])
def test_an_analyser_that_cannot_be_run(workers: Workers, timeout: Any) -> None:
    strange = Strange()
    strange.timeout = timeout
    with gevent.Timeout(SECONDS):
        (report,) = workers.pool.run("a", [strange], AnalyzerRequest("", None))
    assert report.status is FAILED


def test_its_author_finds_the_place_in_the_log(
    workers: Workers, caplog: pytest.LogCaptureFixture
) -> None:
    assert workers.one("raises").status is FAILED
    assert re.search(r"'raises' failed: ValueError at hostile\w*\.py:\d+", caplog.text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("points_elsewhere", "the range of a finding, 1:1 to 999:1, is outside the code, whose"),
        ("mends_elsewhere", "an edit of a finding, 999:1 to 999:1, is outside the code, whose"),
        ("leads_elsewhere", "a step of a finding, 1:1 to 1:9999, is outside the code, whose"),
    ],
)
def test_the_log_says_why_a_finding_is_refused(
    workers: Workers, caplog: pytest.LogCaptureFixture, name: str, reason: str
) -> None:
    workers.one(name, code="the caller's code")
    assert f"analyzer {name!r} failed: {reason} last line is 1" in caplog.text
    assert "caller" not in caplog.text
