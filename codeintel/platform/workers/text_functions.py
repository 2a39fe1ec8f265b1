"""Functions that read callers' texts, and what the server must know of each to have it run in a
worker process: what goes in, what comes out, and how long that may take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

import msgspec

P = TypeVar("P")
A = TypeVar("A")
SMALL_CHARACTERS = 64_000
"""Texts up to so many characters together are read in the server, where a function takes linear
time: at most some five milliseconds. To fork a child for them takes ten."""
FILE_CHARACTERS = 1_000
"""What a file counts for beside its characters: most functions take some time for each."""


class TextWorkError(Exception):
    """A text function did not come to its end. What it had answered before is true; what it had not
    answered was not read."""


class TextTimeoutError(TextWorkError):
    """It took too long."""


@dataclass(frozen=True)
class TextFunction(Generic[P, A]):
    """A pure function from parts of a request to answers. It reads no files, imports nothing while
    it runs, and gives its answers in the order of the parts, so that a caller can tell at which
    part it was when it was ended.

    :param part: the type of a part, with its parameters; a part takes 8 MiB at most.
    :param answer: the type of an answer, the same.
    :param seconds: that it may take from one answer to the next.
    :param most_seconds: that it may take in all.
    :param most_bytes: of all answers together.
    """

    name: str
    run: Callable[[Iterator[P]], Iterable[A]]
    part: Any
    answer: Any
    seconds: float = 5.0
    most_seconds: float = 30.0
    most_bytes: int = 8 * 1024 * 1024

    def answers(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """The encoded answers to encoded parts."""
        decode = msgspec.msgpack.Decoder(self.part).decode
        encode = msgspec.msgpack.Encoder().encode
        return (encode(each) for each in self.run(decode(part) for part in parts))


def load_functions(places: Sequence[str]) -> dict[str, TextFunction[Any, Any]]:
    """The functions at some places, `module:NAME` each, by name."""
    found: dict[str, TextFunction[Any, Any]] = {}
    for place in places:
        module, _, name = place.partition(":")
        function = getattr(import_module(module), name)
        found[function.name] = function
    return found
