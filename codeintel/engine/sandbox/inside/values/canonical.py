"""Render values as texts that are equal if the values and their types are."""

from __future__ import annotations

import enum
import math
import types
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

_MAX_PARTS = 20_000
_MAX_DEPTH = 60
_MAX_DRAINED = 100
_BY_REPR = frozenset(
    ["datetime", "decimal", "fractions", "ipaddress", "pathlib", "re", "uuid", "zoneinfo"]
)
"""Library modules whose values are compared by their repr."""
_LIBRARY = frozenset(["builtins", "collections", "array"])
_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
)


_SHARED = (
    *_FUNCTIONS,
    *(type, types.ModuleType, types.GenericAlias, tuple, frozenset, enum.Enum, str, bytes),
    *(int, float, complex, range, slice),
)
"""Immutable types, for which identity does not count."""
_WITHOUT_ATTRIBUTES = frozenset((dict, list, tuple, set, frozenset, bytearray))


class UnwritableError(Exception):
    """A value is too large, too deeply nested, or cannot be distinguished from others of its
    type."""


def canonical(value: object) -> str:
    """Return a value as text.

    All NaN values are equal, zero differs from minus zero, and True differs from 1. Sets are
    sorted, dictionaries keep their order, and iterators are consumed up to a limit. A mutable
    object that occurred before is a reference to its first place, so that `[a, a]` differs from
    `[a, copy(a)]`.

    :raises UnwritableError: if the value has too many parts.
    """
    return _Writer().text(value)


class _Writer:
    def __init__(self) -> None:
        self._parts = 0
        self._depth = 0
        self._met: dict[int, tuple[int, Any]] = {}
        """The numbers of the objects seen. Keeping the objects prevents the reuse of their ids."""

    def text(self, value: Any) -> str:
        self._parts += 1
        if self._parts > _MAX_PARTS or self._depth > _MAX_DEPTH:
            raise UnwritableError
        kind = type(value)
        if value is None or kind is bool or value is Ellipsis or value is NotImplemented:
            return repr(value)
        if kind in (str, bytes, complex, range, slice):
            return repr(value)
        if kind is int:
            return f"i{value:x}"
        if kind is float:
            return "nan" if math.isnan(value) else f"f{value!r}"
        if id(value) in self._met:
            return f"<same as {self._met[id(value)][0]}>"
        if not (isinstance(value, _SHARED) or kind.__module__ in _BY_REPR or _is_frozen(kind)):
            self._met[id(value)] = (len(self._met), value)
        self._depth += 1
        try:
            return self._compound(kind, value)
        finally:
            self._depth -= 1

    def _apart(self, value: Any) -> str:
        """Return a set member as text. References must not depend on the order of sets."""
        writer = _Writer()
        writer._depth = self._depth
        text = writer.text(value)
        self._parts += writer._parts
        return text

    def _compound(self, kind: type, value: Any) -> str:
        if isinstance(value, type):
            return f"class {value.__qualname__}"
        if kind.__module__.endswith("recording"):
            return self._recorded(value)
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__}"
        if isinstance(value, _FUNCTIONS):
            return "function"
        if kind.__module__ in _BY_REPR or isinstance(value, types.GenericAlias):
            return repr(value)
        if isinstance(value, BaseException):
            return f"{kind.__qualname__}!{self._all(value.args) if _is_ours(kind) else ''}"
        attributes = "()" if kind in _WITHOUT_ATTRIBUTES else self._attributes(value)
        return f"{self._name(kind, value)}{self._content(value)}{attributes}"

    def _recorded(self, value: Any) -> str:
        """Return a recording argument as text."""
        if hasattr(value, "text"):
            return f"{value.text()}{self._attributes(value)}"
        return f"iterator[{self._all(islice(value, _MAX_DRAINED))}]"

    @staticmethod
    def _name(kind: type, value: Any) -> str:
        # Iteration does not reveal whether an object is a `map` or a generator.
        return "iterator" if isinstance(value, Iterator) else kind.__qualname__

    def _content(self, value: Any) -> str:
        if isinstance(value, enum.Enum):
            return f".{value.name}"
        if isinstance(value, dict):
            items = dict.items(value)
            return f"{{{','.join(f'{self.text(k)}:{self.text(v)}' for k, v in items)}}}"
        if isinstance(value, set | frozenset):
            return f"{{{','.join(sorted(map(self._apart, value)))}}}"
        if isinstance(value, bytearray | memoryview):
            return repr(bytes(value))
        for plain in (str, bytes, int, float, complex):
            if isinstance(value, plain):
                return f"({plain.__repr__(value)})"
        if isinstance(value, list):
            return f"[{self._all(list.__iter__(value))}]"
        if isinstance(value, tuple):
            return f"[{self._all(tuple.__iter__(value))}]"
        if isinstance(value, Iterator):
            return f"[{self._all(islice(value, _MAX_DRAINED))}]"
        if isinstance(value, Iterable) and type(value).__module__ in _LIBRARY:
            return f"[{self._all(value)}]"
        return ""

    def _attributes(self, value: Any) -> str:
        found = dict(getattr(value, "__dict__", {}) or {})
        for each in type(value).__mro__:
            slots = each.__dict__.get("__slots__", ())
            for name in [slots] if isinstance(slots, str) else slots:
                if isinstance(name, str) and hasattr(value, name):
                    found[name] = getattr(value, name)
        public = sorted(name for name in found if isinstance(name, str) and name[:1] != "_")
        return f"({self._named(public, found)})"

    def _named(self, names: list[str], found: dict[str, Any]) -> str:
        return ",".join(f"{name}={self.text(found[name])}" for name in names)

    def _all(self, values: Iterable[Any]) -> str:
        return ",".join(map(self.text, values))


def _is_ours(kind: type) -> bool:
    return kind.__module__ != "builtins"


def _is_frozen(kind: type) -> bool:
    """Return whether a type is a frozen dataclass."""
    return bool(getattr(getattr(kind, "__dataclass_params__", None), "frozen", False))
