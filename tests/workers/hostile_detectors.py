"""Detectors that end badly, and that say what is no language."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from typing import Any

from hostile_tricks import MIB, SECRET_TEXT

from codeintel.contracts import (
    Detection,
    LanguageDetector,
)


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
    Teller("loops_for_ever", lambda _: loop(), 9),
)


def loop() -> None:
    while True:
        pass
