"""Counts, sizes and times in words."""

from __future__ import annotations

import pytest

from codeintel.base.wording import age, counted, duration, lasting, size


def test_counts() -> None:
    assert [counted(n, "star") for n in (0, 1, 12_345)] == ["0 stars", "1 star", "12,345 stars"]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1_023, "1,023 bytes"),
        (1_024, "1 KiB"),
        (1_536, "1.5 KiB"),
        (10 * 1024, "10 KiB"),
        (1023 * 1024, "1,023 KiB"),
        (1024**2 - 1, "1 MiB"),
        (200 * 1024**2, "200 MiB"),
        (5 * 1024**4, "5 TiB"),
        (2_000 * 1024**4, "2,000 TiB"),
    ],
)
def test_sizes(count: int, words: str) -> None:
    assert size(count) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"),
        (1, "1 second"),
        (7, "7 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
        (3600, "60 minutes"),
        (7201, "3 hours"),
    ],
)
def test_durations_are_rounded_up(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than a minute"),
        (59.9, "less than a minute"),
        (60, "1 minute"),
        (7_199, "1 hour"),
        (12_000, "3 hours"),
        (200_000, "2 days"),
        (86_400 * 1_234, "1,234 days"),
    ],
)
def test_what_has_passed_is_rounded_down(seconds: float, words: str) -> None:
    assert lasting(seconds) == words
    assert age(seconds) == f"{words} ago"
