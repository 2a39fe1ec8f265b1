"""Properties of all structural rewrites: positions, comments, line ends, and hostile code."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.structural.patches import LANGUAGES
from hypothesis import given, settings, strategies as st
from msgspec import UNSET
from structural_cases import WAYS, failures, rewritten

from codeintel.contracts import Unsupported
from codeintel.contracts.positions import LineTable

C = """int f(int a) {
    int i;
    for (i = 0; i < a; i++) {
        a = a + 1; /* kept */
    }
    return a;
}
"""


def test_line_ends_and_byte_order_marks_are_kept() -> None:
    windows = "\ufeff" + C.replace("\n", "\r\n")
    made = rewritten(windows, "c", "refactor")
    assert made.code == "\ufeff" + rewritten(C, "c", "refactor").code.replace("\n", "\r\n")
    assert failures(windows, made, "c") == []


def test_changes_name_places_in_the_original() -> None:
    made = rewritten(C, "c", "refactor")
    assert len(made.changes) > 1
    lines = LineTable(C)
    for change in made.changes:
        assert change.range is not UNSET
        assert lines.contains(change.range)  # type: ignore[arg-type]
    assert [change.range for change in made.changes] == sorted(
        (change.range for change in made.changes),
        key=lambda each: (each.start_line, each.start_column),  # type: ignore[union-attr]
    )


def test_changes_of_changes_are_told_as_one_place() -> None:
    code = "void f(int a) { if (a > 1) { if (a > 2) { if (a > 3) { g(); } } } }\n"
    made = rewritten(code, "c", "refactor")
    assert made.code == "void f(int a) { if (a > 1 && a > 2 && a > 3) { g(); } }\n"
    assert failures(code, made, "c") == []


def test_a_change_that_is_not_named_does_not_pass() -> None:
    made = rewritten(C, "c", "refactor")
    assert any(
        said.startswith("equivalent") for said in failures(C, made.__class__(code=made.code), "c")
    )


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "void f(char *p) { if (p) /* why */ free(p); }\n"),
        ("java", "class A { void f(int a) { if (a > 1) { // why\n if (a > 2) { g(); } } } }\n"),
        ("php", "<?php $a = isset($b) /* why */ ? $b : 1;\n"),
        ("go", "package p\nfunc f(n int) { n = n /* why */ + 1 }\n"),
    ],
)
def test_no_comment_is_lost(language: str, code: str) -> None:
    for kind in WAYS:
        assert rewritten(code, language, kind).code == code


GO = """package p
func f(a int) {
	if a > 1 {
		if a > 2 {
			g(`x
			y`)
			h()
		}
	}
}
"""
CSHARP = """class A { void F(int a) {
    if (a > 1) {
        if (a > 2) {
            G(@"x
            y");
            H();
        }
    }
} }
"""
PHP = """<?php
if ($a) {
    if ($b) {
        f(<<<T
        x
        T);
        g();
    }
}
"""


@pytest.mark.parametrize(
    ("language", "before", "moved", "kept"),
    [
        ("go", GO, ("\n\t\tg(`x\n", "\n\t\th()\n\t}\n}\n"), "`x\n\t\t\ty`"),
        ("csharp", CSHARP, ('\n        G(@"x\n', "\n        H();\n    }\n}"), 'x\n            y"'),
        ("php", PHP, ("\n    f(<<<T\n", "\n    g();\n}\n"), "<<<T\n        x\n        T);"),
    ],
)
def test_what_moves_to_the_left_leaves_texts_of_several_lines_alone(
    language: str, before: str, moved: tuple[str, ...], kept: str
) -> None:
    made = rewritten(before, language, "refactor")
    assert " && " in made.code
    assert all(each in made.code for each in (*moved, kept))
    assert failures(before, made, language) == []


@pytest.mark.parametrize(
    ("language", "code"),
    [("c", "int f( {"), ("java", "class A { void f( }"), ("go", "package p\n\nfunc {")],
)
def test_broken_code_is_refused_with_its_line(language: str, code: str) -> None:
    with pytest.raises(Unsupported, match=r"^line \d+: the code does not parse"):
        rewritten(code, language, "refactor")


def test_pages_keep_what_is_not_php() -> None:
    page = "<p>array(1)</p>\n<?php $a = array(1); ?>\n<b>list($a) = 1</b>\n"
    made = rewritten(page, "php", "modernize")
    assert made.code == page.replace("= array(1)", "= [1]")
    assert failures(page, made, "php") == []


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "int x = " + "(" * 20_000),
        ("c", "\0" * 1_000),
        ("php", "<?php $a = " + "array(" * 2_000 + ")" * 2_000 + ";"),
        ("java", "class A { boolean b = " + "!(" * 3_000 + "a" + ")" * 3_000 + "; }"),
        ("go", "package p\nfunc f() {" + "if a > 1 {" * 200 + "g()" + "}" * 200 + "}\n"),
        ("bash", "`" * 5_001),
        ("ruby", "x = \ud800"),
        ("rust", ""),
        ("csharp", "\ufeff"),
    ],
)
def test_hostile_code_is_done_or_refused(language: str, code: str) -> None:
    for kind in WAYS:
        try:
            made = rewritten(code, language, kind)
        except Unsupported as refusal:
            assert str(refusal).startswith("line ")
        else:
            assert isinstance(made.code, str)


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "x = x + 1",
                "if (a) { if (b) { f(); } }",
                "array(1)",
                "{ :a => 1 }",
                "// c\n",
                "\r\n",
            ),
            *("for (i = 0; i < 3; i++)", "int i;", "lambda { |x| x }", "return true;", "é", "`ls`"),
            *("interface{}", "match x { Some(n) => { f(n); } None => {} }", "NULL", "\ufeff", "}"),
            *("isset($a) ? $a : 1", "typedef int t;", "class A {", "fn f() {", "<?php ", "/* c */"),
        ]
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(
    pieces=PIECES, language=st.sampled_from(sorted(LANGUAGES)), kind=st.sampled_from(sorted(WAYS))
)
def test_any_code_is_done_once_or_refused(pieces: list[str], language: str, kind: str) -> None:
    code = " ".join(pieces)
    try:
        made = rewritten(code, language, kind)
    except Unsupported:
        return
    assert rewritten(made.code, language, kind).code == made.code
    if made.code != code:
        assert made.changes
