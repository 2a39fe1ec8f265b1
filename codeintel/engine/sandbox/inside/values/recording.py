"""Define arguments that record what is done to them: functions, objects and iterators."""

from __future__ import annotations

import builtins
import hashlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from .canonical import UnwritableError, canonical

_MAX_NOTES = 2_000


class Journal:
    """The events of one call, in order."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Add an event."""
        if len(self.notes) >= _MAX_NOTES:
            raise UnwritableError
        self.notes.append(text)


def _digest(text: str) -> int:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()[0]


def _exception(name: str) -> BaseException:
    """Return an exception of the program or of Python, by name."""
    found = getattr(sys.modules.get("program"), name, getattr(builtins, name, None))
    try:
        if isinstance(found, type) and issubclass(found, Exception):
            return found("refused")
    except Exception:  # noqa: BLE001, S110 - it wants something else
        pass
    return ValueError("refused")


class Recorder:
    """A function that records its calls.

    Its result depends only on its arguments.

    :param style: the kind of result.
    :param answer: builds the result if it needs another shape.
    :param fails: the calls that raise an exception, one bit per call.
    :param error: the name of that exception.
    """

    def __init__(
        self,
        journal: Journal,
        label: str,
        style: int,
        *,
        is_async: bool = False,
        answer: Callable[[], Any] | None = None,
        fails: int = 0,
        error: str = "ValueError",
    ) -> None:
        self._journal = journal
        self._label = label
        self._style = style
        self._is_async = is_async
        self._answer = answer
        self._fails = fails
        self._error = error
        self._calls = 0
        self.__name__ = label

    def __call__(self, *given: Any, **named: Any) -> Any:
        text = canonical((given, named)) if named else canonical(given)
        self._journal.note(f"call {self._label}{text}")
        if self._is_async:
            return self._later(given, text)
        return self._returned(given, text)

    async def _later(self, given: tuple[Any, ...], text: str) -> Any:
        import asyncio

        self._journal.note(f"begin {self._label}")
        await asyncio.sleep(0)
        self._journal.note(f"end {self._label}")
        return self._returned(given, text)

    def _returned(self, given: tuple[Any, ...], text: str) -> Any:
        number = _digest(text)
        self._calls += 1
        if self._fails >> ((self._calls - 1) % 12) & 1:
            raise _exception(self._error)
        if self._answer is not None:
            return self._answer()
        first = given[0] if given else number % 5
        return (
            first,
            number % 2 == 0,
            number % 4 - 1,
            len(given) if not isinstance(first, int | float) else -first,
            (None, 0, "", first)[number % 4],
            number % 3 == 0,
            f"r{number % 3}",
            first,
        )[self._style % 8]

    def text(self) -> str:
        """Return the text for :func:`canonical`."""
        return f"recorder {self._label}"


class Thing:
    """An object whose attributes are created on first access.

    It records calls of its methods and its use as a context manager.
    """

    def __init__(self, journal: Journal, label: str, make: Callable[[str, Thing], Any]) -> None:
        self.__dict__.update(_journal=journal, _label=label, _make=make)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._make(name, self)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._journal.note(f"set {self._label}.{name}={canonical(value)}")
        self.__dict__[name] = value

    def __enter__(self) -> Any:
        self._journal.note(f"enter {self._label}")
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        self._journal.note(f"exit {self._label} {getattr(kind, '__name__', '')}")

    async def __aenter__(self) -> Any:
        return self.__enter__()

    async def __aexit__(self, kind: Any, *rest: object) -> None:
        self.__exit__(kind, *rest)

    def text(self) -> str:
        """Return the text for :func:`canonical`."""
        return f"thing {self._label}"


class Once:
    """An iterator that records how far it is read."""

    def __init__(self, journal: Journal, values: list[Any]) -> None:
        self._journal = journal
        self._values = iter(values)
        self._read = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        self._read += 1
        self._journal.note(f"next {self._read}")
        return next(self._values)


class OnceLater(Once):
    """An asynchronous iterator that records how far it is read."""

    def __aiter__(self) -> OnceLater:
        return self

    async def __anext__(self) -> Any:
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None
