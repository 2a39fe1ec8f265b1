"""Run statements before and after on the same random data, and compare the results."""

from __future__ import annotations

import datetime
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from sqlglot import exp

from codeintel.engine.equivalence.sql.columns import Data, Pools, drawn, shuffled
from codeintel.engine.equivalence.sql.databases import (
    Engine,
    EngineError,
    UnfetchableError,
    opened,
    remade,
)
from codeintel.engine.equivalence.sql.schema import Schema


def normal(rows: Iterable[tuple[Any, ...]]) -> list[tuple[str, ...]]:
    """Normalize rows so that those of two engines can be compared: 1 equals 1.0 and true, and
    dates are strings."""
    return [tuple(map(_normal, row)) for row in rows]


def _normal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool | int):
        return f"n{int(value)}"
    if isinstance(value, datetime.datetime):
        return f"t{value.replace(tzinfo=None).isoformat(' ')}"
    if isinstance(value, datetime.date):
        return f"t{value.isoformat()}"
    if isinstance(value, str):
        return f"t{value}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_normal, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key}:{_normal(each)}' for key, each in sorted(value.items()))}}}"
    if isinstance(value, bytes):
        return f"b{value.hex()}"
    try:
        number = float(value)
    except (TypeError, ValueError):
        return f"o{value}"
    return f"n{int(number)}" if number.is_integer() and abs(number) < 1e15 else f"n{number:.9g}"


SIZES = (0, 4, -6, 12, -10, 12, 25)
"""The number of rows in the tables of each data set.

A negative number means distinct values in each column.
"""
SIZES_OF_MANY = (-6, 12, -10, 12)
MANY = 6
"""The number of statements from which each runs on fewer data sets."""
BUDGET_SECONDS = 2.5
"""The processor time for running all statements, in seconds."""
PLANNING_SECONDS = 0.8
"""The additional time for planning statements that there is no time to run, in seconds."""
_NAME = re.compile(r"[^\W\d]\w*")
_GUESSES = ("text", "timestamp", "double", "date", "boolean")


class Pair(msgspec.Struct, frozen=True):
    """A statement before and after, as each engine reads it.

    `before` is None if there is no engine for it. `creates` names a table that must not exist.
    `different` is a table with the columns of a unique index. `keys` are the result columns in its
    ORDER BY, if it sorts by result columns only. Rows that tie in these columns may come in any
    order.
    """

    line: int
    before: str | None
    after: str
    is_query: bool
    is_ordered: bool = False
    creates: str = ""
    different: tuple[str, ...] = ()
    keys: tuple[int, ...] = ()


class PairOutcome(msgspec.Struct, frozen=True):
    """The outcome of a pair.

    `equal`: the rows were equal on this number of data sets. `planned`: the engine understands the
    statement, which did not run. `undetermined`: the original fails, or its rows depend on the
    order of the tables' rows. `untried`: the original runs on none of the tables that were tried,
    or time was up.
    """

    line: int
    status: Literal["equal", "planned", "different", "refused", "undetermined", "untried"]
    sets: int = 0
    reason: str = ""


def compared(
    pairs: Sequence[Pair], source: str, target: str, trees: Sequence[exp.Expr]
) -> list[PairOutcome]:
    """Prepare and run the pairs in the named engines. Call this in a child process."""
    return [*_Runs(source, target, trees).outcomes(pairs)]


class _Runs:
    def __init__(self, source: str, target: str, trees: Sequence[exp.Expr]) -> None:
        self._names = source, target
        self._schema = Schema(trees)
        self._pools = Pools(trees)
        self._engines: dict[str, Engine] = {}
        self._made: dict[str, tuple[str, str, tuple[str, ...]]] = {}
        self._until = time.process_time() + BUDGET_SECONDS
        self._why = ""
        self._sizes: tuple[int, ...] = SIZES

    def outcomes(self, pairs: Sequence[Pair]) -> list[PairOutcome]:
        found = []
        self._sizes = SIZES if len(pairs) <= MANY else SIZES_OF_MANY
        for pair in pairs:
            if time.process_time() > self._until + PLANNING_SECONDS:
                found.append(PairOutcome(pair.line, "untried", reason="time was up"))
            else:
                found.append(self._outcome(pair))
        return found

    def _outcome(self, pair: Pair) -> PairOutcome:
        reason, undetermined = "", None
        for guess in ("", *_GUESSES) if self._schema.guessed else ("",):
            try:
                before, after = (self._engine(name, guess, pair) for name in self._names)
                if pair.before is not None:
                    before.prepare(pair.before)
            except EngineError as error:
                reason = reason or str(error)
                continue
            try:
                after.prepare(pair.after)
            except EngineError as error:
                if pair.before is not None:
                    return PairOutcome(pair.line, "refused", reason=str(error))
                reason = reason or str(error)
                continue
            if pair.before is None or not pair.is_query or time.process_time() > self._until:
                return PairOutcome(pair.line, "planned")
            outcome = self._run(pair, before, after, self._tables(guess))
            if outcome.status != "undetermined" or outcome.sets:
                return outcome
            undetermined = undetermined or outcome
        if undetermined is not None:
            return undetermined
        if pair.before is not None and (self._names[0] == self._names[1] or self._plans(pair)):
            return PairOutcome(pair.line, "untried", reason=reason)
        return PairOutcome(pair.line, "refused", reason=self._why or reason)

    def _plans(self, pair: Pair) -> bool:
        """Return whether the target's engine understands the result.

        This is for originals that cannot run.
        """
        for guess in ("", *_GUESSES) if self._schema.guessed else ("",):
            try:
                self._engine(self._names[1], guess, pair).prepare(pair.after)
            except EngineError as error:
                self._why = str(error)
                continue
            return True
        return False

    def _tables(self, guess: str) -> dict[str, dict[str, str]]:
        return self._schema.varied(guess) if guess else self._schema.tables

    def _engine(self, name: str, guess: str, pair: Pair) -> Engine:
        tables = self._tables(guess)
        if pair.creates:
            tables = {key: value for key, value in tables.items() if key != pair.creates}
        if name not in self._engines:
            self._engines[name] = opened(name)
        wanted = (guess, pair.creates, pair.different)
        if self._made.get(name) != wanted:
            self._made.pop(name, None)
            remade(self._engines[name], tables, pair.different)
            self._made[name] = wanted
        return self._engines[name]

    def _run(
        self, pair: Pair, before: Engine, after: Engine, tables: dict[str, dict[str, str]]
    ) -> PairOutcome:
        sets = rows = 0
        for seed, size in enumerate(self._sizes):
            if time.process_time() > self._until:
                break
            data = drawn(tables, self._pools, size, seed)
            expected = _settled(pair, before, data, seed)
            if expected is None:
                continue
            names = before.names
            try:
                if after is not before:  # otherwise it already holds the rows in some order
                    after.fill(data)
                got = normal(after.rows(pair.after))
            except UnfetchableError:
                continue
            except EngineError as error:
                return PairOutcome(pair.line, "different", sets, reason=str(error))
            if _are_other(names, after.names):
                return PairOutcome(pair.line, "different", sets, reason="names")
            is_same = Counter(expected[0]) == Counter(got)
            if not is_same or (expected[1] and _by_keys(pair, expected[0]) != _by_keys(pair, got)):
                return PairOutcome(
                    pair.line, "different", sets, reason="" if not is_same else "order"
                )
            sets += 1
            rows += len(got)
        if sets and rows:
            return PairOutcome(pair.line, "equal", sets)
        return PairOutcome(pair.line, "undetermined", sets)


def _by_keys(pair: Pair, rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the columns of the rows whose order is determined."""
    if not pair.keys or any(len(row) <= max(pair.keys) for row in rows):
        return list(rows)
    return [tuple(row[key] for key in pair.keys) for row in rows]


def _are_other(names: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether columns have different names. Engines choose the names of unnamed columns."""
    return len(names) != len(others) or any(
        _NAME.fullmatch(one) and _NAME.fullmatch(other) and one.casefold() != other.casefold()
        for one, other in zip(names, others, strict=True)
    )


def _settled(
    pair: Pair, engine: Engine, data: Data, seed: int
) -> tuple[list[tuple[str, ...]], bool] | None:
    """Return the rows of the original, and whether their order is determined.

    Return None if the rows depend on storage order or chance.
    """
    found: list[list[tuple[str, ...]]] = []
    try:
        for each in (data, shuffled(data, seed + 100)):
            engine.fill(each)
            found.append(normal(engine.rows(pair.before or "")))
    except EngineError:
        return None
    if any(Counter(each) != Counter(found[0]) for each in found[1:]):
        return None
    return found[0], pair.is_ordered and all(each == found[0] for each in found[1:])
