"""Read JSON, TOML and YAML without losing what the format says about a value."""

from __future__ import annotations

import datetime
import json
import math
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import yaml


class UnreadableDataError(Exception):
    """A text is malformed, or defines a name twice."""


class Number(NamedTuple):
    """A number with all its digits. The value is text if it exceeds all bounds."""

    is_whole: bool
    value: Decimal | str

    @property
    def is_finite(self) -> bool:
        """Return whether the number is neither infinite nor NaN."""
        return isinstance(self.value, str) or self.value.is_finite()


def number(text: str, *, is_whole: bool) -> Number:
    """Parse a number. A value beyond the bounds of `Decimal` remains a string."""
    try:
        return Number(is_whole, Decimal(text))
    except InvalidOperation:
        return Number(is_whole, text)


class Tagged(NamedTuple):
    """A value with a custom tag, such as `!Ref`."""

    tag: str
    value: Any


@dataclass(frozen=True)
class Name:
    """A key of a mapping that is not a string. `text` is the key as written."""

    value: str
    text: str = field(compare=False)


def same_number(one: Number, other: Number) -> bool:
    """Return whether two numbers are equal. -0.0 and 0.0 differ."""
    if one.is_whole != other.is_whole:
        return False
    if isinstance(one.value, str) or isinstance(other.value, str):
        return one.value == other.value
    if one.value.is_nan() or other.value.is_nan():
        return one.value.is_nan() and other.value.is_nan()
    same_sign = one.is_whole or one.value.is_signed() == other.value.is_signed()
    return one.value == other.value and same_sign


def same_double(one: Number, other: Number) -> bool:
    """Return whether two numbers are equal in 64 bits, which is the precision of most readers."""
    if one.is_whole or other.is_whole or not (one.is_finite and other.is_finite):
        return False
    return math.isfinite(float(one.value)) and repr(float(one.value)) == repr(float(other.value))


_MAX_DIGITS = 4_000


class _Loader(yaml.SafeLoader):
    """A safe loader with the implicit types of YAML 1.2."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the class above declares it


_TYPES = (
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        "-+.0123456789",
    ),
    (
        "timestamp",
        r"\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|z|[-+]\d\d:\d\d)?)?",
        "0123456789",
    ),
    ("merge", r"<<", "<"),
)
for _type, _pattern, _first in _TYPES:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_type}", re.compile(rf"^(?:{_pattern})$"), [*_first]
    )
_Loader.yaml_implicit_resolvers.setdefault("", []).append(
    ("tag:yaml.org,2002:null", re.compile(r"^$"))
)


def _integer(_: _Loader, node: yaml.ScalarNode) -> Number:
    text = str(node.value)
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    if base == 10:
        return number(text, is_whole=True)
    if len(text) > _MAX_DIGITS:
        return Number(True, text.lower())
    return Number(True, Decimal(int(text[2:], base)))


def _float(_: _Loader, node: yaml.ScalarNode) -> Number:
    text = str(node.value).lower()
    return number(text.replace(".inf", "inf").replace(".nan", "nan"), is_whole=False)


def _moment(_: _Loader, node: yaml.ScalarNode) -> datetime.date:
    text = str(node.value).upper().replace(" ", "T")
    return (
        datetime.datetime.fromisoformat(text) if "T" in text else datetime.date.fromisoformat(text)
    )


def _mapping(loader: _Loader, node: yaml.MappingNode) -> Any:
    given = [_name(loader, key) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
    if len(set(given)) != len(given):
        raise UnreadableDataError("a name is defined twice")
    found: dict[Any, Any] = {}
    yield found
    loader.flatten_mapping(node)
    for key, value in node.value:
        found[_name(loader, key)] = loader.construct_object(value, deep=True)


def _name(loader: _Loader, node: yaml.Node) -> str | Name:
    known = loader.construct_object(node, deep=True)
    if isinstance(known, str):
        return known
    if isinstance(known, Tagged):
        known = known.tag, known.value
    return Name(repr(known), str(node.value) if isinstance(node, yaml.ScalarNode) else "")


def _tagged(loader: _Loader, suffix: str, node: yaml.Node) -> Tagged:
    """Construct a value with an unknown or binary tag, in the form that its node has."""
    tag = str(node.tag)
    if isinstance(node, yaml.MappingNode):
        return Tagged(tag, _entire(loader, node))
    if isinstance(node, yaml.SequenceNode):
        return Tagged(tag, loader.construct_sequence(node, deep=True))
    text = str(node.value)
    return Tagged(tag, "".join(text.split()) if suffix.endswith("2002:binary") else text)


def _entire(loader: _Loader, node: yaml.MappingNode) -> Any:
    made = _mapping(loader, node)
    found = next(made)
    for _ in made:
        pass
    return found


def _known_tag(loader: _Loader, node: yaml.Node) -> Tagged:
    return _tagged(loader, str(node.tag), node)


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _moment)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
for _tag in ("binary", "set", "omap", "pairs"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _known_tag)
_Loader.add_multi_constructor("", _tagged)


def read_yaml(code: str) -> list[Any]:
    """Return the value of each document."""
    return list(yaml.load_all(code, Loader=_Loader)) or [None]


def read(code: str, language: str) -> list[Any]:
    """Return the values of a text: one, or one per YAML document.

    :raises UnreadableDataError: if the text is invalid.
    """
    try:
        return _READERS[language](code.removeprefix("\ufeff"))
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError):
        raise UnreadableDataError("it does not parse") from None
    except RecursionError:
        raise UnreadableDataError("it is nested too deeply") from None
    except (ValueError, TypeError):
        raise UnreadableDataError("a value is invalid") from None


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableDataError("a name is defined twice")
    return found


def _refused(word: str) -> Any:
    raise UnreadableDataError(f"{word} is invalid in JSON")


def _float_of(text: str) -> Number:
    return number(text, is_whole=False)


def _integer_of(text: str) -> Number:
    return number(text, is_whole=True)


def _json(code: str) -> list[Any]:
    value = json.loads(
        code,
        object_pairs_hook=_unique,
        parse_constant=_refused,
        parse_float=_float_of,
        parse_int=_integer_of,
    )
    return [value]


def _toml(code: str) -> list[Any]:
    return [_exact(tomllib.loads(code.replace("\r\n", "\n"), parse_float=_float_of))]


def _exact(value: Any) -> Any:
    """Convert integers to `Number`."""
    if isinstance(value, dict):
        return {name: _exact(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_exact(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return number(str(value), is_whole=True)
    return value


_READERS: dict[str, Callable[[str], list[Any]]] = {"json": _json, "yaml": read_yaml, "toml": _toml}
