"""Plain readers of data. YAML is read by version 1.2's core schema, with dates and merge keys."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

import yaml


class UnreadableDataError(Exception):
    """A text is not of its format, or says something twice."""


def read(code: str, language: str) -> Any:
    """The value of a text."""
    try:
        return _READERS[language](code.removeprefix("\ufeff"))
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError):
        raise UnreadableDataError("it does not parse") from None
    except (ValueError, RecursionError, TypeError):
        raise UnreadableDataError("a value is none, or it is nested too deeply") from None


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableDataError("a name is there twice")
    return found


def _refused(word: str) -> Any:
    raise UnreadableDataError(f"{word} is no JSON")


def _json(code: str) -> Any:
    return json.loads(code, object_pairs_hook=_unique, parse_constant=_refused)


def _toml(code: str) -> Any:
    return tomllib.loads(code.replace("\r\n", "\n"))


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
for _name, _pattern, _first in _TYPES:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_name}", re.compile(rf"^(?:{_pattern})$"), [*_first]
    )
_Loader.yaml_implicit_resolvers.setdefault("", []).append(
    ("tag:yaml.org,2002:null", re.compile(r"^$"))
)


def _integer(_: _Loader, node: yaml.ScalarNode) -> int:
    text = str(node.value)
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    return int(text[2:] if base != 10 else text, base)


def _float(_: _Loader, node: yaml.ScalarNode) -> float:
    text = str(node.value).lower()
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


def _moment(_: _Loader, node: yaml.ScalarNode) -> datetime.date:
    text = str(node.value).upper().replace(" ", "T")
    return (
        datetime.datetime.fromisoformat(text) if "T" in text else datetime.date.fromisoformat(text)
    )


def _mapping(loader: _Loader, node: yaml.MappingNode) -> Any:
    given = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
    if len(set(map(str, given))) != len(given):
        raise UnreadableDataError("a name is there twice")
    found: dict[Any, Any] = {}
    yield found
    loader.flatten_mapping(node)
    for key, value in node.value:
        known = loader.construct_object(key, deep=True)
        name = known if isinstance(known, str) else str(key.value)
        found[name] = loader.construct_object(value, deep=True)


def _any(loader: _Loader, suffix: str, node: yaml.Node) -> Any:
    """What has a tag that nobody knows, or bytes: by the form of the node."""
    if isinstance(node, yaml.MappingNode):
        return next(reversed([*_entire(loader, node)]))
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    text = str(node.value)
    return "".join(text.split()) if suffix.endswith("2002:binary") else text


def _entire(loader: _Loader, node: yaml.MappingNode) -> list[Any]:
    made = _mapping(loader, node)
    found = next(made)
    for _ in made:
        pass
    return [found]


def _tagged(loader: _Loader, node: yaml.Node) -> Any:
    return _any(loader, str(node.tag), node)


_Loader.add_constructor("tag:yaml.org,2002:int", _integer)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _moment)
_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
for _tag in ("binary", "set", "omap", "pairs"):
    _Loader.add_constructor(
        f"tag:yaml.org,2002:{_tag}",
        _tagged,
    )
_Loader.add_multi_constructor("", _any)


def _yaml(code: str) -> Any:
    return yaml.load(code, Loader=_Loader)  # noqa: S506 - it is a safe loader, with fewer types


_READERS: dict[str, Callable[[str], Any]] = {"json": _json, "yaml": _yaml, "toml": _toml}
