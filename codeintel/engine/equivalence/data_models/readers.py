"""Plain readers of data."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

import yaml

from codeintel.engine.equivalence.data_models.values import Number, UnreadableDataError, number
from codeintel.engine.equivalence.data_models.yaml import read_yaml


def read(code: str, language: str) -> list[Any]:
    """The values of a text: one, or for YAML each of its documents."""
    try:
        return _READERS[language](code.removeprefix("\ufeff"))
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError):
        raise UnreadableDataError("it does not parse") from None
    except RecursionError:
        raise UnreadableDataError("it is nested too deeply") from None
    except (ValueError, TypeError):
        raise UnreadableDataError("a value is none") from None


def _unique(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableDataError("a name is there twice")
    return found


def _refused(word: str) -> Any:
    raise UnreadableDataError(f"{word} is no JSON")


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
    """With whole numbers as the others are."""
    if isinstance(value, dict):
        return {name: _exact(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_exact(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return number(str(value), is_whole=True)
    return value


_READERS: dict[str, Callable[[str], list[Any]]] = {"json": _json, "yaml": read_yaml, "toml": _toml}
