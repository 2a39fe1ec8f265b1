"""Generate plain values: numbers, strings and times.

Odd values come first, in turn. Later values depend on the constants of both programs. A few values
repeat, also as variants of each other.
"""

from __future__ import annotations

import datetime
import decimal
import pathlib
from random import Random
from typing import Any

from .constants import Pools, around, structured, twin

_EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
_UTC = datetime.timezone.utc  # noqa: UP017 - read by interpreters as they are
ODD: dict[str, tuple[Any, ...]] = {
    "int": (3, 0, 1, -1, 2, 10, 7, -7, 100, 5, 12, 255, 1000, 2**31, -(2**63), 2024),
    "float": (1.5, 0.0, -0.0, float("nan"), float("inf"), -2.25, 1e-9, 100.0, -float("inf"), 1e18),
    "str": (
        *("abc", "", "a", "Hello, World", "racecar", "12", " x  y ", "a,b,,c", "-3.5", "ABC abc"),
        *("stra\u00dfe \u00e9\u4e2d\U0001f600", "line one\nline two\n", "key=value", "a@b.org"),
        *("2024-02-29", "{}[]()", "\x00\t", "0", "%s {0}", "(1+2)*3", "\u0130I\u0131i", "\u00b2"),
        *("e\u0301\u00e9", "\ufb01x", "aa", "xxabcxx", "\u00a0n\u00a0", "ab ab"),
        *("a\r\nb\x0bc\u2028d", "Abc", "z\u00df"),
    ),
    "bytes": (b"abc", b"", b"\x00\xff", b"line\n", b"aa", b"AbC", b"a,b"),
    "bool": (True, False),
    "none": (None,),
    "complex": (1 + 2j, 0j),
    "decimal": (
        *(decimal.Decimal("1.10"), decimal.Decimal(0), decimal.Decimal("-2.5")),
        *(decimal.Decimal("2.675"), decimal.Decimal("0.005"), decimal.Decimal(100)),
    ),
    "date": (
        *(datetime.date(2024, 2, 29), datetime.date(1999, 12, 31), datetime.date(2000, 1, 1)),
        *(datetime.date(2024, 3, 1), datetime.date(2023, 11, 5), datetime.date(2024, 12, 30)),
    ),
    "datetime": (
        datetime.datetime(2024, 2, 29, 23, 59, 59),  # noqa: DTZ001 - as programs have them
        datetime.datetime(1999, 12, 31),  # noqa: DTZ001
        datetime.datetime(2024, 3, 1, 0, 30, tzinfo=_UTC),
        datetime.datetime(2024, 3, 1, 0, 30, 15, 250, tzinfo=_EAST),
        datetime.datetime(2024, 3, 1, 0, 30),  # noqa: DTZ001
        datetime.datetime(2024, 2, 29, 19, 0, tzinfo=_UTC),
    ),
    "timedelta": (
        *(datetime.timedelta(1), datetime.timedelta(0), datetime.timedelta(hours=-1)),
        *(datetime.timedelta(days=1, seconds=3700), datetime.timedelta(seconds=59.5)),
    ),
    "path": (pathlib.Path("a/b.txt"), pathlib.Path(), pathlib.Path("/x/../y")),
}  # fmt: skip
WORDS = ("a", "b", "B", "ab", "abc", "Abc", "x", "xx", "", "1", "12", "\u00df", "ss", "z y")
FALSY = (None, 0, "", 0.0, False)
REAL = (1.5, 0.0, -2.25, 100.0, 0.25, 3.0, 1e-9)
"""Numbers for containers, and for parameters without a `float` annotation.

`nan` and `-0.0` are left out, because authors do not expect them there and many correct rewrites
treat them differently.
"""
LETTERS = (*"abcXYZ0127 .-_@#!", "\u00e9", "\u00df")
UNORDERED = (float("nan"), 0.0, float("nan"), -0.0, float("inf"))
"""Fractions that comparisons distinguish, for parameters annotated with `float`."""


_SMALL: dict[str, tuple[Any, ...]] = {
    "int": (0, 0, 1, -1, 2),
    "float": (0.0, 1.0, -1.0, 0.5),
    "str": ("", "", " ", "a", "0"),
}
_MAX_LENGTH = 200


class Plain:
    """Draws plain values for one call.

    :param random: decides the values.
    :param number: the number of the call. The first calls get the odd values in turn.
    :param pools: values derived from the programs' constants.
    :param few: values that repeat, also within other values of the same call.
    """

    def __init__(
        self, random: Random, number: int, pools: Pools, few: dict[str, list[Any]] | None
    ) -> None:
        self._random = random
        self._number = number
        self._pools = pools
        self._few: dict[str, list[Any]] = {} if few is None else few
        self._again = 0.35 if not self._few else 0.6
        self._is_aware = number % 2 == 1
        self._given = 0
        self.depth = 0

    def flip(self) -> bool:
        """Return True or False at random."""
        return self._random.random() < 0.5

    def _drawn(self, kind: str) -> Any:
        odd = ODD[kind] if kind != "float" or self.depth == 0 else REAL
        if self._number < len(odd) and self.depth == 0:
            return self._in_turn(odd)
        unordered = self._pools.get("odd_float") if kind == "float" and self.depth == 0 else None
        if unordered and self._random.random() < 0.2:
            return self._one(unordered)
        few = self._few.setdefault(kind, [])
        if self._random.random() < 0.12:
            return self._one(_SMALL[kind])
        if kind == "float" and self.depth > 0 and self._random.random() < 0.2:
            return self._one(REAL)
        chance = self._random.random()
        if few and chance < self._again:
            again = self._one(few)
            if kind == "str" and chance < 0.2:
                return self._variant(again)
            return again
        value = self._fresh(kind, self._random.random())
        if len(few) < 4:
            few.append(value)
        return value

    def _variant(self, text: str) -> str:
        """Return a string that is almost the same as another one of the call, with one part more
        or less."""
        separators = [each for each in self._pools.get("separator") or () if each in text]
        if not separators or self._random.random() < 0.4:
            return twin(text, self._random)
        separator: str = self._one(separators)
        tokens = self._pools.get("token") or WORDS
        longer = separator.join((text, self._one(("0", "", *tokens))))
        shorter = text.rpartition(separator)[0]
        return str(self._one((longer, shorter, separator + text)))[:_MAX_LENGTH]

    def _fresh(self, kind: str, chance: float) -> Any:
        pool = self._pools.get(kind) or ()
        if kind == "str":
            return self._text(pool, chance)
        if pool and chance < 0.75:
            return self._one(pool)
        if kind == "int":
            return self._random.randint(-3, 12) if chance < 0.9 else self._one(ODD["int"][:13])
        if chance < 0.85:
            return self._one((0.5, 1.0, 2.5, -0.5, 3.0, 0.1, 12.75, -4.0, 2.0, 7.0))
        return self._one(ODD["float"] if self.depth == 0 else REAL)

    def _text(self, pool: Any, chance: float) -> str:
        made = self._pools.get("separator"), self._pools.get("token")
        if any(made) and self._random.random() < 0.4:
            return self._structured(made[0] or [], made[1] or [*WORDS, *pool])
        if chance < 0.8 and (pool or chance >= 0.7):
            text: str = self._one(pool if chance < 0.7 else ODD["str"])
            return text if not 0.4 <= chance < 0.7 else around(text, self._random)[:_MAX_LENGTH]
        if chance > 0.9:
            return self._lettered(pool)
        pieces = [*WORDS, *pool, *self._few.get("str", ())]
        between: str = self._one(("", " ", ",", "-", "\n", "_", *pool[:6]))
        count = self._random.randrange(5)
        if chance > 0.86:
            rows = (
                between.join(self._one(pieces) for _ in range(self._random.randrange(1, 5)))
                for _ in range(count)
            )
            return "\n".join(rows)[:_MAX_LENGTH]
        return between.join(self._one(pieces) for _ in range(count))[:_MAX_LENGTH]

    def _structured(self, separators: list[str], tokens: list[str]) -> str:
        """Return a string of several parts. One part may repeat in this string or elsewhere."""
        few = self._few.setdefault("token", [])
        if len(few) < 3:
            few.append(self._one(tokens))
        pieces = [*tokens, *few * (1 + len(tokens) // 8)]
        text = structured(separators, pieces, self._random)
        prefixes = self._pools.get("prefix")
        if prefixes and self._random.random() < 0.5:
            text = self._one(prefixes) + text
        return text[:_MAX_LENGTH]

    def _lettered(self, pool: Any) -> str:
        """Return a string of letters, many from the programs' constants, whose length often
        matters to the program."""
        special = [letter for each in pool for letter in each if not letter.isalnum()]
        some = self._one((LETTERS, [*LETTERS, *special], ["1", "2", "3.5", "0", *special * 2]))
        lengths = self._pools.get("length") or ()
        fixed = lengths and self._random.random() < 0.6
        size = self._one(lengths) if fixed else self._random.randrange(1, 14)
        return "".join(self._one(some) for _ in range(size))[:_MAX_LENGTH]

    def _date(self) -> datetime.date:
        few = self._few.setdefault("date", [])
        if few and self._random.random() < 0.5:
            day: datetime.date = self._one(few)
            years = self._one((0, 0, 1, -1, 30))
            return day.replace(year=day.year + years, day=min(day.day, 28))
        day = self._one(ODD["date"]) + datetime.timedelta(days=self._random.randint(-400, 40))
        few.append(day)
        return day

    def _datetime(self) -> datetime.datetime:
        if self._number % 7 != 6:  # naive and aware ones cannot be compared
            of_a_kind = [each for each in ODD["datetime"] if bool(each.tzinfo) == self._is_aware]
            moment: datetime.datetime = self._one(of_a_kind)
            later = datetime.timedelta(
                days=self._one((0, 1, -1, 7, self._random.randint(-400, 400))),
                hours=self._random.randint(-30, 30),
                minutes=self._one((0, 30, 59)),
            )
            return moment if self.flip() else moment + later
        mixed: datetime.datetime = self._one(ODD["datetime"])
        return mixed

    def _in_turn(self, choices: Any) -> Any:
        """Return the choices in turn at first, different for adjacent parameters, then random
        ones."""
        if self._number < len(choices) and self.depth == 0:
            return choices[(self._number + 3 * (self._given - 1)) % len(choices)]
        return self._one(choices)

    def _one(self, choices: Any) -> Any:
        return choices[self._random.randrange(len(choices))]
