"""What is said from inside of a sandbox: by a program that is not to be believed."""

from __future__ import annotations

import re
from typing import Any

import msgspec

_NAME = re.compile(r"(?:[^\W\d]\w{0,99}\.)?[^\W\d]\w{0,99}")
_MAX_LINES = 5_000


class Line(msgspec.Struct, frozen=True):
    """One line. `target` is passed on as it is, into the next sandbox; `matters` says whether it
    runs a function that was changed."""

    what: str
    name: str = ""
    status: str = ""
    digest: str = ""
    error: str = ""
    outcomes: list[tuple[int, str, str]] = []
    target: dict[str, Any] | None = None
    succeeded: bool = False
    matters: bool = False
    counts: list[tuple[str, int, int]] = []
    missing: list[tuple[str, int, str]] = []
    functions: list[str] = []


class InterferenceError(Exception):
    """What was said is not what the harness says: the program has spoken in its place."""


_decoder = msgspec.json.Decoder(Line)


def lines(output: bytes) -> list[Line]:
    """The lines that are whole.

    :raises InterferenceError: if the harness did not write them all.
    """
    whole = output[: output.rfind(b"\n") + 1].splitlines()
    if len(whole) > _MAX_LINES:
        raise InterferenceError
    try:
        found = [_decoder.decode(line) for line in whole]
    except (msgspec.MsgspecError, RecursionError):
        raise InterferenceError from None
    if not all(_is_name(each.error) for each in found):
        raise InterferenceError
    if not all(_is_name(each.name) for each in found if each.what != "attempt"):
        raise InterferenceError
    if not all(
        _is_name(name) and _is_name(sort) for each in found for name, _, sort in each.missing
    ):
        raise InterferenceError
    if not all(_is_name(name) for each in found for name in each.functions):
        raise InterferenceError
    return found


def _is_name(text: str) -> bool:
    """Whether it can stand in a sentence."""
    return not text or _NAME.fullmatch(text) is not None
