"""The program: loaded, called as far as it can be, and run with its own tests."""

from __future__ import annotations

import ast
import linecache
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from .calling import TIME, VALUE, Caller, Outcome, outcome
from .plan import MODULE, Target, planned
from .tests import doctested, unittested

_MAX_SLOW = 2
Say = Callable[[dict[str, Any]], None]


def run(job: dict[str, Any], say: Say) -> None:
    """Load the program, make all calls of the plan and tell what came of them.

    Without a plan one is made, and told. The calls end when `budget` seconds are over. If the
    process ends, it was what was begun last that has ended it.
    """
    code, end = job["code"], time.monotonic() + job["budget"]
    linecache.cache["<program>"] = (len(code), None, code.splitlines(True), "<program>")
    tree = ast.parse(code)
    raises = frozenset(
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )
    sys.argv = ["program.py"]
    module = types.ModuleType(MODULE)
    status, digest, error = _load(module, code, job["load"])
    say({"what": "loaded", "status": status, "digest": digest, "error": error})
    if status != VALUE and error != "SystemExit":
        return
    plan: list[Target] | None = job["plan"]
    if plan is None:
        tests = [Target(sort=sort, name=sort, given=[], numbers=[0]) for sort in _TESTS]
        plan = [
            each for each in [*planned(module, tree), *tests] if each["name"] not in job["skip"]
        ]
    by_name = {each["name"]: each for each in plan if each["sort"] == "function"}
    caller = Caller(module, by_name, raises, job["seed"], job["seconds"])
    for target in plan:
        if time.monotonic() > end:
            say({"what": "left", "name": target["name"]})
            continue
        say({"what": "begin", "name": target["name"]})
        outcomes = list(_outcomes(target, module, caller, code, job, end))
        said = target if job["plan"] is None else None
        say({"what": "end", "name": target["name"], "outcomes": outcomes, "target": said})
    say({"what": "finished"})


def _load(module: types.ModuleType, code: str, seconds: float) -> tuple[str, str, str]:
    """Run the program as a module; also the type of what it raised."""
    raised = ""

    def load() -> None:
        nonlocal raised
        sys.modules[module.__name__] = module
        try:
            exec(compile(code, "<program>", "exec", dont_inherit=True), vars(module))  # noqa: S102
        except BaseException as error:
            raised = type(error).__name__
            raise

    status, digest = outcome(seconds, load)
    return status, digest, raised


def _outcomes(
    target: Target,
    module: types.ModuleType,
    caller: Caller,
    code: str,
    job: dict[str, Any],
    end: float,
) -> Iterator[tuple[int, str, str]]:
    """The number, status and digest of each call."""
    one: Callable[[], Outcome] | None = {
        "constant": lambda: outcome(job["seconds"], lambda: getattr(module, target["name"])),
        "main": lambda: _load(types.ModuleType("__main__"), code, job["load"])[:2],
        "doctest": lambda: outcome(job["load"], lambda: doctested(module, code)),
        "unittest": lambda: outcome(job["load"], lambda: unittested(module)),
    }.get(target["sort"])
    if one is not None:
        yield (0, *one())
        return
    slow = 0
    for number in target["numbers"]:
        status, digest = caller.call(target, number)
        yield number, status, digest
        slow += status == TIME
        if slow >= (_MAX_SLOW if job["plan"] is None else 1) or time.monotonic() > end:
            return


_TESTS = ("doctest", "unittest")
