"""Differences that no number of examples settles, and those that examples do."""

from __future__ import annotations

import ast

import pytest

from codeintel.engine.sandbox.inside.coverage.beyond import has_other_none_tests, settled_by_nothing
from codeintel.engine.sandbox.inside.coverage.differences import unknown_operation
from codeintel.engine.sandbox.inside.coverage.unreachable import full_tables, looked_up

SETTLED_BY_NOTHING = {
    "results are kept": ("def f(x): return [x]", "@lru_cache\ndef f(x): return [x]"),
    "the other end": ("def f(q): return q.pop(0)", "def f(q): return q.pop()"),
    "the other end of a deque": ("def f(q): return q.popleft()", "def f(q): return q.pop()"),
    "the smallest": ("def f(q): return q.pop(0)", "def f(q): return heappop(q)"),
    "a keyword is gone": (
        "def f(x): return x.quantize(C, rounding=H)",
        "def f(x): return x.quantize(C)",
    ),
    "another keyword": (
        "def f(x): return sorted(x, key=k)",
        "def f(x): return sorted(x, reverse=k)",
    ),
    "an exception ends the loop": (
        "def f(x):\n for v in x:\n  try: g(v)\n  except E: pass",
        "def f(x):\n try:\n  for v in x: g(v)\n except E: pass",
    ),
    "suppress around the loop": (
        "def f(x):\n for v in x:\n  with suppress(E): g(v)",
        "def f(x):\n with suppress(E):\n  for v in x: g(v)",
    ),
    "another exception": (
        "def f(x):\n try: g(x)\n except KeyError: pass",
        "def f(x):\n try: g(x)\n except LookupError: pass",
    ),
    "equal in another form": (
        "def f(a, b): return sorted(a) == sorted(b)",
        "def f(a, b): return set(a) == set(b)",
    ),
    "a further type": (
        "def f(x): return isinstance(x, list)",
        "def f(x): return isinstance(x, (list, tuple))",
    ),
    "a further type of a case": (
        "def f(x):\n match x:\n  case int(): return 1",
        "def f(x):\n match x:\n  case int() | bool(): return 1",
    ),
    "one is not True": (
        "def f(x): return 1 if x is True else 2",
        "def f(x):\n match x:\n  case 1: return 1\n return 2",
    ),
    "an iterator is read once": (
        "def f(x):\n x = list(x)\n return sum(x), len([y for y in x])",
        "def f(x): return sum(x), len([y for y in x])",
    ),
    "two arguments may be one list": (
        "def f(a, b):\n n = len(a)\n b.append(0)\n return n",
        "def f(a, b):\n b.append(0)\n return len(a)",
    ),
    "two arguments may be one dictionary": (
        "def f(a: dict, b: dict, k: str):\n v = a[k]\n b[k] = 7\n return v",
        "def f(a: dict, b: dict, k: str):\n b[k] = 7\n return a[k]",
    ),
    "a list that grows in its own loop": (
        "def f(a, b):\n for x in list(a): b.append(x)",
        "def f(a, b):\n for x in a: b.append(x)",
    ),
    "a list that is extended by itself": (
        "def f(a, b):\n for x in a: b.append(x)",
        "def f(a, b): b.extend([x for x in a])",
    ),
    "a tuple is taken apart": ("def f(x): return 'a %s' % x", "def f(x): return f'a {x}'"),
    "a default for what is empty": (
        "def f(x): return x if g(x) else 'a'",
        "def f(x): return x or 'a'",
    ),
}
NONE_AND_EMPTY = {
    "empty for None": (
        "def f(x): return 0 if x is None else 1",
        "def f(x): return 0 if not x else 1",
    ),
    "None and empty": (
        "def f(x):\n v = g(x)\n return v if v is not None else 0",
        "def f(x):\n v = g(x)\n if v is None: v = 0\n return v if v else 0",
    ),
}
EXAMPLES = {
    "types one by one": (
        "def f(x): return isinstance(x, (int, str))",
        "def f(x):\n if isinstance(x, str): return True\n return isinstance(x, int)",
    ),
    "types as patterns": (
        "def f(x): return 1 if isinstance(x, dict) else 2",
        "def f(x):\n match x:\n  case dict(): return 1\n return 2",
    ),
    "a number is formatted": ("def f(x): return 'a %d' % x", "def f(x): return f'a {x:d}'"),
    "a truth that is known to be one": (
        "def f(x: bool): return 1 if x is True else 2",
        "def f(x: bool): return 1 if x else 2",
    ),
    "a list is read twice": (
        "def f(x: list[int]): return sum(x), min(x)",
        "def f(x: list[int]):\n y = list(x)\n return sum(y), min(y)",
    ),
    "a name is formatted": ("def f(x: str): return 'a %s' % x", "def f(x: str): return f'a {x}'"),
    "a tuple is formatted": ("def f(x): return 'a %s' % (x,)", "def f(x): return f'a {x}'"),
    "arguments of two types": (
        "def f(a: list[int], b: set[int]):\n n = len(a)\n b.add(0)\n return n",
        "def f(a: list[int], b: set[int]):\n b.add(0)\n return len(a)",
    ),
    "an argument that is put into another": (
        "def f(a, b=None):\n if b is None: b = []\n b.append(a)\n return b",
        "def f(a, b=None):\n c = [] if b is None else b\n c.append(a)\n return c",
    ),
    "the same order of two arguments": (
        "def f(a, b):\n for x in a: b.append(x)\n return b",
        "def f(a, b):\n for y in a:\n  z = y\n  b.append(z)\n return b",
    ),
    "a number of values": ("def f(x): return len(x) == 0", "def f(x): return not x"),
    "a comprehension": (
        "def f(x):\n r = []\n for v in x:\n  r.append(v)\n return r",
        "def f(x): return [v for v in x]",
    ),
    "deque for a list, the same end": ("def f(q): return q.pop(0)", "def f(q): return q.popleft()"),
    "the last by its number": ("def f(q): return q.pop(-1)", "def f(q): return q.pop()"),
    "a key of a mapping": ("def f(d, k): return d.pop(k)", "def f(d, k): return d.pop(k, 1)"),
    "a condition": (
        "def f(x, y):\n if x:\n  return 1\n return 1 if y else 0",
        "def f(x, y):\n if x or y: return 1\n return 0",
    ),
    "suppress for try": (
        "def f(x):\n try: g(x)\n except E: pass",
        "def f(x):\n with suppress(E): g(x)",
    ),
    "the same keywords": (
        "def f(x): return sorted(x, key=k)",
        "def f(x):\n y = sorted(x, key=k)\n return y",
    ),
    "None is tested in both": (
        "def f(x): return 0 if x is None else 1",
        "def f(x):\n if x is not None: return 1\n return 0",
    ),
}


def functions(code: str) -> list[ast.AST]:
    return list(ast.parse(code).body)


@pytest.mark.parametrize("name", SETTLED_BY_NOTHING)
def test_what_examples_do_not_settle(name: str) -> None:
    one, other = map(functions, SETTLED_BY_NOTHING[name])
    assert settled_by_nothing(one, other)
    assert settled_by_nothing(other, one)


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_examples_may_settle(name: str) -> None:
    one, other = map(functions, EXAMPLES[name])
    assert not settled_by_nothing(one, other)
    assert not settled_by_nothing(one, one)


@pytest.mark.parametrize("name", NONE_AND_EMPTY)
def test_none_and_empty_are_told_apart(name: str) -> None:
    one, other = map(functions, NONE_AND_EMPTY[name])
    assert has_other_none_tests(one, other)
    assert has_other_none_tests(other, one)


def test_none_is_tested_in_both() -> None:
    one, other = map(functions, EXAMPLES["None is tested in both"])
    assert not has_other_none_tests(one, other)


UNKNOWN = {
    "a quotient with a fraction": (
        "def f(a, b): return -(-a // b)",
        "def f(a, b): return ceil(a / b)",
    ),
    "a conversion less": (
        "def f(x): return Decimal(str(x)) + Decimal('0.1')",
        "def f(x): return Decimal(x) + Decimal('0.1')",
    ),
    "another text to split at": (
        "def f(x): return x.split(' ', 2)",
        "def f(x): return x.split(None, 2)",
    ),
    "what is stripped": ("def f(x): return x.rstrip('\\n')", "def f(x): return x.rstrip()"),
    "blanks at the ends": (
        "def f(x): return [v for v in x]",
        "def f(x): return [v.strip() for v in x]",
    ),
    "a recursion": (
        "def f(x):\n while x: x = x.next\n return x",
        "def f(x): return f(x.next) if x else x",
    ),
    "a generator": ("def f(x): return iter([x])", "def f(x):\n yield x"),
    "replaced in another order": (
        "def f(x): return x.replace('a', 'b').replace('b', 'c')",
        "def f(x): return x.replace('b', 'c').replace('a', 'b')",
    ),
    "several merged by a sign": (
        "def f(a, b, c): return dict([*a, *b, *c])",
        "def f(a, b, c): return a | b | c",
    ),
    "several merged by a display": (
        "def f(a, b, c): return dict([*a, *b, *c])",
        "def f(a, b, c): return {**a, **b, **c}",
    ),
    "the least of several fractions": (
        "def f(x: list[float]): return sorted(x)[0] + 1.5",
        "def f(x: list[float]): return min(x) + 1.5",
    ),
    "a comparison of fractions in a table": (
        "T = [lambda x: not x < 1.5]\ndef f(x: float): return T[0](x)",
        "T = [lambda x: x >= 1.5]\ndef f(x: float): return T[0](x)",
    ),
    "another operator of a table": (
        "T = {'a': operator.truediv}\ndef f(x): return T['a'](x, 2)",
        "T = {'a': operator.floordiv}\ndef f(x): return T['a'](x, 2)",
    ),
    "an operator as a function of the program": (
        "def truediv(a, b): return a // b\ndef f(x): return truediv(x, 2)",
        "def f(x): return x / 2",
    ),
    "a method of the name of an operator": (
        "def f(x): return x.truediv(2)",
        "def f(x): return x / 2",
    ),
    "a bound of parts that are read": (
        "def f(x): return x.split(' ')[1]",
        "def f(x): return x.split(' ', 1)[1]",
    ),
    "a bound of all parts": ("def f(x): return x.split(' ')", "def f(x): return x.split(' ', 1)"),
    "filled up with what varies": (
        "def f(x, y, z): return list(zip(x, y))",
        "def f(x, y, z): return list(zip_longest(x, y, fillvalue=z))",
    ),
    "several sides filled up": (
        "def f(x, y, z): return list(zip(x, y, z))",
        "def f(x, y, z): return list(zip_longest(x, y, z))",
    ),
    "a method that is not known": ("def f(x): return x[0]", "def f(x): return x.title()[0]"),
    "a method of the name of a variable": (
        "def f(x):\n title = x\n return title",
        "def f(x):\n title = x.title()\n return title",
    ),
    "an exception": ("def f(x): return x", "def f(x):\n if x: return x\n raise E"),
}
KNOWN = {
    "a loop as a comprehension": (
        "def f(x):\n r = []\n for v in x:\n  r.append(v)\n return r",
        "def f(x): return [v for v in x]",
    ),
    "two merged": ("def f(a, b): return {**a, **b}", "def f(a, b): return a | b"),
    "a method as a helper": (
        "class C:\n def f(self, x): return x.title()",
        "class C:\n def _g(self, x): return x.title()\n def f(self, x): return self._g(x)",
    ),
    "a helper": (
        "def f(x): return x.title()",
        "def _g(x): return x.title()\ndef f(x): return _g(x)",
    ),
    "whole numbers turned round": (
        "def f(x: int): return not x < 2",
        "def f(x: int): return x >= 2",
    ),
    "fractions turned round": (
        "def f(x: float): return not x < 1.5",
        "def f(x: float): return x >= 1.5",
    ),
    "the less of two fractions": (
        "def f(x: float, y: float): return y if x > y else x",
        "def f(x: float, y: float): return min(x, y)",
    ),
    "an operator of a table": (
        "T = {'a': operator.truediv}\ndef f(x):\n g = T['a']\n return g(x, 2)",
        "def f(x): return x / 2",
    ),
    "a bound of parts that are not read": (
        "def f(x): return x.split(' ')[1]",
        "def f(x): return x.split(' ', 2)[1]",
    ),
    "filled up": (
        "def f(x, y): return list(zip(x, y))",
        "def f(x, y): return list(zip_longest(x, y, fillvalue=0))",
    ),
    "an annotation": (
        "def f(x: Optional[int]): return x",
        "def f(x: int | None): return x",
    ),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_operations_that_examples_do_not_settle(name: str) -> None:
    one, other = map(functions, UNKNOWN[name])
    assert unknown_operation(one, other)
    assert unknown_operation(other, one)


@pytest.mark.parametrize("name", KNOWN)
def test_operations_that_examples_may_settle(name: str) -> None:
    one, other = map(functions, KNOWN[name])
    assert not unknown_operation(one, other)
    assert not unknown_operation(other, one)


TABLES = """
FULL = {"a": add, "b": lambda x: x, "c": 3}
EMPTY = {"a": 0, "b": 1}
CHANGED = {"a": add}
CHANGED = {}

def f(key):
    found = FULL.get(key)
    maybe = EMPTY.get(key)
    again = FULL.get(key)
    again = key
    other = FULL.get(key, 0)
"""


def test_values_of_tables_that_are_never_empty() -> None:
    tree = ast.parse(TABLES)
    assert full_tables(tree) == {"FULL"}
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert looked_up(function, full_tables(tree)) == {"found"}
