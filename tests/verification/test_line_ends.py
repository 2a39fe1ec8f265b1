"""Line ends that end statements: programs that differ only in them are not called equivalent."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import (
    behaviour_heuristics,
    local_edits,
    same_meaning,
    type_removal,
)
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.local_edits.line_ends import are_uncertain

SAME = {
    "class A { x\ny = 1\nm() {} }": "class A { x; y = 1; m() {} }",
    "function f(a) { return 1;; }": "function f(a) { return 1 }",
    "let a = 1\nexport { a }": "let a = 1;\nexport { a };",
    "function f(a) { for (; a; a--) { g() } }": "function f(a) { for (;a;a--) { g(); } }",
}
OTHER = {
    "function f(a) { if (a > 0); return 1; }": "function f(a) { if (a > 0) return 1; }",
    "function f(a) { return\na; }": "function f(a) { return a; }",
    "function f(a, b) {\na\n++b\nreturn a + b\n}": "function f(a, b) {\na++\nb\nreturn a + b\n}",
    "function f(a) { while (a); g(); }": "function f(a) { while (a) g(); }",
    "function f(a) { do; while (a) g() }": "function f(a) { do g(); while (a) }",
    "function f(a) { if (a) g(); else; h(); }": "function f(a) { if (a) g(); else h(); }",
    "function f(a) { for (a;; a++) g(); }": "function f(a) { for (; a; a++) g(); }",
    "function f(a) { for (;; a++) g(); }": "function f(a) { for (; a++;) g(); }",
    "function f(a) { const b = a\n(c)\nreturn b }": "function f(a) { const b = a;\n(c)\nreturn b }",
    "export default a\n(b)": "export default a;\n(b)",
    "x: for (;;) { if (a) break\nx }": "x: for (;;) { if (a) break x }",
    "const g = async\nx => 1": "const g = async x => 1",
    "class A { static\nx() {} }": "class A { static; x() {} }",
}
UNSEEN = {
    "function f(a) { return /* b */ a; }": "function f(a) { return /* b\n */ a; }",
    "function f(a, b) { a /* c */ ++\nb; }": "function f(a, b) { a /* c\n */ ++\nb; }",
    "function f(a) { return a; }": "function f(a) { return\ra; }",
    "const g = async /* b */ x => 1;": "const g = async /* b\n */ x => 1;",
    "async /* b */ function f() {}": "async /* b\n */ function f() {}",
    "function* f(a) { yield a; }": "function* f(a) { yield /* b\n */ a; }",
    "function f(a) { throw a; }": "function f(a) { throw\u2028a; }",
}
"""Programs whose tokens are equal, and that the grammar may read alike."""


def compared(before: str, after: str, language: str = "javascript", target: str = "") -> Comparison:
    return Comparison(
        before=before, after=after, language=language, target=target or language, by_model=True
    )


def is_proof(evidence: Evidence) -> bool:
    return evidence.status is CheckStatus.PASSED and evidence.conclusive


@pytest.mark.parametrize("language", ["javascript", "typescript"])
@pytest.mark.parametrize("before", SAME)
def test_optional_semicolons_are_no_difference(before: str, language: str) -> None:
    assert is_proof(same_meaning.compare(compared(before, SAME[before], language)))


@pytest.mark.parametrize("language", ["javascript", "typescript"])
@pytest.mark.parametrize("before", [*OTHER, *UNSEEN])
def test_statements_end_where_the_language_ends_them(before: str, language: str) -> None:
    after = {**OTHER, **UNSEEN}[before]
    for one, two in ((before, after), (after, before)):
        assert not is_proof(same_meaning.compare(compared(one, two, language)))
        assert not is_proof(type_removal.compare(compared(one, two, "typescript", "javascript")))


@pytest.mark.parametrize("before", [*OTHER, *UNSEEN])
def test_comments_may_not_end_statements(before: str) -> None:
    after = {**OTHER, **UNSEEN}[before]
    for one, two in ((before, after), (after, before)):
        assert not is_proof(behaviour_heuristics.comments_only(compared(one, two)))
    rule = Comparison(before=before, after=after, language="javascript", target="javascript")
    assert local_edits.compare(rule).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return /* a */ g()", "return /* a\n */ g()"),
        ("x := y /* a */ - 1", "x := y /* a\n */ - 1"),
        ("for { break /* a */ ; }", "for { break /* a\n */ ; }"),
    ],
)
def test_comments_of_go_end_statements(before: str, after: str) -> None:
    program = "package p\n\nfunc f(y int) (z int) {{\n\t{}\n}}\n".format
    compare = behaviour_heuristics.comments_only
    assert not is_proof(compare(compared(program(before), program(after), "go")))
    added = program(before).replace("func", "// f does it.\nfunc")
    assert is_proof(compare(compared(program(before), added, "go")))


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("function f(a) {\n  return (\n    a\n  );\n}\n", "javascript"),
        ("/**\n * Does it.\n */\nasync function f() {\n  /* a\n b */\n  return\n}\n", "javascript"),
        ("const f = (\n  a,\n) => a\n  .get\n  .type;\n", "typescript"),
        ("class A {\n  static x = 1;\n  y = 2;\n}\n", "typescript"),
        ("package p\n\n/* a\nb */\nfunc f() int { // c\n\treturn 1 // d\n}\n", "go"),
    ],
)
def test_usual_code_is_certain(code: str, language: str) -> None:
    assert not are_uncertain(code, language)
