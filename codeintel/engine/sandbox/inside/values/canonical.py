"""Render values as texts that are equal if the values and their types are."""

from __future__ import annotations

import enum
import io
import math
import types
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

_MAX_PARTS = 20_000
_MAX_DEPTH = 60
_MAX_DRAINED = 100
_PROGRAM = "program"
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


class Unseen:
    """State that a caller cannot read directly, but that a later call may show.

    It is no difference in itself, because a rewrite may keep its state in another form. But equal
    results prove nothing while it differs.
    """

    def __init__(self) -> None:
        self.classes: frozenset[str] = frozenset()
        """The classes that both programs define alike. Their private attributes mean the same."""
        self._texts: list[str] = []

    def begin(self) -> None:
        """Forget what was collected."""
        self._texts.clear()

    def add(self, text: str) -> None:
        self._texts.append(text)

    def text(self) -> str:
        """Return what was collected since `begin`, in an order that does not depend on sets."""
        return "\n".join(sorted(self._texts))


UNSEEN = Unseen()
"""What the values of the current call hide."""


def canonical(value: object) -> str:
    """Return a value as text.

    All NaN values are equal, zero differs from minus zero, and True differs from 1. Sets are
    sorted, dictionaries keep their order, and iterators are consumed up to a limit. A mutable
    object that occurred before is a reference to its first place, so that `[a, a]` differs from
    `[a, copy(a)]`. Nested functions are all equal: their bodies must run to be compared.

    :raises UnwritableError: if the value has too many parts, or if it is a private function or a
        library's object without visible state.
    """
    return _Writer().text(value)


class _Writer:
    def __init__(self, *, drains: bool = True, looked_into: set[int] | None = None) -> None:
        self._parts = 0
        self._depth = 0
        self._drains = drains
        self._looked_into = set() if looked_into is None else looked_into
        """The ids of the objects whose private attributes were written."""
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
        writer = _Writer(drains=self._drains, looked_into=self._looked_into)
        writer._depth = self._depth
        text = writer.text(value)
        self._parts += writer._parts
        return text

    def _look_into(self, kind: type, value: Any) -> None:
        """Collect the private attributes of an object."""
        if kind.__module__ != _PROGRAM or kind.__qualname__ not in UNSEEN.classes:
            return
        if id(value) in self._looked_into:
            return
        self._looked_into.add(id(value))
        writer = _Writer(drains=False, looked_into=self._looked_into)
        writer._depth = self._depth
        found = _all_attributes(value)
        private = sorted(name for name in found if isinstance(name, str) and name[:1] == "_")
        if private:
            try:
                text = writer._named(private, found)
            except UnwritableError:
                text = "unwritable"
            UNSEEN.add(f"{kind.__qualname__}({text})")
        self._parts += writer._parts

    def _compound(self, kind: type, value: Any) -> str:
        if isinstance(value, type):
            return f"class {value.__qualname__}"
        if kind.__module__.endswith("recording"):
            return self._recorded(value)
        if isinstance(value, types.ModuleType):
            return f"module {value.__name__}"
        if isinstance(value, _FUNCTIONS):
            return self._function(value)
        if kind.__module__ in _BY_REPR or isinstance(value, types.GenericAlias):
            return repr(value)
        if isinstance(value, BaseException):
            if not _is_ours(kind):
                UNSEEN.add(f"{kind.__qualname__}!{self._all(value.args)}")
                return f"{kind.__qualname__}!"
            return f"{kind.__qualname__}!{self._all(value.args)}"
        if isinstance(value, types.MappingProxyType):
            return f"mappingproxy{self.text(dict(value))}"
        if not self._drains and isinstance(value, Iterator):
            return "iterator"
        if _is_of_a_library(kind, value):
            return self._of_a_library(kind, value)
        self._look_into(kind, value)
        attributes = "()" if kind in _WITHOUT_ATTRIBUTES else self._attributes(value)
        return f"{self._name(kind, value)}{self._content(value)}{attributes}"

    def _function(self, value: Any) -> str:
        """Return the name of a function. Nested ones have none that matters."""
        owner = getattr(value, "__self__", None)
        name = str(getattr(value, "__qualname__", ""))
        if "<" in name:
            if value.__defaults__ or value.__kwdefaults__:
                UNSEEN.add(f"defaults {self.text((value.__defaults__, value.__kwdefaults__))}")
            return "function"
        if getattr(value, "__module__", "") == _PROGRAM and value.__name__[:1] == "_":
            raise UnwritableError  # a rewrite may name it otherwise
        if owner is None or isinstance(owner, type | types.ModuleType):
            return f"function {name}"
        return f"method {value.__name__} of {self.text(owner)}"

    def _of_a_library(self, kind: type, value: Any) -> str:
        """Return the state of an object of a library."""
        try:
            state = value.__reduce_ex__(2)
        except Exception:  # noqa: BLE001 - any class may refuse
            attributes = self._attributes(value)
            if attributes == "()":
                raise UnwritableError from None
            return f"{kind.__qualname__}{attributes}"
        return f"{kind.__qualname__}{self.text(state)}"

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
            made = self.text(value.default_factory) if isinstance(value, defaultdict) else ""
            return f"{made}{{{','.join(f'{self.text(k)}:{self.text(v)}' for k, v in items)}}}"
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
            most = value.maxlen if isinstance(value, deque) else ""
            return f"[{self._all(value)}]{most}"
        return ""

    def _attributes(self, value: Any) -> str:
        found = _all_attributes(value)
        public = sorted(name for name in found if isinstance(name, str) and name[:1] != "_")
        return f"({self._named(public, found)})"

    def _named(self, names: list[str], found: dict[str, Any]) -> str:
        return ",".join(f"{name}={self.text(found[name])}" for name in names)

    def _all(self, values: Iterable[Any]) -> str:
        return ",".join(map(self.text, values))


def _all_attributes(value: Any) -> dict[str, Any]:
    found = dict(getattr(value, "__dict__", {}) or {})
    for each in type(value).__mro__:
        slots = each.__dict__.get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            if isinstance(name, str) and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def _is_of_a_library(kind: type, value: Any) -> bool:
    """Return whether an object is none of the program, and none whose content is written."""
    is_written = isinstance(value, enum.Enum | dict | set | frozenset | list | tuple)
    is_text = isinstance(value, str | bytes | bytearray | memoryview | int | float | complex)
    is_known = kind.__module__ in _LIBRARY or kind.__module__ == _PROGRAM
    is_iterator = isinstance(value, Iterator) and not is_stream(value)
    return not (is_written or is_text or is_known or is_iterator)


def is_stream(value: Any) -> bool:
    """Return whether a value is a buffer, whose content reading it as an iterator does not show."""
    return isinstance(value, io.StringIO | io.BytesIO)


def _is_ours(kind: type) -> bool:
    return kind.__module__ != "builtins"


def _is_frozen(kind: type) -> bool:
    """Return whether a type is a frozen dataclass."""
    return bool(getattr(getattr(kind, "__dataclass_params__", None), "frozen", False))
