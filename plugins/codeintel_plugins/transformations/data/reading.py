"""Reading JSON, YAML (by the core schema of version 1.2, with dates and merge keys) and TOML, and
gathering what a format cannot hold."""

from __future__ import annotations

import datetime
import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

import yaml

from codeintel.contracts import Unsupported
from codeintel.engine.syntax import source_of

MAX_DEPTH = 100
MAX_VALUES = 200_000
MAX_DIGITS = 4_000
COMMENTS = "Comments are removed"
ALIASES = "Aliases are expanded"
MERGES = "Merge keys are expanded"
TAGS = "Tags are removed, but their values are kept"
BINARY = "Binary values become Base64 strings"
DATES = "Dates and times become strings"
NULLS = "Keys without a value are removed"
NANS = "Infinity and NaN become null"
KEYS = "Keys that are not strings become strings"
ORDER = "The order of keys changes, because tables come last"
BIG = "Integers beyond 2^53 are kept, but JavaScript rounds them"
WORDS = "Words such as `on` and `no`, which are booleans in YAML 1.1, become strings"
DIGITS = "Numbers are rounded to 64 bits"
OCTALS = (
    "Numbers such as `012` and `0o14`, which are octal in only one version of YAML, are read as in "
    "YAML 1.2"
)
SIXTIES = "Words such as `1:30`, which are base-60 numbers in YAML 1.1, become strings"
UNDERSCORES = "Words such as `1_000` and `0b11`, which are numbers in YAML 1.1, become strings"
ZEROS = "Negative zeros lose their sign"


@dataclass
class Losses:
    """Counts of losses by description, in order of first occurrence, with their positions."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, dict[str, None]] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    """The names that lead to what is being read or written; `[]` for a place in a list."""

    def add(self, what: str, count: int = 1) -> None:
        """Note a loss that has no place."""
        if count:
            self.counts[what] = self.counts.get(what, 0) + count

    def add_here(self, what: str) -> None:
        """Note a loss at the path."""
        self.add(what)
        place = ""
        for name in self.path:
            place = f"{place}.{name}" if place and name != "[]" else place + name
        self.places.setdefault(what, {})[place or "."] = None

    def sentences(self) -> Iterator[str]:
        """Yield the human-readable sentences."""
        for what, count in self.counts.items():
            often = f": {count}" if count > 1 else ""
            places = ", ".join(f"`{place}`" for place in self.places.get(what, ()))
            yield f"{what}{often} ({places})." if places else f"{what}{often}."


class Rounded(float):
    """A number that has more digits than it can keep."""


def read_float(text: str) -> float:
    """Return the number of a text.

    :raises Unsupported: if the number is too large.
    """
    value = float(text)
    if math.isinf(value) and "inf" not in text.lower():
        raise Unsupported("A number exceeds 64 bits.")
    try:
        is_exact = math.isnan(value) or Decimal(text) == Decimal(repr(value))
    except InvalidOperation:
        is_exact = False
    return value if is_exact else Rounded(value)


_PREFIX = "tag:yaml.org,2002:"
_NULL = re.compile(r"(?:~|null|Null|NULL|)\Z")
_TRUE = re.compile(r"(?:true|True|TRUE)\Z")
_FALSE = re.compile(r"(?:false|False|FALSE)\Z")
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL = re.compile(r"0o([0-7]+)\Z")
_HEXADECIMAL = re.compile(r"0x([0-9a-fA-F]+)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)\Z")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|z|[-+]\d\d:\d\d)?\Z")
_OLD_WORDS = re.compile(r"(?:y|n|yes|no|on|off)\Z", re.IGNORECASE)
_OLD_NUMBERS = {
    OCTALS: re.compile(r"[-+]?0o?[0-9]+\Z"),
    SIXTIES: re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z"),
    UNDERSCORES: re.compile(
        r"[-+]?(?:0b[01_]+|(?=.*_)(?:0x[0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?\d+)?))\Z"
    ),
}
"""What version 1.1 reads otherwise."""
_TAGGED = re.compile(r"(?:&\S+\s+)?!")


def read_yaml(code: str, losses: Losses) -> Any:
    """Return the value of the only document."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        documents = list(yaml.compose_all(code, Loader=loader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise Unsupported(f"line {line}: {error.problem or 'the code is not valid YAML'}") from None
    except yaml.YAMLError:
        raise Unsupported("The code is not valid YAML.") from None
    if len(documents) > 1:
        raise Unsupported(
            f"line {documents[1].start_mark.line + 1}: multiple documents are not supported"
        )
    return _Reader(losses, code).value(documents[0], 0) if documents and documents[0] else None


class _Reader:
    """Turns nodes into values."""

    def __init__(self, losses: Losses, code: str) -> None:
        self._losses = losses
        self._code = code
        self._seen: set[int] = set()
        self._open: set[int] = set()
        self._count = 0
        self._copying = 0

    def value(self, node: yaml.Node, depth: int) -> Any:
        self._count += 1
        if self._count > MAX_VALUES or depth > MAX_DEPTH:
            raise Unsupported(f"line {_line(node)}: the data is too large or nested too deeply")
        if id(node) in self._open:
            raise Unsupported(f"line {_line(node)}: an alias refers to its own parent")
        again = id(node) in self._seen
        if again and not self._copying:
            self._losses.add(ALIASES)
        self._seen.add(id(node))
        self._copying += again
        try:
            return self._value(node, depth)
        finally:
            self._copying -= again

    def _value(self, node: yaml.Node, depth: int) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if node.tag not in (f"{_PREFIX}map", f"{_PREFIX}seq"):
            self._losses.add_here(TAGS)
        self._open.add(id(node))
        try:
            if isinstance(node, yaml.SequenceNode):
                self._losses.path.append("[]")
                found = [self.value(each, depth + 1) for each in node.value]
                self._losses.path.pop()
                return found
            return self._mapping(node, depth)
        finally:
            self._open.discard(id(node))

    def _mapping(self, node: yaml.Node, depth: int) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        merged: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise Unsupported(f"line {_line(key_node)}: a key is not a scalar")
            if key_node.tag == f"{_PREFIX}merge":
                self._losses.add(MERGES)
                for each in self._merged(value_node, depth):
                    merged = {**each, **merged}
                continue
            self._losses.path.append(str(key_node.value))
            key = self._scalar(key_node)
            key = key if isinstance(key, str) else self._text_of(key_node)
            if key in found:
                raise Unsupported(f"line {_line(key_node)}: duplicate key")
            found[key] = self.value(value_node, depth + 1)
            self._losses.path.pop()
        return {**merged, **found} if merged else found

    def _text_of(self, node: yaml.ScalarNode) -> str:
        self._losses.add_here(KEYS)
        return str(node.value)

    def _merged(self, node: yaml.Node, depth: int) -> list[dict[Any, Any]]:
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not all(isinstance(each, yaml.MappingNode) for each in nodes):
            raise Unsupported(f"line {_line(node)}: a merge key needs a mapping")
        return [self.value(each, depth + 1) for each in nodes]

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        text = node.value
        is_plain = node.style not in ("'", '"', "|", ">")
        if not is_plain and node.tag == f"{_PREFIX}str":
            return text
        known = node.tag.removeprefix(_PREFIX)
        if known == "binary":
            self._losses.add_here(BINARY)
            return "".join(text.split())
        if not node.tag.startswith(_PREFIX):
            self._losses.add_here(TAGS)
            return text
        is_tagged = _TAGGED.match(self._code, node.start_mark.index) is not None
        self._name_old(text, is_tagged=is_tagged)
        if known == "str" and (is_tagged or not _is_plain_number(text)):
            return text
        if known == "float" and is_tagged and _INTEGER.match(text):
            return read_float(text)
        if _OLD_WORDS.match(text):
            self._losses.add(WORDS)
            return text
        try:
            return core_value(text)
        except ValueError:
            raise Unsupported(f"line {_line(node)}: invalid date") from None

    def _name_old(self, text: str, *, is_tagged: bool) -> None:
        for loss, pattern in _OLD_NUMBERS.items() if not is_tagged else ():
            if pattern.match(text):
                self._losses.add_here(loss)


def _is_plain_number(text: str) -> bool:
    """Return whether readers of version 1.1 treat the value as text, and those of 1.2 as a
    number."""
    return bool(_OCTAL.match(text) or _FLOAT.match(text))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def core_value(text: str) -> Any:
    """Return the value of a plain scalar."""
    if _NULL.match(text):
        return None
    if _TRUE.match(text) or _FALSE.match(text):
        return bool(_TRUE.match(text))
    if _INTEGER.match(text):
        if len(text) >= MAX_DIGITS:
            raise Unsupported("A number has too many digits.")
        return int(text)
    if found := _OCTAL.match(text):
        return int(found[1], 8)
    if found := _HEXADECIMAL.match(text):
        return int(found[1], 16)
    if _FLOAT.match(text):
        return read_float(text)
    if found := _INFINITE.match(text):
        return float(f"{found[1]}inf")
    if _NAN.match(text):
        return float("nan")
    if _DATE.match(text):
        return datetime.date.fromisoformat(text)
    if _TIME.match(text):
        return datetime.datetime.fromisoformat(text.upper().replace(" ", "T"))
    return text


def read(code: str, language: str, losses: Losses) -> Any:
    """Return the value of a text.

    :raises Unsupported: for what is no such text, or has a name twice.
    """
    code = code.removeprefix("\ufeff")
    try:
        value = _READERS[language](code, losses)
    except (RecursionError, MemoryError):
        raise Unsupported("The data is nested too deeply.") from None
    if language != "json":
        losses.add(COMMENTS, count_comments(code, language))
    return value


def _json(code: str, losses: Losses) -> Any:
    def constant(word: str) -> Any:
        raise Unsupported(f"JSON has no `{word}`.")

    def whole(text: str) -> int:
        losses.add(ZEROS, text == "-0")
        return int(text)

    try:
        value = json.loads(
            code,
            parse_constant=constant,
            parse_float=read_float,
            parse_int=whole,
            object_pairs_hook=_pairs,
        )
    except json.JSONDecodeError as error:
        raise Unsupported(f"line {error.lineno}: {error.msg}") from None
    except _TwiceError as error:
        raise Unsupported(f"line {_line_of_second(code, error)}: duplicate key") from None
    except ValueError:
        raise Unsupported("A number has too many digits.") from None
    return value


class _TwiceError(Exception):
    """A name is twice in an object."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _TwiceError(name)
            seen.add(name)
    return found


def _line_of_second(code: str, error: _TwiceError) -> int:
    """Return the line of the first duplicate name in an object."""
    stack = [source_of(code.encode()).root("json")]
    lines: list[int] = []
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        names: set[str] = set()
        for pair in node.named_children if node.type == "object" else ():
            key = pair.child_by_field_name("key")
            name = json.loads(key.text or b'""') if key is not None else ""
            if name in names and name == error.args[0]:
                lines.append(pair.start_point.row + 1)
            names.add(name)
    return min(lines, default=1)


def _toml(code: str, losses: Losses) -> Any:  # noqa: ARG001 - as the others
    try:
        return tomllib.loads(code.replace("\r\n", "\n"), parse_float=read_float)
    except tomllib.TOMLDecodeError as error:
        raise Unsupported(f"{error}") from None
    except ValueError:
        raise Unsupported("A number has too many digits.") from None


def count_comments(code: str, language: str) -> int:
    """Return the number of comments."""
    root = source_of(code.encode()).root(language)
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += node.type == "comment"
        stack.extend(node.children)
    return count


_READERS: dict[str, Callable[[str, Losses], Any]] = {
    "json": _json,
    "yaml": read_yaml,
    "toml": _toml,
}
