"""Values as they are compared: numbers exactly, with what a format says of them besides."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple


class UnreadableDataError(Exception):
    """A text is not of its format, or says something twice."""


class Number(NamedTuple):
    """A number with all its digits; as text where it is beyond all bounds."""

    is_whole: bool
    value: Decimal | str

    @property
    def is_finite(self) -> bool:
        """Whether it is neither infinite nor none."""
        return isinstance(self.value, str) or self.value.is_finite()


def number(text: str, *, is_whole: bool) -> Number:
    """The number that a text says."""
    try:
        return Number(is_whole, Decimal(text))
    except InvalidOperation:
        return Number(is_whole, text)


class Tagged(NamedTuple):
    """A value with a tag of its own, such as `!Ref`."""

    tag: str
    value: Any


@dataclass(frozen=True)
class Name:
    """A name in a mapping that is no text. `text` is what is written."""

    value: str
    text: str = field(compare=False)


def same_number(one: Number, other: Number) -> bool:
    """Whether both are the same, -0.0 and 0.0 told apart."""
    if one.is_whole != other.is_whole:
        return False
    if isinstance(one.value, str) or isinstance(other.value, str):
        return one.value == other.value
    if one.value.is_nan() or other.value.is_nan():
        return one.value.is_nan() and other.value.is_nan()
    same_sign = one.is_whole or one.value.is_signed() == other.value.is_signed()
    return one.value == other.value and same_sign


def same_double(one: Number, other: Number) -> bool:
    """Whether both are the same in 64 bits, which is all that most readers keep."""
    if one.is_whole or other.is_whole or not (one.is_finite and other.is_finite):
        return False
    return math.isfinite(float(one.value)) and repr(float(one.value)) == repr(float(other.value))
