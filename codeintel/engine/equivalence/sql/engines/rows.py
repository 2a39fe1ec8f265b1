"""What queries give, as it is compared."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any


def normal(rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, ...]]:
    """Rows so that those of two engines can be compared: 1 is 1.0 and true, dates are texts."""
    return [tuple(map(_normal, row)) for row in rows]


def _normal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return f"n{int(value)}"
    if isinstance(value, datetime.datetime):
        return f"t{value.replace(tzinfo=None).isoformat(' ')}"
    if isinstance(value, datetime.date):
        return f"t{value.isoformat()}"
    if isinstance(value, str):
        return f"t{value}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_normal, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key}:{_normal(each)}' for key, each in sorted(value.items()))}}}"
    if isinstance(value, bytes):
        return f"b{value.hex()}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        return f"o{value}"
    return f"n{int(number)}" if number.is_integer() and abs(number) < 1e15 else f"n{number:.9g}"
