"""Writing plain values as JSON, YAML and TOML."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Callable
from typing import Any

import tomli_w
import yaml

from codeintel.contracts import Unsupported
from codeintel_plugins.transformations.data.losses import (
    BIG,
    DATES,
    DIGITS,
    MAX_DEPTH,
    NANS,
    NULLS,
    ORDER,
    Losses,
    Rounded,
)

_EXACT = 2**53
_LONG = 2**63
_DOUBTFUL = re.compile(
    r"(?:y|n|yes|no|on|off|~|null|true|false|\.nan|[-+]?\.inf)\Z"
    r"|[-+]?[0-9.][0-9_,.:eExXoObBa-fA-F+-]*\Z|\d{4}-\d\d?-\d\d?",
    re.IGNORECASE,
)
"""What some reader of YAML takes for something else than text."""
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write(value: Any, target: str, losses: Losses) -> str:
    """The text.

    :raises Unsupported: for what the format cannot hold at all.
    """
    return _WRITERS[target](_fitted(value, target, losses, 0), losses)


def _fitted(value: Any, target: str, losses: Losses, depth: int) -> Any:
    """The value as far as the format can hold it."""
    if depth > MAX_DEPTH:
        raise Unsupported("The data is nested too deeply.")
    if isinstance(value, dict):
        fitted = {}
        for name, each in value.items():
            losses.path.append(str(name))
            if each is None and target == "toml":
                losses.add_here(NULLS)
            else:
                fitted[name] = _fitted(each, target, losses, depth + 1)
            losses.path.pop()
        return fitted
    if isinstance(value, list):
        if target == "toml" and any(each is None for each in value):
            raise Unsupported("TOML has no value for null, and a list has one.")
        losses.path.append("[]")
        fitted_values = [_fitted(each, target, losses, depth + 1) for each in value]
        losses.path.pop()
        return fitted_values
    return _fitted_scalar(value, target, losses)


def _fitted_scalar(value: Any, target: str, losses: Losses) -> Any:
    if isinstance(value, float) and not math.isfinite(value) and target == "json":
        losses.add_here(NANS)
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        if target == "toml" and not -_LONG <= value < _LONG:
            raise Unsupported("TOML has no whole numbers beyond 64 bits.")
        if target == "json" and abs(value) > _EXACT:
            losses.add(BIG)
    is_moment = isinstance(value, datetime.date | datetime.time)
    if is_moment and (target == "json" or (target == "yaml" and isinstance(value, datetime.time))):
        losses.add_here(DATES)
        return value.isoformat()
    if isinstance(value, Rounded):
        losses.add_here(DIGITS)
        return float(value)
    return value


def _json(value: Any, losses: Losses) -> str:  # noqa: ARG001 - as the others
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a half of a pair, which no file can hold
        text = json.dumps(value, indent=2, allow_nan=False)
    return f"{text}\n"


class _Dumper(yaml.SafeDumper):
    """Block style, lists further in than their names, and no aliases."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        return super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - its signature
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = None
    if _DOUBTFUL.match(value) or _UNSEEN.search(value):
        style = '"'
    elif "\n" in value.strip("\n") and all(
        line == line.rstrip() and "\t" not in line for line in value.split("\n")
    ):
        style = "|"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _moment(dumper: yaml.SafeDumper, value: datetime.datetime) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", value.isoformat())


_Dumper.add_representer(str, _text)
_Dumper.add_representer(datetime.datetime, _moment)


def _yaml(value: Any, losses: Losses) -> str:  # noqa: ARG001 - as the others
    try:
        return yaml.dump(
            value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=4_096
        ).removesuffix("...\n")
    except UnicodeEncodeError:
        raise Unsupported("A text has half of a character, which YAML cannot hold.") from None


def _toml(value: Any, losses: Losses) -> str:
    if not isinstance(value, dict):
        raise Unsupported("TOML needs names at the outermost level.")
    if _is_reordered(value):
        losses.add(ORDER)
    try:
        text = tomli_w.dumps(value)
        text.encode()
    except UnicodeEncodeError:
        raise Unsupported("A text has half of a character, which TOML cannot hold.") from None
    return text


def _is_reordered(value: Any) -> bool:
    """Whether a plain value stands behind a table, where TOML cannot have it."""
    if isinstance(value, list):
        return any(map(_is_reordered, value))
    if not isinstance(value, dict):
        return False
    tables = [_is_table(each) for each in value.values()]
    return tables != sorted(tables) or any(map(_is_reordered, value.values()))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)
    )


_WRITERS: dict[str, Callable[[Any, Losses], str]] = {"json": _json, "yaml": _yaml, "toml": _toml}
