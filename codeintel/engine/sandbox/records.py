"""Define one run in a sandbox: the host that starts it, the lines it writes, and the record of
them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

_NAME = re.compile(r"(?:[^\W\d]\w{0,99}\.)?[^\W\d]\w{0,99}")
_MAX_LINES = 5_000


class Line(msgspec.Struct, frozen=True):
    """A line.

    `target` is passed unchanged to the next sandbox. `matters` says whether the target runs a
    changed function.
    """

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
    """The output is not the harness's own: the program has written some of it."""


_decoder = msgspec.json.Decoder(Line)


def lines(output: bytes) -> list[Line]:
    """Return the complete lines.

    :raises InterferenceError: if the harness did not write all of them.
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
    """Return whether a text may appear in a sentence."""
    return not text or _NAME.fullmatch(text) is not None


VALUE, RAISED = "value", "raised"
COMPARABLE = frozenset((VALUE, RAISED))
Outcome = tuple[str, str]
"""How a call ended, and the digest of everything that can be observed."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The goals that calls reached in the functions that matter.

    :param counts: the number of reached and of all goals, by sort.
    :param missing: the function, line and sort of missing goals, or of some of them.
    :param functions: the functions that matter.
    """

    counts: dict[str, tuple[int, int]]
    missing: tuple[tuple[str, int, str], ...]
    functions: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Return whether all goals were reached."""
        return not self.missing and all(found == all_ for found, all_ in self.counts.values())


@dataclass(slots=True)
class Record:
    """A run in a sandbox.

    :param load: the outcome of loading the module.
    :param begun: the target that was running at the end, if the run did not finish.
    :param sorts: the sort of each target.
    :param outcomes: the outcomes of each target, by number of the call.
    :param left: the targets that there was no time for.
    :param matters: the targets that run a changed function.
    :param telling: the added calls of each target that reached something new.
    :param added: the number of the first added call of each target.
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
        """Return whether the module was loaded or exited on its own."""
        loaded = self.load is not None and self.load[0] == VALUE
        return loaded or self.error == "SystemExit"

    def repeatable(self) -> list[dict[str, Any]]:
        """Return the plan with only the calls whose outcome can be compared."""
        kept = []
        for target in self.plan:
            outcomes = self.outcomes.get(target["name"], {})
            calls = [
                call if outcomes.get(number, ("", ""))[0] in COMPARABLE else None
                for number, call in enumerate(target.get("calls", []))
            ]
            has_some = any(how in COMPARABLE for how, _ in outcomes.values())
            # keep classes, whose instances other calls need
            if has_some or target["sort"] == "function":
                kept.append({**target, "calls": calls})
        return kept

    def extended(self, plan: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return a plan with the calls that this run added."""
        added = {target["name"]: target.get("calls", []) for target in self.plan}
        return [
            {**target, "calls": [*target.get("calls", []), *added.get(target["name"], [])]}
            for target in plan
        ]


def recorded(
    lines: Sequence[Line], plan: list[dict[str, Any]] | None, seconds: float, *, killed: bool
) -> Record:
    """Return the record of a run's lines.

    :param plan: the targets to call, or None if the run made its own plan.
    :raises InterferenceError: if the lines are inconsistent.
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
    """Record the outcomes of a target. A target can return with further calls."""
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

    :param output: what it wrote, up to a limit.
    :param complaint: the beginning of its standard error.
    :param status: its exit status, or None if it was killed for taking too long or writing too
        much.
    :param seconds: its wall time.
    :param said_too_much: whether it was killed for writing too much.
    """

    output: bytes
    complaint: str
    status: int | None
    seconds: float
    said_too_much: bool


class SandboxUnavailableError(Exception):
    """No sandbox can be trusted. The message says why."""


class SandboxHost(Protocol):
    """Runs jobs of :mod:`codeintel.engine.sandbox.inside`, each in a separate sandbox."""

    def run(
        self, account_id: str, job: dict[str, Any], seconds: float, *, hash_seed: int = 0
    ) -> Ended:
        """Run a job when it is the account's turn.

        :param seconds: the time after which the job is killed.
        :raises SandboxUnavailableError: if no sandbox can be trusted.
        """


def said(ended: Ended) -> list[Line]:
    """Return the lines that a sandbox wrote.

    :raises InterferenceError: if the program may have written some of them.
    """
    if ended.said_too_much:
        raise InterferenceError
    return lines(ended.output)
