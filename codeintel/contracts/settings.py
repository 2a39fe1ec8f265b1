"""Settings that plugins declare, and parsers for their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from codeintel.base.setting_values import (
    SettingError,
    base_url,
    flag,
    json_list,
    number,
    seconds,
    text,
    token,
    whole,
)

__all__ = [
    "Setting",
    "SettingError",
    "base_url",
    "flag",
    "json_list",
    "number",
    "seconds",
    "text",
    "token",
    "whole",
]

PREFIX = "CODEINTEL_"


@dataclass(frozen=True)
class Setting:
    """A setting of a plugin. It is checked at startup and listed by `codeintel config`.

    :param name: in capitals, begins with `CODEINTEL_`.
    :param default: the default value, of the type that `parse` returns.
    :param help: one sentence on what it means.
    :param parse: takes a value from a file, the environment or code, or an earlier result. Returns
        text, a number, a truth value, or a list or dictionary of them. Raises ValueError with the
        expected format, such as "must be a whole number".
    :param secret: whether it is masked in all output and kept from the processes that analyze code.
    """

    name: str
    default: Any
    help: str
    parse: Callable[[Any], Any] = text
    secret: bool = False

    def __post_init__(self) -> None:
        if not self.name.startswith(PREFIX) or self.name != self.name.upper():
            raise ValueError(f"{self.name!r} must be in capitals and begin with {PREFIX}")
