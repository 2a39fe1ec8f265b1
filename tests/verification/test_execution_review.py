"""Wrong rewrites by a reviewer: runs show no difference, so another check must refuse them."""

from __future__ import annotations

import pytest
from execution_samples import a_sandbox

from codeintel.contracts import CheckStatus, Equivalence
from codeintel.engine.equivalence import behaviour_heuristics as vocabulary, interfaces
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.sandbox.behaviour import Behaviour

WRONG = {
    "a test for None of a call": (
        """
def checksum(values: list[int]) -> int | None:
    if not values:
        return None
    return (sum(values) * 31 + 7) % 9973


def has_checksum(values: list[int]) -> bool:
    return checksum(values) is not None
""",
        """
def checksum(values: list[int]) -> int | None:
    if not values:
        return None
    return (sum(values) * 31 + 7) % 9973


def has_checksum(values: list[int]) -> bool:
    return bool(checksum(values))
""",
    ),
    "a product within a slice": (
        """
def clip(text: str) -> str:
    return text[: 4 * 1024]
""",
        """
def clip(text: str) -> str:
    return text[: 5 * 1024]
""",
    ),
    "a sum within a slice": (
        """
def page(values: list[int], number: int) -> list[int]:
    found = []
    for each in values[: abs(number) + 500]:
        found.append(each)
    return found
""",
        """
def page(values: list[int], number: int) -> list[int]:
    return [each for each in values[: abs(number) + 50]]
""",
    ),
    "a member that replaces an inherited one": (
        """
class Animal:
    def sound(self) -> str:
        return "?"

    def bark(self) -> str:
        return "woof"


class Dog(Animal):
    @staticmethod
    def label(name: str) -> str:
        if name:
            return name
        else:
            return "dog"
""",
        """
class Animal:
    def sound(self) -> str:
        return "?"

    def bark(self) -> str:
        return "woof"


class Dog(Animal):
    sound = Animal.bark

    @staticmethod
    def label(name: str) -> str:
        return name if name else "dog"
""",
    ),
    "a nested generator": (
        """
from collections.abc import Iterator


def firsts(values: list[int], n: int) -> Iterator[int]:
    for each in values[:n]:
        yield each * 2
""",
        """
from collections.abc import Iterator


def firsts(values: list[int], n: int) -> Iterator[int]:
    part = values[:n]

    def doubled() -> Iterator[int]:
        for each in part:
            yield each * 2

    return doubled()
""",
    ),
    "flags through two constants": (
        """
import re
_FLAGS = re.ASCII
_NUMBER = re.compile(r"\\d+", _FLAGS)


def numbers(text: str) -> list[str]:
    found = []
    for each in _NUMBER.findall(text):
        found.append(each)
    return found
""",
        """
import re
_FLAGS = re.UNICODE
_NUMBER = re.compile(r"\\d+", _FLAGS)


def numbers(text: str) -> list[str]:
    return [each for each in _NUMBER.findall(text)]
""",
    ),
    "the other end of an ordered dict": (
        """
from collections import OrderedDict


def drop(held: dict[str, int]) -> str:
    queue = OrderedDict(held)
    while queue:
        key, _ = queue.popitem(last=False)
        return key
    return ""
""",
        """
from collections import OrderedDict


def drop(held: dict[str, int]) -> str:
    queue = OrderedDict(held)
    if queue:
        return queue.popitem(last=True)[0]
    return ""
""",
    ),
}
RIGHT = (
    """
class Frame:
    def __init__(self, x: int) -> None:
        self.x = x

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")


def known(name: str, frames: dict[str, Frame]) -> bool:
    found = frames.get(name)
    if found is None:
        return False
    return True
""",
    """
class Frame:
    def __init__(self, x: int) -> None:
        self.x = x

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")


def known(name: str, frames: dict[str, Frame]) -> bool:
    return isinstance(frames.get(name), Frame)
""",
)


@pytest.mark.parametrize("name", WRONG)
def test_they_are_not_proven(name: str) -> None:
    before, after = WRONG[name]
    comparison = Comparison(
        before=before,
        after=after,
        language="python",
        target="python",
        changes=(),
        losses=(),
        equivalence=Equivalence.NORMAL_FORM,
        by_model=True,
    )
    checks = interfaces.compare(comparison), vocabulary.compare(comparison)
    faults = [each for each in checks if each.status is CheckStatus.FAILED and not each.tentative]
    assert faults or not Behaviour(a_sandbox(), "somebody", before).compare(after).conclusive


def test_no_method_of_the_program_is_called_only_to_look() -> None:
    before, after = RIGHT
    found = Behaviour(a_sandbox(), "somebody", before).compare(after)
    assert found.status is CheckStatus.PASSED, found.text
