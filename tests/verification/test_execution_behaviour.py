"""Programs run side by side in a sandbox: the differences that are detected, and those that are
not."""

from __future__ import annotations

import ast

import pytest
from execution_samples import SAMPLE, a_sandbox, is_alike, outcome

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox.behaviour import Behaviour
from codeintel.platform.sandbox import Sandbox

FAILED, OPEN = CheckStatus.FAILED, CheckStatus.NOT_APPLICABLE


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return a_sandbox()


def test_the_same_program(sandbox: Sandbox) -> None:
    behaviour = Behaviour(sandbox, "somebody", SAMPLE)
    found = behaviour.compare(ast.unparse(ast.parse(SAMPLE)))
    assert is_alike(found), found.text
    assert "functions, classes and methods called" in found.text
    assert "the program itself, run as a script; the examples in docstrings" in found.text
    assert "1 constant." in found.text
    assert "Not compared: 1 that differ from run to run." in found.text
    assert is_alike(behaviour.compare(SAMPLE))


SAME = [
    ("def add(a, b):\n    return a + b", "add = lambda a, b: a + b"),
    ('raise ValueError("negative")', 'raise ValueError(f"{n} is negative")'),
    ("return set(values)", "return {value for value in reversed(values)}"),
    ("return [function(value) for value in values]", "return list(map(function, values))"),
    ("yield from range(min(n, 50))", "return iter(range(min(n, 50)))"),
    ("self._items.append(item)", "self._items += [item]"),
    ("return random.random() * n + 1", "return 1 + random.random() * n"),
    ("found[word] = found.get(word, 0) + 1", "found[word] = 1 + found.get(word, 0)"),
]
OTHER = [
    ("return items[0]", "return items[-1]", "first"),
    ("return items[0]", "return next(iter(items))", "first"),
    ("return a + b", "return a - b", "add"),
    ("if n < 0", "if n <= 0", "checked"),
    ('raise ValueError("negative")', 'raise KeyError("negative")', "checked"),
    ("items.append(len(items))", "items + [len(items)]", "grown"),
    ("Hello {name}{mark}", "Hello {name} {mark}", "greet"),
    ("LIMIT = 10", "LIMIT = 10.0", "LIMIT"),
    ("LIMIT = 10", "LIMIT = None; del LIMIT", "LIMIT"),
    ("self._items.pop()", "self._items.pop(0)", "Stack.pop"),
    ("self.y * by", "self.y", "Point.scaled"),
    ("self._items[-1] if", "self._items[0] if", "Stack.top"),
    ("return n * 2", "return n * 3", "Stack.twice"),
    ("return n + 1", "return n + 2", "later"),
    ("size if deep else -size", "-size", "named"),
    ("{how} {colour.name}", "{colour.name}", "painted"),
    ("sum(numbers) / len", "sum(numbers) // len", "average"),
    ("min(n, 50)", "min(n, 51)", "up_to"),
    ("return set(values)", "return frozenset(values)", "distinct"),
    ('print("Sum:", add(1, 2))', 'print("Sum:", add(2, 2))', "run as a script"),
    ("{'a': 2, 'b': 1}\n", "{'a': 2}\n", "the examples in docstrings"),
    ("return a + b", "while True: pass", "add"),
    ("return a + b", "import os; os._exit(0)", "add"),
    ("LIMIT = 10", "LIMIT = 10; print(LIMIT)", "when it is loaded"),
    ("LIMIT = 10", "LIMIT = 10; import missing_module", "when it is loaded"),
]


@pytest.fixture
def behaviour(sandbox: Sandbox) -> Behaviour:
    return Behaviour(sandbox, "somebody", SAMPLE)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_is_not_told_apart(behaviour: Behaviour, old: str, new: str) -> None:
    assert SAMPLE.count(old) == 1
    found = behaviour.compare(SAMPLE.replace(old, new))
    assert is_alike(found), found.text


@pytest.mark.parametrize(("old", "new", "where"), OTHER)
def test_what_is_told_apart(behaviour: Behaviour, old: str, new: str, where: str) -> None:
    assert SAMPLE.count(old) == 1
    found = behaviour.compare(SAMPLE.replace(old, new))
    assert found.status is FAILED, found.text
    assert where in found.text
    assert not any(value in found.text for value in ("negative", "Hello", "Sum:", "51"))


def test_unit_tests_are_run(sandbox: Sandbox) -> None:
    code = """import unittest
def _half(n): return n / 2
class Tests(unittest.TestCase):
    def test_half(self): self.assertEqual(_half(4), 2)
    def test_bad(self): self.assertEqual(_half(4), 3)
"""
    assert "the unit tests" in outcome(sandbox, code).text
    other = outcome(sandbox, code, code.replace("n / 2", "n / 4"))
    assert other.status is FAILED
    assert "the unit tests" in other.text


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import missing_module\n", "cannot be loaded on its own (ModuleNotFoundError)"),
        ("import os\nos._exit(0)\n", "ended the process"),
        ("def f(n): return None()\n", "1 that could not be called"),
        ("def f(n: int): raise ValueError\n", "has nothing that can be compared"),
        ("class Bad(Exception): pass\nraise Bad\n", "(Bad)"),
        ("_x = 1\n", "has nothing that can be compared"),
        ("x = '\ud800'\n", "unpaired surrogate"),
        (f"x = {'-' * 50_000}1\n", "The original"),
    ],
)
def test_what_cannot_be_compared(sandbox: Sandbox, code: str, said: str) -> None:
    found = outcome(sandbox, code)
    assert found.status is OPEN, found.text
    assert said in found.text


def test_what_is_compared_without_functions(sandbox: Sandbox) -> None:
    assert is_alike(outcome(sandbox, "SIZES = {'a': [1, 2.5]}\n"))
    for script in ("print(sum(range(10)))\n", "import sys\nsys.exit(3)\n"):
        assert "what it prints and how it ends" in outcome(sandbox, script).text
        changed = script.replace("3)", "4)").replace("10", "11")
        assert outcome(sandbox, script, changed).status is FAILED


def test_there_is_an_end_to_trying(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def f(n: int): return n\n"
    behaviour = Behaviour(sandbox, "somebody", code)
    assert behaviour.compare(code.replace("return n", "return -n")).status is FAILED
    monkeypatch.setattr("codeintel.engine.sandbox.behaviour.ALL_SECONDS", 0.0)
    assert behaviour.compare(code + "# 1\n").status is FAILED  # one has failed: this is no better
    fresh = Behaviour(sandbox, "somebody", code)
    assert is_alike(fresh.compare(code + "# 1\n"))
    assert fresh.compare(code + "# 2\n").status is OPEN
