"""One call of a function of the program, and what has come of it."""

from __future__ import annotations

import errno
import hashlib
import inspect
import types
from collections.abc import Callable
from typing import Any

from .arguments import Values, member
from .canonical import UnwritableError, canonical
from .capture import OutOfTimeError, captured, timed
from .kinds import ANY
from .plan import Target

_FORBIDDEN = frozenset((errno.EPERM, errno.EROFS, errno.ENOSYS, errno.ENOSPC, errno.EFBIG))
_MAX_MADE = 3
_TRIES = 6
VALUE, RAISED, UNSUITED, TIME = "value", "raised", "unsuited", "time"
BLOCKED, UNWRITABLE = "blocked", "unwritable"
Outcome = tuple[str, str]
"""How a call ended, and a digest of all that can be seen of it."""


class _CannotMakeError(Exception):
    """No instance of a class can be made."""


class Caller:
    """Calls what a program has.

    :param targets: all of the plan, by name.
    :param raises: the lines on which the program raises something itself.
    :param seconds: how long one call may take.
    """

    def __init__(
        self,
        module: types.ModuleType,
        targets: dict[str, Target],
        raises: frozenset[int],
        seed: str,
        seconds: float,
    ) -> None:
        self._module = module
        self._targets = targets
        self._raises = raises
        self._seed = seed
        self._seconds = seconds

    def call(self, target: Target, number: int) -> Outcome:
        """Make one of the calls of a target."""
        return outcome(self._seconds, lambda: self._called(target, number), self._raises)

    def _called(self, target: Target, number: int) -> object:
        owner, _, name = target["name"].rpartition(".")
        if not owner:
            function = getattr(self._module, name)
            values, named = self._arguments(target, number)
            return _awaited(function(*values, **named)), values, named
        kind = getattr(self._module, owner)
        found = inspect.getattr_static(kind, name)
        if isinstance(found, staticmethod | classmethod):
            values, named = self._arguments(target, number)
            return _awaited(getattr(kind, name)(*values, **named)), values, named
        instance = self._instance(owner, number, 0)
        if number % 2:
            self._use(owner, name, instance, number)
        if isinstance(found, property):
            return getattr(instance, name), instance
        values, named = self._arguments(target, number)
        return _awaited(getattr(instance, name)(*values, **named)), instance, values, named

    def _use(self, owner: str, until: str, instance: object, number: int) -> None:
        """Call the methods before a method first: what it does may depend on them."""
        for name, target in self._targets.items():
            if name == f"{owner}.{until}":
                return
            if name.startswith(f"{owner}.") and target["given"]:
                for again in range(1 + number // 2 % 3):
                    values, named = self._arguments(target, number + again)
                    try:
                        getattr(instance, name.rpartition(".")[2])(*values, **named)
                    except Exception:  # noqa: BLE001 - it is compared where it is called itself
                        break

    def _arguments(self, target: Target, number: int, depth: int = 0) -> Any:
        name = target["name"]
        values = Values(
            f"{self._seed}/{name}/{number}",
            number,
            lambda kind, values: self._made(kind, values, number, depth + 1),
        )
        values.depth = depth
        positional: list[Any] = []
        named: dict[str, Any] = {}
        left_out = False
        for given in target["given"]:
            if given["optional"] and (left_out or (number % 3 and values.flip())):
                left_out = left_out or given["how"] == "p"
                continue
            if given["how"] == "*":
                if not left_out:
                    positional += [values.pick(given["kind"]) for _ in range(number % 4)]
            elif given["how"] == "k":
                named[given["name"]] = values.pick(given["kind"])
            else:
                positional.append(values.pick(given["kind"]))
        return positional, named

    def _made(self, name: str, values: Values, number: int, depth: int) -> object:
        """What stands for a name in an annotation: an instance, or anything for a type variable."""
        if isinstance(getattr(self._module, name, None), type):
            return self._instance(name, number, depth)
        return values.pick(ANY)

    def _instance(self, name: str, number: int, depth: int) -> object:
        kind = getattr(self._module, name, None)
        if not isinstance(kind, type) or depth > _MAX_MADE:
            raise _CannotMakeError
        chosen = member(kind, Values(f"{self._seed}/{name}", number, _never))
        if chosen is not None:
            return chosen
        if name not in self._targets:
            raise _CannotMakeError
        for attempt in range(_TRIES):
            try:
                values, named = self._arguments(self._targets[name], number + attempt, depth)
                return kind(*values, **named)
            except Exception:  # noqa: BLE001, S112 - other values may do
                continue
        raise _CannotMakeError


def outcome(
    seconds: float, action: Callable[[], object], raises: frozenset[int] = frozenset()
) -> Outcome:
    """What comes of an action of the program: its value, what it raised, what it printed."""
    with captured() as printed:
        try:
            status, text = timed(seconds, lambda: (VALUE, canonical(action())))
        except OutOfTimeError:
            return TIME, ""
        except UnwritableError:
            return UNWRITABLE, ""
        except (_CannotMakeError, MemoryError, RecursionError) as error:
            return (UNSUITED if isinstance(error, _CannotMakeError) else BLOCKED), ""
        except BaseException as error:  # noqa: BLE001 - the program's: that is what is compared
            status, text = _raised(error, raises)
        finally:
            digest = printed.digest
    return status, hashlib.sha256(
        f"{status}\0{text}\0{digest}".encode("utf-8", "backslashreplace")
    ).hexdigest()[:32]


def _raised(error: BaseException, raises: frozenset[int]) -> tuple[str, str]:
    if isinstance(error, OSError) and error.errno in _FORBIDDEN:
        return BLOCKED, ""
    if isinstance(error, RuntimeError) and str(error).startswith("can't start new thread"):
        return BLOCKED, ""
    if isinstance(error, TypeError | AttributeError) and _last_line(error) not in raises:
        return UNSUITED, ""  # most of all, it was given what it is not meant for
    code = f" {error.code!r}" if isinstance(error, SystemExit) else ""
    return RAISED, f"{type(error).__qualname__}{code}"


def _last_line(error: BaseException) -> int:
    trace, line = error.__traceback__, 0
    while trace is not None:
        ours = trace.tb_frame.f_code.co_filename == "<program>"
        line = trace.tb_lineno if ours else 0
        trace = trace.tb_next
    return line


def _awaited(value: object) -> object:
    """The value, awaited if it is a coroutine."""
    if not inspect.iscoroutine(value):
        return value
    import asyncio  # which takes a while

    return asyncio.run(value)


def _never(*_: object) -> object:
    raise _CannotMakeError
