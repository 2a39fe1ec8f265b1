"""Comments may be written as one likes; nothing else may be changed with them."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.behaviour_heuristics import comments_only, compare
from codeintel.engine.equivalence.comparison import Comparison, Evidence

_JS = "#!/usr/bin/env node\nexport function f(a) {\n  // old\n  return g(a, 'x');\n}\n"
_GO = "//go:build linux\n\npackage a\n\nfunc F(a int) int {\n\treturn a * 2\n}\n"
_C = "#define A(x) x\nint f(int a) { /* old */ return a + 1; }\n"
_SH = '#!/bin/sh\necho "a  b" # old\n'
_RUBY = "# frozen_string_literal: true\n\ndef f(a)\n  a + 1\nend\n"
_HTML = "<p>a</p>\n<!-- old -->\n"
_CSS = "a { color: red }\n"
_PYTHON = "def f(a):\n    return a\n"
_ONLY = [
    ("javascript", _JS, _JS.replace("// old", "// What g makes of a.")),
    ("javascript", _JS, _JS.replace("  // old\n", "")),
    ("javascript", _JS, _JS.replace("export", "/**\n * Calls g.\n * @param {A} a\n */\nexport")),
    ("typescript", "let a: number = 1;\n", "/** A. */\nlet a: number = 1; // one\n"),
    ("go", _GO, _GO.replace("func", "// F doubles.\nfunc")),
    ("c", _C, _C.replace("old", "one more").replace("; }", ";\n}")),
    ("bash", _SH, _SH.replace("# old", "# says it")),
    ("ruby", _RUBY, _RUBY.replace("def f", "# One more.\ndef f")),
    ("rust", "fn f() {}\n", "/// Nothing.\nfn f() {}\n"),
    ("java", "class A { int a; }\n", "/** An A. */\nclass A {\n    /** a. */\n    int a;\n}\n"),
    ("php", "<?php\nf(1);\n", "<?php\n/** Calls f. */\nf(1);\n"),
    ("html", _HTML, _HTML.replace("old", "new")),
    ("css", _CSS, f"/* Links. */\n{_CSS}"),
    ("lua", "f(1)\n", "-- calls f\nf(1)\n"),
    ("kotlin", "fun f() = 1\n", "/** One. */\nfun f() = 1\n"),
    ("python", _PYTHON, 'def f(a):\n    """Give it back."""\n    return a\n'),
]
_JAVA = "class A {\n    int a;\n}\n"
_PHP = "<?php\n/** @ORM\\Entity */\nclass A {}\n"
_ACTING = [
    ("java", _JAVA, _JAVA.replace("    int", "    // \\u000a int b;\n    int")),
    ("java", _JAVA, _JAVA.replace("    int", "    /* \\uu002a\\u002f int b; /* */\n    int")),
    ("html", _HTML, _HTML.replace("old", "old --!> <script>f()</script>")),
    ("html", _HTML, f"{_HTML}<!--> <script>f()</script> -->\n"),
    ("html", _HTML, f"{_HTML}<!---> <script>f()</script> -->\n"),
    ("python", _PYTHON, f"# coding: utf-7\n{_PYTHON}"),
    ("python", _PYTHON, f"#!/bin/python\n# -*- coding: latin-1 -*-\n{_PYTHON}"),
]
_MORE = [
    *_ACTING,
    ("php", _PHP, _PHP.replace("@ORM\\Entity", "It.")),
    ("javascript", "a = f();\n", "a = /* @__PURE__ */ f();\n"),
    ("javascript", _JS, _JS.replace("'x'", "'y'")),
    ("javascript", _JS, _JS.replace("g(a, 'x')", "h(a, 'x')")),
    ("javascript", _JS, _JS.replace("  return", "  // old\n  g();\n  return")),
    ("javascript", _JS, _JS.replace("return g", "return // new\n  g")),
    ("javascript", _JS, _JS.replace("#!/usr/bin/env node\n", "")),
    ("javascript", _JS, _JS.replace("  return g(a, 'x');\n", "")),
    ("javascript", "f();\n", "// f();\n"),
    ("typescript", "f(a);\n", "// @ts-ignore\nf(a);\n"),
    ("javascript", "f(a);\n", "// eslint-disable-next-line\nf(a);\n"),
    ("go", _GO, _GO.replace("linux", "windows")),
    ("go", _GO, _GO.replace("* 2", "* 3")),
    ("go", "package a\n\nvar A int\n", "package a\n\n//go:embed x\nvar A int\n"),
    ("c", _C, _C.replace("A(x)", "A (x)").replace("a + 1", "a - 1")),
    ("bash", _SH, _SH.replace("a  b", "a b")),
    ("bash", _SH, _SH.replace("/bin/sh", "/bin/bash")),
    ("ruby", _RUBY, _RUBY.replace("true", "false")),
    ("html", _HTML, _HTML.replace("<!-- old -->", "<script>f()</script>")),
    ("css", _CSS, _CSS.replace("red", "blue")),
    ("python", _PYTHON, 'def f(a):\n    """Give it back."""\n    return None\n'),
]


def compared(language: str, before: str, after: str, target: str = "") -> Evidence:
    return comments_only(
        Comparison(before=before, after=after, language=language, target=target or language)
    )


@pytest.mark.parametrize(("language", "before", "after"), _ONLY)
def test_only_comments(language: str, before: str, after: str) -> None:
    assert before != after
    evidence = compared(language, before, after)
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize(("language", "before", "after"), _MORE)
def test_more_than_comments(language: str, before: str, after: str) -> None:
    assert before != after
    assert compared(language, before, after).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("language", "target"), [("python", "javascript"), ("json", "json"), ("sql", "sql")]
)
def test_what_cannot_be_told(language: str, target: str) -> None:
    assert compared(language, "", "", target).status is CheckStatus.NOT_APPLICABLE


@pytest.mark.parametrize(("language", "before", "after"), _ACTING)
def test_a_comment_that_acts_is_refused_with_other_changes_too(
    language: str, before: str, after: str
) -> None:
    evidence = compare(
        Comparison(before=before, after=after, language=language, target=language, by_model=True)
    )
    assert (evidence.status, evidence.tentative) == (CheckStatus.FAILED, False)


@pytest.mark.parametrize(
    ("language", "before", "after", "is_conclusive"),
    [
        ("java", "class A { int a; }\n", "class A {\n    int a;\n}\n", True),
        ("kotlin", "val a = b + c\n", "val a = b\n+ c\n", False),
        ("kotlin", "val a = b + c\n", "// a\nval a = b + c // b\n", True),
        ("bash", "f a\ng b\n", "f a # a\n# b\ng b\n", True),
        ("html", "<i>a</i> <i>b</i>", "<i>a</i><i>b</i>", False),
        ("python", _PYTHON, f"# coding: utf8\n{_PYTHON}", True),
    ],
)
def test_space_that_may_mean_something_is_no_proof(
    language: str, before: str, after: str, is_conclusive: bool
) -> None:
    evidence = comments_only(
        Comparison(before=before, after=after, language=language, target=language)
    )
    assert (evidence.status, evidence.conclusive) == (CheckStatus.PASSED, is_conclusive)
