"""Rewrites of a model that read well and behave otherwise: by language, each with its mistake."""

from __future__ import annotations

from typing import NamedTuple

from wrong_python_rewrites import MORE_PYTHON


class Rewrite(NamedTuple):
    """Code before and after. `target` is empty where the language stays."""

    language: str
    before: str
    after: str
    target: str = ""


_MOVING = "def f(xs, n):\n    return [sum(xs[i : i + n]) for i in range(len(xs) - n + 1)]\n"
_WAIT = "async def f(g, x):\n    y = await g(x)\n    await g(y)\n    return y\n"
_FIND = (
    "def f(xs, k):\n    for x in xs:\n        if x.k == k:\n            return x\n    return None\n"
)
_RAISING = (
    "def f(g, log):\n    try:\n        return g()\n    except ValueError as error:\n"
    "        log(error)\n        raise\n"
)
_TWICE = (
    "def f(xs):\n    ys = [x * x for x in xs]\n    n = max(ys)\n    return [y / n for y in ys]\n"
)

PYTHON = {
    "a window off by one": (_MOVING, _MOVING.replace(" + 1)", ")")),
    "the order of evaluation": (
        "def f(g, h):\n    a = g()\n    b = h()\n    return b - a\n",
        "def f(g, h):\n    return h() - g()\n",
    ),
    "the last for the first": (
        _FIND,
        "def f(xs, k):\n    return {x.k: x for x in xs}.get(k)\n",
    ),
    "a dropped await": (_WAIT, _WAIT.replace("    await g(y)", "    g(y)")),
    "the order of a merge": (
        "def f(a, b):\n    c = dict(a)\n    c.update(b)\n    return c\n",
        "def f(a, b):\n    return {**b, **a}\n",
    ),
    "casefold for lower": (
        "def f(a, b):\n    return a.lower() == b.lower()\n",
        "def f(a, b):\n    return a.casefold() == b.casefold()\n",
    ),
    "flags of a regular expression": (
        "import re\n\n\ndef f(s):\n    return re.findall(r'^a.b$', s, re.M)\n",
        "import re\n\n\ndef f(s):\n    return re.findall(r'^a.b$', s, re.S)\n",
    ),
    "all for any": (
        "def f(xs):\n    for x in xs:\n        if x > 0:\n            return True\n"
        "    return False\n",
        "def f(xs):\n    return all(x > 0 for x in xs)\n",
    ),
    "precedence": (
        "def f(a, b, c):\n    return (a or b) and c\n",
        "def f(a, b, c):\n    return a or b and c\n",
    ),
    "continue for break": (
        "def f(xs):\n    out = []\n    for x in xs:\n        if x < 0:\n            break\n"
        "        out.append(x)\n    return out\n",
        "def f(xs):\n    out = []\n    for x in xs:\n        if x < 0:\n            continue\n"
        "        out.append(x)\n    return out\n",
    ),
    "break as a filter": (
        "def f(xs):\n    out = []\n    for x in xs:\n        if x < 0:\n            break\n"
        "        out.append(x)\n    return out\n",
        "def f(xs):\n    return [x for x in xs if x >= 0]\n",
    ),
    "a shallow copy": (
        "import copy\n\n\ndef f(a):\n    return copy.deepcopy(a)\n",
        "import copy\n\n\ndef f(a):\n    return copy.copy(a)\n",
    ),
    "a dropped raise": (_RAISING, _RAISING.replace("        raise\n", "        return None\n")),
    "a dropped time zone": (
        "from datetime import datetime, timezone\n\n\ndef f(t):\n"
        "    return datetime.fromtimestamp(t, timezone.utc)\n",
        "from datetime import datetime\n\n\ndef f(t):\n    return datetime.fromtimestamp(t)\n",
    ),
    "rstrip for removesuffix": (
        "def f(s):\n    if s.endswith('.py'):\n        s = s[: -len('.py')]\n    return s\n",
        "def f(s):\n    return s.rstrip('.py')\n",
    ),
    "rstrip for removesuffix, by name": (
        "def f(s: str):\n    return s.removesuffix('.py')\n",
        "def f(s: str):\n    return s.rstrip('.py')\n",
    ),
    "or for a default": (
        "def f(d, k):\n    return d.get(k, 5)\n",
        "def f(d, k):\n    return d.get(k) or 5\n",
    ),
    "a generator that is read twice": (
        _TWICE,
        _TWICE.replace("[x * x for x in xs]", "(x * x for x in xs)"),
    ),
    "identity for equality": (
        "def f(a, b):\n    return a == b\n",
        "def f(a, b):\n    return a is b\n",
    ),
    "floor for truncation": (
        "def f(a, b):\n    return int(a / b)\n",
        "def f(a, b):\n    return a // b\n",
    ),
    "a default that is shared": (
        "def f(x, xs=None):\n    xs = [] if xs is None else xs\n    xs.append(x)\n    return xs\n",
        "def f(x, xs=[]):\n    xs.append(x)\n    return xs\n",
    ),
    "a sort that is not stable": (
        "def f(xs):\n    return sorted(xs, key=lambda x: x[0], reverse=True)\n",
        "def f(xs):\n    return sorted(xs, key=lambda x: x[0])[::-1]\n",
    ),
}
JAVASCRIPT = {
    "loose equality with null": (
        "export function f(a) { return a == null ? 0 : a; }\n",
        "export function f(a) { return a === null ? 0 : a; }\n",
    ),
    "sorted in place": (
        "export function f(xs) { return [...xs].sort(); }\n",
        "export function f(xs) { return xs.sort(); }\n",
    ),
    "this in an arrow": (
        "export const o = { n: 1, f: function () { return this.n; } };\n",
        "export const o = { n: 1, f: () => this.n };\n",
    ),
    "allSettled for all": (
        "export async function f(ps) { return Promise.all(ps); }\n",
        "export async function f(ps) { return Promise.allSettled(ps); }\n",
    ),
    "for in for for of": (
        "export function f(xs) { let s = 0; for (const x of xs) { s += x; } return s; }\n",
        "export function f(xs) { let s = 0; for (const x in xs) { s += x; } return s; }\n",
    ),
    "closures over var": (
        "export function f() { const fs = []; for (let i = 0; i < 3; i++) "
        "{ fs.push(() => i); } return fs; }\n",
        "export function f() { const fs = []; for (var i = 0; i < 3; i++) "
        "{ fs.push(() => i); } return fs; }\n",
    ),
    "a dropped await": (
        "export async function f(g) { try { return await g(); } catch (e) { return 0; } }\n",
        "export async function f(g) { try { return g(); } catch (e) { return 0; } }\n",
    ),
    "or for a default": (
        "export function f(a) { return a ?? 5; }\n",
        "export function f(a) { return a || 5; }\n",
    ),
    "parseInt in map": (
        "export function f(xs) { return xs.map((x) => parseInt(x)); }\n",
        "export function f(xs) { return xs.map(parseInt); }\n",
    ),
    "the order of a merge": (
        "export function f(a, b) { return { ...a, ...b }; }\n",
        "export function f(a, b) { return { ...b, ...a }; }\n",
    ),
}
_GO = "package main\n\n"
_JAVA = "class A {\n    private int n;\n%s\n}\n"
OTHERS = [
    (
        "defer in a loop",
        "go",
        _GO + "func F(m []Lock) {\n\tfor _, l := range m {\n\t\tl.Lock()\n\t\tg(l)\n\t\tl.Unlock()"
        "\n\t}\n}\n",
        _GO + "func F(m []Lock) {\n\tfor _, l := range m {\n\t\tl.Lock()\n\t\tdefer l.Unlock()"
        "\n\t\tg(l)\n\t}\n}\n",
    ),
    (
        "a pointer receiver",
        "go",
        _GO + "type C struct{ n int }\n\nfunc (c *C) Add() { c.n++ }\n",
        _GO + "type C struct{ n int }\n\nfunc (c C) Add() { c.n++ }\n",
    ),
    (
        "overflow",
        "java",
        _JAVA % "    long f(int a, int b) {\n        return (long) a * b;\n    }",
        _JAVA % "    long f(int a, int b) {\n        return (long) (a * b);\n    }",
    ),
    (
        "synchronized",
        "java",
        _JAVA % "    synchronized void f() {\n        n++;\n    }",
        _JAVA % "    void f() {\n        n++;\n    }",
    ),
    (
        "identity of texts",
        "java",
        _JAVA % "    boolean f(String a, String b) {\n        return a.equals(b);\n    }",
        _JAVA % "    boolean f(String a, String b) {\n        return a == b;\n    }",
    ),
    (
        "ensure",
        "ruby",
        "def f(g)\n  open_it\n  g.call\nensure\n  close_it\nend\n",
        "def f(g)\n  open_it\n  r = g.call\n  close_it\n  r\nend\n",
    ),
    (
        "map! for map",
        "ruby",
        "def f(xs)\n  xs.map { |x| x + 1 }\nend\n",
        "def f(xs)\n  xs.map! { |x| x + 1 }\nend\n",
    ),
    (
        "loose comparison",
        "php",
        "<?php\nfunction f($a, $b) { return $a === $b; }\n",
        "<?php\nfunction f($a, $b) { return $a == $b; }\n",
    ),
    (
        "wrapping arithmetic",
        "rust",
        "pub fn f(a: u8, b: u8) -> u8 { a.saturating_sub(b) }\n",
        "pub fn f(a: u8, b: u8) -> u8 { a.wrapping_sub(b) }\n",
    ),
    (
        "signedness",
        "c",
        "int f(int a, unsigned b) { return a < (int) b; }\n",
        "int f(int a, unsigned b) { return a < b; }\n",
    ),
    (
        "a copy for a reference",
        "cpp",
        "void f(std::vector<int> &v) { for (auto &x : v) x += 2; }\n",
        "void f(std::vector<int> &v) { for (auto x : v) x += 2; }\n",
    ),
    (
        "deferred execution",
        "csharp",
        "class A {\n    int F(int[] a) { var b = a.Select(x => x + 2).ToList(); a[0] = 2; "
        "return b.Sum(); }\n}\n",
        "class A {\n    int F(int[] a) { var b = a.Select(x => x + 2); a[0] = 2; "
        "return b.Sum(); }\n}\n",
    ),
    (
        "unquoted words",
        "bash",
        'f() {\n  rm_all "$@"\n}\n',
        "f() {\n  rm_all $*\n}\n",
    ),
]
CONVERSIONS = {
    "floor division": Rewrite(
        "python",
        "def f(a, b):\n    return a // b\n",
        "export function f(a, b) { return Math.trunc(a / b); }\n",
        "javascript",
    ),
    "truth of empty lists": Rewrite(
        "python",
        "def f(xs):\n    if xs:\n        return 2\n    return 3\n",
        "export function f(xs) { if (xs) { return 2; } return 3; }\n",
        "javascript",
    ),
    "sorting numbers as texts": Rewrite(
        "python",
        "def f(xs):\n    return sorted(xs)\n",
        "export function f(xs) { return [...xs].sort(); }\n",
        "javascript",
    ),
    "an enum of TypeScript": Rewrite(
        "typescript",
        "enum E { A, B }\nexport const f = (e: E): number => e + 2;\n",
        "export const f = (e) => e + 2;\n",
        "javascript",
    ),
    "division of SQL dialects": Rewrite(
        "postgres", "SELECT a / b AS c FROM t", "SELECT a / b AS c FROM t", "mysql"
    ),
    "case of texts in SQL dialects": Rewrite(
        "postgres", "SELECT a FROM t WHERE b = 'x'", "SELECT a FROM t WHERE b = 'x'", "mysql"
    ),
}
SQL = {
    "NULL in NOT IN": (
        "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.b = t.b)",
        "SELECT a FROM t WHERE b NOT IN (SELECT b FROM s)",
    ),
    "duplicates of UNION": (
        "SELECT a FROM t UNION ALL SELECT a FROM s",
        "SELECT a FROM t UNION SELECT a FROM s",
    ),
    "a condition of an outer join": (
        "SELECT t.a FROM t LEFT JOIN s ON t.b = s.b AND s.c = 1",
        "SELECT t.a FROM t LEFT JOIN s ON t.b = s.b WHERE s.c = 1",
    ),
}

WRONG: dict[str, Rewrite] = {
    **{
        f"python: {title}": Rewrite("python", *pair)
        for title, pair in (PYTHON | MORE_PYTHON).items()
    },
    **{f"javascript: {title}": Rewrite("javascript", *pair) for title, pair in JAVASCRIPT.items()},
    **{f"typescript: {title}": Rewrite("typescript", *pair) for title, pair in JAVASCRIPT.items()},
    **{f"{language}: {title}": Rewrite(language, *pair) for title, language, *pair in OTHERS},
    **{f"conversion: {title}": each for title, each in CONVERSIONS.items()},
    **{f"sql: {title}": Rewrite("postgres", *pair) for title, pair in SQL.items()},
}
