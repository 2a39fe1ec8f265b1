"""One run in a sandbox: what starts it, the lines that are said from inside, and their record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

_NAME = re.compile(r"(?:[^\W\d]\w{0,99}\.)?[^\W\d]\w{0,99}")
_MAX_LINES = 5_000


class Line(msgspec.Struct, frozen=True):
    """One line. `target` is passed on as it is, into the next sandbox; `matters` says whether it
    runs a function that was changed."""

    what: str
    name: str = ""
    status: str = ""
    digest: str = ""
    error: str = ""
    outcomes: list[tuple[int, str, str]] = []
    target: dict[str, Any] | None = None
    succeeded: bool = False
    matters: bool = False
    counts: list[tuple[str, int, int]] = []
    missing: list[tuple[str, int, str]] = []
    functions: list[str] = []


class InterferenceError(Exception):
    """What was said is not what the harness says: the program has spoken in its place."""


_decoder = msgspec.json.Decoder(Line)


def lines(output: bytes) -> list[Line]:
    """The lines that are whole.

    :raises InterferenceError: if the harness did not write them all.
    """
    whole = output[: output.rfind(b"\n") + 1].splitlines()
    if len(whole) > _MAX_LINES:
        raise InterferenceError
    try:
        found = [_decoder.decode(line) for line in whole]
    except (msgspec.MsgspecError, RecursionError):
        raise InterferenceError from None
    if not all(_is_name(each.error) for each in found):
        raise InterferenceError
    if not all(_is_name(each.name) for each in found if each.what != "attempt"):
        raise InterferenceError
    if not all(
        _is_name(name) and _is_name(sort) for each in found for name, _, sort in each.missing
    ):
        raise InterferenceError
    if not all(_is_name(name) for each in found for name in each.functions):
        raise InterferenceError
    return found


def _is_name(text: str) -> bool:
    """Whether it can stand in a sentence."""
    return not text or _NAME.fullmatch(text) is not None


VALUE, RAISED = "value", "raised"
COMPARABLE = frozenset((VALUE, RAISED))
Outcome = tuple[str, str]
"""How a call ended, and the digest of all that can be seen of it."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What calls have reached of the functions that matter.

    :param counts: of each sort of goals, how many were reached and how many there are.
    :param missing: the function, line and sort of those that were not, or some of them.
    :param functions: the functions that matter.
    """

    counts: dict[str, tuple[int, int]]
    missing: tuple[tuple[str, int, str], ...]
    functions: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether everything was reached."""
        return not self.missing and all(found == all_ for found, all_ in self.counts.values())


@dataclass(slots=True)
class Record:
    """One run.

    :param load: what came of loading the module.
    :param begun: what it was at when it ended, if it did not finish.
    :param targets: what was called, with the sort of each.
    :param outcomes: of each target, by the number of the call.
    :param left: what there was no time for.
    :param matters: the targets that run a function that was changed.
    :param telling: the added calls of each target that have reached something new.
    :param added: the number of the first call that was added to each target.
    """

    load: Outcome | None = None
    error: str = ""
    begun: str = ""
    finished: bool = False
    killed: bool = False
    seconds: float = 0.0
    skipped: int = 0
    plan: list[dict[str, Any]] = field(default_factory=list)
    sorts: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, dict[int, Outcome]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    matters: set[str] = field(default_factory=set)
    telling: dict[str, list[int]] = field(default_factory=dict)
    added: dict[str, int] = field(default_factory=dict)
    coverage: Coverage | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether its module was loaded, or ended itself in order."""
        loaded = self.load is not None and self.load[0] == VALUE
        return loaded or self.error == "SystemExit"

    def repeatable(self) -> list[dict[str, Any]]:
        """The plan with only the calls that have come to an end that can be compared."""
        kept = []
        for target in self.plan:
            outcomes = self.outcomes.get(target["name"], {})
            calls = [
                call if outcomes.get(number, ("", ""))[0] in COMPARABLE else None
                for number, call in enumerate(target.get("calls", []))
            ]
            has_some = any(how in COMPARABLE for how, _ in outcomes.values())
            if has_some or target["sort"] == "function":  # classes: instances are made of them
                kept.append({**target, "calls": calls})
        return kept

    def extended(self, plan: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """A plan with the calls that were added in this run."""
        added = {target["name"]: target.get("calls", []) for target in self.plan}
        return [
            {**target, "calls": [*target.get("calls", []), *added.get(target["name"], [])]}
            for target in plan
        ]


def recorded(
    lines: Sequence[Line], plan: list[dict[str, Any]] | None, seconds: float, *, killed: bool
) -> Record:
    """The record that lines tell.

    :param plan: what was to be called; None where the run has made its own.
    :raises InterferenceError: if they do not fit together.
    """
    record = Record(seconds=seconds, killed=killed)
    for line in lines:
        if line.what == "loaded" and record.load is None:
            record.load, record.error = (line.status, line.digest), line.error
        elif line.what == "begin":
            record.begun = line.name
        elif line.what == "end" and line.name == record.begun:
            _note(record, line, is_planned=plan is not None)
        elif line.what == "left":
            record.left.append(line.name)
        elif line.what == "finished":
            record.finished = True
        elif line.what == "covered" and record.coverage is None:
            counts = {sort: (found, whole) for sort, found, whole in line.counts}
            record.coverage = Coverage(counts, tuple(line.missing), tuple(line.functions))
        else:
            raise InterferenceError
    record.sorts = {each["name"]: each["sort"] for each in plan or record.plan}
    return record


def _note(record: Record, line: Line, *, is_planned: bool) -> None:
    """What came of a target; of one that is come back to, of its further calls."""
    record.begun = ""
    found = record.outcomes.setdefault(line.name, {})
    found.update({number: (how, digest) for number, how, digest in line.outcomes})
    if line.matters:
        record.matters.add(line.name)
    if not is_planned or line.target is not None:
        target = _target(line)
        record.plan.append(target)
        first = target.get("first")
        record.added[line.name] = first if isinstance(first, int) else 0
        record.telling[line.name] = [n for n in target.get("telling", []) if isinstance(n, int)]


def _target(line: Line) -> dict[str, Any]:
    target = line.target
    if target is None or target.get("name") != line.name or "sort" not in target:
        raise InterferenceError
    if not all(isinstance(target.get(each, []), list) for each in ("calls", "telling")):
        raise InterferenceError
    return target


class Ended(NamedTuple):
    """How a process ended.

    :param output: what it said, as far as there was room.
    :param complaint: the beginning of its standard error.
    :param status: its exit status; None if it was killed for taking too long or saying too much.
    :param seconds: how long it took.
    :param said_too_much: whether it was killed for that.
    """

    output: bytes
    complaint: str
    status: int | None
    seconds: float
    said_too_much: bool


class SandboxUnavailableError(Exception):
    """There is no sandbox here that could be trusted; the text says why."""


class SandboxHost(Protocol):
    """Runs jobs of :mod:`codeintel.engine.sandbox.inside`, each in a separate sandbox."""

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> Ended:
        """Do a job when it is the account's turn.

        :param seconds: after which it is killed.
        :raises SandboxUnavailableError: if no sandbox can be trusted.
        """


def said(ended: Ended) -> list[Line]:
    """What was said in a sandbox.

    :raises InterferenceError: if the program that ran there may have written some of it.
    """
    if ended.said_too_much:
        raise InterferenceError
    return lines(ended.output)
