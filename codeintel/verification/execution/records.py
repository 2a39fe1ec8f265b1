"""What has come of one run of a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from codeintel.verification.execution.reports import InterferenceError, Line

VALUE, RAISED = "value", "raised"
COMPARABLE = frozenset((VALUE, RAISED))
Outcome = tuple[str, str]
"""How a call ended, and the digest of all that can be seen of it."""


@dataclass(slots=True)
class Record:
    """One run.

    :param load: what came of loading the module.
    :param begun: what it was at when it ended, if it did not finish.
    :param targets: what was called, with the sort of each.
    :param outcomes: of each target, by the number of the call.
    :param left: what there was no time for.
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

    @property
    def is_loaded(self) -> bool:
        """Whether its module was loaded, or ended itself in order."""
        loaded = self.load is not None and self.load[0] == VALUE
        return loaded or self.error == "SystemExit"

    def repeatable(self) -> list[dict[str, Any]]:
        """The plan with only what has come to an end that can be compared."""
        kept = []
        for target in self.plan:
            outcomes = self.outcomes.get(target["name"], {})
            numbers = [number for number, (how, _) in outcomes.items() if how in COMPARABLE]
            if numbers or target["sort"] == "function":  # classes: instances are made of them
                kept.append({**target, "numbers": numbers})
        return kept


def recorded(
    lines: Sequence[Line], plan: list[dict[str, Any]] | None, seconds: float, *, killed: bool
) -> Record:
    """The record that lines tell.

    :param plan: what was to be called; None where the run has made its own.
    :raises InterferenceError: if they do not fit together.
    """
    record = Record(seconds=seconds, killed=killed, plan=plan or [])
    for line in lines:
        if line.what == "loaded" and record.load is None:
            record.load, record.error = (line.status, line.digest), line.error
        elif line.what == "begin":
            record.begun = line.name
        elif line.what == "end" and line.name == record.begun:
            record.begun = ""
            record.outcomes[line.name] = {n: (how, digest) for n, how, digest in line.outcomes}
            if plan is None:
                record.plan.append(_target(line))
        elif line.what == "left":
            record.left.append(line.name)
        elif line.what == "finished":
            record.finished = True
        else:
            raise InterferenceError
    record.sorts = {each["name"]: each["sort"] for each in record.plan}
    return record


def _target(line: Line) -> dict[str, Any]:
    target = line.target
    if target is None or target.get("name") != line.name or "sort" not in target:
        raise InterferenceError
    return target
