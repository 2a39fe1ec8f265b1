"""The findings of checks and their form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The status of a check. `skipped` means that it could not run or does not apply."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Finding:
    """A line of the report.

    :param check: the name, like `redis.eviction`. See docs/doctor.md.
    :param found: the observation, one or two sentences.
    :param fix: the fix, or empty.
    """

    check: str
    status: Status
    found: str
    fix: str = ""


def ok(check: str, found: str) -> Finding:
    """Return a finding without a problem."""
    return Finding(check, Status.OK, found)


def warning(check: str, found: str, fix: str) -> Finding:
    """Return a finding for a service that works, but not as well or as safely as it should."""
    return Finding(check, Status.WARNING, found, fix)


def error(check: str, found: str, fix: str) -> Finding:
    """Return a finding for a service that does not start or lacks a function."""
    return Finding(check, Status.ERROR, found, fix)


def skipped(check: str, found: str, fix: str = "") -> Finding:
    """Return a finding for a check that did not run. `found` gives the reason."""
    return Finding(check, Status.SKIPPED, found, fix)


def or_ok(found: Iterable[Finding], check: str, good: str) -> Iterator[Finding]:
    """Yield the findings, or a good one if there is no finding."""
    is_good = True
    for each in found:
        is_good = False
        yield each
    if is_good:
        yield ok(check, good)


class Unavailable(Exception):  # noqa: N818 - says what is the matter
    """A check cannot run. The text gives the reason, which another check reports."""


class NoDatabase(Unavailable):
    """The database does not exist or cannot be reached."""


def some(items: list[str], most: int = 3) -> str:
    """Join the first items, and the number of further ones."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more
