"""Code with effects outside of a program, under any name, and code without."""

from __future__ import annotations

_OS = "import os\n\n\ndef f(a):\n    return os.path.join(a)\n"
_PLAIN = "def f(a):\n    return a\n"


def _with(line: str, code: str = _OS) -> str:
    return code.replace("    return", f"    {line}\n    return")


REACHING = [
    *(
        ("python", _OS, _with(line))
        for line in (
            "os.execvpe(a, a, a)",
            "os.spawnve(0, a, a, a)",
            "os.abort()",
            "os.symlink(a, a)",
            "os.removexattr(a, a)",
            "os.makedirs(a)",
            "os.listdir(a)",
            "os.chdir(a)",
            "os.sendfile(a, a, 0, 1)",
            "os.putenv(a, a)",
            "os.environ.pop(a)",
            "x = os",
            "x = vars(os)",
            "getattr(os, a)(a)",
            "os.__dict__[a](a)",
            "os.path.os.system(a)",
        )
    ),
    *(
        ("python", _PLAIN, _with(line, _PLAIN))
        for line in (
            "breakpoint()",
            "quit()",
            "exit()",
            "input()",
            "raise SystemExit",
            "compile(a, a, a)",
            "print(a)",
            "open(a)",
            "globals()[a](a)",
            "eval(a)",
            "import os; os.abort()",
            "from os import abort",
        )
    ),
    ("python", _PLAIN, f"{_with('eval(a)', _PLAIN)}\n\nclass _X:\n    eval = None\n"),
    ("python", _PLAIN, _with("exec(a)", _PLAIN) + "    exec = 1\n"),
    ("python", _PLAIN, f"{_with('exec(a)', _PLAIN)}\n\ndef _g(exec):\n    return exec\n"),
    (
        "python",
        _PLAIN,
        f"{_with('open(a)', _PLAIN)}\n\ndef _g():\n    def open(a):\n        pass\n",
    ),
    ("python", _PLAIN, f"import subprocess\n{_PLAIN}\nsubprocess = 1\n"),
    ("python", "import sys\nx = sys.argv\n", "import sys\nx = sys.argv\nsys.settrace(x)\n"),
    ("python", "import sys\nx = sys.argv\n", "import sys\nx = sys.argv\nsys.path.append(x)\n"),
    ("python", "import sys\nx = sys.argv\n", "import sys\nx = sys.argv\nsys.exit(x)\n"),
    (
        "python",
        "import shutil\nx = shutil.which\n",
        "import shutil\nx = shutil.which\nshutil.move(x, x)\n",
    ),
    (
        "python",
        "import os as system\nx = system.sep\n",
        "import os as system\nx = system.sep\nsystem.truncate(x, 0)\n",
    ),
    (
        "javascript",
        "export const f = (a) => a.b;\n",
        "export const f = (a) => { process.kill(a); return a.b; };\n",
    ),
    (
        "javascript",
        "export const f = (a) => a.b;\n",
        "export const f = (a) => { document.cookie = a; return a.b; };\n",
    ),
    ("javascript", "export const f = (a) => a.b;\n", "export const f = (a) => a[eval](a.b);\n"),
    (
        "go",
        'package a\n\nimport "os"\n\nvar A = os.Args\n',
        'package a\n\nimport "os"\n\nvar A = os.Args\nvar B = os.Chdir(A)\n',
    ),
    (
        "java",
        "class A { long f() { return System.nanoTime(); } }\n",
        "class A { long f() { System.exit(f); return System.nanoTime(); } }\n",
    ),
    ("c", "int f(int a) { return a; }\n", "int f(int a) { abort(); return a; }\n"),
    (
        "php",
        "<?php\nfunction f($a) { return $a; }\n",
        "<?php\nfunction f($a) { unlink($a); return $a; }\n",
    ),
    ("ruby", "def f(a)\n  a\nend\n", "def f(a)\n  Process.kill(a)\n  a\nend\n"),
]
STAYING = [
    (
        "python",
        _OS,
        _OS.replace("os.path.join(a)", "os.path.join(a) + os.sep").replace(" + os.sep", ""),
    ),
    ("python", "import os\nx = os.getenv('A')\n", "import os\nx = os.environ.get('A')\n"),
    (
        "python",
        "from os import path\n\n\ndef f(a):\n    return path.exists(a)\n",
        "import os\n\n\ndef f(a):\n    return os.path.exists(a)\n",
    ),
    ("python", "import sys\nexit(5)\n", "import sys\nsys.exit(5)\n"),
    (
        "python",
        "code = 5\nos = {}\n\n\ndef f(io):\n    return io.code\n",
        "code = 5\nos = {}\n\n\ndef f(io):\n    site = io.code\n    return site\n",
    ),
    (
        "python",
        "def f(a):\n    run = a.query\n    return run(a)\n",
        "def execute(a):\n    run = a.query\n    return run(a)\n\n\ndef f(a):\n"
        "    return execute(a)\n",
    ),
]
