"""The environment of a worker process, and the remains of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest
from worker_helpers import (
    SECONDS,
    Workers,
    children,
    descriptors,
    eventually,
    hostile_instance,
    working,
)

from codeintel.contracts import AnalyzerStatus
from codeintel.platform.config import load_settings

PARENTS = {
    "CODEINTEL_TEST_MARKER": "seen-by-nobody",
    "DATABASE_URL": "postgresql://seen-by-nobody@h/d",
    "HOME": "/seen-by-nobody",
}


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Return a pool of a server that has secrets in its settings and its environment."""
    instance = hostile_instance(tmp_path_factory.mktemp("instance"))
    settings = load_settings(
        {
            "CODEINTEL_INSTANCE": instance,
            "DATABASE_URL": "postgresql://u:seen-by-nobody@h/d",
            "REDIS_URL": "redis://:seen-by-nobody@h:6379/0",
            "CODEINTEL_KEY_PEPPER": "seen-by-nobody-" * 3,
            "CODEINTEL_ACME_TOKEN": "seen-by-nobody, and no plugin says that it is secret",
            "CODEINTEL_ACME_MIRROR": "https://ann:seen-by-nobody@h.example",
            "CODEINTEL_ACME_BACKENDS": [{"url": "redis://ann:seen-by-nobody@h.example"}],
            "CODEINTEL_ACME_LOGIN": {"password": b"seen-by-nobody"},
            "CODEINTEL_ACME_URL": "for a plugin",
            "CODEINTEL_ACME_TABLE": {"key": (1, True, None, 0.5)},
        },
        {},
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, value in PARENTS.items():
            patch.setenv(name, value)
        with working(instance, config=settings.without_secrets()) as found:
            yield found


@pytest.fixture(scope="module")
def seen(workers: Workers) -> list[str]:
    """Return everything that an analyzer saw."""
    said = workers.one("looks_around")
    assert said.status is AnalyzerStatus.COMPLETED
    assert said.metrics == {"sockets": 1}, "only its own connection"
    return said.notes


def value(seen: list[str], name: str) -> str:
    (found,) = [note.removeprefix(f"{name} ") for note in seen if note.startswith(f"{name} ")]
    return found


def test_no_secret_is_in_sight(seen: list[str]) -> None:
    assert not [note for note in seen if "seen-by-nobody" in note]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fd 0", "/dev/null"),
        ("fd 1", "/dev/null"),
        ("fd 2", "/dev/null"),
        ("files", "[]"),
        ("mode", "700"),
        ("environ", "['HOME', 'LANG', 'PATH', 'TMPDIR']"),
    ],
)
def test_its_surroundings(seen: list[str], name: str, expected: str) -> None:
    assert value(seen, name) == expected


def test_plugins_get_their_settings_in_the_zygote_too(seen: list[str]) -> None:
    config = value(seen, "config")
    assert "'CODEINTEL_ACME_URL': 'for a plugin'" in config
    assert "'CODEINTEL_ACME_TABLE': {'key': [1, True, None, 0.5]}" in config
    assert "'CODEINTEL_RUN_TIMEOUT': 120.0" in config
    assert "'CODEINTEL_TIER_LIMITS_FREE': [30, 20, 20]" in config
    assert "'CODEINTEL_LIMIT_DEFAULT': '6000 per 1 minute'" in config


def test_each_job_has_a_folder_of_its_own(seen: list[str], workers: Workers) -> None:
    before = value(seen, "cwd")
    again = value(workers.one("looks_around").notes, "cwd")
    assert before != again
    assert Path(before).parent == Path(again).parent


def test_files_are_removed(workers: Workers) -> None:
    (folder,) = workers.one("writes_files").notes
    assert eventually(lambda: not Path(folder).exists())


def test_sixty_jobs_leave_nothing_behind(workers: Workers) -> None:
    kinds = ["answers", "raises", "crashes", "exits", "leaves_a_process", "writes_files"]
    zygote = workers.zygote
    workers.one("answers")
    assert eventually(lambda: not children(zygote))
    before, before_there = descriptors(), descriptors(zygote)
    with gevent.Timeout(SECONDS):
        for _ in range(5):
            runs = [
                gevent.spawn(workers.run, *kinds[:3], account="a"),
                gevent.spawn(workers.run, *kinds[3:], account="b"),
                gevent.spawn(workers.run, *kinds, account="c"),
            ]
            gevent.joinall(runs, raise_error=True)
    assert workers.zygote == zygote
    assert eventually(lambda: not children(zygote)), "zombies"
    assert descriptors() == before
    assert eventually(lambda: descriptors(zygote) <= before_there)
    folder = Path(value(workers.one("looks_around").notes, "cwd")).parent
    assert eventually(lambda: not list(folder.iterdir())), "folders"


def test_an_idle_zygote_costs_nothing(workers: Workers) -> None:
    def ticks() -> int:
        fields = Path(f"/proc/{workers.zygote}/stat").read_text().rpartition(") ")[2].split()
        return int(fields[11]) + int(fields[12])

    workers.one("answers")
    assert eventually(lambda: not children(workers.zygote))
    before = ticks()
    gevent.sleep(0.3)
    assert ticks() - before <= 5, "it does not spin"
