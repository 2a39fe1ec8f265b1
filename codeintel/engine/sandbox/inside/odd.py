"""Values on which programs differ that look alike, by kind."""

from __future__ import annotations

import datetime
import decimal
import pathlib
from typing import Any

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
"""For containers, and where no annotation asks for `float`. `nan` and `-0.0` are left out: authors
do not expect them there, and many right rewrites treat them differently."""
LETTERS = (*"abcXYZ0127 .-_@#!", "\u00e9", "\u00df")
UNORDERED = (float("nan"), 0.0, float("nan"), -0.0, float("inf"))
"""Fractions that comparisons tell apart: for parameters that are annotated `float`."""
