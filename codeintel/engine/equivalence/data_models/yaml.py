"""Reading YAML by version 1.2's core schema, with dates and merge keys."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal
from typing import Any

import yaml

from codeintel.engine.equivalence.data_models.values import (
    Name,
    Number,
    Tagged,
    UnreadableDataError,
    number,
)

_MAX_DIGITS = 4_000


class _Loader(yaml.SafeLoader):
    """Safe, with the implicit types of version 1.2."""

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
        raise UnreadableDataError("a name is there twice")
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
    """The tag, where nobody knows it or it is of bytes, and the value by the form of the node."""
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
    """The value of each document."""
    return list(yaml.load_all(code, Loader=_Loader)) or [None]
