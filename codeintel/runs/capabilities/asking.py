"""Asking plugins what they can do: one that fails to answer takes nothing else down."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import msgspec

from codeintel.base.logging.setup import describe

log = logging.getLogger(__name__)

T = TypeVar("T")
P = ParamSpec("P")


def asked(
    name: str, otherwise: T, question: Callable[P, T], *arguments: P.args, **named: P.kwargs
) -> T:
    """What a plugin's object answers, or `otherwise` where it fails to."""
    try:
        return question(*arguments, **named)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("%r cannot say what it can do: %s", name, describe(error))
        return otherwise


def checked(value: object, type_: type[T]) -> T:
    """The value with fields of the right types all through: structs do not check their own."""
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)
