"""Pairs of code in which a step's conditions hold."""

from __future__ import annotations

from normal_form_pairs import (
    BOTH,
    SUPPRESSED,
    TRIED,
    TYPES,
    Pair,
    built,
    in_function,
)

SOUND: dict[str, Pair] = {
    "types of the module": in_function(
        TYPES.format("A"), BOTH.format("A"), head="class A: ...\nfrom b import B\n"
    ),
    "imported types": in_function(
        TYPES.format("B"), BOTH.format("B"), head="class A: ...\nfrom b import B\n"
    ),
    "types of the standard library": in_function(
        TYPES.format("date"), BOTH.format("date"), head="from datetime import date\n"
    ),
    "None in a condition": in_function("while x.y == None: g()", "while x.y is None: g()"),
    "None before `or`": in_function("return x == None or g()", "return x is None or g()"),
    "None in a comprehension": in_function(
        "return [y for y in x if y != None]", "return [y for y in x if y is not None]"
    ),
    "None of a function that says bool": (
        "def f(x) -> bool:\n    return x == None",
        "def f(x) -> bool:\n    return x is None",
    ),
    "None of what is known": in_function("return x == None", "return x is None", given="x: str"),
    "negation in a condition": in_function("if not x == 1: g()", "if x != 1: g()"),
    "any of a method of strings": in_function(
        "return any([y.encode() for y in x])", "return any(y.encode() for y in x)"
    ),
    "a sum of a list, or": in_function(
        "return sum(x) if sum(x) else 1", "return sum(x) or 1", given="x: list"
    ),
    "aliases of types": (
        "from typing import Dict, List\nA = Dict[str, List[int]]",
        "A = dict[str, list[int]]",
    ),
    "types that are cast to": in_function(
        "return cast(List[int], x)",
        "return cast(list[int], x)",
        head="from typing import List, cast\n",
    ),
    "types that are asked for": (
        "from typing import Mapping\ndef f(x): return isinstance(x, Mapping)",
        "from collections.abc import Mapping\ndef f(x): return isinstance(x, Mapping)",
    ),
    "a separator": in_function("print('', sep=',')", "print()"),
    "the larger in a function": in_function("if a < x: a = x", "a = max(a, x)", given="a, x"),
    "a variable that is returned": in_function("y = x\n    return y", "return x"),
    "ranges": in_function("return range(0, x)", "return range(x)"),
    "types of literals": in_function("return type('')", "return str"),
    "another name of TimeoutError": in_function(
        "try: x()\n    except socket.timeout: g()",
        "try: x()\n    except TimeoutError: g()",
        head="import socket\n",
    ),
    "text that is encoded": in_function("return f'{x}'.encode('utf-8')", "return f'{x}'.encode()"),
    "a number in text": in_function(
        "x = 0\n    return '%d' % x", "x = 0\n    return f'{x:d}'", given="y"
    ),
    "a list that a file fills": built("with open(a) as f"),
    "a set of sorted text": ("f(set(sorted(['a', 'b'])))", "f({'a', 'b'})"),
    "prefixes of text": in_function(
        "return x.startswith('a') or x.startswith('b')",
        "return x.startswith(('a', 'b'))",
        given="x: str",
    ),
    "a dict with an attribute of its own": in_function(
        "d = {}\n    for y in x: d[y] = g(y)\n    return d", "return {y: g(y) for y in x}"
    ),
    "errors of the standard library": in_function(
        TRIED.format("Empty"),
        SUPPRESSED.format("Empty"),
        head="import contextlib\nfrom queue import Empty\n",
    ),
    "lines of a file": in_function("for y in x.readlines(): g(y)", "for y in x: g(y)"),
    "a copy that is gone through": in_function(
        "x = [1, 2]\n    for y in list(x): print(y)",
        "x = [1, 2]\n    for y in x: print(y)",
        given="",
    ),
    "a choice of types": (
        "from typing import Optional\nclass A: ...\ndef f(x: Optional[A]): ...",
        "class A: ...\ndef f(x: A | None): ...",
    ),
    "half of a dict's pairs": in_function(
        "for y, z in x.items(): g(z)", "for z in x.values(): g(z)"
    ),
    "a byte order mark": ("\ufeffa = not b in c\n", "\ufeffa = b not in c\n"),
    "a number of many digits": (
        f"a = 0x{'f' * 5_000}\nb = not a in c\n",
        f"a = 0x{'f' * 5_000}\nb = a not in c\n",
    ),
}
