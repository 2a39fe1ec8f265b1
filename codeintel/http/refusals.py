"""Readable refusals, from msgspec's errors about a value."""

from __future__ import annotations

import re
import types
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UnsetType

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import NOT_BLANK
from codeintel.contracts.languages import NAME_PATTERN

_AT = " - at `$"
"""The text before the path at the end of a message. The text before that may quote the value."""
_MISSING = re.compile(r"Object missing required field `(?P<field>[^`]+)`")
_TYPE = re.compile(r"Expected `(?P<types>[\w |]+)`, got `\w+`")
_LENGTH = re.compile(r"Expected `\w+` of length <= (?P<most>\d+)")
_BOUND = re.compile(r"Expected `\w+` (?P<side><=|>=) (?P<bound>\d+)")
_TYPES = {
    "str": "a string",
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "array": "an array",
    "object": "a JSON object",
    "null": "null",
}
_SIDES = {"<=": "at most", ">=": "at least"}


def explain(text: str, type_: type[msgspec.Struct], value: Any = None) -> ServiceError:
    """Convert an error of msgspec into a refusal. It repeats nothing of the value except its
    length.

    :param text: the message of msgspec about a value for `type_`.
    :param value: the value, if it is available.
    """
    problem, at, place = text.rpartition(_AT)
    path = place.removesuffix("`").removeprefix(".") if at else ""
    problem = problem if at else text
    if missing := _MISSING.fullmatch(problem):
        path = f"{path}.{missing['field']}".lstrip(".")
        what = "is missing"
    else:
        what = _obligation(problem, type_, path, value)
    subject = f"`{path}`" if path else "The body"
    details = {"path": path} if path else {}
    return ServiceError(ErrorCode.INVALID_REQUEST, f"{subject} {what}.", details=details)


def _obligation(problem: str, type_: type[msgspec.Struct], path: str, value: Any) -> str:
    """Return the requirement, in words that follow a field's name."""
    if problem.endswith("of length >= 1"):
        return "must not be empty"
    if problem.endswith(f"matching regex {NOT_BLANK!r}"):
        return "must not be blank"
    if problem.endswith(f"matching regex {NAME_PATTERN!r}"):
        return "must have a letter or a digit"
    if problem.startswith("Invalid enum value"):
        return f"must be one of: {', '.join(_choices(type_, path))}"
    if wrong := _TYPE.fullmatch(problem):
        names = wrong["types"].split(" | ")
        return f"must be {' or '.join(_TYPES.get(name, name) for name in names)}"
    if long := _LENGTH.fullmatch(problem):
        given = value.get(path) if isinstance(value, dict) else None
        has = f", it has {len(given):,}" if isinstance(given, str) else ""
        return f"must have at most {int(long['most']):,} characters{has}"
    if beyond := _BOUND.fullmatch(problem):
        return f"must be {_SIDES[beyond['side']]} {int(beyond['bound']):,}"
    return f"is refused: {problem[:1].lower()}{problem[1:]}"


def _choices(type_: type[msgspec.Struct], path: str) -> list[str]:
    """Return the values of the enumeration in a top-level field, or in the items of its list."""
    names = {field.encode_name: field.name for field in msgspec.structs.fields(type_)}
    hint = without_unset(get_type_hints(type_).get(names.get(path.partition("[")[0], "")))
    for option in (hint, *get_args(hint)):
        if isinstance(option, type) and issubclass(option, Enum):
            return [str(item.value) for item in option]
    return []


def without_unset(type_: Any) -> Any:
    """Return a field's type without UNSET."""
    if get_origin(type_) not in (Union, types.UnionType):
        return type_
    options = tuple(option for option in get_args(type_) if option is not UnsetType)
    return Union[options]  # noqa: UP007 - their number is not known
