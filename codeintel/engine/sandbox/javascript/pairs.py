"""The messages to and from the preparation of JavaScript, which runs in a worker process.

The server reads them without the parsers that the preparation needs.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Pair(msgspec.Struct, frozen=True):
    """Two programs to compare. `before_language` is `javascript` or `typescript`."""

    before: str
    after: str
    before_language: str
    after_language: str


class Prepared(msgspec.Struct, frozen=True):
    """A pair that is ready to run.

    :param refusal: why it cannot run, as the end of a sentence; empty if it can.
    :param job: what the sandbox gets.
    :param goals: the goals of both programs.
    :param doubts: why the runs can prove nothing, as parts of a sentence.
    :param lines: the first and last lines of the changed definitions of both programs.
    """

    refusal: str = ""
    job: dict[str, Any] = {}
    goals: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    doubts: list[str] = []
    lines: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
