"""Analyzers that do not end, end incorrectly, or use all memory."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

from hostile_tricks import MIB, SECRET_TEXT, finding, trick

from codeintel.contracts import (
    Metric,
    Note,
)


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
