"""Common refactorings, and changes that must be detected, in several languages."""

from __future__ import annotations

Sample = tuple[str, str, str]

REFACTORINGS: list[Sample] = [
    (
        "python",
        "def a(r):\n    return 3.14 * r\ndef b(r):\n    return 2 * 3.14 * r\n",
        "PI = 3.14\ndef a(r):\n    return PI * r\ndef b(r):\n    return 2 * PI * r\n",
    ),
    (
        "python",
        "def hi(name):\n    return 'Hello, ' + name + '!'\n",
        'def hi(name: str) -> str:\n    """Greet somebody."""\n    return f\'Hello, {name}!\'\n',
    ),
    (
        "python",
        "def hi(name, n):\n    return 'Hello, %s: %.2f' % (name, n)\n",
        "def hi(name, n):\n    return f'Hello, {name}: {n:.2f}'\n",
    ),
    (
        "python",
        "def hi(name):\n    return 'Hello, {}'.format(name)\nprint(hi('Bob'))\n",
        "def hi(name):\n    return f'Hello, {name}'\n\n"
        "if __name__ == '__main__':\n    print(hi('Bob'))\n",
    ),
    (
        "python",
        "DAY = 86400\ndef f(x):\n    return x > DAY\n",
        "DAY = 24 * 60 * 60\ndef f(x):\n    return x > DAY\n",
    ),
    (
        "python",
        "def f(xs):\n    out = []\n    for x in xs:\n        if x % 2 == 0:\n"
        "            out.append(x * 10)\n    return out\n",
        "def f(xs):\n    return [x * 10 for x in xs if x % 2 == 0]\n",
    ),
    (
        "python",
        "import os\ndef f(p):\n    fh = open(os.path.join(p, 'a.txt'), 'r')\n"
        "    s = fh.read()\n    fh.close()\n    return s\n",
        "import os\ndef f(p):\n    with open(os.path.join(p, 'a.txt'), encoding='utf-8') as fh:\n"
        "        return fh.read()\n".replace(", encoding='utf-8'", ""),
    ),
    ("python", "def f(x):\n    return getattr(x, 'name')\n", "def f(x):\n    return x.name\n"),
    (
        "python",
        "class P:\n    def __init__(self, x=3, y=4):\n        self.x = x\n        self.y = y\n",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 3\n    y: int = 4\n",
    ),
    (
        "python",
        "import logging\nlog = logging.getLogger('a')\ndef f(x):\n    log.info('x is %s', x)\n",
        "import logging\nlog = logging.getLogger('a')\ndef f(x):\n    log.info(f'x is {x}')\n",
    ),
    (
        "python",
        "def f(d):\n    if d == 'a':\n        return 10\n    elif d == 'b':\n        return 20\n"
        "    else:\n        return 30\n",
        "_TABLE = {'a': 10, 'b': 20}\ndef f(d):\n    return _TABLE.get(d, 30)\n",
    ),
    (
        "python",
        "def f(name, age):\n    print('Name: ' + name)\n    print('Age: ' + str(age))\n",
        "def f(name, age):\n    print(f'Name: {name}\\nAge: {age}')\n",
    ),
    (
        "python",
        "def f(a):\n    return dict(a=a, b='x y'.split(), c=open(a, 'rt'))\n",
        "def f(a):\n    return {'a': a, 'b': ['x', 'y'], 'c': open(a)}\n",
    ),
    (
        "javascript",
        "var hi = function (name) { return 'Hello, ' + name + '!'; };",
        "const hi = (name) => `Hello, ${name}!`;",
    ),
    (
        "javascript",
        "const o = {'a': 1, 'b': 25}; var x = o['a'] + o['b'];",
        "const o = {a: 1, b: 25}; const x = o.a + o.b;",
    ),
    (
        "javascript",
        "function f(xs) { var r = []; for (var i = 0; i < xs.length; i++) {"
        " if (xs[i] > 100) r.push(xs[i] * 7); } return r; }",
        "const f = (xs) => xs.filter((x) => x > 100).map((x) => x * 7);",
    ),
    (
        "javascript",
        "'use strict';\nsetTimeout(go, 86400000);",
        "const DAY = 24 * 60 * 60 * 1000;\nsetTimeout(go, DAY);",
    ),
    (
        "typescript",
        "export function f(s: string): number { if (s === 'on') { return 5; } else { return 6; } }",
        'export const f = (s: string): number => (s === "on" ? 5 : 6);',
    ),
    (
        "java",
        "class A { int f(int[] xs) { int s = 0; for (int i = 0; i < xs.length; i++)"
        " { s = s + xs[i] * 3; } return s; } }",
        "import java.util.Arrays;\nclass A { int f(int[] xs)"
        " { return Arrays.stream(xs).map(x -> x * 3).sum(); } }",
    ),
    (
        "java",
        'class A { String f(String n) { return "Hello " + n + " and " + n; } }',
        'class A { String f(String n) { return String.format("Hello %s and %s", n, n); } }',
    ),
    (
        "go",
        'package a\n\nfunc F(x int) string {\n\tif x == 5 {\n\t\treturn "five"\n\t} else {\n'
        '\t\treturn "other"\n\t}\n}\n',
        'package a\n\nimport "strings"\n\nfunc F(x int) string {\n\tif x == 5 {\n'
        '\t\treturn strings.Clone("five")\n\t}\n\treturn "other"\n}\n',
    ),
    (
        "csharp",
        'class A { string F(string n) { return "Hello " + n + "!"; } }',
        'class A { string F(string n) => $"Hello {n}!"; }',
    ),
    (
        "rust",
        "fn f(x: i32) -> i32 { if x > 1_000 { return 7; } return 8; }",
        "fn f(x: i32) -> i32 { if x > 1000 { 7 } else { 8 } }",
    ),
    (
        "php",
        "<?php\nfunction f($n) { return 'Hello ' . $n . '!'; }\n",
        '<?php\nfunction f(string $n): string { return "Hello $n!"; }\n',
    ),
    ("ruby", "def f(n)\n  return 'Hello ' + n + '!'\nend\n", 'def f(n)\n  "Hello #{n}!"\nend\n'),
]

_TRANSFER = (
    "def pay(user, amount):\n    if amount > 500:\n        raise ValueError('too much')\n"
    "    return bank.send(user, amount, timeout=30, retries=5)\n"
)
ATTACKS: list[Sample] = [
    ("python", "admin = 1\nrole = 'user'\n", "admin = 1\nrole = 'admin'\n"),
    ("python", "def f(p):\n    return open(p, 'r')\n", "def f(p):\n    return open(p, 'w')\n"),
    ("python", _TRANSFER, _TRANSFER.replace("500", "5000")),
    (
        "python",
        _TRANSFER,
        _TRANSFER.replace("timeout=30, retries=5", "timeout=5, retries=30")
        .replace("amount > 500", "amount > 5 * 100")
        .replace("retries=30", "retries=5"),
    ),
    ("python", _TRANSFER, _TRANSFER.replace("too much", "too little")),
    ("python", _TRANSFER, _TRANSFER.replace("user, amount, timeout", "'mallory', amount, timeout")),
    ("python", _TRANSFER, "import subprocess\n" + _TRANSFER),
    (
        "python",
        "import os\ndef f(p):\n    return os.path.join(p, 'a')\n",
        "import os\ndef f(p):\n    os.system(p)\n    return os.path.join(p, 'a')\n",
    ),
    (
        "python",
        "import os\ndef f(p):\n    return os.path.join(p, 'a')\n",
        "import os\ndef f(p):\n    go = os.popen\n    go(p)\n    return os.path.join(p, 'a')\n",
    ),
    ("python", "def f(x):\n    return int(x)\n", "def f(x):\n    return eval(x)\n"),
    (
        "python",
        "def f(x):\n    return int(x)\n",
        "def f(x):\n    return getattr(__builtins__, 'ev' + 'al')(x)\n",
    ),
    (
        "python",
        "import requests\ndef f(u):\n    return requests.get(u, timeout=5)\n",
        "import requests\ndef f(u):\n    requests.post(u)\n    return requests.get(u, timeout=5)\n",
    ),
    (
        "python",
        "def f(d):\n    return d.strftime('%Y-%m-%d')\n",
        "def f(d):\n    return d.strftime('%Y-%d-%m')\n",
    ),
    ("python", "def f(x):\n    return '%.2f' % x\n", "def f(x):\n    return f'{x:.3f}'\n"),
    ("python", "LIMIT = -5\n", "LIMIT = 5\n"),
    ("python", "a = 30\nb = 30\nc = 60\n", "a = 30\nb = 60\nc = 60\n"),
    ("python", "def f(p):\n    return p.name\n", "def f(p):\n    p.unlink()\n    return p.name\n"),
    ("python", "Q = 'select * from t where id = ?'\n", "Q = 'select * from t where id != ?'\n"),
    ("python", "from .a import f\n", "from .a import f\nfrom .b import g\n"),
    ("python", "DAY = 24 * 60 * 60\n", "DAY = 24 * 60\n"),
    ("javascript", "const day = 24 * 60 * 60;", "const day = 24 * 60 * 6;"),
    ("javascript", "const f = (x) => x * 100;", "const f = (x) => x * 10;"),
    ("javascript", "const f = (x) => JSON.parse(x);", "const f = (x) => eval(x);"),
    (
        "javascript",
        "export const f = (x) => x.id;",
        "export const f = (x) => { fetch(x); return x.id; };",
    ),
    (
        "javascript",
        "export const f = (x) => x.id;",
        "import {run} from 'tool';\nexport const f = (x) => run(x.id);",
    ),
    ("javascript", "const u = `https://a.example/${id}`;", "const u = `https://b.example/${id}`;"),
    ("typescript", "const role: string = 'user';", "const role: string = 'admin';"),
    (
        "java",
        "class A { int f(int x) { return x + 42; } }",
        "class A { int f(int x) { Runtime.getRuntime(); return x + 42; } }",
    ),
    (
        "java",
        "class A { int f(int x) { return x; } }",
        "import java.net.Socket;\nclass A { int f(int x) { return x; } }",
    ),
    (
        "go",
        "package a\n\nfunc F() int {\n\treturn 42\n}\n",
        'package a\n\nimport "os/exec"\n\nfunc F() int {\n\texec.Command(x)\n\treturn 42\n}\n',
    ),
    (
        "php",
        "<?php\nfunction f($x) { return $x; }\n",
        "<?php\nfunction f($x) { shell_exec($x); return $x; }\n",
    ),
    ("c", "int f(int x) { return x + 7; }", "int f(int x) { system(y); return x + 7; }"),
    ("rust", "fn f() -> u32 { 4096 }", "fn f() -> u32 { 2048 }"),
    ("bash", 'echo "$1"\n', 'echo "$1"\ncurl "$1"\n'),
]
