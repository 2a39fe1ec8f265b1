"""Pairs of programs: which mean the same depends on what kind of values there are."""

from __future__ import annotations


def body(*lines: str, given: str = "a") -> str:
    return f"def f({given}):\n" + "".join(f"    {line}\n" for line in lines)


DOC = 'def f():\n    """{}Text.{}\n\n    >>> f(){}\n    {}\n    """\n    return 1\n'
CUT = ("if s.startswith('ab'):", "    s = s[{}:]", "return s")
MAPPED = "return {}(map(lambda x: {}, a))"
SAME = {
    "a docstring with examples": (DOC.format(" ", " ", "  ", "1"), DOC.format("", "", "", "1")),
    "a lambda with a name": ("g = lambda x, *y, k=1: x + k", "def g(x, *y, k=1): return x + k"),
    "a lambda that makes a default": (
        "from dataclasses import field\nx = field(default_factory=lambda: [])",
        "from dataclasses import field\nx = field(default_factory=list)",
    ),
    "all of a map": (body(MAPPED.format("all", "x > 1")), body("return all(x > 1 for x in a)")),
    "a map in a map": (
        body("return list(map(lambda t: tuple(map(lambda x: x + 1, t)), a))"),
        body("return [tuple(x + 1 for x in t) for t in a]"),
    ),
    "a map that is joined": (
        body("return ''.join(map(lambda x: x.upper(), a))"),
        body("return ''.join(x.upper() for x in a)"),
    ),
    "a map in a loop": (
        body("for y in map(lambda x: x + 1, a): print(y)"),
        body("for y in (x + 1 for x in a): print(y)"),
    ),
    "a map as arguments": (
        body("return g(*map(lambda x: x + 1, a))"),
        body("return g(*(x + 1 for x in a))"),
    ),
    "a variable that is not read": (body("x = 5", "return a"), body("return a")),
    "a call that is not read": (body("x = abs(a)", "return a"), body("abs(a)", "return a")),
    "a first value that is not read": (
        body("c = []", "print(a)", "c = [a]", "return c"),
        body("print(a)", "return [a]"),
    ),
    "an exception that is not read": (
        body("try: return g()", "except ValueError as e: return 1"),
        body("try: return g()", "except ValueError: return 1"),
    ),
    "an import in a function": (body("import os, re", "return re"), body("import re", "return re")),
    "a lookup in a dict": (
        body("d = {}", "return d[a] if a in d else -1"),
        body("d = {}", "return d.get(a, -1)"),
    ),
    "a lookup in a dict of the module": (
        f"D = {{1: 2}}\n{body('return D[a] if a in D.keys() else None')}",
        f"D = {{1: 2}}\n{body('return D.get(a)')}",
    ),
    "a beginning that is cut off": (
        body(*(line.format(2) for line in CUT), given="s: str"),
        body("return s.removeprefix('ab')", given="s: str"),
    ),
    "an end that is cut off": (
        body("return s[:-3] if s.endswith('abc') else s", given="s: str"),
        body("return s.removesuffix('abc')", given="s: str"),
    ),
    "the larger of a sum": (
        body("if a - b > m: m = a - b", "return m", given="a, b, m"),
        body("m = max(m, a - b)", "return m", given="a, b, m"),
    ),
    "an annotation that nobody evaluates": (
        "from typing import Optional\nclass A:\n    def f(self): self.x: Optional['A'] = None",
        "class A:\n    def f(self): self.x: A | None = None",
    ),
    "a name of a class in a template": (
        body("return '{} {}'.format(a.__class__.__name__, a.g())"),
        body("return f'{a.__class__.__name__} {a.g()}'"),
    ),
    "repr in a template": (body("return '{}'.format(repr(a))"), body("return f'{a!r}'")),
    "a file that is read": (
        body("with open(a) as h:", "    d = []", "    for x in h: d.append(int(x))", "return d"),
        body("with open(a) as h:", "    d = [int(x) for x in h]", "return d"),
    ),
    "a text that is made of others": (
        body("b = str(a).strip()", "b += '!'", "return '<%s>' % b"),
        body("b = str(a).strip()", "b += '!'", "return f'<{b}>'"),
    ),
    "letters of a text": (
        body("for c in s: print('<%s>' % c)", given="s: str"),
        body("for c in s: print(f'<{c}>')", given="s: str"),
    ),
    "a number that is counted": (
        body("n = 0", "for i, x in enumerate(a): n += i", "return '%d' % n"),
        body("n = 0", "for i, x in enumerate(a): n += i", "return f'{n:d}'"),
    ),
    "numbers in columns": (
        body("n = len(a)", "return '%02d %+5d %x %X %o %i' % (n, n, n, n, n, n)"),
        body("n = len(a)", "return f'{n:02d} {n:+5d} {n:x} {n:X} {n:o} {n:d}'"),
    ),
    "texts in columns": (
        body("return '%-5s|%5s' % (s, s)", given="s: str"),
        body("return f'{s:<5}|{s:>5}'", given="s: str"),
    ),
    "numbers in a list that a loop builds": (
        body("b = []", "for i, x in enumerate(a): b.append('%d' % i)", "return b"),
        body("return [f'{i:d}' for i, x in enumerate(a)]"),
    ),
    "letters in a dict that a loop builds": (
        body("d = {}", "for c in s: d[c] = '<%s>' % c", "return d", given="s: str"),
        body("return {c: f'<{c}>' for c in s}", given="s: str"),
    ),
    "a dict of a function around": (
        body("d = {}", "def g(x): return d.get(x, None)", "return g"),
        body("d = {}", "def g(x): return d.get(x)", "return g"),
    ),
}
DIFFERENT = {
    "what an example prints": (DOC.format("", "", "", "1"), DOC.format("", "", "", "2")),
    "blanks that an example prints": (DOC.format("", "", "", "1 "), DOC.format("", "", "", "1")),
    "what an example does": (DOC.format("", "", "", "1"), DOC.format("", "", " + 1", "1")),
    "a docstring that is read": (
        DOC.format(" ", "", "", "1") + "print(f.__doc__)",
        DOC.format("", "", "", "1") + "print(f.__doc__)",
    ),
    "a lambda whose name is asked for": (
        "g = lambda x: x\nprint(g.__name__)",
        "def g(x): return x\nprint(g.__name__)",
    ),
    "a lambda that is pickled": (
        "import pickle\ng = lambda x: x",
        "import pickle\ndef g(x): return x",
    ),
    "a lambda that yields": ("g = lambda x: (yield x)", "def g(x): return (yield x)"),
    "a lambda with another default": ("g = lambda x=1: x", "def g(x=2): return x"),
    "a map that is handed on": (
        body("return map(lambda x: x + 1, a)"),
        body("return (x + 1 for x in a)"),
    ),
    "a map that an end of iteration ends": (
        body(MAPPED.format("all", "next(x)")),
        body("return all(next(x) for x in a)"),
    ),
    "a map that may end": (
        body("b = next(a)", MAPPED.format("all", "g(x)")),
        body("b = next(a)", "return all(g(x) for x in a)"),
    ),
    "a map that is another": (
        f"def map(x, y): return y\n{body(MAPPED.format('all', 'x > 1'))}",
        f"def map(x, y): return y\n{body('return all(x > 1 for x in a)')}",
    ),
    "a variable of the module": ("x = 5", "pass"),
    "a variable of a class": ("class A:\n    x = 5", "class A:\n    pass"),
    "a variable read within": (body("x = 5", "return lambda: x"), body("return lambda: x")),
    "a variable that is added to": (body("x = 5", "x += 1"), body("x += 1")),
    "a variable that is deleted": (body("x = 5", "del x"), body("del x")),
    "a global variable": (body("global x", "x = 5"), body("global x")),
    "a variable that locals() has": (
        body("x = 5", "return locals()"),
        body("return locals()"),
    ),
    "a call that may do something": (body("x = g(a)", "return a"), body("g(a)", "return a")),
    "a value that may be missing": (body("x = y", "return a"), body("return a")),
    "a variable that is returned": (body("x = 5", "return x"), body("return x")),
    "an exception that is read": (
        body("try: g()", "except ValueError as e: print(e)"),
        body("try: g()", "except ValueError: print(e)"),
    ),
    "an import that may fail": (
        body("try: import tomllib", "except ImportError: return 1", "return a"),
        body("try: pass", "except ImportError: return 1", "return a"),
    ),
    "an import of a package": (body("import numpy", "return a"), body("return a")),
    "a lookup in who knows what": (
        body("return d[a] if a in d else 0", given="a, d"),
        body("return d.get(a, 0)", given="a, d"),
    ),
    "a default that is called": (
        body("d = {}", "return d[a] if a in d else g()"),
        body("d = {}", "return d.get(a, g())"),
    ),
    "another key": (
        body("d = {}", "return d[b] if a in d else 0", given="a, b"),
        body("d = {}", "return d.get(a, 0)", given="a, b"),
    ),
    "one letter more than the beginning": (
        body(*(line.format(3) for line in CUT), given="s: str"),
        body("return s.removeprefix('ab')", given="s: str"),
    ),
    "a beginning of who knows what": (
        body(*(line.format(2) for line in CUT), given="s"),
        body("return s.removeprefix('ab')", given="s"),
    ),
    "an empty end": (
        body("return s[:-0] if s.endswith('') else s", given="s: str"),
        body("return s.removesuffix('')", given="s: str"),
    ),
    "the first of two that are equal": (
        body("if a - b > m: m = a - b", "return m", given="a, b, m"),
        body("m = max(a - b, m)", "return m", given="a, b, m"),
    ),
    "a call that is made twice": (
        body("if g(a) > m: m = g(a)", "return m", given="a, m"),
        body("m = max(m, g(a))", "return m", given="a, m"),
    ),
    "an annotation that a class evaluates": (
        "from typing import Optional\nclass A:\n    x: Optional['A'] = None",
        "class A:\n    x: A | None = None",
    ),
    "a template numbered halfway": (
        body("return '|{0}{1}|'.format(a, a)"),
        body("return '|{}{1}|'.format(a, a)"),
    ),
    "a template that cannot be filled": (
        body("return '{} {0}'.format(a)"),
        body("return f'{a} {a}'"),
    ),
    "an argument that is left out": (
        body("return '{}'.format(a, a[1])"),
        body("return f'{a}'"),
    ),
    "a name that a class changes": (
        "class A:\n    def f(self): return '{0.__x}'.format(self)",
        "class A:\n    def f(self): return f'{self.__x}'",
    ),
    "a context that may catch": (
        body("with g():", "    d = []", "    for x in a: d.append(1 / x)", "return d"),
        body("with g():", "    d = [1 / x for x in a]", "return d"),
    ),
    "a variable that is a tuple at times": (
        body("b = ''", "if a: b = a", "return '%s' % b"),
        body("b = ''", "if a: b = a", "return f'{b}'"),
    ),
    "a text that may become another thing": (
        body("b = ''", "b += a", "return '%s' % b"),
        body("b = ''", "b += a", "return f'{b}'"),
    ),
    "a text that a comprehension binds anew": (
        body("b = ''", "return ['%s' % b for b in a]"),
        body("b = ''", "return [f'{b}' for b in a]"),
    ),
    "a variable of a comprehension and of what is around": (
        body("return ['<%s>' % s for s in g(s)]", given="s: str"),
        body("return [f'<{s}>' for s in g(s)]", given="s: str"),
    ),
    "a variable of two parts of a comprehension": (
        body("return ['<%s>' % c for c in s for c in a]", given="s: str, a"),
        body("return [f'<{c}>' for c in s for c in a]", given="s: str, a"),
    ),
    "a parameter within a comprehension": (
        body("return [lambda c: '<%s>' % c for c in s]", given="s: str"),
        body("return [lambda c: f'<{c}>' for c in s]", given="s: str"),
    ),
    "a text that a handler binds anew": (
        body("b = ''", "try: g()", "except E as b: return '%s' % b"),
        body("b = ''", "try: g()", "except E as b: return f'{b}'"),
    ),
    "a text that a function within changes": (
        body("b = ''", "def g():", "    nonlocal b", "    b = a", "g()", "return '%s' % b"),
        body("b = ''", "def g():", "    nonlocal b", "    b = a", "g()", "return f'{b}'"),
    ),
    "a text of the module that a function changes": (
        f"B = ''\n{body('global B', 'B = a')}def g(): return '%s' % B",
        f"B = ''\n{body('global B', 'B = a')}def g(): return f'{{B}}'",
    ),
    "a text unless nothing is given": (
        body("return b.get(1, None)", given="b: dict = None"),
        body("return b.get(1)", given="b: dict = None"),
    ),
    "numbers that may be none": (body("return '%x' % (a,)"), body("return f'{a:x}'")),
    "another width": (
        body("return '%5s' % (s,)", given="s: str"),
        body("return f'{s:<5}'", given="s: str"),
    ),
    "columns of who knows what": (body("return '%5s' % (a,)"), body("return f'{a:>5}'")),
    "a Counter of somebody else": (
        f"from other import Counter\n{body('d = Counter()', 'return d.get(a, None)')}",
        f"from other import Counter\n{body('d = Counter()', 'return d.get(a)')}",
    ),
}
