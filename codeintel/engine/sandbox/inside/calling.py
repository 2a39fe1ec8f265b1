"""Make one call of a function of the program, and record its outcome."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

from .outcome import (
    CannotMakeError,
    Outcome,
    OutOfTimeError,
    UnsuitedError,
    last_line,
    outcome,
)
from .plan import Call, Target
from .values.arguments import Values, member
from .values.canonical import UnwritableError, canonical, is_stream
from .values.constants import Pools
from .values.kinds import ANY, Kind, of_annotation, refined
from .values.recording import Journal, Once, Recorder, Thing

_MAX_MADE = 3
_TRIES = 6
_MAX_DRAINED = 100
_MAX_STEPS = 12


class Caller:
    """Calls the targets of a program.

    :param targets: all targets of the plan, by name.
    :param raises: the lines on which the program itself raises exceptions.
    :param seconds: the time limit of one call.
    """

    def __init__(
        self,
        module: types.ModuleType,
        targets: dict[str, Target],
        raises: frozenset[int],
        seed: str,
        seconds: float,
        pools: Pools | None = None,
    ) -> None:
        self._module = module
        self._targets = targets
        self._raises = raises
        self._seed = seed
        self._seconds = seconds
        self._pools = pools or {}
        self._journal = Journal()
        self._few: dict[str, list[Any]] = {}
        self._instances = 0
        self._same: dict[str, object] = {}
        """The instances of the current call by class, which may be passed again."""
        self.leaves: list[Any] = []
        """The plain values from which the arguments of the last call were built."""

    def call(self, target: Target, call: Call) -> Outcome:
        """Make one of the calls of a target."""
        self._journal = Journal()
        self._few = {}
        self._instances = 0
        self._same = {}
        self.leaves = []
        one = _One(self, target, call)
        return outcome(
            self._seconds,
            one.run,
            self._raises,
            is_sure=target.get("sure", False),
            journal=self._journal,
            roots=lambda: one.roots,
        )

    # Build the parts of one call.

    def arguments(
        self,
        target: Target,
        call: Call,
        depth: int = 0,
        salt: str = "",
        used: dict[str, Kind] | None = None,
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return the values for a target's parameters, by position and by name.

        :param used: how attributes of the same names are used, if an instance is built.
        """
        number, edits = call[0], call[1] if depth == 0 and not salt else {}
        values = Values(
            f"{self._seed}/{target['name']}/{number}{salt}",
            number,
            lambda kind, values, used: self._made(kind, values, used, number, depth + 1),
            self._pools,
            self._journal,
            {int(key): value for key, value in edits.items()},
            self._few,
            exact=target.get("sure", False),
        )
        values.depth = depth
        positional: list[Any] = []
        named: dict[str, Any] = {}
        left_out = False
        for given in target["given"]:
            kind = refined(given["kind"], (used or {}).get(given["name"], ANY))
            if given["optional"] and (left_out or (number % 3 and values.flip())):
                left_out = left_out or given["how"] == "p"
                continue
            if given["how"] == "*":
                if not left_out:
                    positional += [values.pick(kind) for _ in range(number % 4)]
            elif given["how"] == "k":
                named[given["name"]] = values.pick(kind)
            else:
                positional.append(values.pick(kind))
        if depth == 0 and not salt:
            self.leaves = values.leaves
        return positional, named

    def _made(self, name: str, values: Values, used: Kind, number: int, depth: int) -> object:
        """Build a value for a name in an annotation: an instance, or any value for a type
        variable."""
        found = getattr(self._module, name, None)
        if isinstance(found, type) and (number or not inspect.isabstract(found)):
            again = self._pools.get("same") and depth == 1 and number % 5 == 2
            if again and name in self._same:
                return self._same[name]
            self._same[name] = self.instance(name, number, depth, used)
            return self._same[name]
        if isinstance(found, typing.NewType):
            return values.pick(of_annotation(found.__supertype__))
        if isinstance(found, typing.TypeVar):
            return values.pick("int" if number % 2 else "str")
        if found is not None and not isinstance(found, type) and depth <= _MAX_MADE:
            return values.pick(of_annotation(found))
        if used is not None:
            return values.thing(used[1], name)
        return values.pick(ANY) if name.isupper() or len(name) == 1 else values.thing({}, name)

    def instance(self, name: str, number: int, depth: int, used: Kind = None) -> object:
        """Build an instance of a class of the program.

        :raises CannotMakeError: if no instance can be built.
        """
        kind = getattr(self._module, name, None)
        if not isinstance(kind, type) or depth > _MAX_MADE:
            raise CannotMakeError
        if inspect.isabstract(kind) or getattr(kind, "_is_protocol", False):
            return self._stand_in(name, kind, number, depth, used)
        chosen = member(kind, Values(f"{self._seed}/{name}", number, _never))
        if chosen is not None:
            return chosen
        target = self._targets.get(name)
        if target is None:
            if isinstance(kind, type) and issubclass(kind, BaseException):
                return kind("x")
            raise CannotMakeError
        for attempt in range(_TRIES):
            self._instances += 1
            try:
                salt = f"/{self._instances}"
                values, named = self.arguments(
                    target, (number + attempt, {}), depth, salt, used[1] if used else None
                )
                return kind(*values, **named)
            except Exception:  # noqa: BLE001, S112 - other values may do
                continue
        raise CannotMakeError

    def _stand_in(self, name: str, kind: type, number: int, depth: int, used: Kind) -> object:
        """Build a value for an abstract class: an instance of a concrete class, or a recorder of
        calls."""
        concrete = [
            each
            for each, value in vars(self._module).items()
            if isinstance(value, type) and value is not kind and each in self._targets
            and kind in value.__mro__ and not inspect.isabstract(value)
        ]  # fmt: skip
        if concrete and number % 3:
            return self.instance(concrete[number % len(concrete)], number, depth + 1)
        values = Values(f"{self._seed}/{name}/{number}", number, _never, None, self._journal)
        return values.thing(used[1] if used else {}, name)

    @property
    def journal(self) -> Journal:
        """The events of the current call."""
        return self._journal

    @property
    def module(self) -> types.ModuleType:
        """The program."""
        return self._module

    def methods(self, owner: str) -> list[Target]:
        """Return the targets that are methods of a class."""
        return [each for name, each in self._targets.items() if name.startswith(f"{owner}.")]

    def is_suited(self, error: BaseException, target: Target) -> bool:
        """Return whether an error says something about the program and not about its arguments."""
        if target.get("sure", False) or not isinstance(error, TypeError | AttributeError):
            return True
        return last_line(error) in self._raises


class _One:
    """A call. It keeps its arguments, so that they can be examined after an exception."""

    def __init__(self, caller: Caller, target: Target, call: Call) -> None:
        self._caller = caller
        self._target = target
        self._call = call
        self._number = call[0]
        self.roots: list[Any] = []

    def run(self) -> object:
        """Make the call."""
        owner, _, name = self._target["name"].rpartition(".")
        if not owner:
            return self._function(name)
        kind = getattr(self._caller.module, owner)
        found = inspect.getattr_static(kind, name)
        if isinstance(found, staticmethod | classmethod):
            return self._applied(getattr(kind, name))
        instance = self._caller.instance(owner, self._number, 0)
        if isinstance(instance, Thing):
            raise CannotMakeError
        if self._number % 2:
            self._before(instance)
        self.roots.append(instance)
        if isinstance(found, property) or not callable(getattr(instance, name)):
            return self._settled(getattr(instance, name))
        return self._applied(getattr(instance, name))

    def _function(self, name: str) -> object:
        function = getattr(self._caller.module, name)
        found = self._applied(function)
        if isinstance(function, type) and type(found) is function:
            self.roots.append(found)
            if self._number > 1:
                self._scenario(name, found)
        return found

    def _applied(self, function: Callable[..., Any]) -> object:
        values, named = self._caller.arguments(self._target, self._call)
        self.roots += [values, named]
        return self._settled(function(*values, **named))

    def _settled(self, value: Any) -> object:
        """Return the value, awaited if it is a coroutine and consumed if it is an iterator."""
        if inspect.iscoroutine(value):
            import asyncio  # which takes a while

            return self._settled(asyncio.run(value))
        if inspect.isasyncgen(value):
            import asyncio

            asyncio.run(self._drained_later(value))
            return "iterator"
        if isinstance(value, Iterator) and not (isinstance(value, Once) or is_stream(value)):
            self._caller.journal.note("iterator")  # a later exception is raised during iteration
            return self._drained(value)
        return value

    def _drained(self, values: Iterator[Any]) -> str:
        """Consume an iterator, or only its beginning, and record what happens meanwhile."""
        most = 2 if self._number % 4 == 3 else _MAX_DRAINED
        kept: list[Any] = []
        while True:
            try:
                value = next(values)
            except StopIteration as end:
                if end.value is not None:
                    self._caller.journal.note(f"returned {canonical(end.value)}")
                break
            kept.append(value)
            self._caller.journal.note(f"yield {canonical(value)}")
            if len(kept) >= most:
                getattr(values, "close", lambda: None)()
                break
        self.roots.append(kept)
        return "iterator"

    async def _drained_later(self, values: Any) -> None:
        count = 0
        async for value in values:
            self._caller.journal.note(f"yield {canonical(value)}")
            count += 1
            if count >= _MAX_DRAINED:
                await values.aclose()
                break

    def _before(self, instance: object) -> None:
        """Call other methods first, because the method may depend on them."""
        for target in self._caller.methods(self._target["name"].rpartition(".")[0]):
            name = target["name"].rpartition(".")[2]
            if target["name"] == self._target["name"] or not target["given"]:
                continue
            for again in range(1 + self._number // 2 % 3):
                values, named = self._caller.arguments(
                    target, (self._number + again, {}), salt="/before"
                )
                try:
                    self._settled(getattr(instance, name)(*values, **named))
                except Exception:  # noqa: BLE001 - it is compared where it is called itself
                    break

    def _scenario(self, owner: str, instance: object) -> None:
        """Call an instance's methods in some order and record each outcome.

        Between calls, modify its arguments and returned values, in case the instance keeps them.
        """
        methods = self._caller.methods(owner)
        if not methods:
            return
        if self._number % 3 == 0:
            _spoil([*self.roots[0], *self.roots[1].values()])
        order = Values(f"{owner}/{self._number}", 10**6, _never)
        most = _MAX_STEPS if self._number < 40 else 2 * _MAX_STEPS
        for step in range(1 + self._number % most):
            target: Target = order.pick(["literal", methods])
            name = target["name"].rpartition(".")[2]
            call: Call = (self._number + step, {})
            text = self._step(instance, name, target, call, step)
            self._caller.journal.note(f"{name}: {text}")

    def _step(self, instance: object, name: str, target: Target, call: Call, step: int) -> str:
        try:
            member_ = getattr(instance, name)
            if callable(member_):
                values, named = self._caller.arguments(target, call, salt=f"/step{step}")
                self.roots.append((values, named))
                member_ = self._settled(member_(*values, **named))
            text = canonical(member_)
        except (CannotMakeError, UnwritableError, OutOfTimeError, MemoryError, RecursionError):
            raise
        except Exception as error:  # noqa: BLE001 - the program's: it is noted
            if not self._caller.is_suited(error, target):
                raise UnsuitedError from None
            return f"raised {type(error).__qualname__}"
        if self._number % 5 == 0:
            _spoil([member_])
        return text


def _spoil(values: list[Any]) -> None:
    """Modify lists and dictionaries, which a program may have kept instead of a copy."""
    for value in values:
        if type(value) is list and not any(isinstance(each, Recorder) for each in value):
            value.reverse()
            value.append(value[0] if value else 0)
        elif type(value) is dict:
            value.pop(next(iter(value), None), None)


def _never(*_: object) -> object:
    raise CannotMakeError
