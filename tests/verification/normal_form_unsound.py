"""Pairs of code that look as if a step could be taken, and mean different things."""

from __future__ import annotations

from normal_form_pairs import (
    BOTH,
    ENCODER,
    GUARDED,
    SUPPRESSED,
    TRIED,
    TYPES,
    Pair,
    built,
    in_function,
)

UNSOUND: dict[str, Pair] = {
    "an import that the module finds in itself": (
        "import json, sys\nf(getattr(sys.modules[__name__], 'json'))",
        "import sys\nf(getattr(sys.modules[__name__], 'json'))",
    ),
    "pairs of another package": in_function(
        "for y, z in x.items(): g(z)", "for z in x.values(): g(z)", head="import pandas\n"
    ),
    "a variable of two loops": in_function(
        "for y in x:\n        for y, z in g.items(): h(z)\n        h(y)",
        "for y in x:\n        for z in g.values(): h(z)\n        h(y)",
    ),
    "a variable of a loop and one within": in_function(
        "for y in x:\n        z = []\n        for y in g: z.append(y + 1)\n        h(y, z)",
        "for y in x:\n        z = [y + 1 for y in g]\n        h(y, z)",
    ),
    "an error that other systems have": in_function(
        TRIED.format("WindowsError"), SUPPRESSED.format("WindowsError"), head="import contextlib\n"
    ),
    "an error of who knows what": in_function(
        TRIED.format("y.Error"), SUPPRESSED.format("y.Error"), head="import contextlib, y\n"
    ),
    "lines of a file that is left": in_function(
        "for y in x.readlines(): break\n    return x.read()",
        "for y in x: break\n    return x.read()",
    ),
    "a copy of a list with two names": in_function(
        "x = [1, 2]\n    z = x\n    for y in list(x): z += [y]",
        "x = [1, 2]\n    z = x\n    for y in x: z += [y]",
        given="",
    ),
    "a list that is changed by its other name": in_function(
        "x = [1, 2]\n    z = x\n    for y in list(x): z[0:0] = [y]",
        "x = [1, 2]\n    z = x\n    for y in x: z[0:0] = [y]",
        given="",
    ),
    "a function in place of a type": (
        "from typing import Optional\ndef f(x: Optional[any]): ...",
        "def f(x: any | None): ...",
    ),
    "what makes a lock": (
        "import threading\nfrom typing import Optional\ndef f(x: Optional[threading.Lock]): ...",
        "import threading\ndef f(x: threading.Lock | None): ...",
    ),
    "text in place of a type": (
        "from typing import Optional\nA = 'B'\ndef f(x: Optional[A]): ...",
        "A = 'B'\ndef f(x: A | None): ...",
    ),
    "nothing in place of a type": (
        "from typing import Optional\ndef f(x: Optional[None]): ...",
        "def f(x: None | None): ...",
    ),
    "negations as an argument": in_function(
        "return g(not (x == 1 and x.y))", "return g(x != 1 or not x.y)"
    ),
    "a type that older versions have": in_function(TYPES.format("unicode"), BOTH.format("unicode")),
    "a type that may be None": in_function(
        TYPES.format("np.ndarray"), BOTH.format("np.ndarray"), head=GUARDED
    ),
    "a type that comes later": in_function(TYPES.format("A"), BOTH.format("A"), head=""),
    "a type that is deleted": in_function(
        TYPES.format("A"), BOTH.format("A"), head="class A: ...\ndel A\n"
    ),
    "a type in a condition": in_function(
        TYPES.format("A"), BOTH.format("A"), head="if a:\n    class A: ...\n"
    ),
    "None as an index": in_function("return x[x.y == None]", "return x[x.y is None]"),
    "None as an argument": in_function("return x.loc(x.y == None)", "return x.loc(x.y is None)"),
    "None that is kept": in_function(
        "y = x == None\n    return x[y]", "y = x is None\n    return x[y]"
    ),
    "None that is returned": in_function("return x == None", "return x is None"),
    "a choice as an index": in_function("return x[True if x == 1 else False]", "return x[x == 1]"),
    "a negation as an argument": in_function("return g(not x == 1)", "return g(x != 1)"),
    "a bool as an argument": in_function("return g(bool(x == 1))", "return g(x == 1)"),
    "a class that compares by setattr": in_function(
        "if x == None: g()", "if x is None: g()", head="setattr(A, '__eq__', h)\n"
    ),
    "any of an own method": (
        ENCODER.format("encode", "any([self.encode(x) for x in xs])"),
        ENCODER.format("encode", "any(self.encode(x) for x in xs)"),
    ),
    "an own method, or": (
        ENCODER.format("strip", "xs.strip() if xs.strip() else 1"),
        ENCODER.format("strip", "xs.strip() or 1"),
    ),
    "an own method that is asked twice": (
        ENCODER.format("count", "self.count() == 2 or self.count() == 5"),
        ENCODER.format("count", "self.count() in (2, 5)"),
    ),
    "a method that is set": in_function(
        "return any([y.title() for y in x])",
        "return any(y.title() for y in x)",
        head="A.title = g\n",
    ),
    "threads that are joined": in_function(
        "return any([y.join(1) for y in x])", "return any(y.join(1) for y in x)"
    ),
    "a sum of an iterator, or": in_function("return sum(x) if sum(x) else 7", "return sum(x) or 7"),
    "a sum of an iterator, twice": in_function(
        "return sum(x) == 3 or sum(x) == 0", "return sum(x) in (3, 0)"
    ),
    "an iterator in text, twice": in_function(
        "return '{0} {0}'.format(list(x))", "return f'{list(x)} {list(x)}'"
    ),
    "an iterator that is searched twice": in_function(
        "return 1 in x if 1 in x else g()", "return 1 in x or g()"
    ),
    "the type List": in_function(
        "return type(x) is List", "return type(x) is list", head="from typing import List\n"
    ),
    "what List is written as": in_function(
        "return repr(List[x])", "return repr(list[x])", head="from typing import List\n"
    ),
    "a type that is a key": (
        "from typing import List\na = {List[int]: f}",
        "a = {list[int]: f}",
    ),
    "a separator from a call": in_function("print('', sep=x())", "print()"),
    "a separator that is none": in_function("print('', sep=0)", "print()"),
    "the larger in a class": (
        "a = 5\nb = 9\nclass C:\n    if a < b: a = b\n",
        "a = 5\nb = 9\nclass C:\n    a = max(a, b)\n",
    ),
    "the larger of a builtin": ("if id < b: id = b\n", "id = max(id, b)\n"),
    "a variable in a frame": in_function(
        "y = x\n    return y", "return x", head="def g(h): return h.f_locals\n"
    ),
    "a variable before eval": in_function("y = eval('y')\n    return y", "return eval('y')"),
    "ranges of who knows how many": in_function("return range(0, *x)", "return range(*x)"),
    "modes of who knows what": in_function("return open('r', *x)", "return open(*x)"),
    "keywords of who knows what": in_function(
        "return open(x, 'r', **y)", "return open(x, **y)", given="x, **y"
    ),
    "types of literals, rebound": in_function(
        "return type('')", "return str", head="def str(x): ...\n"
    ),
    "bool, rebound": in_function(
        "return True if x else False", "return bool(x)", head="def bool(x): ...\n"
    ),
    "open, rebound": (
        "from io import open as a\ndef open(p): ...\ndef f(p): return a(p)",
        "def open(p): ...\ndef f(p): return open(p)",
    ),
    "builtins, rebound": (
        "import builtins\ndef open(p): ...\ndef f(p): return builtins.open(p)",
        "def open(p): ...\ndef f(p): return open(p)",
    ),
    "builtins, replaced": (
        "import builtins\nbuiltins.set = g\na = set([1])",
        "import builtins\nbuiltins.set = g\na = {1}",
    ),
    "TimeoutError, rebound": in_function(
        "try: x()\n    except socket.timeout: g()",
        "try: x()\n    except TimeoutError: g()",
        head="import socket\nclass TimeoutError(Exception): ...\n",
    ),
    "JSON that is encoded": (
        "import json\nf(json.JSONEncoder().encode('utf-8'))",
        "import json\nf(json.JSONEncoder().encode())",
    ),
    "a variable of a comprehension": in_function(
        "x = 0\n    return ['%d' % x for x in y], x",
        "x = 0\n    return [f'{x:d}' for x in y], x",
        given="y",
    ),
    "what an exception filled": built("with suppress(ValueError)"),
    "what an exception of a group filled": built("try", "    except* ValueError: pass\n"),
    "what is seen in the end": in_function(
        "z = [9]\n    try: g()\n    except ValueError:\n        z = []\n"
        "        for x in xs: z.append(int(x))\n    finally: h(z)",
        "z = [9]\n    try: g()\n    except ValueError:\n        z = [int(x) for x in xs]\n"
        "    finally: h(z)",
        given="xs",
    ),
    "a set of what is sorted": in_function("return set(sorted(x))", "return set(x)"),
    "a set of different types": ("f(set(sorted([1, 'a'])))", "f({1, 'a'})"),
    "the first of equals": ("f(set(reversed([1, True])))", "f({1, True})"),
    "prefixes of who knows what": in_function(
        "return x.startswith('a') or x.startswith('b')", "return x.startswith(('a', 'b'))"
    ),
    "keys after values": in_function(
        "d = {}\n    for y in x: d[x.n] = x.next_one()\n    return d",
        "return {x.n: x.next_one() for y in x}",
    ),
    "infinity with zeros": in_function("return '%06.1f' % (x,)", "return f'{x:06.1f}'"),
    "a Counter of others": in_function(
        "c = Counter()\n    return x in c.keys()",
        "c = Counter()\n    return x in c",
        head="from b import Counter\n",
    ),
    "the order of two iterators": in_function(
        "return '{1} {0}'.format(list(x), sum(x))", "return f'{sum(x)} {list(x)}'"
    ),
}
REBINDING = {
    "a pattern": "match y:\n        case [x, _]: g()",
    "a star of a pattern": "match y:\n        case [*x]: g()",
    "the rest of a pattern": "match y:\n        case {{**x}}: g()".replace("{{", "{").replace(
        "}}", "}"
    ),
    "a loop": "for x in y: g()",
    "a context": "with y as x: g()",
    "an exception": "try: g()\n    except ValueError as x: g()",
    "an expression": "g(x := y)",
    "an import": "import x",
    "a function": "def x(): ...",
    "a class": "class x: ...",
    "a function within": "def h():\n        nonlocal x\n        x = y",
    "a caught exception within": (
        "def h():\n        nonlocal x\n        try: g()\n        except ValueError as x: g()"
    ),
}

UNSOUND |= {
    f"a number that {name} makes another thing": in_function(
        f"x = 0\n    {statement}\n    return '%d' % x",
        f"x = 0\n    {statement}\n    return f'{{x:d}}'",
        given="y",
    )
    for name, statement in REBINDING.items()
}
