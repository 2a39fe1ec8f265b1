"""What a check has found, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How it stands; `skipped` could not be looked at, or is not in use."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Finding:
    """One line of the report.

    :param check: its name, like `redis.eviction`: docs/doctor.md has them all.
    :param found: what was found, a sentence or two.
    :param fix: what to do; empty where there is nothing to do.
    """

    check: str
    status: Status
    found: str
    fix: str = ""


def ok(check: str, found: str) -> Finding:
    """Nothing to do."""
    return Finding(check, Status.OK, found)


def warning(check: str, found: str, fix: str) -> Finding:
    """The service works, but not as well or as safely as it should."""
    return Finding(check, Status.WARNING, found, fix)


def error(check: str, found: str, fix: str) -> Finding:
    """The service does not start, or does not do all that it should."""
    return Finding(check, Status.ERROR, found, fix)


def skipped(check: str, found: str, fix: str = "") -> Finding:
    """Nobody looked; `found` says why."""
    return Finding(check, Status.SKIPPED, found, fix)


def or_ok(found: Iterable[Finding], check: str, good: str) -> Iterator[Finding]:
    """The findings, or the good one where there are none."""
    is_good = True
    for each in found:
        is_good = False
        yield each
    if is_good:
        yield ok(check, good)


class Unavailable(Exception):  # noqa: N818 - says what is the matter
    """What a check needs is not there; the text says why, and another check has reported it."""


class NoDatabase(Unavailable):
    """There is no database, or it cannot be connected to."""


def some(items: list[str], most: int = 3) -> str:
    """The first ones, and how many more there are."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
