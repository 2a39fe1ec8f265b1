# ruff: noqa
# fmt: off
import math
import abc
import functools
from dataclasses import dataclass, field
from typing import List, Any, Dict


class Shape(object):
    __metaclass__ = abc.ABCMeta
    registry = []  # type: List[Any]

    @abc.abstractmethod
    def area(self):
        pass

    def __lt__(self, other):
        return self.area() < other.area()


class Circle(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        """ The area. """
        return math.pi * self.radius ** 2


class Square(Shape):
    def __init__(self, side):
        super(Square, self).__init__()
        self.side = side

    def area(self):
        return self.side * self.side


@dataclass(order=True)
class Box:
    size: int
    tags: List[str] = field(default_factory=lambda: [])
    more: Dict[str, Any] = field(default_factory=dict)

    def list(self) -> List[str]:
        return self.tags

    def copy(self) -> List[str]:
        return list(self.tags)


@functools.lru_cache(maxsize=None)
def fibonacci(n):
    if n == 0 or n == 1:
        return n
    else:
        return fibonacci(n - 1) + fibonacci(n - 2)


def clamp(value, low, high):
    if value < low:
        value = low
    if value > high:
        value = high
    return value


def sign(x):
    if x > 0:
        result = 1
    else:
        result = -1 if x < 0 else 0
    return result


def between(a, b, c):
    return a <= b and b < c


def check():
    assert sorted([Square(2), Circle(1)])[0].radius == 1
    assert Box(1) < Box(2) and Box(1, ["a"]).list() == ["a"] and Box(1, ["b"]).copy() == ["b"]
    assert Box(1).tags is not Box(1).tags
    assert fibonacci(30) == 832040
    assert [clamp(x, 0, 3) for x in (-1, 2, 9)] == [0, 2, 3]
    assert [sign(x) for x in (-4, 0, 4)] == [-1, 0, 1]
    assert between(1, 1, 2) and not between(1, 2, 2)
