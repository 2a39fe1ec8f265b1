"""Sandboxes for tests that run code, and programs to run."""

from __future__ import annotations

import subprocess
from functools import cache

import pytest
from servers import binary

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Evidence
from codeintel.engine.sandbox.behaviour import Behaviour
from codeintel.platform.sandbox import Sandbox


@cache
def a_sandbox() -> Sandbox:
    """Return a secure sandbox.

    The test is skipped if bubblewrap is missing, unless services are required, or if the kernel
    does not permit namespaces. It fails if a probe escapes.
    """
    program = binary("bwrap")
    plain = [program, "--unshare-all", "--unshare-user", "--uid", "65534", "--ro-bind", "/", "/"]
    if subprocess.run([*plain, "true"], capture_output=True).returncode != 0:
        pytest.skip("bubblewrap cannot make namespaces here")
    sandbox = Sandbox(2)
    sandbox.prove()
    return sandbox


def outcome(sandbox: Sandbox, before: str, after: str | None = None) -> Evidence:
    """Return the evidence for a result. By default, the result only has an additional comment."""
    return Behaviour(sandbox, "somebody", before).compare(
        before + "#\n" if after is None else after
    )


def is_alike(evidence: Evidence) -> bool:
    """Return whether the check passed."""
    return evidence.status is CheckStatus.PASSED


SAMPLE = '''
import asyncio
import enum
import random
from collections import namedtuple
from dataclasses import dataclass
from typing import Iterator, Literal, Optional

LIMIT = 10
_hidden = 1
Pair = namedtuple("Pair", "left right")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclass
class Point:
    x: float
    y: float = 0.0

    def scaled(self, by: float) -> "Point":
        return Point(self.x * by, self.y * by)


class Stack:
    def __init__(self):
        self._items = []

    def push(self, item: int) -> None:
        self._items.append(item)

    def pop(self) -> int:
        return self._items.pop()

    def __len__(self):
        return len(self._items)

    @property
    def top(self):
        return self._items[-1] if self._items else None

    @staticmethod
    def twice(n: int) -> int:
        return n * 2

    @classmethod
    def made(cls, n: int) -> "Stack":
        made = cls()
        made.push(n)
        return made


def add(a, b):
    return a + b


def first(items: list[int]) -> int:
    return items[0]


def words(text: str) -> dict[str, int]:
    """
    >>> words("a b a")
    {'a': 2, 'b': 1}
    """
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


def up_to(n: int) -> Iterator[int]:
    yield from range(min(n, 50))


def checked(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n


def grown(items: list):
    items.append(len(items))


def greet(name: str, mark="!") -> None:
    print(f"Hello {name}{mark}")


def by_chance(n: int):
    return random.random() * n + 1


def distance(one: Point, other: Optional[Point] = None) -> float:
    other = other or Point(0)
    return ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5


def painted(colour: Colour, how: Literal["light", "dark"]) -> str:
    return f"{how} {colour.name}"


def applied(function, values: list[int]):
    return [function(value) for value in values]


def distinct(values: list[str]) -> set[str]:
    return set(values)


def named(*, size: int = 3, deep: bool = False):
    return size if deep else -size


async def later(n: int) -> int:
    await asyncio.sleep(0)
    return n + 1


def average(*numbers: float):
    return sum(numbers) / len(numbers)


if __name__ == "__main__":
    print("Sum:", add(1, 2))
'''
"""A program with every kind of construct."""
