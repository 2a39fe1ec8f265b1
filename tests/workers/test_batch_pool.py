"""Batches give the results of single runs, even if one of their files fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import gevent
import pytest
from worker_helpers import SECONDS, Workers, children, eventually, hostile_instance, working

from codeintel.contracts import Analyzer, AnalyzerReport, AnalyzerRequest, AnalyzerStatus
from codeintel.platform.workers.batch_pool import BatchPool
from codeintel.platform.workers.pool import AnalyzerPool, Heard

COMPLETED, FAILED, TIMED_OUT = (
    AnalyzerStatus.COMPLETED,
    AnalyzerStatus.FAILED,
    AnalyzerStatus.TIMED_OUT,
)
Outcome = dict[str, tuple[AnalyzerStatus, int, list[object]]]


def outcome(heard: Sequence[Heard]) -> Outcome:
    """Return the status, the number of findings and the outputs of each analyzer."""
    reports = [each for each in heard if isinstance(each, AnalyzerReport)]
    assert len({each.name for each in reports}) == len(reports)
    return {
        report.name: (
            report.status,
            report.findings,
            [each.output for each in heard if getattr(each, "analyzer", None) == report.name],
        )
        for report in reports
    }


def batch(
    pool: AnalyzerPool, analyzers: Sequence[Analyzer], requests: Sequence[AnalyzerRequest]
) -> list[Outcome]:
    heard: list[list[Heard]] = [[] for _ in requests]
    with gevent.Timeout(SECONDS):
        for place, each in BatchPool(pool).run("a", analyzers, requests):
            heard[place].append(each)
    return [outcome(each) for each in heard]


def python(*codes: str) -> list[AnalyzerRequest]:
    return [AnalyzerRequest(code, "python") for code in codes]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Provide a pool with the analyzers that ship."""
    folder = tmp_path_factory.mktemp("instance")
    with working(folder) as found:
        yield found


CODES = {
    "python": (
        "import os\nos.system(input())\npassword = 'kGd73!kdnq'\n",
        "def f(:\n",
        "",
        "# größe\nimport pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n",
        "\ufeffx = 1\r\nassert (x, 'y')\r\n",
        "x = " + "(" * 300 + ")" * 300 + "\n",
        "# noqa\nimport os  # noqa\n",
    ),
    "javascript": (
        "eval(location.hash);\nvar unused = 1\n",
        "function (\n",
        "const a = <div>{x}</div>;\n",
        "if (a = 1) debugger\n// größe\n",
        "type A = number; const a: A = 1;\n",
        "",
    ),
    "typescript": (
        "const a: number = eval('1');\nif (a = 1) debugger\n",
        "const b = <div>{x}</div>;\nconst c = <string>x;\n",
        "function (\n",
        "",
    ),
    "bash": ("#!/bin/bash\nrm -rf $1/*\n", "if true\n", "echo `ls $x`\n", ""),
}


@pytest.mark.parametrize("language", sorted(CODES))
def test_a_batch_gives_the_results_of_single_runs(shipped: Workers, language: str) -> None:
    requests = [AnalyzerRequest(code, language) for code in CODES[language]]
    analyzers = [each for each in shipped.analyzers.values() if each.takes(requests[0])]
    together = batch(shipped.pool, analyzers, requests)
    for request, found in zip(requests, together, strict=True):
        with gevent.Timeout(SECONDS):
            alone = outcome(list(shipped.pool.run("a", analyzers, request)))
        assert found == alone
    assert sum(findings for each in together for _, findings, _ in each.values()) >= 3


CASES = [
    ("crashes", FAILED),
    ("exits", FAILED),
    ("calls_exit", FAILED),
    ("raises", FAILED),
    ("recurses", FAILED),
    ("hangs_up", FAILED),
    ("eats_memory", FAILED),
    ("yields_nonsense", FAILED),
    ("points_elsewhere", FAILED),
    ("floods_bytes", AnalyzerStatus.TRUNCATED),
    ("floods_findings", AnalyzerStatus.TRUNCATED),
    ("loops", TIMED_OUT),
    ("will_not_stop", TIMED_OUT),
]


@pytest.mark.parametrize(("name", "status"), CASES, ids=[name for name, _ in CASES])
def test_an_analyzer_that_fails_leaves_the_others_alone(
    workers: Workers, name: str, status: AnalyzerStatus
) -> None:
    answers, bad = workers.analyzers["answers"], workers.analyzers[name]
    found = batch(workers.pool, [answers, bad, workers.analyzers["says_nothing"]], python("", "ab"))
    for each, length in zip(found, (0, 2), strict=True):
        assert each["answers"][:2] == (COMPLETED, 1)
        assert each["answers"][2][1].value == length  # type: ignore[attr-defined]
        assert each["says_nothing"][0] is COMPLETED
        assert each[name][0] is status


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("crash", FAILED),
        ("exit", FAILED),
        ("raise", FAILED),
        ("memory", FAILED),
        ("hang", TIMED_OUT),
    ],
)
@pytest.mark.parametrize("name", ["minds_its_file", "minds_all_files"])
def test_a_file_that_fails_leaves_the_others_alone(
    workers: Workers, name: str, code: str, status: AnalyzerStatus
) -> None:
    analyzers = [workers.analyzers[name], workers.analyzers["answers"]]
    codes = ("", "a", code, "b", "c")
    found = batch(workers.pool, analyzers, python(*codes))
    assert [each[name][0] for each in found] == [
        status if each == code else COMPLETED for each in codes
    ]
    assert [each["answers"][0] for each in found] == [COMPLETED] * 5
    alone = outcome(list(workers.pool.run("a", analyzers, python(code)[0])))
    assert found[2] == alone


def test_files_of_the_working_folder_are_removed_in_between(workers: Workers) -> None:
    found = batch(workers.pool, [workers.analyzers["leaves_files"]], python("a", "b", "c"))
    assert [each["leaves_files"][2][0].value for each in found] == [0, 0, 0]  # type: ignore[attr-defined]


def test_closing_kills_the_process(own_instance: Path) -> None:
    with working(own_instance) as own:
        requests = python("", "hang", "")
        started = BatchPool(own.pool).run("a", [own.analyzers["minds_its_file"]], requests)
        next(started)
        assert children(own.zygote)
        started.close()  # type: ignore[attr-defined]
        assert eventually(lambda: not children(own.zygote))
        assert own.pool.slots.busy == 0


def test_a_stopped_pool_reports_failures(tmp_path: Path) -> None:
    with working(hostile_instance(tmp_path / "instance")) as own:
        own.pool.stop()
        found = batch(own.pool, [own.analyzers["answers"]], python("", "a"))
        assert [each["answers"][0] for each in found] == [FAILED, FAILED]
