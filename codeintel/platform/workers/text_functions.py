"""Functions that read untrusted texts, with what the server needs to run them in worker processes.

For each, the server knows its input, its output and its time limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

import msgspec

P = TypeVar("P")
A = TypeVar("A")
SMALL_CHARACTERS = 64_000
"""Total length up to which texts are read in the server by functions of linear time.

That takes about 5 ms at most, while forking a child takes 10 ms.
"""
FILE_CHARACTERS = 1_000
"""Characters that are added to each file's size, because each takes most functions some time."""


class TextWorkError(Exception):
    """Raised when a text function does not complete.

    Its earlier answers are valid. The remaining parts were not read.
    """


class TextTimeoutError(TextWorkError):
    """Raised when a text function takes too long."""


@dataclass(frozen=True)
class TextFunction(Generic[P, A]):
    """A pure function from parts of a request to answers.

    It reads no files and loads no modules while it runs. Its answers are in the order of the parts,
    so that a caller can tell at which part it was stopped.

    :param part: the type of a part, with its parameters; a part has at most 8 MiB.
    :param answer: the type of an answer, likewise.
    :param seconds: time limit from one answer to the next.
    :param most_seconds: time limit in total.
    :param most_bytes: limit for all answers together.
    :param modules: what the function imports itself, because the server must not load it. The
        process that workers are forked from imports it first.
    """

    name: str
    run: Callable[[Iterator[P]], Iterable[A]]
    part: Any
    answer: Any
    seconds: float = 5.0
    most_seconds: float = 30.0
    most_bytes: int = 8 * 1024 * 1024
    modules: tuple[str, ...] = ()

    def answers(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Return the encoded answers to encoded parts."""
        decode = msgspec.msgpack.Decoder(self.part).decode
        encode = msgspec.msgpack.Encoder().encode
        return (encode(each) for each in self.run(decode(part) for part in parts))


def load_functions(places: Sequence[str]) -> dict[str, TextFunction[Any, Any]]:
    """Return the functions at some places, each `module:NAME`, by name."""
    found: dict[str, TextFunction[Any, Any]] = {}
    for place in places:
        module, _, name = place.partition(":")
        function = getattr(import_module(module), name)
        for each in function.modules:
            import_module(each)
        found[function.name] = function
    return found
