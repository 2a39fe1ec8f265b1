"""Load the program, call its targets, and run its own tests."""

from __future__ import annotations

import ast
import linecache
import sys
import types
from collections.abc import Callable
from typing import Any

from .calling import Caller
from .outcome import VALUE, Outcome, clock, outcome
from .plan import MODULE, Target, planned, tests
from .search import Guide, Numbered, Search
from .values.canonical import UnwritableError

_MAX_SLOW = 4
_LEAST_SHARE = 0.05
Say = Callable[[dict[str, Any]], None]
_TESTS = ("doctest", "unittest")
"""The tests that a program may contain: docstring examples and test cases."""


def run(job: dict[str, Any], say: Say) -> None:
    """Load the program, make all calls of the plan, and report the outcomes.

    Without a plan, make one and report it. With `extend`, add calls that reach more than the plan
    does. The calls end after `budget` seconds. If the process ends early, the last target that
    began has ended it.
    """
    _Run(job, say).run()


class _Run:
    def __init__(self, job: dict[str, Any], say: Say) -> None:
        self._job = job
        self._say = say
        self._code: str = job["code"]
        self._plan: list[Target] | None = job["plan"]
        self._module = types.ModuleType(MODULE)

    def run(self) -> None:
        """Run the job."""
        code, end = self._code, clock() + self._job["budget"]
        linecache.cache["<program>"] = (len(code), None, code.splitlines(True), "<program>")
        tree = ast.parse(code)
        raises = _raises(tree)
        plain = ast.parse(code)
        self._guide = Guide(tree, _parsed(self._job.get("other")))
        sys.argv = ["program.py"]
        self._compiled = compile(plain, "<program>", "exec", dont_inherit=True)
        status, digest, error = self._load(
            self._module, compile(tree, "<program>", "exec", dont_inherit=True)
        )
        self._say({"what": "loaded", "status": status, "digest": digest, "error": error})
        if status != VALUE and error != "SystemExit":
            return
        targets = self._targets(plain)
        by_name = {each["name"]: each for each in targets if each["sort"] == "function"}
        self._caller = Caller(
            self._module,
            by_name,
            raises,
            self._job["seed"],
            self._job["seconds"],
            self._guide.pools,
        )
        if self._plan is None:
            self._first(targets, end)
        else:
            self._again(targets, end)
        self._tell()

    def _targets(self, tree: ast.Module) -> list[Target]:
        """Return the targets to call, those that matter first."""
        if self._plan is not None:
            return self._plan
        found = [*planned(self._module, tree, self._guide.focus), *tests(_TESTS)]
        found = [each for each in found if each["name"] not in self._job["skip"]]
        return sorted(found, key=self._order)

    def _order(self, target: Target) -> tuple[bool, bool]:
        """Return the sort key of a target.

        Targets that matter come first, and among them classes last, because they need most calls
        and get the remaining time.
        """
        matters = self._guide.matters(target)
        is_class = isinstance(getattr(self._module, target["name"], None), type)
        return not matters, matters and is_class

    def _first(self, targets: list[Target], end: float) -> None:
        """Make the calls of a new plan."""
        left = sum(map(self._guide.matters, targets))
        for target in targets:
            if not self._begin(target, end):
                left -= 1
                continue
            calls: list[Any] = []
            if target["sort"] != "function":
                outcomes = [self._whole(target)]
            elif self._guide.matters(target):
                now = clock()
                share = max((end - now) * 0.9 / max(left, 1), _LEAST_SHARE)
                left -= 1
                search = Search(self._caller, self._guide, target, _MAX_SLOW)
                outcomes = list(search.guided(0, now + share))
                calls = search.calls
                target = {**target, "short": len(calls) < search.enough()}
            else:
                search = Search(self._caller, self._guide, target, 2)
                outcomes = list(search.usual(end))
                calls = search.calls
            said = {**target, "calls": calls, "first": len(calls)}
            self._end(target, outcomes, said)
        self._say({"what": "finished"})

    def _again(self, targets: list[Target], end: float) -> None:
        """Repeat the plan: first the original's own calls, then the added ones, then new ones."""
        for target in targets:
            if not self._begin(target, end):
                continue
            if target["sort"] != "function":
                self._end(target, [self._whole(target)], None)
                continue
            search = Search(self._caller, self._guide, target, 1)
            self._searches[target["name"]] = search
            calls = target.get("calls", [])[: target.get("first", 0)]
            self._end(target, list(search.repeated(calls, 0, end)), None)
        self._say({"what": "finished"})
        for target in targets:
            first = target.get("first", 0)
            added = target.get("calls", [])[first:]
            if added and target["name"] in self._searches and self._begin(target, end):
                search = self._searches[target["name"]]
                self._end(target, list(search.repeated(added, first, end)), None)
        if self._job.get("extend"):
            self._extend([each for each in targets if self._guide.missing(each)], end)

    def _extend(self, targets: list[Target], end: float) -> None:
        for number, target in enumerate(targets):
            if target["name"] not in self._searches or not self._begin(target, end):
                continue
            now = clock()
            share = max((end - now) * 0.9 / (len(targets) - number), _LEAST_SHARE)
            search = self._searches[target["name"]]
            outcomes = list(search.more(len(target.get("calls", [])), now + share))
            self._end(
                target, outcomes, {**target, "calls": search.calls, "telling": search.telling}
            )

    def _begin(self, target: Target, end: float) -> bool:
        if clock() > end:
            self._say({"what": "left", "name": target["name"]})
            return False
        self._say({"what": "begin", "name": target["name"]})
        return True

    def _end(self, target: Target, outcomes: list[Numbered], said: Any) -> None:
        self._say(
            {
                "what": "end",
                "name": target["name"],
                "outcomes": outcomes,
                "target": said,
                "matters": self._guide.matters(target),
            }
        )

    def _tell(self) -> None:
        """Report what was reached of the functions that matter."""
        self._say(
            {
                "what": "covered",
                "counts": self._guide.counted(),
                "missing": self._guide.unreached()[:20],
                "functions": sorted(self._guide.focus)[:200],
            }
        )

    def _whole(self, target: Target) -> Numbered:
        """Return the number, status and digest of a target that is not a function."""
        job, module = self._job, self._module
        one: Callable[[], Outcome] = {
            "constant": lambda: outcome(job["seconds"], lambda: getattr(module, target["name"])),
            "main": lambda: self._load(types.ModuleType("__main__"), self._compiled)[:2],
            "doctest": lambda: outcome(job["load"], lambda: doctested(module, self._code)),
            "unittest": lambda: outcome(job["load"], lambda: unittested(module)),
        }[target["sort"]]
        return (0, *one())

    def _load(self, module: types.ModuleType, code: types.CodeType) -> tuple[str, str, str]:
        """Run the program as a module.

        Return the status, the digest and the type of the exception.
        """
        raised = ""

        def load() -> None:
            nonlocal raised
            sys.modules[module.__name__] = module
            try:
                exec(code, vars(module))  # noqa: S102
            except BaseException as error:
                raised = type(error).__name__
                raise

        status, digest = outcome(self._job["load"], load)
        return status, digest, raised

    _searches: dict[str, Search] = {}  # noqa: RUF012 - there is one run in a process


def _raises(tree: ast.Module) -> frozenset[int]:
    """Return the lines of `raise` statements."""
    return frozenset(
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def _parsed(code: str | None) -> ast.Module | None:
    """Return the tree of the program that this one is compared with, or None if it has none."""
    if code is None:
        return None
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def doctested(module: types.ModuleType, code: str) -> object:
    """Return the number of examples and of failures per docstring.

    :raises UnwritableError: if there are no examples.
    """
    if ">>>" not in code:
        raise UnwritableError
    import doctest  # which takes a while

    found = {}
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(module, module.__name__):
        if test.examples:
            failures, attempts = runner.run(test, out=lambda _: None)
            found[test.name] = (failures, attempts)
    if not found:
        raise UnwritableError
    return sorted(found.items())


def unittested(module: types.ModuleType) -> object:
    """Return how the tests of the test cases ended.

    :raises UnwritableError: if there are no tests.
    """
    if "unittest" not in sys.modules:
        raise UnwritableError
    import unittest

    loader, result = unittest.TestLoader(), unittest.TestResult()
    for value in list(vars(module).values()):
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            loader.loadTestsFromTestCase(value).run(result)
    if not result.testsRun:
        raise UnwritableError
    bad = sorted(str(each) for each, _ in [*result.failures, *result.errors, *result.skipped])
    return result.testsRun, bad, len(result.failures), len(result.errors)
