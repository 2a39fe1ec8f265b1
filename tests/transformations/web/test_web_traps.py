"""Programs that look as if a rule fitted: they say the same before and after each kind."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from codeintel_plugins.transformations.web.rewriting import WebModernize, WebOptimize, WebRefactor

from codeintel.contracts import RewriteRequest, Transformation

WAYS = (WebModernize(), WebRefactor(), WebOptimize())
SECONDS = 20
TRAPS = {
    "undefined once": "let p = undefined;\nconsole.log(p);",
    "undefined in a function": "console.log((() => { let p = undefined; return p; })());",
    "undefined, then more": "let p = undefined;\nif (!p) p = 1;\nconsole.log(p);",
    "an escaped backslash": r"""const n = 1; console.log("\\'" + n, "a\"b'" + n, 'c\\' + n);""",
    "a dollar before a brace": (
        r"""const n = 1; console.log("a\\$" + "{n}" + n, '$' + n, "${" + n);"""
    ),
    "a dollar at the end": "const n = 1; console.log('costs $' + n + '$' + `{n}`);",
    "arguments that change others": (
        "const s = { a: 1 };\nfunction bump(o) { o.a += 1; return {}; }\n"
        "console.log(Object.assign({}, s, bump(s)), Object.assign({}, s, { b: bump(s) }));"
    ),
    "a brace on its own line": (
        "[1, 2].forEach(function (x)\n{\n  console.log(x);\n});\n"
        "console.log([3].map(function (x)\n{ return x + 1; }));"
    ),
    "kept from turn to turn": (
        "const log = [], rows = [[1, 0], [0, 0]];\n"
        "function f() {\n  for (let k = 0; k < 2; k++) {\n"
        "    for (var i = 0, seen; i < 1; i++) {\n"
        "      if (rows[k][i]) seen = rows[k][i];\n      log.push(seen);\n    }\n  }\n}\n"
        "f();\nconsole.log(log);"
    ),
    "deeper than the element": (
        "const a = [{ b: { c: 2 } }, {}];\n"
        "try { console.log(a.filter((x) => x.b.c > 1)[0]); } catch (e) { console.log('no'); }"
    ),
    "the element itself": "console.log([1, 2, 3].filter((x) => x > 1)[0]);",
    "a label before a string": (
        "A: 'use strict';\nconsole.log(function () { return this; }() === undefined);"
    ),
}


def rewritten(way: Transformation, code: str, language: str = "javascript") -> str:
    request = RewriteRequest(code=code, language=language, target=language, options={})
    return way.rewrite(request).code


def said(code: str, folder: Path) -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is missing")
    (folder / "main.cjs").write_text(code)
    done = subprocess.run(
        [node, "main.cjs"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return f"{done.returncode} {done.stdout} {done.stderr.count('Error')}"


@pytest.mark.parametrize("name", TRAPS)
def test_it_says_the_same(name: str, tmp_path: Path) -> None:
    code = TRAPS[name]
    before = said(code, tmp_path)
    assert before.startswith("0 ")
    for way in WAYS:
        assert said(rewritten(way, code), tmp_path) == before, way.kind


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "export {};\nlet a: unknown = 1;\n(a as any) = 2;"),
        ("typescript", "export {};\nlet a: unknown = 1;\n(<any>a) = 2;"),
        ("typescript", "export {};\nlet a: unknown = 1;\n(a satisfies unknown) = 2;"),
        ("javascript", "let count = 0;"),
        ("javascript", "var Lib = {};\nif (typeof module !== 'undefined') module.exports = Lib;"),
    ],
)
def test_a_name_that_others_may_write_is_no_constant(language: str, code: str) -> None:
    result = rewritten(WAYS[0], code, language)
    assert "const" not in result


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "const assert = require('assert');\nlet a = 1;\nassert(a);"),
        ("javascript", "let a = 1;\nmodule.exports = a;"),
        ("typescript", "declare var require: any;\nlet a = 1;\nrequire('assert')(a);"),
        ("typescript", "let a = 1;\nexport { a };"),
    ],
)
def test_what_only_a_module_knows_is_a_constant(language: str, code: str) -> None:
    assert "const a = 1;" in rewritten(WAYS[0], code, language)
